#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether events of Top-Down on small cores count what the truth has: topdown-small.py TRUTH LINES

LINES are those of topdown-small.guest.  All are exact; of the back end's parts the truth has no
causes, so that of them the sum is exact, and the part that a program was made for has most.
"""
import collections
import sys

import boxtruth

WIDTH = {"alderlake-n": 5, "alderlake-e": 5, "sierraforest": 6, "meteorlake-e": 6}
CLASS = {0xc2: "retiring", 0x72: "retiring", 0x73: "bad_speculation", 0x71: "front_end",
         0x74: "back_end"}
# The truth's causes by the bits of a mask.
CAUSES = {0x71: [["ms"], ["unknown_branch"], [], ["mite"], ["itlb"], ["icache"], ["resteer"], []],
          0x73: [["cleared_uops", "clear_recovery"], [],
                 ["mispredicted_uops", "mispredict_recovery"], [], [], [], [], []]}
# ... and its signals.
FULL = [[], ["mem_scheduler_slots"], [], ["other_scheduler_slots"], ["serializing_slots"], [],
        ["rob_slots"], []]
NUKES = CAUSES[0x73][0]
# Of these programs bits of the back end have nine tenths of it.
MOST = {"chase": 0x42, "divide": 0x48, "stores": 0x42}


class Small:
    """What a program did on small cores in user mode."""

    def __init__(self, truth, name):
        space = boxtruth.program_of(truth, name)
        self.tree = truth["slot_tree"]
        self.slots, self.signals, self.cycles, self.width = {}, {}, 0, 0
        for cpu in space["cpu"]:
            width = WIDTH.get(truth["cores"][cpu["cpu"]])
            if not width:
                continue
            self.width = width
            self.cycles += cpu["user"]["cycles"]
            for to, what in ((self.slots, "slots"), (self.signals, "signals")):
                for key, count in cpu["user"][what].items():
                    to[key] = to.get(key, 0) + count

    def of_class(self, code):
        parts = self.tree[CLASS[code]].values()
        return sum(self.slots[cause] for causes in parts for cause in causes)

    def of(self, event):
        code, mask = event & 0xff, event >> 8
        if not mask:
            return self.of_class(code)
        names, found = (CAUSES[code], self.slots) if code in CAUSES else (FULL, self.signals)
        return sum(found[name] for bit in range(8) if mask & 1 << bit for name in names[bit])


class Check:
    def __init__(self):
        self.failed = False

    def equal(self, what, got, want):
        if got != want:
            print(f"{what}: {got}, but {want} is right")
            self.failed = True


def check_both(check, name, events, width):
    """Of both rings there is a sum: the truth has slots of user mode."""
    four = [count for what, count in events.items() if what != "cycles"]
    if "r673" in events:
        # Linux leaves out nukes there; they are faults, a few uops each.
        check.equal(f"{name}: slots of both rings are more", sum(four) <= width * events["cycles"],
                    True)
        check.equal(f"{name}: all but nukes", sum(four) * 1000 >= 995 * width * events["cycles"],
                    True)
    else:
        check.equal(f"{name}: slots of both rings", sum(four), width * events["cycles"])


def check_program(check, truth, name, events):
    small = Small(truth, name)
    kind = name.rsplit("/", 1)[1].split("-", 1)[0]
    for what, count in events.items():
        check.equal(f"{name}: {what}", count,
                    small.cycles if what == "cycles" else small.of(int(what[1:], 16)))
    check.equal(f"{name}: it has run on small cores", small.cycles > 0, True)
    check.equal(f"{name}: all causes", sum(small.slots.values()), small.width * small.cycles)
    if "cycles" in events:
        left = sum(small.slots[cause] for cause in NUKES) if "r673" in events else 0
        check.equal(f"{name}: the four classes", sum(events.values()) - events["cycles"] + left,
                    small.width * events["cycles"])
    if "rff74" in events:
        check.equal(f"{name}: parts of the back end", events["rff74"], events["r74"])
        check.equal(f"{name}: parts of either mask", events["r4a74"] + events["r3174"],
                    events["r74"])
        if kind in MOST and small.of(MOST[kind] << 8 | 0x74) * 10 < events["r74"] * 9:
            check.equal(f"{name}: mask {MOST[kind]:x}", small.of(MOST[kind] << 8 | 0x74),
                        f"most of {events['r74']}")


def main():
    truth, check = boxtruth.read_truth(sys.argv[1]), Check()
    lines = {False: collections.defaultdict(dict), True: collections.defaultdict(dict)}
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            words = line.split()
            both = words[0] == "both"
            name, what, count = words[both:]
            lines[both][name][what] = int(count)
    for name, events in lines[False].items():
        check_program(check, truth, name, events)
    width = next(WIDTH[core] for core in truth["cores"] if core in WIDTH)
    for name, events in lines[True].items():
        check_both(check, name, events, width)
    check.equal("programs", bool(lines[False] or lines[True]), True)
    return int(check.failed)


sys.exit(main())
