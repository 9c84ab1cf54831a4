#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-kinds-sample.py TRUTH SAMPLES: what sessions of all kinds sampled together is one sample
every so many events of each task that the truth has, and by PEBS the records that the box wrote
on each CPU, or why not."""
import re
import sys

sys.dont_write_bytecode = True

from boxtruth import kinds_of, read_truth, rows_of  # noqa: E402
from talked import fields  # noqa: E402

USER, PEBS, EXACT = 1, 2, 4
KERNEL = 1 << 63
# Of each program: its period, and how many tasks it has; 0: of its processes each is a task.
PERIODS = {"hop": (100003, 1), "short": (1009, 1), "threads": (10007, 9), "forked": (10007, 0),
           "pebs": (100003, 1), "pebs-short": (1009, 1), "pebs-forked": (10007, 0), "late": (10007, 1),
           "away-period=10007": (10007, 9), "away-precise=2": (10007, 9)}
HOPS = ("hop", "places", "short", "pebs", "pebs-short", "random", "frequency", "pebs-loads",
        "late")
problems = []


def expect(what, right):
    if not right:
        problems.append(what)


class Run:
    """What one program's two sessions said, by the first word of a line."""

    def __init__(self, name, text):
        self.name, self.lines = name, {}
        for line in text.splitlines():
            kind = line.split(":")[0]
            if kind in ("sample", "sum", "ledger", "count", "counts"):
                self.lines.setdefault(kind, []).append(fields(line))

    def of(self, kind):
        return self.lines.get(kind, [])

    def expect(self, what, right):
        expect(f"{self.name}: {what}", right)

    def counted(self):
        return sum(line["value"] for line in self.of("count"))

    def periods(self):
        return sum(sample["period"] for sample in self.of("sample"))


def check_ledger(run):
    """On each CPU, of each event."""
    for entry in run.of("ledger"):
        written = sum(sample["cpu"] == entry["cpu"] and sample["event"] == entry["event"]
                      for sample in run.of("sample"))
        run.expect(f"{written} samples, ledger {entry}", written == entry["written"] and
                   entry["produced"] == entry["written"] + entry["lost"])
        run.expect(f"nothing else became of any: {entry}", not any(
            entry[what] for what in ("lost", "collisions", "throttled", "overruns", "stalled")))
    run.expect("nothing is wrong with the counts",
               not any(line["flags"] for line in run.of("count") + run.of("counts")))
    run.expect("user mode only", all(s["flags"] & USER and s["ip"] < KERNEL
                                     for s in run.of("sample")))


def of_program(truth, name):
    """Of its spaces, and of those that descend from it, what each executed in user mode."""
    inside = set()
    for space in sorted(truth["spaces"], key=lambda space: space["id"]):
        if space["name"].endswith("/" + name) or space["parent"] in inside:
            inside.add(space["id"])
    return [sum(row["user"]["instructions"] for row in space["cpu"])
            for space in truth["spaces"] if space["id"] in inside]


