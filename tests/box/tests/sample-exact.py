#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares recordings of sample-exact.guest with what really happened, by the truth.

sample-exact.py TRUTH DIRECTORY PERIOD SKID FORMAT: prints what is wrong; FORMAT is that of
the PEBS records, of which 0 and 1 may have samples that are flagged uncertain.
"""
import collections
import os
import re
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of, program_of            # noqa: E402
from perfdata import PerfData, LOST, LOST_SAMPLES, THROTTLE     # noqa: E402

KERNEL = 1 << 63
SUMMARY = re.compile(r"record: (\d+) samples, (\d+) lost, shortfall (\d+),")
# Tasks of each way to run the program; a task's last period is not complete.
TASKS = {"single": 1, "threads": 9, "fork": 5, "forkexec": 9, "hop": 1, "alternate": 2}


def family_of(truth, name):
    """The spaces of the program and its descendants, by number."""
    root = program_of(truth, name)
    spaces = {root["id"]: root}
    while True:
        more = [s for s in truth["spaces"] if s["parent"] in spaces and s["id"] not in spaces]
        if not more:
            return spaces
        spaces.update((s["id"], s) for s in more)


class Run:
    def __init__(self, truth, rows, directory, name):
        self.name, self.wrong = name, []
        self.kind, self.mode = name.split("-")
        self.file = PerfData(os.path.join(directory, name))
        with open(os.path.join(directory, name + ".said"), encoding="utf-8") as said:
            self.said = said.read()
        self.spaces = family_of(truth, "/root/" + name)
        rows = [row for row in rows if row["space"] in self.spaces]
        self.lost = [row for row in rows if row["kind"] == "lost"]
        # The PMI of a full buffer is no sample.
        self.rows = [row for row in rows if row["kind"] == self.kind and row["ring"] == "user"]

    def check(self, good, text):
        if not good:
            self.wrong.append(f"{self.name}: {text}")

    def ledger(self):
        samples = len(self.file.samples)
        said = SUMMARY.search(self.said)
        # The last periods of all tasks together may be more than one.
        self.check(said and [int(n) for n in said.groups()[:2]] == [samples, 0] and
                   int(said[3]) < TASKS[self.mode],
                   f"{samples} samples in the file, but: {self.said.strip()}")
        self.check(not self.file.count(LOST, LOST_SAMPLES, THROTTLE), "says that it lost samples")
        self.check(not self.lost, f"the hardware lost {len(self.lost)} records")
        self.check(samples == len(self.rows), f"{samples} samples, the truth has {len(self.rows)}")

    def totals(self, period):
        """One sample every so many instructions of each task."""
        samples, true = len(self.file.samples), sum(
            space["user"]["instructions"] for space in self.spaces.values())
        least, most = true / period - TASKS[self.mode], true / period
        self.check(least < samples <= most,
                   f"{samples} samples of {true} instructions, not {least:.2f} to {most:.2f}")
        odd = {s["period"] for s in self.file.samples} - {period}
        self.check(not odd, f"periods {odd}")

    def pairs(self):
        """Each sample with the event that made it: both are in order on each CPU."""
        samples, rows = collections.defaultdict(list), collections.defaultdict(list)
        for sample in self.file.samples:
            samples[sample["cpu"]].append(sample)
        for row in self.rows:
            rows[row["cpu"]].append(row)
        for cpu in sorted(rows.keys() | samples.keys()):
            self.check(len(samples[cpu]) == len(rows[cpu]),
                       f"CPU {cpu}: {len(samples[cpu])} samples, truth {len(rows[cpu])}")
            yield from zip(sorted(samples[cpu], key=lambda s: s["time"]), rows[cpu])

    def placed(self, sample, row):
        if self.kind == "pebs":
            return sample["ip"] == row["ip"] or not sample["exact"]
        # If the interrupt came so late that the kernel ran, the sample is of the program.
        return sample["ip"] == row["at"] or KERNEL <= row["at"] and sample["ip"] < KERNEL

    def gone(self):
        """
        How often a task may have gone before its interrupt came: it is sampled where it
        entered the kernel, and the truth's interrupt is in the next task.
        """
        alone = self.kind == "pebs" or TASKS[self.mode] == 1
        return 0 if alone else 1 + len(self.rows) // 100

    def places(self, period, form):
        """Where each sample is, and whose."""
        owners, wrong, flagged, first = {}, 0, 0, None
        counts = collections.Counter()
        for sample, row in self.pairs():
            counts[sample["pid"]] += 1
            flagged += self.kind == "pebs" and not sample["exact"]
            owner = owners.setdefault(row["space"], sample["pid"])
            good = self.placed(sample, row) and owner == sample["pid"]
            wrong += not good
            first = first or (None if good else f"{sample} {row}")
        self.check(wrong <= self.gone(),
                   f"{wrong} samples are not where the truth is, the first: {first}")
        self.check(not flagged or form < 2 and flagged < len(self.rows) / 2,
                   f"{flagged} of {len(self.rows)} samples are flagged uncertain")
        # What one process did is in one or two spaces: from its fork, and from its exec on.
        for pid, count in counts.items() if self.mode != "threads" else ():
            true = sum(self.spaces[space]["user"]["instructions"]
                       for space, owner in owners.items() if owner == pid)
            self.check(count in (true // period, true // period + 1),
                       f"{pid}: {count} samples of {true} instructions")
        return flagged

    def skid(self, cycles):
        """By interrupt: right behind the instruction if there is none."""
        late = sum(row["at"] != row["next"] for row in self.rows)
        self.check(late == 0 if not cycles else late > len(self.rows) * 0.8,
                   f"skid {cycles}: {late} of {len(self.rows)} interrupts came later")


def main():
    truth, directory = read_truth(sys.argv[1]), sys.argv[2]
    period, skid, form = map(int, sys.argv[3:])
    rows, dropped = rows_of(truth), truth["dropped_samples"]
    wrong = [f"{dropped} samples of the truth are not kept"] if dropped else []
    names = sorted(name for name in os.listdir(directory) if "." not in name)
    total = flagged = 0
    for name in names:
        run = Run(truth, rows, directory, name)
        run.ledger()
        run.totals(period)
        flagged += run.places(period, form)
        if run.kind == "pmi":
            run.skid(skid)
        total += len(run.file.samples)
        wrong += run.wrong
    if not names:
        wrong.append("there are no recordings")
    print(f"{len(names)} recordings, {total} samples, {flagged} flagged uncertain")
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
