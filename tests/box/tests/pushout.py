#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds a trace of retirement and samples of cycles to the truth: pushout.py TRUTH TRACE

Or what pmuctl pushout says of a program: pushout.py TRUTH WAY ROWS
"""
import collections
import csv
import sys

from boxtruth import program_of, read_truth, rows_of

SAMPLER = "/usr/bin/pmuctl"
# Of a chase: the load, a subtraction, the jump back.
LOOP = 9


def read_trace(path):
    """By space: (instructions, cycles), and by space and address the cycles alone."""
    spaces = collections.defaultdict(lambda: [0, 0])
    places = collections.defaultdict(collections.Counter)
    with open(path, encoding="ascii") as file:
        for row in file:
            space, ip, gap, tag = row.split()
            spaces[int(space)][0] += 1
            spaces[int(space)][1] += int(gap)
            if tag == "memory":
                places[int(space)][int(ip, 0)] += int(gap)
    return spaces, places


def chased(truth, places):
    """Of each program that samples: its kind of samples, and where they should stand."""
    for space in truth["spaces"]:
        if space["name"] == SAMPLER and space["origin"] == "exec" and places[space["id"]]:
            ip, cycles = places[space["id"]].most_common(1)[0]
            if cycles > 100000:
                yield space["id"], ip


def sums(counts, tags):
    """Cycles of all gaps with these tags, and how many gaps."""
    chosen = [counts["pushout"][tag] for tag in tags]
    return sum(gaps[0] for gaps in chosen), sum(sum(gaps[1:]) for gaps in chosen)


def said(path):
    """The means of pmuctl pushout's rows by name, and the closure."""
    means, closure = {}, 0
    with open(path, encoding="utf-8") as file:
        for row in csv.reader(file, delimiter=";"):
            if row[0] == "mean":
                means[row[1]] = float(row[7])
            if row[0] == "closure":
                closure = float(row[6])
    return means, closure


def judge(truth, way, rows):
    """Means within 2 % of the truth, or within a twentieth of a cycle; gaps that add up."""
    counts = program_of(truth, "/root/costs")["user"]
    means, closure = said(rows)
    wanted = {
        "pairs": {"instructions": counts["pushout"].keys()},
        "tag branch-misses": {"the instruction behind a misprediction": ["mispredict_next"],
                              "the mispredicted branch itself": ["mispredict"]},
    }[way]
    failed = False
    for name, tags in wanted.items():
        cycles, count = sums(counts, tags)
        print(f"note: {name}: {means[name]}, in truth {cycles / count:.3f}")
        failed |= abs(means[name] - cycles / count) > max(0.02 * cycles / count, 0.05)
    if way == "pairs":
        failed |= not 98 <= closure <= 102
        print(f"note: closure {closure} %")
    sys.exit(failed)


def main():
    if len(sys.argv) == 4:
        judge(read_truth(sys.argv[1]), *sys.argv[2:])
    truth, failed = read_truth(sys.argv[1]), False
    spaces, places = read_trace(sys.argv[2])
    for space in truth["spaces"]:
        # Of init there are cycles without the pipeline.
        if space["id"] not in spaces or space["name"] == "/init":
            continue
        counts = space["user"]
        cycles = sum(gaps[0] for gaps in counts["pushout"].values())
        retired = sum(sum(gaps[1:]) for gaps in counts["pushout"].values())
        for what, here, there in (
                ("cycles of gaps", cycles, counts["cycles"]),
                ("cycles of the trace", spaces[space["id"]][1], counts["cycles"]),
                ("lines of the trace", spaces[space["id"]][0], retired)):
            # Where the class changes cycles may go by without an instruction.
            slack = counts["cycles"] // 100 if "cycles of the trace" == what else 0
            if not there - slack <= here <= there:
                print(f"{space['id']} {space['name']}: {what} {here}, not {there}")
                failed = True
    programs = list(chased(truth, places))
    for space, ip in programs:
        seen = collections.Counter(
            row["ip"] - ip for row in rows_of(truth) if row["space"] == space and
            row["ring"] == "user" and row["ip"] and 0 <= row["ip"] - ip < LOOP)
        n, at_load = sum(seen.values()), seen[0]
        print(f"note: {at_load} of {n} samples of a chase stand at its load")
        if n < 50 or at_load < 0.9 * n:
            print(f"{space}: by distance from the load: {dict(seen)}")
            failed = True
    if len(programs) != 2:
        print(f"{len(programs)} programs chase pointers, not 2")
        failed = True
    sys.exit(failed)


main()
