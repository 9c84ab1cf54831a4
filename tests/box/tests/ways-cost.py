#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What pmuctl cost says of misses of the last level by its ways, beside the box's oracle.

ways-cost.py truth               a script: the program under each number of ways
ways-cost.py counts              the same of one that stat counts
ways-cost.py cost                one of pmuctl cost, by the same
ways-cost.py judge DIR           compares: all.json, l3.json, counts.json, counts.out, cost.out
"""
import csv
import os
import sys

from boxtruth import read_truth

# Lines of a set: 4 and 8 in turn, so that 2 ways hold neither, 5 the first, and all both.
WAYS = [15, 5, 2]
PROGRAM = "sh -c './costs cold 4194304 200000 4; ./costs cold 8388608 300000 8'"
PARTS = 2


def runs(where, name):
    """The truth of each setting: its programs' cycles, misses and instructions."""
    found = [s["user"] for s in read_truth(os.path.join(where, name))["spaces"]
             if s["origin"] == "exec" and s["name"].endswith("/costs")]
    if len(found) != PARTS * len(WAYS):
        sys.exit(f"{name}: {len(found)} programs")
    return [{key: sum(part[key] for part in found[i:i + PARTS])
             for key in ("cycles", "cache_misses", "instructions")}
            for i in range(0, len(found), PARTS)]


def judge_counts(where, every, free):
    """The oracle changes nothing but time, and what stat counts of one program is the truth.

    The module tries its counters when it is loaded, which reads cycles: so the kernel leaves a few
    other lines behind.
    """
    failed = False
    for ways, a, b in zip(WAYS, every, free):
        if a["instructions"] != b["instructions"] or \
                abs(a["cache_misses"] / b["cache_misses"] - 1) > 0.001:
            print(f"{ways} ways: with --ideal l3 {b}, without {a}")
            failed = True
    misses = [run["cache_misses"] for run in every]
    if not misses[0] * 1.2 < misses[1] or not misses[1] * 1.2 < misses[2]:
        print(f"misses by {WAYS} ways: {misses}")
        failed = True
    one = read_truth(os.path.join(where, "counts.json"))
    wanted = [s["user"] for s in one["spaces"]
              if s["origin"] == "exec" and s["name"].endswith("/costs")]
    with open(os.path.join(where, "counts.out"), encoding="utf-8") as file:
        counted = [int(line[0] or line[1]) for line in csv.reader(file)]
    truth = [n for run in wanted for n in (run["cache_misses"], run["instructions"])]
    if counted != truth or len(truth) != 2 * len(WAYS):
        print(f"counted {counted}, in truth {truth}")
        failed = True
    return failed


def judge_cost(where, every, free):
    gone = [a["cycles"] - b["cycles"] for a, b in zip(every, free)]
    oracle = (gone[-1] - gone[0]) / (every[-1]["cache_misses"] - every[0]["cache_misses"])
    with open(os.path.join(where, "cost.out"), encoding="utf-8") as file:
        row = list(csv.reader(file))[-1]
    total, note = row[10], row[15]
    print(f"note: a miss by ways: oracle {oracle:.1f}, total time {total or 'refused'} ({note})")
    return not total or abs(float(total) / oracle - 1) > 0.1


def main():
    what = sys.argv[1]
    if what == "truth":
        for ways in WAYS:
            print(f"pmuctl features hold l3-ways={ways} -- {PROGRAM} || exit")
    elif what == "counts":
        for ways in WAYS:
            print(f"pmuctl stat -x, -o rows -e cache-misses:u,instructions:u --with l3-ways={ways} -- "
                  "./costs cold 8388608 200000 8 || exit\ngrep -v '^#' rows")
    elif what == "cost":
        toggles = " ".join(f"--toggle l3-ways={ways}" for ways in WAYS[1:])
        print(f"pmuctl cost -e llc-load-misses:u -r 12 {toggles} -x, -o - -- {PROGRAM} </dev/null")
    else:
        where = sys.argv[2]
        every, free = runs(where, "all.json"), runs(where, "l3.json")
        sys.exit(any([judge_counts(where, every, free), judge_cost(where, every, free)]))


main()
