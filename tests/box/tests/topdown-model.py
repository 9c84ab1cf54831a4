#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the box's slots add up, and whether perf finds them: topdown-model.py CPU TRUTH PERF

topdown-model.py CPU --options prints the arguments of topdown-model.guest.  Level 1 is what
Linux's own metrics say; level 2 is what the formulas of TMA 5.2 make of the raw events.
"""
import collections
import json
import re
import sys

WIDTH = {"icelake": 5, "sapphirerapids": 6}
LEVEL1 = {"retiring": "retiring", "bad_speculation": "bad_speculation",
          "front_end": "frontend_bound", "back_end": "backend_bound"}
# The cause that has most of the slots of each kind.
DOMINATING = {"chase": "dram", "branches": "bad_speculation", "code": "front_end",
              "divide": "divider", "stores": "store", "alu": "retiring"}
# Four counters are too few for perf's metrics to be of one run: there they are made here.
METRICS = {"skylake": ""}
DEFAULT_METRICS = "--all-user -M TopdownL1"

CYCLES = "r3c"
# Events of level 2 by the names that the formulas below use.
COMMON = {"clks": CYCLES, "fe": "r19c", "issued": "r10e", "retired": "r2c2", "recovery": "r10d",
          "fe0": "r400019c", "mispredicts": "rc5", "clears": "r10401c3"}
BRIDGE = dict(COMMON, recovery="r100030d", sb="r8a2", total="r40004a3", rs_empty="r15e")
EVENTS = {
    "sandybridge": dict(BRIDGE, mem="r60006a3", ge1="r10001b1", ge2="r20001b1", ge3="r30001b1"),
    "ivybridge": dict(BRIDGE, mem="r60006a3", ge1="r10001b1", ge2="r20001b1", ge3="r30001b1"),
    "haswell": dict(BRIDGE, mem="r60006a3", ge1="r10002b1", ge2="r20002b1", ge3="r30002b1"),
    "skylake": dict(COMMON, total="r40004a3", mem="r140014a3", ports1="r2a6", ports2="r4a6",
                    stores="r40a6", instructions="rc0"),
    "icelake": dict(COMMON, fe0="r500019c", total="r40004a3", mem="r140014a3", ports1="r2a6",
                    ports2="r4a6", stores="r20040a6", be="r2a4", clears_count="r104010d",
                    dropping="r100d"),
    "sapphirerapids": dict(COMMON, issued="r1ae", recovery="r1ad", fe0="r600019c", be="r2a4",
                           br="r8a4", memory="r10a4", heavy="r1c2", dropping="r10ad"),
}
COUNTERS = {"skylake": 4}


def event_lists(cpu):
    """What the counters hold, with the cycles of a fixed one."""
    # Linux takes the first counter that is free, and 9C counts on the first four only.
    codes = sorted(set(EVENTS[cpu].values()) - {CYCLES},
                   key=lambda code: (not code.endswith("9c"), code))
    step = COUNTERS.get(cpu, 8)
    return [",".join(code + ":u" for code in [CYCLES] + codes[at:at + step])
            for at in range(0, len(codes), step)]


def old_level2(e, width):
    """Sandy Bridge to Skylake."""
    slots = width * e["clks"]
    fe = e["fe"] / slots
    bad = (e["issued"] - e["retired"] + width * e["recovery"]) / slots
    back = 1 - fe - bad - e["retired"] / slots
    ipc_switch = e["retired"] / e["clks"] > 1.8
    if "sb" in e:
        few = e["ge3"] if ipc_switch else e["ge2"]
        empty = e["rs_empty"] if e["fe0"] / e["clks"] > 0.1 else 0
        bound = e["total"] + e["ge1"] - few - empty + e["sb"]
        memory = min(e["clks"], e["mem"]) + e["sb"]
    else:
        bound = e["total"] + e["ports1"] + e["retired"] / slots * e["ports2"] + e["stores"]
        memory = e["mem"] + e["stores"]
    return fe, e["fe0"] * width / slots, bad, back, back * memory / bound if bound else 0


def icelake_level2(e, width):
    slots = width * e["clks"]
    fe = (e["fe"] - e["dropping"]) / slots
    back = (e["be"] + width * e["clears_count"]) / slots
    retired = e["retired"] / slots
    bound = e["total"] + e["ports1"] + retired * e["ports2"] + e["stores"]
    memory = back * (e["mem"] + e["stores"]) / bound if bound else 0
    return fe, (width * e["fe0"] - e["dropping"]) / slots, 1 - fe - back - retired, back, memory


def rapids_level2(e, width):
    slots = width * e["clks"]
    fe, back = (e["fe"] - e["dropping"]) / slots, e["be"] / slots
    return (fe, (width * e["fe0"] - e["dropping"]) / slots, 1 - fe - back - e["retired"] / slots,
            back, e["memory"] / slots)


def levels(cpu, e):
    """Shares of level 1 and level 2 in per cent, by the names of the truth."""
    width = WIDTH.get(cpu, 4)
    function = {"icelake": icelake_level2, "sapphirerapids": rapids_level2}.get(cpu, old_level2)
    fe, latency, bad, back, memory = function(e, width)
    wrong = e["mispredicts"] + e["clears"]
    missed = bad * e["mispredicts"] / wrong if wrong else 0
    if cpu == "sapphirerapids":
        missed = e["br"] / (width * e["clks"])
    shares = {"front_end": fe, "bad_speculation": bad, "back_end": back,
              "retiring": 1 - fe - bad - back, "latency": latency, "bandwidth": fe - latency, "mispredicts": missed,
              "clears": bad - missed, "memory": memory, "core": back - memory}
    return {name: 100 * share for name, share in shares.items()}


class Truth:
    """Shares of the Nth run of slots.c, of user mode."""

    def __init__(self, name):
        with open(name, encoding="utf-8") as file:
            truth = json.load(file)
        self.tree = truth["slot_tree"]
        self.runs = [space["user"] for space in truth["spaces"]
                     if space["origin"] == "exec" and space["name"] == "/root/slots"]

    def shares(self, run):
        slots = self.runs[run]["slots"]
        total = sum(slots.values())
        found = {cause: 100 * count / total for cause, count in slots.items()}
        for group, parts in self.tree.items():
            for part, causes in parts.items():
                found[part] = sum(found[cause] for cause in causes)
            found[group] = sum(found[part] for part in parts)
        return found


def read_perf(name):
    """By kind: metrics, and counts of events in a cycle of their run."""
    cycles = 0
    metrics, events = collections.defaultdict(dict), collections.defaultdict(dict)
    with open(name, encoding="utf-8") as file:
        for line in file:
            kind, what, *words, value = line.split()
            if what == "metric":
                text = re.sub("^tma_", "", "_".join(words).lower())
                metrics[kind][text] = float(value)
            else:
                code = words[0].split(":")[0]
                count = float("nan") if value.startswith("<") else float(value)
                if code == CYCLES:
                    cycles = count
                events[kind][code] = count / cycles
    return metrics, events


class Check:
    def __init__(self):
        self.failed = False

    def near(self, what, got, want, most):
        if not abs(got - want) <= most:
            print(f"{what}: {got:.2f}, but the truth is {want:.2f}")
            self.failed = True

    def right(self, what, is_right):
        if not is_right:
            print(what)
            self.failed = True


def check_sums(check, cpu, truth):
    for number, run in enumerate(truth.runs):
        slots, want = sum(run["slots"].values()), WIDTH.get(cpu, 4) * run["cycles"]
        check.right(f"{cpu}, run {number + 1}: {slots} slots, but {want} by its cycles",
                    slots == want)


def check_kind(check, cpu, kind, perf, shares):
    metrics, events = perf
    what = f"{cpu}, {kind}"
    for ours, theirs in LEVEL1.items():
        if metrics:
            check.near(f"{what}: perf's {theirs}", metrics.get(theirs, float("nan")),
                       shares[0][ours], 1)
        check.near(f"{what}: {ours} of another run", shares[1][ours], shares[0][ours], 2)
    counts = {name: events[code] for name, code in EVENTS[cpu].items()}
    for name, share in levels(cpu, counts).items():
        # Its events are of several runs.
        each = [run[name] for run in shares]
        check.near(f"{what}: {name} by its formula", share, min(max(share, min(each)), max(each)),
                   1 if name in LEVEL1 else 5)
    cause = DOMINATING[kind]
    level = LEVEL1 if cause in LEVEL1 else shares[0].keys() - LEVEL1
    rivals = {name: shares[0][name] for name in level
              if cause in LEVEL1 or name in ("dram", "l1", "l2", "l3", "store", "divider", "ports")}
    check.right(f"{what}: {cause} has {rivals[cause]:.1f} %, but there are {rivals}",
                rivals[cause] == max(rivals.values()))


def main():
    cpu = sys.argv[1]
    if sys.argv[2] == "--options":
        print(METRICS.get(cpu, DEFAULT_METRICS), *event_lists(cpu), sep="\n")
        return 0
    truth, (metrics, events) = Truth(sys.argv[2]), read_perf(sys.argv[3])
    check, run = Check(), 0
    check_sums(check, cpu, truth)
    for kind in events:
        runs = len(event_lists(cpu)) + (kind in metrics)
        shares = [truth.shares(run + i) for i in range(runs)]
        run += runs
        check_kind(check, cpu, kind, (metrics[kind], events[kind]), shares)
    check.right(f"{cpu}: {len(events)} kinds instead of {len(DOMINATING)}",
                len(events) == len(DOMINATING))
    return int(check.failed)


sys.exit(main())
