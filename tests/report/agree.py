# SPDX-License-Identifier: GPL-2.0-or-later
"""What pmuctl report and script say of a perf.data file, beside what perf says:
agree.py PMUCTL FILE...

Every row and every line must be the same, in name, samples and periods; and
whatever rows are made of, they add up to all samples of the file.  Before 6.3 perf named stubs of
the procedure linkage table by the order of the relocations, which is another one, and not all of
them: a sample that we have in a stub may then have any name there (tests/lib/stubs.py has the right
ones).  Of several names of a function that is chosen at run time later ones take any for its stub.
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


def run_perf(*command):
    """perf of Debian 13 shows parameters, that of 12 and pmuctl do not."""
    done = subprocess.run(["perf", *command, "--no-demangle"], capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"perf {' '.join(command)}: {done.stderr.decode(errors='replace')}")
    return subprocess.run(["c++filt", "-p"], input=done.stdout, capture_output=True,
                          check=True).stdout.decode(errors="replace").split("\n")


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
    for line in run_perf("report", "--stdio", "-i", path, "--sort", "dso,sym", "-t", "\t", "-n",
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


def perf_knows_stubs():
    version = re.search(r"(\d+)\.(\d+)", run("perf", "version")[0])
    return tuple(int(number) for number in version.groups()) >= (6, 3)


def is_stub(symbol):
    return symbol == ".plt" or symbol.endswith("@plt")


def forgive_rows(missing, surplus, may):
    """Takes out rows of DSOs with stubs, where both sides have as much of them."""
    sides = collections.defaultdict(lambda: ([], []))
    for side, rows in enumerate((missing, surplus)):
        for row, count in rows.items():
            sides[row[:2]][side].extend([row] * count)
    for theirs, ours in sides.values():
        names = {row[2] for row in theirs}
        totals = [[sum(int(row[i]) for row in rows) for i in (3, 4)] for rows in (theirs, ours)]
        if totals[0] == totals[1] and all(map(may, names)) and \
                all(is_stub(row[2]) or row[2] in names for row in ours):
            missing -= collections.Counter(theirs)
            surplus -= collections.Counter(ours)
    return missing, surplus


def forgive_lines(missing, surplus, may):
    """Takes out samples that we have in stubs, and perf somewhere else in the same DSO."""
    def parts(line):
        place, symbol, dso = re.fullmatch(r"(.*?: \d+ [0-9a-f]+) (.*) (\(.*\))", line).groups()
        return (place, dso), symbol.split("+0x")[0]
    theirs = {parts(line)[0]: line for line in missing if may(parts(line)[1])}
    for line in list(surplus):
        place, symbol = parts(line)
        if is_stub(symbol) and place in theirs:
            surplus[line] -= 1
            missing[theirs[place]] -= 1
    return +missing, +surplus


def same(path, what, perf, ours, forgive):
    missing, surplus = perf - ours, ours - perf
    missing, surplus = forgive(missing, surplus,
                               is_stub if perf_knows_stubs() else lambda symbol: True)
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
        rows = same(path, "report", rows_of_perf(path), rows_of_pmuctl(pmuctl, path),
                    forgive_rows)
        fields = "comm,pid,tid,time,period,ip,sym,symoff,dso"
        samples = same(path, "script",
                       collections.Counter(lines(run_perf("script", "-G", "-i", path, "-F",
                                                     fields))),
                       collections.Counter(lines(run(pmuctl, "script", "-i", path, "-F",
                                                     fields))),
                       forgive_lines)
        adds_up(pmuctl, path)
        print(f"{os.path.basename(path)}: {rows} rows, {samples} samples")


main()
