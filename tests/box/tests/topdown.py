#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether pmuctl topdown says what the truth says: topdown.py CPU ROWS [TRUTH]

ROWS are lines of topdown.guest.  Level 1 within 1 point of where the slots went, level 2
within 5 (but see STORES_TWICE), level 1 adds up to 100, the bottleneck is the expected one,
turns and runs agree within their errors, and each task is as its own truth.  Where cores are of
several kinds each kind's tree is as the truth of these cores.
"""
import collections
import csv
import json
import sys

GROUPS = {"Retiring": "retiring", "Bad_Speculation": "bad_speculation",
          "Frontend_Bound": "front_end", "Backend_Bound": "back_end"}
PARTS = {"Fetch_Latency": "latency", "Fetch_Bandwidth": "bandwidth",
         "Branch_Mispredicts": "mispredicts", "Machine_Clears": "clears",
         "Memory_Bound": "memory", "Core_Bound": "core",
         "Light_Operations": "light", "Heavy_Operations": "heavy"}
# What is to be marked as the bottleneck, of two levels and of three.
EXPECTED = {"pointer-chase": ("Memory_Bound", "L3_Miss_Bound"),
            "random-branches": ("Branch_Mispredicts", "Branch_Mispredicts"),
            "code-footprint": ("Fetch_Latency", "ICache_Misses"),
            "divide-chain": ("Core_Bound", "Divider"),
            "streaming-stores": ("Memory_Bound", "Store_Bound"),
            "dense-alu": ("Retiring", "Retiring")}

# Small cores say which buffer was full, and not for what; the one that fills first differs.
SMALL = ("alderlake-n", "sierraforest")
SMALL_PARTS = {"IFetch_Latency": "latency", "IFetch_Bandwidth": "bandwidth",
               "Branch_Mispredicts": "mispredicts", "Machine_Clears": "clears"}
FULL = ({"Resource_Bound"}, {"Mem_Scheduler", "Non_Mem_Scheduler", "Register", "Reorder_Buffer"})
SMALL_EXPECTED = {"pointer-chase": FULL, "divide-chain": FULL, "streaming-stores": FULL,
                  "code-footprint": ({"IFetch_Latency"}, {"ICache_Misses"})}

# Before Skylake, which counts what is bound on stores, Intel's formula divides by cycles with few
# uops and by those in which the store buffer is full: where both are the same cycles they count
# twice, and a tenth of such a program's memory is said to be the core's.
STORES_TWICE = ("sandybridge", "ivybridge", "haswell")

Row = collections.namedtuple("Row", "value unit name level threshold flagged measured raw error "
                                    "bottleneck note kind time_share", defaults=("", ""))

# How the truth calls a core of that kind, behind the profile.
CORES = {"p cores": "", "e cores": "-e", "lp-e cores": "-l"}


class Check:
    def __init__(self, cpu):
        self.cpu = cpu
        self.failed = False

    def is_small(self, kind):
        return kind in ("e cores", "lp-e cores") or self.cpu in SMALL

    def right(self, is_right, text):
        if not is_right:
            print(f"{self.cpu}: {text}")
            self.failed = True

    def near(self, what, got, want, most):
        self.right(abs(got - want) <= most, f"{what}: {got:.2f}, but {want:.2f} is expected")


def read_rows(name):
    """By what was counted (or the task's name) and the kind of core the rows of its nodes."""
    found = collections.defaultdict(dict)
    with open(name, encoding="utf-8", newline="") as file:
        for what, *rest in csv.reader(file, delimiter=";"):
            if what == "tasks":
                what, rest = rest[0], rest[3:]
            row = Row(*rest)
            # Where it never was, or there is no tree, there is nothing to be right about.
            if row.name and (not row.kind or float(row.time_share or 0) > 0):
                found[what, row.kind][row.name] = row
    return found


def spaces_of(truth, name):
    """All runs of that program; a task begins before its exec, where it was forked."""
    found = [space for space in truth["spaces"]
             if space["origin"] == "exec" and space["name"] == f"/root/{name}"]
    parents = [space["parent"] for space in found] if name.startswith("task-") else []
    return found + [space for space in truth["spaces"]
                    if space["origin"] == "fork" and space["id"] in parents]


def counts_on(truth, space, kind):
    """Its counts in user mode on each CPU of that kind, or on all of them."""
    if not kind:
        return [space["user"]]
    core = truth["profile"] + CORES[kind]
    return [cpu["user"] for cpu in space["cpu"] if truth["cores"][cpu["cpu"]] == core]


def true_shares(truth, name, kind):
    """Of all runs of that program together."""
    spaces = [counts["slots"] for space in spaces_of(truth, name)
              for counts in counts_on(truth, space, kind)]
    slots = {cause: sum(space[cause] for space in spaces) for cause in spaces[0]}
    total = sum(slots.values())
    found = {}
    for group, parts in truth["slot_tree"].items():
        for part, causes in parts.items():
            found[part] = 100 * sum(slots[cause] for cause in causes) / total
        found[group] = sum(found[part] for part in parts)
    return found


def numbers(rows):
    return {name: float(row.value) for name, row in rows.items() if not row.value.startswith("<")}


def check_rows(check, what, rows):
    values = numbers(rows)
    level1 = [value for name, value in values.items() if rows[name].level == "1"]
    check.near(f"{what}: the sum of level 1", sum(level1), 100, 1e-6)
    for name, value in values.items():
        check.right(0 <= value <= 100 and rows[name].raw, f"{what}: {rows[name]}")
    for name in rows.keys() - values.keys():
        check.right(rows[name].note, f"{what}: no reason for {rows[name]}")


def check_truth(check, what, kind, rows, truth):
    values, true = numbers(rows), true_shares(truth, what, kind)
    parts = 10 if what == "streaming-stores" and check.cpu in STORES_TWICE else 5
    for names, most in ((GROUPS, 1), (SMALL_PARTS if check.is_small(kind) else PARTS, parts)):
        for name, cause in names.items():
            if name in values:
                check.near(f"{what} {kind}: {name}", values[name], true[cause], most)


def check_bottleneck(check, what, kind, rows):
    marked = [row.name for row in rows.values() if row.bottleneck == "yes"]
    levels = max(int(row.level) for row in rows.values())
    wanted = {EXPECTED[what][levels - 2]}
    if check.is_small(kind) and what in SMALL_EXPECTED:
        wanted = SMALL_EXPECTED[what][levels - 2]
    # The box's Skymont and Darkmont have eight slots and five units for them.
    if check.cpu in ("arrowlake-h", "lunarlake", "pantherlake") and (what, kind) == ("dense-alu", "e cores"):
        wanted = {"Resource_Bound"}
    # It has no event for the cycles in which fetch waits for code.
    if check.cpu == "sandybridge" and wanted == {"ICache_Misses"}:
        wanted = {"Fetch_Latency"}
    if wanted == {"Retiring"}:
        wanted.add("Light_Operations")
    check.right(len(marked) == 1 and marked[0] in wanted,
                f"{what}: the bottleneck is {marked}, of {numbers(rows)}")


def check_turns(check, rows):
    turns, runs = rows["gzip-turns", ""], rows["gzip-runs", ""]
    for name in numbers(turns):
        check.right(turns[name].error and runs[name].error, f"{name} has no error")
        room = float(turns[name].error or 0) + float(runs[name].error or 0)
        check.near(f"gzip in turns and in runs: {name}", float(turns[name].value),
                   float(runs[name].value), room)


def check_user(check, rows):
    """What sets a register beside its event select is told, on the one that has it in the tree."""
    needs = [name for name, row in rows.items() if "needs CAP_PERFMON" in row.note]
    wanted = ["Branch_Resteers", "MS", "MS_Switches", "Microcode_Sequencer"]
    check.right(sorted(needs) == (wanted if check.cpu == "sapphirerapids" else []),
                f"of a user CAP_PERFMON is needed for {needs}")


def main():
    cpu, rows_name, *truth_name = sys.argv[1:]
    check, rows, truth = Check(cpu), read_rows(rows_name), None
    if truth_name:
        with open(truth_name[0], encoding="utf-8") as file:
            truth = json.load(file)
    for (what, kind), nodes in rows.items():
        check_rows(check, what, nodes)
        if what in EXPECTED:
            check_bottleneck(check, what, kind, nodes)
        if what == "user-branches":
            check_user(check, nodes)
        if truth and what != "sh":
            check_truth(check, what, kind, nodes, truth)
    check.right(rows, "nothing was counted")
    if "hopping" in {what for what, _ in rows}:
        trees = {kind: nodes for (what, kind), nodes in rows.items() if what == "hopping"}
        times = [float(next(iter(rows.values())).time_share) for rows in trees.values()]
        check.right(len(trees) == len(set(truth["cores"])),
                    f"a program that hops was on {list(trees)} alone")
        check.right(min(times) > 10 and sum(times) < 100 + 1e-6, f"hopping: times are {times}")
    if ("gzip-turns", "") in rows:
        check_turns(check, rows)
    return int(check.failed)


sys.exit(main())
