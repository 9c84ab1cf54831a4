#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-count.py TRUTH COUNTS: talk's counts of "work" equal the truth, or why not."""
import json
import re
import sys


def program(spaces):
    """The spaces of "work" and of whatever descends from them."""
    inside = set()
    for space in sorted(spaces, key=lambda space: space["id"]):
        if space["name"].endswith("/work") or space["parent"] in inside:
            inside.add(space["id"])
    return [space for space in spaces if space["id"] in inside]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        spaces = program(json.load(file)["spaces"])
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    counts = [(int(value), int(flags)) for value, flags in
              re.findall(r"^count: .* value (\d+) .* flags (\d+)$", text, flags=re.M)]
    truth = [(sum(space["user"][name] for space in spaces), 0)
             for name in ("instructions", "branches")]
    print(f"counted {counts}, truth {truth}")
    return 0 if counts == truth and truth[0][0] > 100000 else 1


if __name__ == "__main__":
    sys.exit(main())
