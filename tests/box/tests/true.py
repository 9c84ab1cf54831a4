#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""true.py TRUTH COUNTS LINES: whether each line of COUNTS, "PROGRAM[#N] EVENT VALUE [KIND]", is
what that program and its descendants did in user mode, on CPUs of a hybrid's kind (p or e) if there
is one; there are so many lines, or any number."""
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
        program, event, value, *kind = line.split()
        more = ["--kind", *kind] if kind else []
        true = subprocess.run([TRUTH, *more, sys.argv[1], program, "user", event], check=False,
                              stdout=subprocess.PIPE, text=True).stdout.strip()
        if value != true:
            print(f"{event}:u of {program} and its children is {value}, truth {true}", *kind)
            wrong = 1
    return wrong


sys.exit(main())
