#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-arbitrate.py TRUTH COUNTS: what 64 sessions counted is what the last 64 burns did."""
import json
import re
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        spaces = [space for space in json.load(file)["spaces"] if space["name"].endswith("/burn")]
    spaces.sort(key=lambda space: space["id"])
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    counts = sorted(map(int, re.findall(r"^count: .* value (\d+) .* flags 0$", text, flags=re.M)))
    truth = sorted(space["user"]["instructions"] for space in spaces[-64:])
    print(f"{len(counts)} sessions, {counts[0]} to {counts[-1]} instructions")
    if counts == truth and len(counts) == 64:
        return 0
    print(f"counted {counts}\ntruth {truth}")
    return 1


sys.exit(main())
