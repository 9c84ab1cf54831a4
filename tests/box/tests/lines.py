#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""lines.py TRUTH COUNTS: what flushed lines and lines in a row cost, as lines.guest says,
"WHO HOW N EVENT VALUE" a line, is the truth, and what it has to be."""
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, program_of  # noqa: E402

FEW = 3                 # misses that the kernel causes now and then
MOST = 50               # cycles of a line in a row
KEPT = ("clwb",)        # written back, but not out of the caches
problems = []


def expect(right, text):
    print(text)
    if not right:
        problems.append(text)


def judge(who, how, rounds, value, none):
    wanted = 0 if how in KEPT else rounds
    extra = value - none
    expect(abs(extra - wanted) <= FEW,
           f"{who}: {rounds} times load, {how}, mfence: {extra} misses, {wanted} wanted")


def main():
    truth, none, rows = read_truth(sys.argv[1]), {}, 0
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            who, how, rounds, event, value = line.split()
            rounds, value, rows = int(rounds), int(value), rows + 1
            true = program_of(truth, f"./lines-{who}-{how}")["user"][event.replace("-", "_")]
            expect(value == true, f"{who} {how}: {event}:u is {value}, truth {true}")
            if how == "none":
                none[who] = value
            elif event == "cache-misses":
                judge(who, how, rounds, value, none[who])
            else:
                expect(value <= MOST * rounds, f"{value / rounds:.1f} cycles a line in a row")
    expect(rows >= 5, f"{rows} counts")
    for text in problems:
        print(f"wrong: {text}")
    return 1 if problems else 0


sys.exit(main())
