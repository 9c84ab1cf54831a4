#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-metrics.py CPU TRUTH COUNTS: do the fields of PERF_METRICS say what became of the slots?"""
import json
import os
import re
import sys

WIDTH = {"icelake": 5, "sapphirerapids": 6}
# What each field is of, by the names of the truth's tree: its levels 1 and 2.
FIELDS = ("retiring", "bad_speculation", "front_end", "back_end",
          "heavy", "mispredicts", "latency", "memory")
ROUNDING = 1 / 255
# Level 2 counts whole cycles where the truth has a cause for each slot.
LEVEL2 = 0.05
FIXED = 4               # slots, cycles, two corrections: then the fields
problems = []


def right(what, is_right):
    if not is_right:
        problems.append(what)


def near(what, found, wanted, most):
    right(f"{what}: is {found:.6g}, should be {wanted:.6g} within {most:.2g}",
          abs(found - wanted) <= most)


def read_counts(name):
    """[{event: (value, enabled, running)}] of each COUNT_GET."""
    pattern = r"^count: event (\d+) .*value (\d+) enabled (\d+) running (\d+) flags (\d+)$"
    reads = []
    with open(os.path.join(sys.argv[3], name), encoding="utf-8") as file:
        for line in re.findall(pattern, file.read(), flags=re.M):
            event, value, enabled, running, flags = map(int, line)
            if not event:
                reads.append({})
            reads[-1][event] = value, enabled, running
            right(f"{name}: event {event} has flags {flags}", not flags)
    return reads


def families(spaces):
    """Of each "work" that no other began: the spaces of it and its descendants."""
    root = {}
    for space in sorted(spaces, key=lambda space: space["id"]):
        if space["parent"] in root:
            root[space["id"]] = root[space["parent"]]
        elif space["name"].endswith("/work"):
            root[space["id"]] = space["id"]
    return [[space for space in spaces if root.get(space["id"]) == one]
            for one in sorted(set(root.values()))]


def causes(tree):
    """{name of level 1 or 2: its causes} of the truth's tree."""
    found = {}
    for first, second in tree.items():
        found[first] = [cause for below in second.values() for cause in below]
        found.update(second)
    return found


def true_slots(spaces, tree):
    """All of them, and of each name; None if the truth was not asked for slots."""
    if not tree:
        return None
    total = {}
    for space in spaces:
        for cause, slots in space["user"].get("slots", {}).items():
            total[cause] = total.get(cause, 0) + slots
    return sum(total.values()), {name: sum(total.get(cause, 0) for cause in below)
                                 for name, below in causes(tree).items()}


def corrected(cpu, counts, first, fields):
    """What the fields were made without: what the formulas of level 1 add."""
    slots, _, dropped, restarts = (counts[first + i] for i in range(FIXED))
    share = {name: fields[name] / slots for name in fields}
    if "front_end" in share:
        share["front_end"] -= dropped / slots
    if "latency" in share:
        share["latency"] -= dropped / slots
    if "back_end" in share and cpu == "icelake":
        share["back_end"] += WIDTH[cpu] * restarts / slots
    return share


def check_group(cpu, name, read, first, names, truth):
    """Whether a group's fields are the truth's shares; how far they may be off is theirs."""
    counts = {event: value[0] for event, value in read.items()}
    fields = {field: counts[first + FIXED + i] for i, field in enumerate(names)}
    slots = counts[first]
    near(f"{name}: slots by cycles", slots, WIDTH[cpu] * counts[first + 1], slots / 1000)
    if all(field in names for field in FIELDS[:4]):
        near(f"{name}: sum of level 1", sum(fields[field] for field in FIELDS[:4]), slots, 4)
    if not truth:
        return
    for field, share in corrected(cpu, counts, first, fields).items():
        # Mispredictions are what is left of bad speculation: the formulas do not use that.
        if field != "bad_speculation":
            near(f"{name}: {field}", share, truth[1][field] / truth[0],
                 2 * ROUNDING if field in FIELDS[:4] else LEVEL2)


def check_all(cpu, name, names, truth):
    read, = read_counts(name)
    if truth:
        near(f"{name}: slots", read[0][0], truth[0], 0)
    right(f"{name}: not always on", read[0][1] == read[0][2] > 0)
    check_group(cpu, name, read, 0, names, truth)


def check_sets(cpu, names, truth):
    read, = read_counts("sets")
    half = len(names) // 2
    second = FIXED + half
    if truth:
        near("sets: slots of both", read[0][0] + read[second][0], truth[0], 0)
    right("sets: they share the time", read[0][2] + read[second][2] == read[0][1])
    for first, part in ((0, names[:half]), (second, names[half:])):
        right("sets: events of a set are on together",
              len({read[first + i][1:] for i in range(FIXED + half)}) == 1)
        # A turn is a part of the program: only about the whole.
        check_group(cpu, "sets", read, first, part, None)
        for i, name in enumerate(part if truth else ()):
            share = read[first + FIXED + i][0] / read[first][0]
            near(f"sets: {name}", share, truth[1][name] / truth[0], 0.1)


def check_cpu(cpu, names):
    reads = read_counts("cpu")
    right(f"cpu: {len(reads)} readings", len(reads) == 5)
    for read in reads[:4]:
        check_group(cpu, "cpu", read, 0, names, None)
    for event in range(FIXED + len(names)):
        values = [read[event][0] for read in reads]
        right(f"cpu: event {event} goes back: {values}", values[:4] == sorted(values[:4]))
        right(f"cpu: event {event} after a reset: {values[4]}", not values[4])
    right("cpu: reads add nothing", reads[0][0][0] < reads[2][0][0])


def check_plain(cpu):
    _, slots = read_counts("plain")
    near("slots alone", slots[0][0], WIDTH[cpu] * slots[1][0], slots[0][0] / 1000)


def main():
    cpu = sys.argv[1]
    with open(sys.argv[2], encoding="utf-8") as file:
        truth = json.load(file)
    names = FIELDS if cpu == "sapphirerapids" else FIELDS[:4]
    # One of perf, three of ours, the one beside, perf again.
    runs = [true_slots(spaces, truth.get("slot_tree")) for spaces in families(truth["spaces"])]
    for slots, of in filter(None, runs):
        print(slots, {name: f"{of[name] / slots:.3f}" for name in names})
    check_all(cpu, "all", names, runs[1])
    check_sets(cpu, names, runs[2])
    check_all(cpu, "beside", names, runs[4])
    check_cpu(cpu, names)
    check_plain(cpu)
    for text in problems:
        print(f"kmod-metrics: {text}")
    return 1 if problems else 0


sys.exit(main())
