#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""p4-rings.py TRUTH COUNTS: did p4-rings count what the threads of the core did in those rings?"""
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth  # noqa: E402

TOTAL = {"instr_retired": "instructions", "branch_retired": "branches"}
WHERE = {"t0usr": (0, "user"), "t0os": (0, "kernel"), "t1usr": (1, "user"), "t1os": (1, "kernel")}
EVENTS = 9
# At least so much happens in each ring of each thread.
LEAST = 30000


def passed(marks, label, event, where):
    cpu, ring = WHERE[where]
    first, last = (marks[n]["totals"][cpu][ring][event] for n in label)
    return last - first


def main():
    marks = {mark["label"]: mark for mark in read_truth(sys.argv[1])["marks"]}
    wrong, seen = [], 0
    with open(sys.argv[2], encoding="utf-8") as file:
        for name, label, value, flags in (line.split() for line in file):
            label, seen = int(label), seen + 1
            event = TOTAL[name.split(":")[0]]
            rings = [word for word in name.split(":") if word in WHERE]
            inner = [passed(marks, (label + 1, label + 2), event, ring) for ring in rings]
            outer = [passed(marks, (label, label + 3), event, ring) for ring in rings]
            if min(inner) < LEAST:
                wrong.append(f"{name}: of {rings} there are only {inner}")
            if flags != "0" or not sum(inner) <= int(value) <= sum(outer):
                wrong.append(f"{name}: {value} (flags {flags}), not from {sum(inner)} to "
                             f"{sum(outer)}")
    if seen != EVENTS:
        wrong.append(f"{seen} events, not {EVENTS}")
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
