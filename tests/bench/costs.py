#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Says what things cost beside Linux perf: costs.py [--check] GROUP TRUTH WINDOWS

GROUP is switch, read, command or sample, or p4-switch and so on; TRUTH what the box wrote,
WINDOWS what costs.guest printed.  A cost is what a window took more than an empty one of its
kind, for one of the things that were done there.  With --check the exit code says whether all
goals are met.
"""
import json
import sys

KINDS = ("user", "kernel", "reads", "writes", "rdpmcs")


def totals(mark):
    def both(what):
        return sum(cpu[ring][what] for cpu in mark["totals"] for ring in ("user", "kernel"))
    user, kernel = (sum(cpu[ring]["instructions"] for cpu in mark["totals"])
                    for ring in ("user", "kernel"))
    return dict(zip(KINDS, (user, kernel, both("msr_reads"), both("msr_writes"),
                            both("rdpmcs"))))


def read_windows(truth, printed):
    """({name: {units: [cost of each such window]}}, {name: command line, or size and samples})"""
    with open(truth, encoding="utf-8") as file:
        marks = {mark["label"]: totals(mark) for mark in json.load(file)["marks"]}
    names, commands, windows = {}, {}, {}
    with open(printed, encoding="utf-8") as file:
        for line in file:
            word, *rest = line.split()
            if word == "name":
                names[int(rest[0])] = rest[1]
            elif word in ("command", "bytes"):
                commands[rest[0] + " bytes" * (word == "bytes")] = " ".join(rest[1:])
            elif word == "window":
                label, units = map(int, rest)
                cost = {kind: marks[label + 1][kind] - marks[label][kind] for kind in KINDS}
                windows.setdefault(names[label], {}).setdefault(units, []).append(cost)
    return windows, commands


class Costs:
    def __init__(self, windows):
        self.windows = windows

    def of(self, name):
        """{kind: what one of it cost}: what disturbs a window only makes it dearer."""
        (none, empty), (units, full) = sorted(self.windows[name].items())
        if none or not units:
            raise ValueError(f"{name}: no empty window or nothing else")
        return {kind: (min(cost[kind] for cost in full) - min(cost[kind] for cost in empty))
                / units for kind in KINDS}

    def above(self, name, base):
        base = self.of(base)
        return {kind: value - base[kind] for kind, value in self.of(name).items()}


def show(title, rows):
    print(f"{title:34}{'user':>12}{'kernel':>12}{'MSR reads':>11}{'MSR writes':>12}{'RDPMC':>8}")
    for name, cost in rows:
        print(f"  {name:32}{cost['user']:12.1f}{cost['kernel']:12.1f}{cost['reads']:11.1f}"
              f"{cost['writes']:12.1f}{cost['rdpmcs']:8.1f}")


def goal(text, value, limit):
    """Prints whether it is met."""
    word = "met" if value <= limit else f"MISSED by {value - limit:.1f}"
    print(f"  {word}: {text}: {value:.1f}, at most {limit:.1f}")
    return value <= limit


def accesses(cost):
    """RDPMC is none: whoever reads a counter needs one."""
    return cost["reads"] + cost["writes"]


def half(what, ours, perfs):
    return [goal(f"{what}, kernel instructions", ours["kernel"], perfs["kernel"] / 2),
            # Registers are looked at once a tick, however often somebody reads.
            goal(f"{what}, MSR accesses", accesses(ours), max(accesses(perfs) / 2, 0.5))]


def switch(costs, commands):
    ours, perfs = costs.above("pmuctl", "uncounted"), costs.above("perf", "uncounted")
    print(f"# {commands['pmuctl']}\n# {commands['perf']}")
    show("A context switch, 4 events", [
        ("uncounted", costs.of("uncounted")), ("more with pmuctl", ours),
        ("more with perf", perfs)])
    return half("a switch", ours, perfs)


def whole(cost, cpus):
    """Each read makes the same accesses on each CPU: a fraction is of switches that one window had
    more, and of the look at registers, which each CPU takes once a tick."""
    return {kind: cpus * round(value / cpus) if kind in ("reads", "writes") else value
            for kind, value in cost.items()}


TARGETS = (("self", "the reader itself"), ("asleep", "a task that sleeps"),
           ("running", "a task on another CPU"), ("cpus", "4 CPUs, each value"))


def read(costs, commands):
    met = []
    for target, words in TARGETS:
        if f"pmuctl-{target}" not in costs.windows:
            continue
        ours, perfs = (costs.of(f"{who}-{target}") for who in ("pmuctl", "perf"))
        print(f"# {commands['pmuctl-' + target]}\n# {commands['perf-' + target]}")
        rows = [("pmuctl", ours), ("perf, as perf stat does", perfs),
                ("perf, a group in one read", costs.of(f"group-{target}"))]
        if target == "cpus":
            rows.insert(1, ("pmuctl, sums", costs.of("pmuctl-cpus-sum")))
        show(f"Reading 8 events: {words}", rows)
        cpus = 4 if target == "cpus" else 1
        goals = half(f"reading {words}", whole(ours, cpus), whole(perfs, cpus))
        # How long the reader spins for the other CPU's answer is the host's doing.
        met += goals if target != "running" else []
    return met


def command(costs, commands):
    ours, perfs = costs.above("pmuctl", "true"), costs.above("perf", "true")
    print(f"# {commands['pmuctl']}\n# {commands['perf']}")
    show("A command beside the plain true", [("pmuctl stat -- true", ours),
                                             ("perf stat -- true", perfs)])
    return [goal(f"{ring} instructions", ours[ring], perfs[ring] / 2)
            for ring in ("user", "kernel")]


# What the manual asks for at least.  By interrupt: GLOBAL_STATUS is read, its bit reset,
# the counter loaded anew.  PEBS loads the counter itself, and the interrupt is of many.
SAMPLES = (("instructions:u", "interrupt", 3), ("instructions:upp", "PEBS", 0))


def file_of(commands, name, units):
    """Bytes a sample; a recorder that lost or throttled samples is cheap for no good reason."""
    size, samples = map(int, commands[name + " bytes"].split())
    # Starting the program takes a few of its own.
    if not units <= samples <= 1.01 * units:
        raise ValueError(f"{name}: {samples} samples in its file, not {units}")
    return size / samples


def sample(costs, commands):
    met = []
    units = max(costs.windows["drain"])
    drain = costs.of("drain")
    for event, words, needed in SAMPLES:
        names = [f"{who}-{event}" for who in ("pmuctl", "perf")]
        ours, perfs = (costs.above(name, "alone") for name in names)
        for name in names:
            print(f"# {commands[name].replace('TIMES', str(units))}")
        show(f"A sample by {words}", [("pmuctl record", ours), ("  of it the netlink drain", drain),
                                      ("perf record", perfs)])
        print("  bytes a sample in the file: pmuctl {:.1f}, perf {:.1f}".format(
            *(file_of(commands, name, units) for name in names)))
        print(f"  the netlink drain is {drain['kernel'] / ours['kernel']:.0%} of pmuctl's "
              "kernel instructions")
        met += [goal(f"a sample by {words}, kernel instructions", ours["kernel"],
                     perfs["kernel"] / 3),
                goal(f"a sample by {words}, MSR accesses ({needed} are needed)",
                     accesses(ours), needed + 1)]
    return met


def p4_sample(costs, commands):
    rows = []
    for name in sorted(costs.windows):
        if name != "alone":
            print(f"# {commands[name]}")
            rows.append((name[len("pmuctl-"):][:32], costs.above(name, "alone")))
    show("A sample on a Pentium 4", rows)
    return [True]


def main():
    args = [arg for arg in sys.argv[1:] if arg != "--check"]
    windows, commands = read_windows(args[1], args[2])
    groups = {"switch": switch, "read": read, "command": command,
              "sample": sample, "p4-switch": switch, "p4-read": read,
              "p4-sample": p4_sample}
    met = groups[args[0]](Costs(windows), commands)
    return 1 if "--check" in sys.argv and not all(met) else 0


sys.exit(main())
