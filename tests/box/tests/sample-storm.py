#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sample-storm.py TRUTH DIRECTORY: is what the recorder says in its files, and did it happen?"""
import collections
import os
import re
import struct
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of                                # noqa: E402
from perfdata import PerfData, LOST, SAMPLE, THROTTLE, UNTHROTTLE       # noqa: E402

KERNEL = 1 << 63
LOOP = 16       # bytes
SUMMARY = re.compile(r"record: (\d+) samples, (\d+) lost,")


class Storm:
    """What a file has: samples and lost ones of each CPU, and records of throttling."""

    def __init__(self, path):
        self.samples, self.lost = collections.Counter(), collections.Counter()
        self.throttled = [0, 0]
        data = PerfData(path)
        for what, misc, body in data.walk():
            if what == SAMPLE:
                self.samples[data.cpu_of(what, misc, body)] += 1
            elif what == LOST:
                self.lost[data.cpu_of(what, misc, body)] += struct.unpack_from("<8xQ", body)[0]
            elif what in (THROTTLE, UNTHROTTLE):
                self.throttled[what - THROTTLE] += 1


def tried(truth):
    """What the module tries for itself, in a loop in the kernel: an interrupt before all others, and
    records before the first of somebody's."""
    found, first = collections.Counter(), {}
    for row in sorted(rows_of(truth), key=lambda row: row["tsc"]):
        kind, cpu, at = row["kind"], row["cpu"], row["at"]
        begin = first.setdefault(kind, (cpu, at))
        if begin and at >= KERNEL and cpu == begin[0] and abs(at - begin[1]) < LOOP:
            found[kind, cpu] += 1
        else:
            first[kind] = None
    return found


def main():
    truth = read_truth(sys.argv[1])
    true = collections.Counter({(kind, row["cpu"]): row[kind] for row in truth["sampled"]
                                for kind in ("pmi", "pebs", "lost")})
    true -= tried(truth)
    said, bad = collections.Counter(), []
    for name in sorted(name for name in os.listdir(sys.argv[2]) if "." not in name):
        path = os.path.join(sys.argv[2], name)
        storm = Storm(path)
        with open(path + ".said", encoding="utf-8") as file:
            samples, lost = map(int, SUMMARY.search(file.read()).groups())
        if (samples, lost) != (storm.samples.total(), storm.lost.total()) or samples < 1000:
            bad.append(f"{name}: {samples} samples and {lost} lost, the file has "
                       f"{storm.samples.total()} and {storm.lost.total()}")
        kind = name.split("-", maxsplit=1)[0]
        for cpu, n in (storm.samples + storm.lost).items():
            said[kind, cpu] += n
        print(f"{name}: {samples} samples, {lost} lost, throttled and not any more: "
              f"{storm.throttled}")
        if any(storm.throttled) != name.endswith("throttled"):
            bad.append(f"{name}: records of throttling: {storm.throttled}")
    if said != true:
        bad.append(f"{dict(said)} samples and lost ones, the truth has {dict(true)}")
    print("\n".join(bad))
    return bool(bad)


sys.exit(main())
