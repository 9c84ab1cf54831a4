# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the truth that tests/box/run --truth wrote.

Its "dropped_samples" are those that it did not keep: whoever compares samples looks at them.
"""
import json
import subprocess
import sys


def read_truth(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def rows_of(truth):
    """Its samples by the names of their fields."""
    return [dict(zip(truth["sample_fields"], row)) for row in truth["samples"]]


def kinds_of(truth):
    """Of each CPU the number of its kind, as the module has it: big, small, low-power."""
    order = [truth["profile"] + end for end in ("", "-e", "-l")]
    there = [core for core in order if core in truth["cores"]]
    return [there.index(core) for core in truth["cores"]]


def program_of(truth, name):
    """The space of the one program that was executed by that name."""
    found = [space for space in truth["spaces"]
             if space["origin"] == "exec" and space["name"] == name]
    if len(found) != 1:
        sys.exit(f"{name}: {len(found)} programs of that name in the truth")
    return found[0]


def symbols(program):
    """Where its functions and data are, by name: the truth has addresses."""
    lines = subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name: int(value, 16) for value, _, name in map(str.split, lines.splitlines())}
