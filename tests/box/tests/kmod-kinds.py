#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-kinds.py TRUTH COUNTS: what sessions of each kind counted is what the truth has of
such CPUs, or why not."""
import json
import re
import sys

sys.dont_write_bytecode = True

from boxtruth import kinds_of  # noqa: E402

NAMES = ("instructions", "branches")
problems = []


def expect(what, found, wanted):
    print(f"{what}: {found}")
    if found != wanted:
        problems.append(f"{what}: is {found}, should be {wanted}")


def program(spaces, name):
    """Its spaces, and those of whatever descends from them."""
    inside = set()
    for space in sorted(spaces, key=lambda space: space["id"]):
        if space["name"].endswith("/" + name) or space["parent"] in inside:
            inside.add(space["id"])
    return [space for space in spaces if space["id"] in inside]


def of_kind(spaces, kind, kinds):
    """User mode of the spaces on the CPUs of a kind, by event."""
    return [sum(row["user"][event] for space in spaces for row in space["cpu"]
                if kinds[row["cpu"]] == kind) for event in NAMES]


def check_program(truth, name, counts):
    spaces = program(truth["spaces"], name)
    kinds = kinds_of(truth)
    wanted = [of_kind(spaces, kind, kinds) for kind in sorted(set(kinds))]
    expect(name, [count[0] for count in counts], sum(wanted, []))
    expect(f"{name}: flags", {count[1] for count in counts}, {0})
    for kind, values in enumerate(wanted):
        if values[0] < 10000:
            problems.append(f"{name}: hardly ran on CPUs of kind {kind}")


def check_cpus(truth, cpus, counts):
    before, after = ({row["cpu"]: row["user"]["instructions"] for row in mark["totals"]}
                     for mark in truth["marks"][-2:])
    expect("CPUs", [count[0] for count in counts], [after[cpu] - before[cpu] for cpu in cpus])
    expect("CPUs: flags", {count[1] for count in counts}, {0})


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        truth = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        blocks = re.split(r"^(program|cpus) (.*)$", file.read(), flags=re.M)[1:]
    for what, name, text in zip(blocks[::3], blocks[1::3], blocks[2::3]):
        counts = [(int(value), int(flags)) for value, flags in
                  re.findall(r"^count: .* value (\d+) .* flags (\d+)$", text, flags=re.M)]
        if what == "program":
            check_program(truth, name, counts)
        else:
            check_cpus(truth, [int(cpu) for cpu in name.split()], counts)
    if not blocks:
        problems.append("nothing was counted")
    for text in problems:
        print(f"kmod-kinds: {text}")
    return 1 if problems else 0


sys.exit(main())
