#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sharing.py TRUTH ROWS: whether lines that mem --sharing reports have the samples of the truth.

Lines of ROWS are rows of "access" with the name of a program in front: of each address in a line
that is reported it has as many samples as the hardware recorded there, one for each counter.
"""
import collections
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of, program_of  # noqa: E402

LINE = 64


def main():
    truth = read_truth(sys.argv[1])
    said = collections.defaultdict(collections.Counter)
    with open(sys.argv[2], encoding="utf-8") as file:
        for row in file:
            name, _, line, _, offset, _, stores, loads = row.split(";")[:8]
            said[name][int(line, 0) + int(offset)] += int(stores) + int(loads)
    wrong = 0
    for name, places in said.items():
        space = program_of(truth, "./" + name)["id"]
        lines = {at // LINE for at in places}
        true = collections.Counter()
        for row in rows_of(truth):
            if row["space"] == space and row["kind"] == "pebs" and row["ring"] == "user" and \
                    row["address"] is not None and row["address"] // LINE in lines:
                true[row["address"]] += row["counters"].bit_count()
        print(f"note: {name}: {sum(places.values())} samples on {len(lines)} lines")
        if places != true or sum(true.values()) < 50:
            print(f"{name}: mem has {dict(places)}, the truth {dict(true)}")
            wrong = 1
    return wrong


sys.exit(main())
