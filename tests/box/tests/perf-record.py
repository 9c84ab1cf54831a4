#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf-record.py TRUTH SAMPLES PROGRAM CYCLES: what perf sampled, against the truth.

CYCLES: the latency of the load that misses.
"""
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of, program_of, symbols  # noqa: E402

bad = []


def check(right, text):
    if not right:
        bad.append(text)


def rows(truth, name, kind):
    space = program_of(truth, "./" + name)["id"]
    return [row for row in rows_of(truth)
            if row["space"] == space and row["kind"] == kind and row["ring"] == "user"]


def samples(file, name):
    with open(file, encoding="utf-8") as text:
        words = [line.split()[1:] for line in text if line.split()[0] == name]
    return words


def check_addresses(said, true, field):
    got, want = [int(words[-1], 16) for words in said], [row[field] for row in true]
    check(got == want and len(got) > 800,
          f"{len(got)} samples, {len(want)} in the truth ({field}), "
          f"the first ones {list(map(hex, got[:4]))}, {list(map(hex, want[:4]))}")


def check_slow(said, true, at, cycles):
    check_addresses(said, true, "ip")
    # But where an interrupt's handler has evicted the line of the two that hit.
    others = {row["ip"] for row in true} - {at["miss"]}
    check(others <= {at["first_hit"], at["second_hit"]}, f"slow loads at {others}")
    addresses = [int(words[0], 16) for words in said]
    check(addresses == [row["address"] for row in true], "their addresses are not the truth's")
    check({row["address"] for row in true if row["ip"] == at["miss"]} <=
          {at["lines"] + 4096 * i for i in range(16)}, "nor the program's")
    missing = [words[1] for words, row in zip(said, true) if row["ip"] == at["miss"]]
    check(missing.count(cycles) > 900, f"not 900 of {len(missing)} that miss took {cycles}")


def check_sources(said, at):
    """What misses the first cache is in the second one."""
    missing = [" ".join(words) for words in said if int(words[-1], 16) == at["miss"]]
    second = sum("LVL L2 or L2 hit" in text and "OP LOAD" in text for text in missing)
    check(second > 900 and second == len(missing),
          f"{second} of {len(missing)} come from the second cache, as {missing[:1]}")


def main():
    truth_file, file, program, cycles = sys.argv[1:]
    truth = read_truth(truth_file)
    check(not truth["dropped_samples"], "the truth is not complete")
    check_addresses(samples(file, "interrupts"), rows(truth, "interrupts", "pmi"), "at")
    pebs = rows(truth, "pebs", "pebs")
    check_addresses(samples(file, "pebs"), pebs, "ip")
    check(len({row["ip"] for row in pebs}) == 9, "PEBS samples some of the nine instructions only")
    at = symbols(program)
    for name in ("slow", "ours"):
        check_slow(samples(file, name), rows(truth, name, "pebs"), at, cycles)
    check_sources(samples(file, "sources"), at)
    for text in bad:
        print(f"perf-record: {text}")
    return 1 if bad else 0


sys.exit(main())
