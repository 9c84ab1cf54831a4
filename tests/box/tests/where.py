#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds where instructions went to how many the truth has: where.py WHERE TRUTH

Of each program that began meanwhile in user mode, and in all in both rings; of the kernel not by
program, since the truth gives its instructions to whose page tables are in use, and the other one
to the thread that called.
"""
import json
import sys


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return json.load(file)


def sums(where):
    """({space: instructions in user mode}, {ring: all})"""
    rings, user, whole = [], {}, {"user": 0, "kernel": 0}
    for parent, kind, *_ in where["nodes"]:
        rings.append((parent, parent < 0) if kind == "root" else
                     (rings[parent][0], rings[parent][1] or kind != "call"))
    for part in where["parts"]:
        for node, _, count in part["counts"]:
            space, in_kernel = rings[node]
            whole["kernel" if in_kernel else "user"] += count
            if not in_kernel:
                user[space] = user.get(space, 0) + count
    return user, whole


def totals(mark, ring):
    return sum(cpu[ring]["instructions"] for cpu in mark["totals"])


def main():
    where, truth = read(sys.argv[1]), read(sys.argv[2])
    user, whole = sums(where)
    begin, end = truth["marks"][0], truth["marks"][-1]
    spaces = truth["spaces"][begin["spaces"]:end["spaces"]]
    bad = [f"space {space['id']} ({space['name']}): {user.get(space['id'], 0)} instructions, "
           f"not {space['user']['instructions']}"
           for space in spaces if user.get(space["id"], 0) != space["user"]["instructions"]]
    bad += [f"{ring}: {count} instructions, not {totals(end, ring) - totals(begin, ring)}"
            for ring, count in whole.items() if count != totals(end, ring) - totals(begin, ring)]
    if len(spaces) < 4 or not whole["kernel"]:
        bad.append("nothing ran")
    print("\n".join(bad), end="\n" if bad else "")
    return 1 if bad else 0


sys.exit(main())
