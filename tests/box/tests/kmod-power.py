#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-power.py TRUTH: at mark 1 the PMU counts and prefetchers are off, at mark 2 nothing of it
is armed and they are as they were, or what is not so."""
import json
import sys

EVTSEL, GLOBAL_CTRL, FIXED_CTRL, PEBS_ENABLE = 0x186, 0x38f, 0x38d, 0x3f1
EN = 1 << 22
PREFETCHERS = {0x1a0: 1 << 9 | 1 << 19, 0x1a4: 0xf}


def armed(msrs):
    """What could count or interrupt, {register: value}."""
    found = {}
    for name, text in msrs.items():
        msr, value = int(name, 16), int(text, 16)
        if EVTSEL <= msr < EVTSEL + 12 and value & EN:
            found[name] = text
        if msr in (FIXED_CTRL, PEBS_ENABLE) and value:
            found[name] = text
    return found


def switched_off(msrs):
    """Bits of prefetchers that are off, {register: bits}."""
    found = {name: int(text, 16) & PREFETCHERS.get(int(name, 16), 0)
             for name, text in msrs.items()}
    return {name: bits for name, bits in found.items() if bits}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        marks = {mark["label"]: mark["msrs"] for mark in json.load(file)["marks"]}
    if sorted(marks) != [1, 2]:
        print(f"marks {sorted(marks)}, not 1 and 2: the other kernel did not run")
        return 1
    before, after = ([armed(cpu) for cpu in marks[label]] for label in (1, 2))
    print(f"armed before kexec: {before}, after: {after}")
    off = [[switched_off(cpu) for cpu in marks[label]] for label in (1, 2)]
    print(f"switched before kexec: {off[0]}, after: {off[1]}")
    return 0 if all(before) and not any(after) and all(off[0]) and not any(off[1]) else 1


sys.exit(main())
