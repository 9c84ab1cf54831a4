#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""lost.py TRUTH: whether the box really lost records, as this test needs."""
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of  # noqa: E402

lost = sum(row["kind"] == "lost" for row in rows_of(read_truth(sys.argv[1])))
print(f"{lost} records were lost")
sys.exit(0 if lost else 1)
