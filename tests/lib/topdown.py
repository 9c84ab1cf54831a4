# SPDX-License-Identifier: GPL-2.0-or-later
"""Our formulas of Top-Down against the published ones, on the same random counts.

topdown.py TABLES LINES [FACTS]

TABLES is what tma-formulas prints.  LINES become lines for formula-values, with Python's
values behind them, for formulas.py to check.  Exit code 1 if a value is not that of the
same node in FACTS/topdown.md (all generations), or in Intel's metric files (of those that
have some).
"""
import functools
import glob
import json
import math
import random
import re
import sys

ORDER = "SNB IVB HSW BDW SKL SKX ICL ICX SPR".split()
NAME = re.compile(r"[A-Za-z_#][A-Za-z0-9_.#:]*")
WORDS = {"if", "else", "min", "max"}
ALIASES = {"DRAM_Bound": "L3_Miss_Bound"}
# What TMA names on one generation and others as a number of ports.
SAME = {"EXE_ACTIVITY.3_PORTS_UTIL:u0x80": "EXE_ACTIVITY.EXE_BOUND_0_PORTS",
        "TOPDOWN.SLOTS:perf_metrics": "TOPDOWN.SLOTS"}


class Counts(dict):
    """A count for every event that is asked for, each generation's for itself."""

    def __init__(self, seed):
        super().__init__()
        self.seed = seed

    def __missing__(self, event):
        event = SAME.get(event, event)
        if event.startswith("MEM_LOAD"):
            event = event.replace("_PS", "")
        rnd = random.Random("%s %s" % (self.seed, event))
        top = 255 if event.startswith("PERF_METRICS") else 1000000
        value = float(rnd.randrange(1, top))
        self[event] = value
        return value


def evaluate(formula, lookup):
    """Python's own if, min and max; each name by lookup()."""
    values = {}

    def variable(match):
        name = match.group(0)
        if name in WORDS:
            return name
        key = "v%d" % len(values)
        values[key] = lookup(name)
        return key

    text = NAME.sub(variable, formula)
    try:
        return float(eval(text, {"min": min, "max": max}, values))
    except ZeroDivisionError:
        return None


class Rows(dict):
    """The formulas of topdown.md for one generation, by name."""

    def __init__(self, path, arch):
        super().__init__()
        self.arch = arch
        self.node = None
        # Levels above 3 that formulas mention.
        self.add("Ports_Utilized_0", "SKL..SKX", "EXE_ACTIVITY.EXE_BOUND_0_PORTS / CLKS")
        self.add("Ports_Utilized_0", "ICL..ICX", "EXE_ACTIVITY.3_PORTS_UTIL:u0x80 / CLKS")
        self.add("Ports_Utilized_0", "SPR",
                 "( EXE_ACTIVITY.EXE_BOUND_0_PORTS + max( RS.EMPTY_RESOURCE - "
                 "RESOURCE_STALLS.SCOREBOARD , 0 ) ) / CLKS * ( CYCLE_ACTIVITY.STALLS_TOTAL - "
                 "EXE_ACTIVITY.BOUND_ON_LOADS ) / CLKS")
        self.add("C02_Wait", "SPR", "CPU_CLK_UNHALTED.C02 / CLKS")
        self.add("Unknown_Branches", "SPR", "INT_MISC.UNKNOWN_BRANCH_CYCLES / CLKS")
        self.add("IPC", "SNB..SPR", "INST_RETIRED.ANY / CLKS")
        self.add("#ITLB_Miss_Cycles", "SNB..IVB",
                 "12 * ITLB_MISSES.STLB_HIT + ITLB_MISSES.WALK_DURATION")
        self.add("#ITLB_Miss_Cycles", "HSW",
                 "14 * ITLB_MISSES.STLB_HIT + ITLB_MISSES.WALK_DURATION")
        self.add("#ITLB_Miss_Cycles", "BDW",
                 "14 * ITLB_MISSES.STLB_HIT + ITLB_MISSES.WALK_DURATION:c1"
                 " + 7 * ITLB_MISSES.WALK_COMPLETED")
        with open(path, encoding="utf-8") as file:
            for line in file:
                self.take(line)

    def add(self, name, span, formula):
        first, _, last = span.partition("..")
        if ORDER.index(first) <= ORDER.index(self.arch) <= ORDER.index(last or first) and \
                not formula.startswith("(not "):
            self[name] = formula

    def take(self, line):
        node = re.match(r"- \*\*(\w+)\*\* \(", line)
        if node:
            self.node = node.group(1)
        row = re.match(r"  - ([A-Z]{3}(?:\.\.[A-Z]{3})?): `(.*)`$", line)
        if row and self.node:
            self.add(self.node, row.group(1), row.group(2))
        helper = re.match(r"- `(#?\w+)`: (.*)$", line)
        if helper:
            for span, formula in re.findall(r"([A-Z]{3}(?:\.\.[A-Z]{3})?) `([^`]*)`",
                                            helper.group(2)):
                self.add(helper.group(1), span, formula)


