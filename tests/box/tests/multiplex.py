#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""multiplex.py COUNTS: estimates are near the counts of each event alone, groups whole."""
import collections
import sys

EVENTS = 12
GROUP = 4
NEAR = 0.02


def read_counts(path):
    runs = collections.defaultdict(list)
    with open(path, encoding="utf-8") as file:
        for line in file:
            run, event, value, percent = line.split()
            runs[run].append((event, int(value), float(percent)))
    return runs


def compare(run, counts, alone):
    wrong = 0
    for event, value, percent in counts:
        error = value / alone[event] - 1
        if abs(error) > NEAR or not 1 < percent < 99:
            print(f"{run}: {event}: {value}, alone {alone[event]}: {100 * error:+.2f} %; "
                  f"on {percent} % of the time")
            wrong += 1
    print(f"{run}: farthest off",
          f"{max(100 * abs(v / alone[e] - 1) for e, v, _ in counts):.2f} %")
    return wrong


def whole(run, counts):
    """Events of a group were on for the same time, and equal ones count the same."""
    wrong = 0
    for first in range(0, EVENTS, GROUP):
        group = counts[first:first + GROUP]
        values = {(event, value) for event, value, _ in group}
        if len(values) != len({event for event, _, _ in group}) or \
                len({percent for _, _, percent in group}) != 1:
            print(f"{run}: a group was not counted as one: {group}")
            wrong += 1
    return wrong


def main():
    runs, wrong = read_counts(sys.argv[1]), 0
    for kind in ("", "-all"):
        alone = {event: value for event, value, _ in runs["alone" + kind]}
        for run in ("single" + kind, "groups" + kind):
            if len(runs[run]) != EVENTS:
                print(f"{run}: {len(runs[run])} events")
                return 1
            wrong += compare(run, runs[run], alone)
        wrong += whole("groups" + kind, runs["groups" + kind])
    return 1 if wrong else 0


sys.exit(main())
