#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sample-storm.py TRUTH DIRECTORY: is what the recorder says in its files, and did it happen?"""
import collections
import os
import re
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of                # noqa: E402
from perfdata import PerfData, THROTTLE, UNTHROTTLE     # noqa: E402

# A PMI of PEBS, whose buffer is nearly full.
FULL = 1 << 62
SUMMARY = re.compile(r"record: (\d+) samples, (\d+) lost,")


def main():
    truth = read_truth(sys.argv[1])
    true = collections.Counter(row["kind"] for row in rows_of(truth) if row["counters"] != FULL)
    said, bad = collections.Counter(), []
    for name in sorted(name for name in os.listdir(sys.argv[2]) if "." not in name):
        path = os.path.join(sys.argv[2], name)
        recorded = PerfData(path)
        with open(path + ".said", encoding="utf-8") as file:
            samples, lost = map(int, SUMMARY.search(file.read()).groups())
        said[name.split("-")[0]] += samples + lost
        if samples != len(recorded.samples) or samples < 1000:
            bad.append(f"{name}: {samples} samples, {len(recorded.samples)} in the file")
        throttles = recorded.count(THROTTLE), recorded.count(UNTHROTTLE)
        print(f"{name}: {samples} samples, {lost} lost, throttled and not any more: {throttles}")
        if any(throttles) != name.endswith("throttled"):
            bad.append(f"{name}: records of throttling: {throttles}")
    if truth["dropped_samples"]:
        bad.append(f"{truth['dropped_samples']} samples more than the truth keeps")
    elif said != true:
        bad.append(f"{dict(said)} samples and lost ones, the truth has {dict(true)}")
    print("\n".join(bad))
    return bool(bad)


sys.exit(main())
