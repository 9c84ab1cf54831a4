#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Says where the truth (FILE) has the kin of programs wrong of which PAIRS ran:
each executes busybox 20 times, half of them by a descriptor; exit code 1 then."""
import collections
import json
import sys

PROGRAMS = {"/root/busybox": 10, "/dev/fd": 10}


def execs_below(spaces):
    """{id: Counter of what its descendants executed}"""
    below = collections.defaultdict(collections.Counter)
    parent = {space["id"]: space["parent"] for space in spaces}
    for space in spaces:
        if space["origin"] != "exec":
            continue
        name = "/dev/fd" if space["name"].startswith("/dev/fd/") else space["name"]
        up = space["parent"]
        while up is not None:
            below[up][name] += 1
            up = parent[up]
    return below


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        spaces = json.load(file)["spaces"]
    below = execs_below(spaces)
    roots = {space["name"]: space["id"] for space in spaces if space["origin"] == "exec"}
    wrong = 0
    for pair in range(1, int(sys.argv[2]) + 1):
        for name in (f"/root/a{pair}", f"/root/b{pair}"):
            found = dict(below[roots[name]])
            if found != PROGRAMS:
                print(f"descendants of {name} executed {found}, not {PROGRAMS}")
                wrong = 1
    return wrong


sys.exit(main())
