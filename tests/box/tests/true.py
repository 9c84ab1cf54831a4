#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""true.py TRUTH COUNTS LINES: whether each line of COUNTS, "PROGRAM[#N] EVENT VALUE [WORD]", is
what that program and its descendants did in user mode; there are so many lines, or any number.
WORD: p, e or l for what they did on such CPUs of a hybrid, alone for what the program did by
itself."""
import os
import subprocess
import sys

TRUTH = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "truth")


def main():
    wrong = 0
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = file.read().splitlines()
    if sys.argv[3] != "any" and len(lines) != int(sys.argv[3]):
        print(f"{len(lines)} lines, not {sys.argv[3]}:", *lines, sep="\n")
        return 1
    for line in lines:
        program, event, value, *word = line.split()
        more = word and (["--alone"] if word == ["alone"] else ["--kind", *word])
        true = subprocess.run([TRUTH, *more, sys.argv[1], program, "user", event], check=False,
                              stdout=subprocess.PIPE, text=True).stdout.strip()
        if value != true:
            print(f"{event}:u of {program} and its children is {value}, truth {true}", *word)
            wrong = 1
    return wrong


sys.exit(main())
