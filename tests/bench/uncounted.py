#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Says what sessions cost a switch of others: uncounted.py [--check] KERNEL TRUTH

TRUTH has a mark each four switches, with label 0 without sessions and 1 with 64.  The
scheduler has a few ways through them, whose costs are far apart and the same each time,
and not every run takes each of them: what sessions cost is the difference at which most
stretches of the one kind meet one of the other.  With --check the exit code says whether
it costs no more than it does today.
"""
import collections
import json
import sys

SWITCHES = 4
MOST = 200      # the differences that are tried
GOAL = 20
# Linux's own tracepoint takes 16 on 6.1 and 17 on 6.12, ours 4.
TODAY = {"6.1": 20, "6.12": 21}


def stretches(truth):
    """{label: [kernel instructions from one mark to the next of its kind]}"""
    with open(truth, encoding="utf-8") as file:
        marks = [(mark["label"], sum(cpu["kernel"]["instructions"] for cpu in mark["totals"]))
                 for mark in json.load(file)["marks"]]
    found = {0: [], 1: []}
    for (label, begin), (following, end) in zip(marks, marks[1:]):
        if label == following:
            found[label].append(end - begin)
    return found


def difference(alone, beside):
    """(instructions, how many stretches say so)"""
    alone, beside = collections.Counter(alone), collections.Counter(beside)
    return max(((more, sum(min(n, beside[cost + more]) for cost, n in alone.items()))
                for more in range(MOST)), key=lambda found: found[1])


def main():
    args = [arg for arg in sys.argv[1:] if arg != "--check"]
    found = stretches(args[1])
    more, met = difference(found[0], found[1])
    if not met:
        print(f"Linux {args[0]}: no stretch with sessions took a way that one without took")
        return 1
    missed = more / SWITCHES - GOAL
    print(f"A switch of an uncounted task beside 64 sessions, Linux {args[0]}: "
          f"{more / SWITCHES:.2f} kernel instructions more "
          f"({met} of {len(found[0])} stretches)")
    print(f"  MISSED by {missed:.2f}: at most {GOAL}" if missed > 0 else
          f"  met: at most {GOAL}")
    return 1 if "--check" in sys.argv and more > TODAY[args[0]] * SWITCHES else 0


sys.exit(main())
