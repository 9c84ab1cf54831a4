# SPDX-License-Identifier: GPL-2.0-or-later
"""What pmuctl report and script say of a perf.data file, beside what perf says:
agree.py PMUCTL FILE...

Every row and every line must be the same, in name, samples and periods; and
whatever rows are made of, they add up to all samples of the file.
"""
import collections
import json
import os
import re
import subprocess
import sys

KEYS = ("comm,dso,sym", "dso,address", "pid,tid,cpu", "line", "symbol", "task")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout.split("\n")


def short(dso):
    """As perf shortens the names of DSOs in its tables."""
    jit = re.fullmatch(r"/tmp/perf-(-?\d+)\.map", dso)
    if jit:
        return f"[JIT] tid {jit[1]}"
    base = os.path.basename(dso)
    module = re.fullmatch(r"(.*?)\.ko(\.\w+)?", base)
    return f"[{module[1]}]" if module else base


def bare(event):
    """perf adds modifiers to an event that the file has no name for."""
    return event.split(":")[0]


def rows_of_perf(path):
    rows, event, names = collections.Counter(), None, []
    for line in run("perf", "report", "--stdio", "-i", path, "--sort", "dso,sym", "-t", "\t", "-n",
                    "--show-total-period", "--percent-limit", "0", "-g", "none", "--no-children"):
        if line.startswith("# Samples:"):
            event = bare(line.split("'")[1])
        if line.startswith("# ") and "\t" in line:
            names = [name.strip() for name in line[2:].split("\t")]
        if not line or line[0] == "#":
            continue
        row = dict(zip(names, (field.strip() for field in line.split("\t"))))
        rows[event, row["Shared Object"], row["Symbol"][4:].strip(), row["Samples"],
             row["Period"]] += 1
    return rows


def table(pmuctl, path, keys):
    """The rows of pmuctl report, as dictionaries."""
    names = []
    for line in run(pmuctl, "report", "-i", path, "-s", keys, "-x", "\t", "--no-children"):
        if line.startswith("# event"):
            names = line[2:].split("\t")
        elif line and line[0] != "#":
            yield dict(zip(names, line.split("\t")))


def rows_of_pmuctl(pmuctl, path):
    return collections.Counter(
        (bare(row["event"]), short(row["dso"]), row["symbol"], row["samples"], row["events"])
        for row in table(pmuctl, path, "dso,sym"))


def lines(text):
    """Of samples in perf's order, that of time, and in ours, that of the file."""
    for line in text:
        words = line.split()
        if words:
            yield " ".join(re.sub(r"(\.\d{6})\d{3}:$", r"\1:", word) for word in words)


def same(path, what, perf, ours):
    missing, surplus = perf - ours, ours - perf
    if not sum(perf.values()) or missing or surplus:
        sys.exit(f"{path}: {what}: perf has {sum(perf.values())}, pmuctl {sum(ours.values())};\n"
                 f"perf alone: {list(missing)[:5]}\npmuctl alone: {list(surplus)[:5]}")
    return sum(perf.values())


def adds_up(pmuctl, path):
    totals = {}
    for line in run(pmuctl, "report", "-i", path, "-j", "--no-children"):
        row = json.loads(line) if line else {}
        if "total_samples" in row:
            totals[row["event"]] = row["total_samples"], row["total_events"]
    for keys in KEYS:
        sums = collections.Counter()
        for row in table(pmuctl, path, keys):
            sums[row["event"], 0] += int(row["samples"])
            sums[row["event"], 1] += int(row["events"])
        for event, total in totals.items():
            if total != (sums[event, 0], sums[event, 1]):
                sys.exit(f"{path}: -s {keys}: rows of {event} come to {sums[event, 0]} samples, "
                         f"{sums[event, 1]} events instead of {total}")


def main():
    pmuctl = sys.argv[1]
    for path in sys.argv[2:]:
        rows = same(path, "report", rows_of_perf(path), rows_of_pmuctl(pmuctl, path))
        fields = "comm,pid,tid,time,period,ip,sym,symoff,dso"
        samples = same(path, "script",
                       collections.Counter(lines(run("perf", "script", "-G", "-i", path, "-F",
                                                     fields))),
                       collections.Counter(lines(run(pmuctl, "script", "-i", path, "-F",
                                                     fields))))
        adds_up(pmuctl, path)
        print(f"{os.path.basename(path)}: {rows} rows, {samples} samples")


main()
