#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Says what sessions cost a switch: switches.py [--check] KERNEL TRUTH NAMES

TRUTH has a mark each four switches, whose label stands for the way in which the two tasks are
counted; NAMES, which switches.guest printed, has the names of the ways.  The scheduler has a
few variants of its own, the same each time, of which not each way sees all: stretches of a way
are compared with those where nobody counts of the same variant.
With --check the exit code says whether no way costs more than it does today.
"""
import collections
import json
import sys

SWITCHES = 4
SEEN = 3        # so many stretches make it no accident
USUAL = 10      # ... if it is a tenth of them as well
ABOVE = 1.02    # of today's figure

# Kernel instructions of today.  Linux's own tracepoint takes 16 of them on 6.1 and 17 on 6.12.
SAME = {"6.1": 43, "6.12": 44, "7.x": 51}     # session before and behind the switch, whatever it counts

# Words, MSR accesses and RDPMCs, kernel instructions.
WAYS = {
    "beside": ("neither counted, beside 64 sessions", 0, 0, {"6.1": 20, "6.12": 21, "7.x": 20}),
    "one": ("tasks of one session, 1 event", 0, 0, SAME),
    "four": ("tasks of one session, 4 events", 0, 0, SAME),
    "eight": ("tasks of one session, 8 events in 2 sets", 0, 0, SAME),
    "many": ("tasks of one of 65 sessions, 1 event", 0, 0, SAME),
    "user": ("tasks of a session without privilege", 0, 0, {"6.1": 249, "6.12": 255, "7.x": 244}),
    "one-half": ("counted from or to uncounted, 1 event", 1, 0.5, {"6.1": 364, "6.12": 375, "7.x": 418}),
    "four-half": ("counted from or to uncounted, 4 events", 1, 2, {"6.1": 448, "6.12": 462, "7.x": 517}),
    "held": ("both with the same features", 0, 0, {"6.1": 140, "6.12": 156, "7.x": 247}),
    "held-beside": ("neither with features, but another", 0, 0, {"6.1": 36, "6.12": 37, "7.x": 37}),
    "held-half": ("from or to a task with features", 1, 0, {"6.1": 148, "6.12": 165, "7.x": 202}),
    "cpus": ("a session on CPUs, 4 events", 0, 0, {"6.1": 0, "6.12": 0, "7.x": 0}),
}

Stretch = collections.namedtuple("Stretch", "kernel accesses rdpmcs")


def total(mark):
    def both(what):
        return sum(cpu[ring][what] for cpu in mark["totals"] for ring in ("user", "kernel"))
    return Stretch(sum(cpu["kernel"]["instructions"] for cpu in mark["totals"]),
                   both("msr_reads") + both("msr_writes"), both("rdpmcs"))


def read_stretches(truth, names):
    """{name: [what was done from one mark to the next of its way]}"""
    with open(names, encoding="utf-8") as file:
        name = dict(line.split()[1:] for line in file if line.startswith("name "))
    with open(truth, encoding="utf-8") as file:
        marks = [(name[str(mark["label"])], total(mark)) for mark in json.load(file)["marks"]]
    found = collections.defaultdict(list)
    for (way, begin), (following, end) in zip(marks, marks[1:]):
        if way == following:
            found[way].append(Stretch(*(b - a for a, b in zip(begin, end))))
    return found


def often(stretches):
    """Those that are no accident, and how many are like each."""
    return {stretch: n for stretch, n in collections.Counter(stretches).items() if n >= SEEN}


def usual(seen, stretches):
    """The ways in which the scheduler goes: what a part of all stretches are like."""
    return [stretch for stretch, n in seen.items() if n * USUAL >= len(stretches)]


def less(stretch, other):
    return Stretch(*(a - b for a, b in zip(stretch, other)))


def more_than(alone, stretches):
    """So much more a way takes than without sessions that, less this, most of its stretches are like
    one of these, where the scheduler goes the same way: which it takes is not the sessions' doing,
    and its ways may be nearer to each other than that.  None: nothing can be compared."""
    seen, seen_alone = often(stretches), often(alone)
    candidates = {less(x, y) for x in usual(seen, stretches) for y in usual(seen_alone, alone)
                  if x.kernel >= y.kernel}
    return max(candidates, default=None, key=lambda more: (
        sum(n for x, n in seen.items() if less(x, more) in seen_alone), -more.kernel))


def main():
    args = [arg for arg in sys.argv[1:] if arg != "--check"]
    kernel = args[0]
    found = read_stretches(args[1], args[2])
    met = True
    print(f"A switch, more than without sessions (Linux {kernel})")
    print(f"{'':44}{'kernel':>8}{'today':>8}{'MSRs':>6}{'RDPMCs':>8}")
    for way, (words, accesses, rdpmcs, today) in WAYS.items():
        one = more_than(found["alone"], found[way])
        if not one:
            print(f"  {words}: no stretch is like another")
            met = False
            continue
        more = Stretch(*(x / SWITCHES for x in one))
        limit = Stretch(today[kernel] * ABOVE, accesses, rdpmcs)
        fits = all(is_now <= most for is_now, most in zip(more, limit))
        print(f"  {words:42}{more.kernel:8.2f}{today[kernel]:8}{more.accesses:6.2f}"
              f"{more.rdpmcs:8.2f}{'' if fits else '  MORE than today'}")
        met = met and fits
    return 1 if "--check" in sys.argv and not met else 0


sys.exit(main())
