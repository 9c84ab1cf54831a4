#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what perf and pmuctl make of call chains and of single instructions.

sample-views.py PMUCTL FILE...: report --children by DSO and symbol, and annotate of the
functions of progs/tree.c, which is on this machine where it was in the guest.
"""
import collections
import os
import re
import subprocess
import sys

FUNCTIONS = ("inner", "outer", "left", "right", "main")
# Percent: below, chance has chains through what is no frame.
LEAST = 0.1


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False).stdout


def rows(text, event, row):
    """{(event, key...): (percents...)}; an event's rows stand below its name in perf's texts."""
    table, current = {}, None
    for line in text.splitlines():
        named = re.search(event, line)
        current = named.group(1) if named else current
        found = re.match(row, line)
        if found:
            groups = found.groupdict()
            key = (groups.get("event") or current, os.path.basename(groups["key"]))
            table[key] = tuple(float(groups[name]) for name in ("all", "self") if name in groups)
    return table


def children(pmuctl, path):
    perf = rows(run("perf", "report", "--stdio", "--children", "-g", "none", "-t", ",",
                    "-F", "overhead_children,overhead,sym", "-i", path),
                r"# Samples: \S+ +of events? '(.*)'",
                r" *(?P<all>[\d.]+)% *, *(?P<self>[\d.]+)% *, *\[.\] (?P<key>[a-z_]\S*) *$")
    ours = rows(run(pmuctl, "report", "--children", "-s", "sym", "-x", ",", "-i", path),
                r"(?!)", r"(?P<event>[^#].*?),(?P<all>[\d.]+),\d+,\d+,(?P<self>[\d.]+),\d+,\d+,"
                         r"(?P<key>[a-z_]\S*)$")
    perf, ours = ({key: value for key, value in table.items() if value[0] >= LEAST}
                  for table in (perf, ours))
    return perf, ours


def without_repairs(pmuctl, path, perf, ours):
    """
    What is left of ours where it is more than perf's by no more than the samples of which a
    caller was found at the top of the stack, where perf has none.
    """
    chains = collections.defaultdict(list)
    for line in run(pmuctl, "script", "-F", "event,callchain", "-i", path).splitlines():
        event, _, chain = line.rpartition(": ")
        chains[event.strip()].append("(stack" in chain)
    left = {}
    for key, value in ours.items():
        most = 100 * sum(chains[key[0]]) / len(chains[key[0]]) + 0.01
        theirs = perf.get(key, (0, 0))
        if theirs[1:] == value[1:] and theirs[0] <= value[0] <= theirs[0] + most:
            value = perf.get(key)
        if value:
            left[key] = value
    return perf, left


def annotated(pmuctl, path):
    perf, ours = {}, {}
    for function in FUNCTIONS:
        perf.update(rows(run("perf", "annotate", "--stdio", "-i", path, "-s", function),
                         r" Disassembly of .* for (\S+) ",
                         r" *(?P<self>[\d.]+) +: +(?P<key>[0-9a-f]+): "))
        ours.update(rows(run(pmuctl, "annotate", "-x", ",", "-i", path, function), r"(?!)",
                         r"[^,]*,[^,]*,0x(?P<key>[0-9a-f]+),(?P<event>[^,]*),\d+,\d+,"
                         r"(?P<self>[\d.]+),"))
    # perf leaves out a function's event that has no samples there.
    events = {(event, key) for event, key in ours if (event, key) in perf or ours[event, key][0]}
    return perf, {key: ours[key] for key in events}


def differ(pmuctl, path, other):
    """Shares of one file and how much more the other has; perf has 0.00 % without a sign."""
    perf = rows(run("perf", "diff", "-c", "delta", "-s", "sym", path, other),
                r"# Event '(.*)'",
                r" +(?P<all>[\d.]+)% +(?P<self>[+-]?[\d.]+)% +\[.\] (?P<key>[a-z_]\S*) *$")
    ours = rows(run(pmuctl, "diff", "--percent-limit", "0", "-s", "sym", "-x", ",", path,
                    other), r"(?!)",
                r"(?P<event>[^#].*?),(?P<key>[a-z_][^,]*),\d+,\d+,(?P<all>[\d.]+),\d+,\d+,[\d.]+,"
                r"(?P<self>[\d.-]+),")
    return perf, {key: tuple(round(x, 2) for x in ours[key]) for key in perf.keys() & ours.keys()}


def main():
    pmuctl, *paths = sys.argv[1:]
    bad = False
    compared = [(path, "children", without_repairs(pmuctl, path, *children(pmuctl, path)))
                for path in paths]
    compared += [(path, "annotate", annotated(pmuctl, path)) for path in paths]
    compared += [(paths[0], "diff", differ(pmuctl, *paths[:2]))]
    for path, what, (perf, ours) in compared:
        wrong = [f"{key}: perf has {perf.get(key)}, we have {ours.get(key)}"
                 for key in sorted(perf.keys() | ours.keys(), key=str)
                 if perf.get(key) != ours.get(key)]
        if len(perf) < (4 if what == "diff" else 6):
            wrong.append(f"perf has {len(perf)} rows only")
        print(f"{os.path.basename(path)}, {what}: {len(perf)} rows compared")
        print(*wrong, sep="\n", end="\n" if wrong else "")
        bad = bad or bool(wrong)
    return bad


sys.exit(main())
