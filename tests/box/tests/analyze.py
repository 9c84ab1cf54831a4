#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What pmuctl analyze -j said: analyze.py LEAF GUILTY DIVIDER, the files of analyze.guest."""
import json
import sys


def read(path, table):
    with open(path, encoding="utf-8") as file:
        return [row for row in map(json.loads, file) if row["table"] == table]


def check(good, what, rows):
    if not good:
        print(what, *rows[:3], sep="\n  ")
    return good


def guilty(leaf, path):
    """Nothing but the load that has its own address for a destination, in one full set."""
    rows = read(path, "instruction")
    nodes = read(path, "node")
    first = rows[0]
    good = check(nodes[-1]["name"] == leaf and nodes[0]["level"] == 1, "the way down", nodes)
    good &= check(first["place"].startswith("workload_set_conflict+") and
                  first["instruction"] == "mov (%rax), %rax", "the load", rows)
    good &= check(first["percent"] > 90, "its share", rows)
    good &= check(first["sets"] == 1 and first["lines"] > first["ways"] and
                  first["step"] % 4096 == 0, "its lines", rows)
    sampling = read(path, "sampling")
    return good & check(sampling[0]["precise"] and sampling[0]["lost"] == 0 and
                        sampling[0]["file"] is None, "the sampling", sampling)


def divides(path):
    rows = read(path, "instruction")
    nodes = read(path, "node")
    share = sum(row["percent"] for row in rows
                if row["place"].startswith("workload_divide_chain"))
    good = check(nodes[-1]["name"] == "Divider" and nodes[-1]["bottleneck"], "the divider", nodes)
    good &= check(share > 80, "in the function", rows)
    good &= check(rows[0]["instruction"].startswith("div "), "the division", rows)
    sampling = read(path, "sampling")
    return good & check(sampling[0]["precise"] and sampling[0]["event"] == "cycles:upp",
                        "the sampling", sampling)


def main():
    leaf, guilty_path, divider_path = sys.argv[1:]
    return 0 if guilty(leaf, guilty_path) & divides(divider_path) else 1


sys.exit(main())
