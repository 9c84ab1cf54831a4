#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""lines.py TRUTH COUNTS: what flushed lines and lines in a row cost, as lines.guest says,
"WHO HOW N EVENT VALUE" a line, is the truth, and what it has to be."""
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, program_of  # noqa: E402

FEW = 8                 # misses of the lines that the program is of
MOST = 50               # cycles of a line in a row
KEPT = ("clwb",)        # written back, but not out of the caches
problems = []


def expect(right, text):
    print(text)
    if not right:
        problems.append(text)


def judge(who, how, rounds, value):
    wanted = 0 if how == "none" or how in KEPT else rounds
    expect(abs(value - wanted) <= FEW,
           f"{who}: {rounds} times load, {how}, mfence: {value} misses, {wanted} wanted")


def main():
    truth, rows = read_truth(sys.argv[1]), 0
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            who, how, rounds, event, value = line.split()
            rounds, value, rows = int(rounds), int(value), rows + 1
            true = program_of(truth, f"./lines-{who}-{how}")["user"][event.replace("-", "_")]
            expect(value == true, f"{who} {how}: {event}:u is {value}, truth {true}")
            if event == "cache-misses":
                judge(who, how, rounds, value)
            else:
                expect(value <= MOST * rounds, f"{value / rounds:.1f} cycles a line in a row")
    expect(rows >= 5, f"{rows} counts")
    for text in problems:
        print(f"wrong: {text}")
    return 1 if problems else 0


sys.exit(main())
