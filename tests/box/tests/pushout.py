#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds a trace of retirement and samples of cycles to the truth: pushout.py TRUTH TRACE"""
import collections
import sys

from boxtruth import read_truth, rows_of

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


def main():
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