def check_periods(run, truth):
    period, tasks = PERIODS[run.name]
    samples, each = len(run.of("sample")), of_program(truth, run.name)
    print(f"{run.name}: {samples} samples every {period} of {sum(each)}")
    run.expect(f"{run.counted()} are counted of {sum(each)}", run.counted() == sum(each))
    run.expect("each stands for a period", run.periods() == samples * period)
    if run.name.startswith("pebs") or run.name.endswith("precise=2"):
        # A record is one event late where its task came one event before it.
        run.expect(f"{samples} records every {period} of {each}", 0 <= sum(each) -
                   samples * period < max(tasks, len(each)) * (period + 1))
    elif tasks == 1:
        run.expect(f"{samples} samples every {period} of {each[0]}",
                   samples == each[0] // period)
    elif tasks:
        run.expect(f"{samples} samples every {period} of {sum(each)}, {tasks} tasks",
                   0 <= sum(each) - samples * period < tasks * period)
    else:
        run.expect(f"{samples} samples every {period} of {each}",
                   samples == sum(one // period for one in each))


def check_random(run):
    samples = run.of("sample")
    run.expect("periods are 50021, 2047 more or less, and differ",
               all(abs(s["period"] - 50021) < 2048 for s in samples) and
               len({s["period"] for s in samples}) > len(samples) / 3)
    run.expect(f"{run.periods()} of {run.counted()} are sampled",
               0 <= run.counted() - run.periods() < 50021 + 2048)


def check_frequency(run):
    run.expect(f"{run.periods()} of {run.counted()} are sampled",
               run.counted() / 2 < run.periods() <= run.counted())


def check_loads(run):
    """Address and registers; counted on what each kind has for it."""
    period = 20011
    run.expect("each has an address and registers", all(
        s["content"][0] and len(s["content"]) == 1 + 18 for s in run.of("sample")))
    run.expect(f"{len(run.of('sample'))} records every {period} of {run.counted()}",
               0 <= run.counted() - len(run.of("sample")) * period < period + 2)


def check_places(run, kinds):
    """The first event is all kinds'; of two others the first kind has one, the others the other."""
    counts = [line["value"] for line in run.of("count")]
    for event, period, of in ((0, 100003, sorted(set(kinds))), (1, 20011, sorted(set(kinds))[:1]),
                              (1, 20011, sorted(set(kinds))[1:])):
        count = sum(counts[2 * list(sorted(set(kinds))).index(kind) + event] for kind in of)
        taken = sum(s["event"] == event and kinds[s["cpu"]] in of for s in run.of("sample"))
        run.expect(f"{taken} samples every {period} of {count} of event {event} on {of}",
                   taken == count // period and taken > 3)


def check_cpus(run):
    for count in run.of("counts"):
        produced = sum(e["produced"] for e in run.of("ledger") if e["cpu"] == count["cpu"])
        run.expect(f"{produced} samples every 10007 of {count}",
                   0 <= count["value"] - produced * 10007 < 10007 + 2 and produced > 3)
    run.expect("both CPUs count", len(run.of("counts")) == 2)


def check_records(samples, rows, cpus):
    """On each CPU in the same order; those that the module tried are in the kernel."""
    pids = {}
    for cpu in range(cpus):
        mine = [s for s in samples if s["cpu"] == cpu]
        true = [r for r in rows if r["kind"] == "pebs" and r["cpu"] == cpu and r["ip"] < KERNEL]
        expect(f"CPU {cpu}: {len(mine)} samples, {len(true)} records", len(mine) == len(true))
        for sample, row in zip(mine, true):
            expect(f"CPU {cpu}: {sample}, truth {row}",
                   sample["ip"] == row["ip"] and sample["flags"] & EXACT)
            expect(f"pid {sample['pid']}, but space {row['space']} was that of another",
                   pids.setdefault(row["space"], sample["pid"]) == sample["pid"])
    expect("no two spaces have one pid", len(set(pids.values())) == len(pids))
    print(f"{len(samples)} samples by PEBS")


def main():
    truth = read_truth(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        parts = re.split(r"^== (\S+)$", file.read(), flags=re.M)
    runs = [Run(name, text) for name, text in zip(parts[1::2], parts[2::2])]
    checks = {"random": check_random, "frequency": check_frequency, "pebs-loads": check_loads,
              "cpus": check_cpus}
    for run in runs:
        check_ledger(run)
        if run.name in PERIODS:
            check_periods(run, truth)
        elif run.name == "places":
            check_places(run, kinds_of(truth))
        else:
            checks[run.name](run)
        kinds = kinds_of(truth)
        seen = {kinds[s["cpu"]] for s in run.of("sample")}
        if run.name in HOPS:
            run.expect(f"there are samples of all kinds: {seen}", seen == set(kinds))
    if truth["dropped_samples"]:
        problems.append(f"{truth['dropped_samples']} records more than the box holds")
    check_records([s for run in runs for s in run.of("sample") if s["flags"] & PEBS],
                  rows_of(truth), truth["cpus"])
    expect("nothing was sampled", runs)
    for text in problems[:20]:
        print(f"kmod-kinds-sample: {text}")
    return 1 if problems else 0


sys.exit(main())
