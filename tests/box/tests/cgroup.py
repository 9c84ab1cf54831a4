#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""cgroup.py TRUTH COUNTS: what two groups counted of "work" is the truth and what led to it.

Before its exec the child executes a few instructions in the group; the truth of the program has
them not.
"""
import json
import re
import sys

BEFORE_EXEC = 200


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    if not text:
        return 0
    with open(sys.argv[1], encoding="utf-8") as file:
        spaces = [space for space in json.load(file)["spaces"] if space["name"].endswith("/work")]
    moved = int(re.search(r"moved (\d+) times", text)[1])
    failed = moved < 2 or "incomplete" in text
    for event, least in ("instructions", 100000), ("branches", 10000):
        parts = [int(value) for value in
                 re.findall(rf"^(\d+),,{event}:u,/[ab],", text, flags=re.M)]
        truth = sum(space["user"][event] for space in spaces)
        print(f"{event}: {parts}, truth {truth}; moved {moved} times")
        failed |= (len(parts) != 2 or min(parts) < least // 100 or truth < least or
                   not truth <= sum(parts) <= truth + BEFORE_EXEC)
    return failed


if __name__ == "__main__":
    sys.exit(main())
