#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""count-kernel.py TRUTH COUNTS: whether instructions:k differs from the truth by one number.

Counting begins within the first of two reads and ends within the second, so the
difference holds a part of either.  It must be the same number whatever went on between
the marks; more only as far as an interrupt has lengthened the two reads themselves.
"""
import collections
import json
import sys

NEEDED = 2      # rounds of a scenario with that number, over all CPUs
SHARE = 3       # and one in so many rounds of each CPU
GONE = "3"      # the CPU that is unplugged: nothing counts on its way down and up

Round = collections.namedtuple("Round", "scenario cpu cost difference")


def read_rounds(truth, counts):
    with open(truth, encoding="utf-8") as file:
        marks = {mark["label"]: mark for mark in json.load(file)["marks"]}
    with open(counts, encoding="utf-8") as file:
        for line in file:
            scenario, label, cpu, value, flags = line.split()
            if (scenario, cpu) == ("unplug", GONE):
                continue
            if flags != "0":
                sys.exit(f"{scenario}: CPU {cpu}: flags {flags} with the count")
            at = [marks[int(label) + i]["totals"][int(cpu)]["kernel"]["instructions"]
                  for i in range(4)]
            yield Round(scenario, int(cpu), (at[1] - at[0], at[3] - at[2]),
                        int(value) - (at[2] - at[1]))


def judge(cpu, rounds):
    """The rounds of a CPU that have its fixed number, and it; says what is wrong."""
    # Of both: the second may have work behind it that does not always come.
    least = min(min(r.cost) for r in rounds)
    fixed = collections.Counter(r.difference for r in rounds).most_common(1)[0][0]
    equal = [r for r in rounds if r.difference == fixed]
    wrong = 0
    if len(equal) * SHARE < len(rounds):
        print(f"CPU {cpu}: only {len(equal)} of {len(rounds)} differ by one number, {fixed}")
        wrong += 1
    for r in rounds:
        if not fixed <= r.difference <= fixed + sum(r.cost) - 2 * least:
            print(f"{r.scenario}: CPU {cpu}: differs from the truth by {r.difference}, "
                  f"not {fixed}; the reads took {r.cost}, at least {least}")
            wrong += 1
    return equal, fixed, wrong


def main():
    rounds = list(read_rounds(sys.argv[1], sys.argv[2]))
    equal, wrong, fixed = collections.Counter(), 0, {}
    for cpu in sorted({r.cpu for r in rounds}):
        mine, fixed[cpu], bad = judge(cpu, [r for r in rounds if r.cpu == cpu])
        equal.update(r.scenario for r in mine)
        wrong += bad
    for scenario, total in collections.Counter(r.scenario for r in rounds).items():
        if equal[scenario] < NEEDED:
            print(f"{scenario}: only {equal[scenario]} of {total} pairs of reads differ by "
                  "their CPU's number")
            wrong += 1
    print(f"note: instructions:k: {sum(equal.values())} of {len(rounds)} pairs of reads add their "
          "CPU's fixed number:", *fixed.values())
    return 1 if wrong or not rounds else 0


sys.exit(main())
