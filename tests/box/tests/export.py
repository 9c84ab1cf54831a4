#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""export.py DIRECTORY: the exports of perf's file and of ours are what perf script says of
the same file, and the call tree of tests/box/progs/tree.c is in them."""
import collections
import gzip
import json
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../export"))

from browser import OPENS, browse, expect   # noqa: E402


def read(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8") as file:
        return file.read()


def inwards(stack):
    """From main on: what a start-up without frame pointers looks like is anybody's guess."""
    return ";".join(stack[stack.index("main"):]) if "main" in stack else None


def of_perf(text):
    """perf script's stacks, as (samples, events) by stack."""
    stacks = collections.defaultdict(lambda: [0, 0])
    for block in text.strip().split("\n\n"):
        head, *lines = block.splitlines()
        frames = [re.match(r"\s*[0-9a-f]+ (.*) \(", line).group(1) for line in lines]
        entry = stacks[inwards(frames[::-1])]
        entry[0] += 1
        entry[1] += int(head.split()[-1])
    return stacks


def of_export(samples, events):
    stacks = collections.defaultdict(lambda: [0, 0])
    for column, text in enumerate((samples, events)):
        for line in text.splitlines():
            stack, count = line.rsplit(" ", 1)
            stacks[inwards(stack.split(";"))][column] += int(count)
    return stacks


def more(these, those):
    return {stack: (entry[0] - those[stack][0], entry[1] - those[stack][1])
            for stack, entry in these.items() if entry[0] > those[stack][0]}


def passed_over(stack):
    """Without the caller of the innermost function, which may have had no frame."""
    frames = stack.split(";")
    return inwards(frames[:-2] + frames[-1:])


def check_stacks(perf, ours, name):
    gained, lost = more(ours, perf), more(perf, ours)
    what = f"{name}: perf script has {dict(perf)}, export {dict(ours)}"
    # Perf has the chains of our file as frame pointers had them.
    assert name == "pmuctl" or not lost, what
    assert {passed_over(stack) for stack in gained} >= set(lost), what
    for column in range(2):
        sums = [sum(entry[column] for entry in stacks.values()) for stacks in (gained, lost)]
        assert sums[0] == sums[1], what
    assert sum(x[0] for x in lost.values()) < 0.02 * sum(x[0] for x in ours.values()), what


def check_file(directory, name):
    perf = of_perf(read(directory, name + ".script"))
    ours = of_export(read(directory, name + ".samples"), read(directory, name + ".folded"))
    check_stacks(perf, ours, name)
    total = sum(events for _, events in ours.values())
    profile, = json.loads(read(directory, name + ".json"))["profiles"]
    assert profile["endValue"] == sum(profile["weights"]) == total, profile
    with gzip.open(os.path.join(directory, name + ".pb.gz")) as file:
        assert b"instructions:u" in file.read()
    return ours


def check_tree(stacks):
    left, right = (stacks[f"main;outer;{side};inner"][0] for side in ("left", "right"))
    assert left > 200 and abs(right / left - 3) < 0.5, f"left {left}, right {right}"


def check_graph(directory):
    scratch = tempfile.mkdtemp()
    try:
        seen = browse(read(directory, "pmuctl.svg"), OPENS.replace("const last", """
            const left = frames().filter(g => name(g) === 'left').map(wide);
            seen.left = Math.max(...left) / wide(all);
            const last"""), scratch)
        expect(seen, whole=lambda w: w > 900, count=lambda n: n > 6,
               left=lambda share: 0.2 < share < 0.3)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def main():
    check_file(sys.argv[1], "perf")
    check_tree(check_file(sys.argv[1], "pmuctl"))
    if shutil.which("chromium"):
        check_graph(sys.argv[1])


main()
