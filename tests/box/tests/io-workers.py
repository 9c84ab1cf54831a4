#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""io-workers.py TRUTH COUNTS: whether "ours" and "perfs", a line each with instructions:k, are
what those programs and their workers did in the kernel.

The truth has what else a CPU does meanwhile on their page tables (its idle task's ticks), and
the way out of the process, which perf does not count.  Without the workers a count is a
twelfth of it; with them twice, it is twice as much.
"""
import sys

import boxtruth

LEAST = {"ours": 0.8, "perfs": 0.75}
MOST = 1.05


def main():
    truth = boxtruth.read_truth(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        counts = dict(line.split() for line in file)
    wrong = 0
    for name, least in LEAST.items():
        true = boxtruth.program_of(truth, f"/root/{name}")["kernel"]["instructions"]
        share = int(counts.get(name, 0)) / true
        print(f"note: {name}: {share:.3f} of {true} instructions in the kernel")
        if not least < share < MOST:
            wrong = 1
    return wrong


sys.exit(main())
