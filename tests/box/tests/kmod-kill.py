#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-kill.py TRUTH ROUNDS: the PMU's registers are the same at all marks, or which are not."""
import json
import sys


def registers(mark):
    """{(cpu, register): value} of one mark."""
    return {(cpu, msr): value for cpu, msrs in enumerate(mark["msrs"])
            for msr, value in msrs.items()}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        marks = {mark["label"]: registers(mark) for mark in json.load(file)["marks"]}
    found, rounds = marks[0], int(sys.argv[2])
    if len(marks) != rounds + 1 or not found:
        print(f"{len(marks)} marks, {len(found)} registers: not what this test makes")
        return 1
    for label, now in sorted(marks.items()):
        changed = {key for key in found.keys() | now.keys() if found.get(key) != now.get(key)}
        for key in sorted(changed):
            print(f"round {label}: CPU {key[0]} register {key[1]}: found as {found.get(key)}, "
                  f"given back as {now.get(key)}")
        if changed:
            return 1
    print(f"{len(found)} registers as found, {rounds} times")
    return 0


sys.exit(main())
