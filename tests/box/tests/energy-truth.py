#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""energy-truth.py TRUTH READINGS PROFILE: whether each of powercap's readings by joules is between
what the truth has at the mark in front of it and at the one behind it, in units of the counter."""
import json
import sys

FIRST_LABEL = 0x100
NJ = 1000000000
# What the counter has at power-on; ENERGY_STATUS is in units of 2^-N joules.
AT_POWER_ON = 1000000
SHIFTS = {"sandybridge": 16, "ivybridge": 16}
# Of a reading of the package and one of the cores; the processors that have the second.
SERVERS = ("sapphirerapids", "graniterapids")
# The bounds of some reading are at most so far apart, or they say nothing (another CPU may work
# between them for as long as it likes); each round takes more.
MOST_UNITS, LEAST_UNITS = 2, 10


def units(mark, what, shift):
    """What the counter shows of all CPUs at a mark."""
    taken = sum(cpu[ring][what] for cpu in mark["totals"] for ring in ("user", "kernel"))
    return AT_POWER_ON + (taken << shift) // NJ


def raw(text, shift):
    """The counter, of which Linux makes whole microjoules by a whole number of nanojoules."""
    nj = NJ >> shift
    return -(-int(text) * 1000 // nj)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        marks = {mark["label"]: mark for mark in json.load(file)["marks"]}
    with open(sys.argv[2], encoding="utf-8") as file:
        readings = [line.split() for line in file.read().splitlines()]
    shift = SHIFTS.get(sys.argv[3], 14)
    wanted = 1 if sys.argv[3] in SERVERS else 2
    zones = list(dict.fromkeys(path for path, _ in readings))
    wrong = len(zones) != wanted or len(readings) != 8 * wanted
    widths = []
    for number, (path, text) in enumerate(readings):
        what = "energy_nj" if path == zones[0] else "core_energy_nj"
        before, behind = (units(marks[FIRST_LABEL + 2 * number + i], what, shift) for i in (0, 1))
        shown = raw(text, shift)
        print(f"{path}: {before} {shown} {behind}")
        wrong |= not before <= shown <= behind
        widths.append(behind - before)
    wrong |= min(widths, default=MOST_UNITS + 1) > MOST_UNITS
    for zone in zones:
        values = [raw(text, shift) for path, text in readings if path == zone]
        wrong |= min(b - a for a, b in zip(values, values[1:])) < LEAST_UNITS
    return wrong


sys.exit(main())
