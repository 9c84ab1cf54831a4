#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what perf report and pmuctl report say of the files of sample-report.guest.

sample-report.py DIRECTORY PMUCTL: NAME.perf and NAME.ours there are of the guest, by DSO
and symbol; on this machine, which lacks the guest's programs, both go by DSO and address.
"""
import collections
import os
import re
import subprocess
import sys

HOST = {"perf": ["perf", "report", "--stdio", "--no-children", "--no-group", "-t", ",",
                 "-F", "sample,period,dso,sym", "-i"],
        "ours": ["report", "--no-children", "--sort", "dso,sym", "-x", ",", "-i"]}


def of_perf(text):
    """{(event, dso, symbol): [samples, periods]}; an event's rows stand below its name."""
    table, event = collections.defaultdict(lambda: [0, 0]), None
    for line in text.splitlines():
        named = re.match(r"# Samples: \S+ +of events? '(.*)'", line)
        event = named.group(1) if named else event
        row = re.match(r" *(\d+) *, *(\d+) *, *(.*?) *, *\[.\] (.*?) *$", line)
        if row:
            add(table, event, *row.group(3, 4, 1, 2))
    return table


def of_ours(text):
    table = collections.defaultdict(lambda: [0, 0])
    for line in text.splitlines():
        row = re.match(r"([^#].*?),[\d.]+,(\d+),(\d+),([^,]*),(.*)$", line)
        if row:
            add(table, *row.group(1, 4, 5, 2, 3))
    return table


def add(table, event, dso, symbol, samples, periods):
    # perf shows the file's name, and each symbol's rows for each process of the name.
    where = table[event, os.path.basename(dso), symbol.strip('"')]
    where[0] += int(samples)
    where[1] += int(periods)


def is_module(dso):
    return re.match(r"\[\w+\]$", dso) and dso not in ("[vdso]", "[vsyscall]", "[unknown]")


def pool_modules(perf, ours):
    """Where perf has the kernel's symbols, it takes most of the modules' for the kernel's."""
    symbols = {key[2] for key in ours if is_module(key[1])}
    symbols -= {key[2] for key in ours if key[1] == "[kernel.kallsyms]"}
    for table in (perf, ours):
        for event, dso, symbol in list(table):
            if is_module(dso) or dso == "[kernel.kallsyms]" and symbol in symbols:
                add(table, event, "modules", "", *table.pop((event, dso, symbol)))


def difference(perf, ours):
    """What is wrong, or nothing."""
    if len(perf) < 5:
        return f"perf report has {len(perf)} rows only"
    for key in sorted(perf.keys() | ours.keys(), key=str):
        if perf.get(key) != ours.get(key):
            return f"{key}: perf has {perf.get(key)}, we have {ours.get(key)}"
    return None


def host(who, pmuctl, path):
    command = HOST[who] + [path]
    if who == "ours":
        command.insert(0, pmuctl)
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def main():
    directory, pmuctl = sys.argv[1:]
    paths = sorted(os.path.join(directory, name) for name in os.listdir(directory)
                   if "." not in name)
    bad = len(paths) != 11
    for path in paths:
        rows = []
        for where, text in (("guest", lambda who: read(f"{path}.{who}")),
                            ("host", lambda who: host(who, pmuctl, path))):
            perf, ours = of_perf(text("perf")), of_ours(text("ours"))
            if where == "guest":
                pool_modules(perf, ours)
            wrong = difference(perf, ours)
            rows.append(str(len(perf)))
            if wrong:
                print(f"{os.path.basename(path)}, {where}: {wrong}")
                bad = True
        print(f"{os.path.basename(path)}: {' and '.join(rows)} rows compared")
    return bad


sys.exit(main())
