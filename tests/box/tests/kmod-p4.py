#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds what kmod-p4.guest counted to the truth.

kmod-p4.py TRUTH COUNTS
"""
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, program_of  # noqa: E402

TOTAL = {
    "instr_retired:NBOGUSNTAG:u": "instructions",
    "global_power_events:u": "cycles",
    "branch_retired:MMTP:MMNP:MMTM:MMNM:u": "branches",
    "uops_retired:NBOGUS:u": "uops",
}
PERIOD = 5000


def totals_of(space):
    """In user mode, on all CPUs."""
    return {total: sum(cpu["user"][total] for cpu in space["cpu"])
            for total in space["cpu"][0]["user"]}


def cpus_of(space):
    return sum(cpu["user"]["instructions"] > 0 for cpu in space["cpu"])


def verdict(name, event, value, percent, true):
    """None, or what is wrong."""
    if event == "samples":
        return None if value == true["instructions"] // PERIOD else \
            f"{value} samples, truth {true['instructions'] // PERIOD}"
    wanted = true[TOTAL[event]]
    if not name.startswith("turn"):
        return None if value == wanted and percent == 100 else \
            f"{value} ({percent} %), truth {wanted}"
    # Estimates of what was counted part of the time.
    if not 0 < percent < 100:
        return f"was on {percent} % of the time, with another on its counters"
    return None if wanted / 3 < value < wanted * 3 else f"estimate {value}, truth {wanted}"


def main():
    truth = read_truth(sys.argv[1])
    wrong, lines = 0, 0
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            name, event, value, percent = line.split()
            space = program_of(truth, f"/root/{name}")
            text = verdict(name, event, int(value), float(percent), totals_of(space))
            if name == "migrant" and cpus_of(space) < 4:
                text = f"ran on {cpus_of(space)} of 4 CPUs"
            if text:
                print(f"{name}: {event}: {text}")
            wrong += bool(text)
            lines += 1
    if lines != 15:
        print(f"{lines} counts, not 15")
        wrong += 1
    return 1 if wrong else 0


sys.exit(main())
