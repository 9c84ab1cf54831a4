#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-sets.py TRUTH COUNTS: what three sets counted of "work" adds up to the truth."""
import importlib.util
import json
import os
import re
import sys

spec = importlib.util.spec_from_file_location(
    "kmod_count", os.path.join(os.path.dirname(os.path.realpath(__file__)), "kmod-count.py"))
SETS, EVENTS = 3, 4
problems = []


def expect(what, found, wanted):
    if found != wanted:
        problems.append(f"{what}: is {found}, should be {wanted}")


def read_counts(path):
    pattern = r"^count: .* value (\d+) enabled (\d+) running (\d+) flags (\d+)$"
    with open(path, encoding="utf-8") as file:
        return [tuple(map(int, line)) for line in re.findall(pattern, file.read(), flags=re.M)]


def check_set(rows, cycles, truth):
    """The events of a set are on together, and scale to all that there was."""
    times = {row[1:3] for row in rows}
    expect("times of events in one set", len(times), 1)
    if not rows[2][0]:
        problems.append("a set never had its turn")
        return
    for row, wanted in zip(rows, truth):
        scaled = row[0] * cycles / rows[2][0]
        print(f"    scaled {scaled / wanted - 1:+.4%}, on for {row[2] / row[1]:.1%}")
        if abs(scaled / wanted - 1) > 0.02:
            problems.append(f"{row[0]} scales to {scaled:.0f}, truth {wanted}")


def main():
    sys.dont_write_bytecode = True
    kmod_count = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kmod_count)
    with open(sys.argv[1], encoding="utf-8") as file:
        spaces = kmod_count.program(json.load(file)["spaces"])
    truth = [sum(space["user"][name] for space in spaces) for name in ("instructions", "branches")]
    counts = read_counts(sys.argv[2])
    expect("counts", len(counts), SETS * EVENTS + 2)
    sets = [counts[EVENTS * i:EVENTS * (i + 1)] for i in range(SETS)]
    instructions, cycles = counts[SETS * EVENTS:]
    for i, name in enumerate(("instructions", "branches")):
        expect(f"sum of {name}", sum(rows[i][0] for rows in sets), truth[i])
    expect("sum of cycles", sum(rows[2][0] for rows in sets), cycles[0])
    expect("sum of times", sum(rows[0][2] for rows in sets), sets[0][0][1])
    expect("pinned instructions", instructions[0], truth[0])
    expect("pinned time", instructions[2], instructions[1])
    expect("flags", {row[3] for row in counts}, {0})
    for rows in sets:
        check_set(rows, cycles[0], truth)
    for text in problems:
        print(f"kmod-sets: {text}")
    return 1 if problems else 0


sys.exit(main())
