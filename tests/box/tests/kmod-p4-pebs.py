#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-p4-pebs.py TRUTH COUNTS MISS: whether each line of COUNTS, "NAME WHAT VALUE", is true.

WHAT of the program of that name is "misses/N": its first-level misses, a Nth of them;
"branch_misses", "branches"; "places": the addresses of its samples, MISS but where
an interrupt's handler had evicted what another load wants; "behindM": its instructions
behind branch M.
"""
import collections
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of, program_of  # noqa: E402

BEFORE = 3              # instructions of one-miss in front of its loop
IN_A_ROUND = 9


def truth_of(truth, name):
    program = program_of(truth, f"/root/{name}")
    places = [f"{row['ip']:x}" for row in rows_of(truth)
              if row["kind"] == "pebs" and row["space"] == program["id"]]
    return program["user"], places


def wanted(what, user, places):
    if what.startswith("misses/"):
        return user["l1d_misses"] // int(what[len("misses/"):])
    if what.startswith("behind"):
        return user["instructions"] - BEFORE - IN_A_ROUND * int(what[len("behind"):])
    return ",".join(places) if what == "places" else user[what]


def main():
    truth = read_truth(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = [line.split() for line in file]
    if truth["dropped_samples"]:
        sys.exit("the truth is not complete")
    wrong, miss = 0, sys.argv[3].lstrip("0")
    for line in lines:
        name, what, value = (line + [""])[:3]
        user, places = truth_of(truth, name)
        true = wanted(what, user, places)
        if value != str(true):
            print(f"{name}: {what} is {value or 'missing'}, truth {true}")
            wrong += 1
        elif not true:
            print(f"{name}: {what} is none in truth, which shows nothing")
            wrong += 1
        elif what == "places" and collections.Counter(places).most_common(1)[0][0] != miss:
            print(f"{name}: most of {places} are not at {miss}")
            wrong += 1
    print(f"{len(lines)} values, {wrong} of them wrong")
    return 1 if wrong or len(lines) < 15 else 0


sys.exit(main())
