#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""top.py OUT: whether the screens of pmuctl top have all that they should, and nothing is cut."""
import re
import sys

KEYS = re.compile(r"q (quit|back)  h help")
HEAD = re.compile(r"^cycles(:u)?, .*(samples/s|paused)")
# What each screen has besides.
HAS = {
    "symbols": [r"^symbols, \d+ lines", r"^>Overhead  Samples Shared Object +Symbol",
                r"^ +[0-9.]+% +\d+ tops +\[\.\] hot *$", r"\[\.\] warm", r"\[\.\] cool"],
    "tasks": [r"^tasks, ", r"^>Overhead  Samples +PID +TID Command", r"tops-001 *$",
              r"tops-002 *$", r" \?\[2J\?\?<&> *$"],
    "cpus": [r"^CPUs, ", r"^>Overhead  Samples +CPU", r"^ +100\.00% +\d+ +\d+ *$|^ +[0-9.]+% "],
    "topdown": [r"^Top-Down level 1 of tasks, ",
                r"^>Overh Retir BadSp Front  Back +TID Command",
                r"^ +[0-9.]+( +[0-9.]+){4} +\d+ tops-001 *$"],
    "filter": [r"^symbols, 1 lines, filter: war \(\d+ hidden\)", r"\[\.\] warm *$"],
    "code": [r"^instructions of \[\.\] hot, \d+ lines", r"^ +[0-9.]+% +\d+ +4[0-9a-f]+ .*imul"],
    "paused": [r"^cycles:u, paused", r"\[\.\] hot *$"],
    "narrow": [r"^>Overhead  Samples Shared Object *~? *Symbol", r"\[\.\] hot *$"],
    "again": [r"^cycles:u, paused", r"\[\.\] cool *$"],
    "help": [r"^z +begin anew", r"^h +this, and back"],
    "many-symbols": [r"^cycles, .*half after 10 s", r"\[\.\] hot *$"],
    "many-tasks": [r"^tasks, \d{3} lines", r"tops-1\d\d *$"],
    "ended": [r"^cycles:u, the command has ended", r"\[\.\] hot *$"],
    "lacks": [r"^Top-Down level 1 of tasks, 1 lines", r"^Top-Down is for Sandy Bridge and ",
              r"^>Overh Retir", r"^ +100\.0 +- +- +- +- +\d+ "],
    "recalled": [r"^tasks, \d+ lines, filter: tops"],
}
COLOURED = {"symbols", "tasks", "topdown", "code"}
PLAIN = {"many-symbols", "many-tasks"}
failed = False


def problem(text, screen=()):
    global failed
    failed = True
    print(text, *screen, sep="\n")


def check_screen(name, width, height, coloured, rows):
    if len(rows) != height or any(len(row) != width for row in rows):
        problem(f"{name}: not {height} rows of {width} columns", rows)
    if name not in HAS:
        problem(f"{name}: nobody knows such a screen", rows)
    for pattern in HAS.get(name, []):
        if not any(re.search(pattern, row) for row in rows):
            problem(f"{name}: no row has {pattern!r}", rows)
    if not HEAD.search(rows[0]):
        problem(f"{name}: no head", rows)
    if not KEYS.search(rows[-1]):
        problem(f"{name}: no keys in the last row", rows)
    if coloured and name in PLAIN or not coloured and name in COLOURED:
        problem(f"{name}: {'' if coloured else 'not '}coloured", rows)
    check_topdown(name, rows)


def check_topdown(name, rows):
    """Level 1 adds up to 100, but for what is rounded."""
    for row in rows:
        shares = re.search(r"^ +[0-9.]+((?: +[0-9.]+){4}) +\d+ tops", row)
        if name == "topdown" and shares:
            parts = [float(share) for share in shares[1].split()]
            if abs(sum(parts) - 100) > 0.25 or not 10 < parts[0] < 25:
                problem(f"topdown: {parts} add up to {sum(parts)}, retiring is about 16", rows)


def check_shares(lines):
    """Of the last table, beside what the program is made of."""
    found = {}
    for line in lines:
        match = re.search(r"^ +([0-9.]+)% +(\d+) tops +\[\.\] (hot|warm|cool)$", line)
        if match:
            found[match[3]] = float(match[1]), int(match[2])
    for name, share in (("hot", 60), ("warm", 30), ("cool", 10)):
        if name not in found:
            problem(f"shares: {name} is not in the table", lines)
            continue
        samples = sum(count for _, count in found.values())
        # Three standard errors of that many samples, and the loops around.
        bound = 300 * (share / 100 * (1 - share / 100) / samples) ** 0.5 + 0.2
        if abs(found[name][0] - share) > bound:
            problem(f"shares: {name} has {found[name][0]} %, and not {share} within {bound:.2f}",
                    lines)


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    at = screens = ends = 0
    while at < len(lines):
        match = re.match(r"== (\S+)(?: (\d+)x(\d+)( coloured)?)?$", lines[at])
        at += 1
        if match and match[1] == "shares":
            check_shares(lines[at:])
        elif match:
            width, height = int(match[2]), int(match[3])
            rows = [line[1:-1] for line in lines[at:at + height] if line[:1] == line[-1:] == "|"]
            check_screen(match[1], width, height, bool(match[4]), rows)
            screens += 1
        elif re.match(r"ended \d", lines[at - 1]):
            ends += 1
            if at == len(lines) or lines[at] != "restored":
                problem("the terminal is not as it was", lines[at - 1:at + 1])
    if not screens and not ends and not {"== shares", "no screen"} & set(lines):
        problem("there was nothing to look at", lines)
    return failed


sys.exit(main())
