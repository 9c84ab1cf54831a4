#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""self.py TRUTH OUT: what myself has read of itself, held to what lies between its marks.

Of "loop LABEL N": N is the instructions of user mode from mark LABEL to the next one, and a number
that is the same for all.  "one LABEL" and "four LABEL": no more instructions than the goal, no
access to an MSR, and so many RDPMC."""
import sys

import boxtruth

GOAL = {"one": (40, 1), "four": (100, 4)}
# The read, or what is around it, is in the loop's marks: a mark is one of these.
MARK = 1


def at(truth, label):
    found = [mark for mark in truth["marks"] if mark["label"] == label]
    if len(found) != 1:
        sys.exit(f"{len(found)} marks {label}")
    return found[0]


def between(truth, label, ring, field):
    """Of the CPU of both marks."""
    first, last = at(truth, label), at(truth, label + 1)
    if first["cpu"] != last["cpu"]:
        sys.exit(f"marks {label} and {label + 1} are of two CPUs")
    totals = [next(t for t in mark["totals"] if t["cpu"] == mark["cpu"])[ring][field]
              for mark in (first, last)]
    return totals[1] - totals[0]


def main():
    truth = boxtruth.read_truth(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = [line.split() for line in file.read().splitlines()]
    wrong = []
    extra = {int(value) - between(truth, int(label), "user", "instructions")
             for what, label, *rest in lines if what == "loop" for value in rest}
    if len(extra) != 1 or not 0 < min(extra) < 60:
        wrong.append(f"reads have {sorted(extra)} more than what is between the marks")
    best = {}
    for what, label, *_ in lines:
        if what not in GOAL:
            continue
        took = between(truth, int(label), "user", "instructions") - MARK
        best[what] = min(best.get(what, took), took)
        msrs = sum(between(truth, int(label), ring, field) for ring in ("user", "kernel")
                   for field in ("msr_reads", "msr_writes"))
        rdpmcs = between(truth, int(label), "user", "rdpmcs")
        if rdpmcs != GOAL[what][1] or msrs:
            wrong.append(f"{what}: {rdpmcs} RDPMC and {msrs} accesses to MSRs")
    if set(best) != set(GOAL):
        wrong.append(f"reads of {sorted(best)} alone")
    wrong += [f"{what}: {took} instructions, the goal is {GOAL[what][0]}"
              for what, took in best.items() if took > GOAL[what][0]]
    print("note: counting oneself:", ", ".join(f"{what} counter{'s' * (what != 'one')} in {took}"
                                               for what, took in sorted(best.items())))
    print(*wrong, sep="\n")
    return bool(wrong)


sys.exit(main())