@functools.lru_cache(None)
def rows_of(path, arch):
    return Rows(path, arch)


class Published:
    """Those, put together by name, for one kind of CPU."""

    def __init__(self, path, arch, smt, metrics, tasks, counts):
        self.rows = dict(rows_of(path, arch))
        # In front of a choice by #SMT_on: without it what it stands for is the same clock.
        self.constants = {"#EBS_Mode": tasks and smt, "#SMT_on": smt,
                          "#PERF_METRICS_MSR": metrics, "#PMM_App_Direct": False}
        self.counts = counts
        if tasks and smt:
            self.of_tasks()

    def of_tasks(self):
        """Two formulas that halve what both threads did also of a task, whose share of the
        core's slots is half only while both run: there ours are others, on purpose."""
        recovery, bound = "#Recovery_Cycles", "#Backend_Bound_Cycles"
        if recovery in self.rows:
            self.rows[recovery] = "INT_MISC.RECOVERY_CYCLES"
        if bound in self.rows:
            self.rows[bound] = self.rows[bound].replace(" ) / 2 ", " ) * CORE_CLKS / CLKS ")

    def value(self, name):
        if name in self.constants:
            return self.constants[name]
        if name not in self.rows:
            return self.counts[name]
        formula = self.rows[name]
        # Only the side that holds is looked at, as the other one may be of another CPU.
        picked = self.pick(formula)
        return evaluate(picked, self.value)

    def pick(self, formula):
        """A if CONSTANT else B, as deep as they stand at the end."""
        for name, holds in self.constants.items():
            mark = " if %s else " % name
            if mark in formula:
                before, after = formula.split(mark, 1)
                return self.pick(before if holds else after)
        return formula


@functools.lru_cache(None)
def intel(facts, arch):
    """Node -> metric; a server's high-bandwidth twin is another processor."""
    metrics = {}
    for path in glob.glob("%s/perfmon/%s/metrics/*.json" % (facts, arch)):
        if "hbm" in path:
            continue
        with open(path, encoding="utf-8") as file:
            for metric in json.load(file)["Metrics"]:
                metrics[ALIASES.get(metric["MetricName"], metric["MetricName"])] = metric
    return metrics


def intel_value(metric, smt, counts):
    values = {x["Alias"]: counts[x["Name"]] for x in metric["Events"]}
    for x in metric["Constants"]:
        if x["Name"] == "HYPERTHREADING_ON":
            values[x["Alias"]] = smt
    try:
        return float(eval(metric["Formula"], {"min": min, "max": max}, values))
    except ZeroDivisionError:
        return None


def close(a, b):
    return a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def tables(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            head, formula = line.rstrip("\n").split("\t")
            yield head.split(), formula


def compare(head, formula, facts, seed, tally):
    arch, smt, metrics, tasks, tree, node = head
    counts = Counts("%s %d" % (arch, seed))
    value = evaluate(formula, lambda name: counts[name])
    if tree == "tma" and facts:
        published = Published(facts + "/topdown.md", arch, smt == "1", metrics == "1",
                              tasks == "1", counts)
        tally["topdown.md"] += 1
        if not close(value, published.value(node)):
            tally["bad"] += 1
            print("%s: %s, topdown.md %s\n  %s" % (" ".join(head), value, published.value(node),
                                                 formula))
        other = intel(facts, arch).get(node)
        # Its formulas are of CPUs, whose threads share a clock on these.
        if tasks == "1" and smt == "1" and arch in ORDER[:6]:
            other = None
        if other and (metrics == "1" or arch in ORDER[:6]):
            theirs = intel_value(other, smt == "1", counts)
            tally["files"] += 1
            if theirs is None or not close(100 * value, theirs):
                tally["bad"] += 1
                print("%s: %s, Intel's file %s\n  %s" % (" ".join(head), 100 * value, theirs,
                                                         formula))
    return value, counts


def write(path, to, facts):
    tally = {"topdown.md": 0, "files": 0, "bad": 0, "lines": 0}
    with open(to, "w", encoding="utf-8") as file:
        for head, formula in tables(path):
            for seed in range(3):
                value, counts = compare(head, formula, facts, seed, tally)
                given = " ".join("%s=%r" % item for item in counts.items())
                file.write("%s\t%s\t%s\n" % (formula, given,
                                             "zero" if value is None else repr(value)))
                tally["lines"] += 1
    print("%d values of ours; %d compared with topdown.md, %d with Intel's files, %d differ" %
          (tally["lines"], tally["topdown.md"], tally["files"], tally["bad"]))
    return 1 if tally["bad"] or not tally["lines"] else 0


if __name__ == "__main__":
    sys.exit(write(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None))
