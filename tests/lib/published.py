# SPDX-License-Identifier: GPL-2.0-or-later
"""The published formulas of Top-Down and their values on fixed counts.

TMA's are read from FACTS/topdown.md; the classical ones and those of the pipeline, of which no
file has more than the words, are written out here once more, by generation and in Python.
"""
import functools
import hashlib
import math
import re

ORDER = "SNB IVB HSW BDW SKL SKX ICL ICX SPR".split()
# The counts of formulas with a choice in them must come on both sides of it.
SEEDS = 3
NAME = re.compile(r"[A-Za-z_#][A-Za-z0-9_.#:]*")
WORDS = {"if", "else", "min", "max"}
# What TMA names on one generation and others as a number of ports; and two that are the same
# of a task as of a CPU.
SAME = {"EXE_ACTIVITY.3_PORTS_UTIL:u0x80": "EXE_ACTIVITY.EXE_BOUND_0_PORTS",
        "TOPDOWN.SLOTS:perf_metrics": "TOPDOWN.SLOTS"}
# Of another level, which formulas of the first three mention.
DEEPER = [
    ("Ports_Utilized_0", "SKL..SKX", "EXE_ACTIVITY.EXE_BOUND_0_PORTS / CLKS"),
    ("Ports_Utilized_0", "ICL..ICX", "EXE_ACTIVITY.3_PORTS_UTIL:u0x80 / CLKS"),
    ("Ports_Utilized_0", "SPR",
     "( EXE_ACTIVITY.EXE_BOUND_0_PORTS + max( RS.EMPTY_RESOURCE - "
     "RESOURCE_STALLS.SCOREBOARD , 0 ) ) / CLKS * ( CYCLE_ACTIVITY.STALLS_TOTAL - "
     "EXE_ACTIVITY.BOUND_ON_LOADS ) / CLKS"),
    ("C02_Wait", "SPR", "CPU_CLK_UNHALTED.C02 / CLKS"),
    ("Unknown_Branches", "SPR", "INT_MISC.UNKNOWN_BRANCH_CYCLES / CLKS"),
    ("IPC", "SNB..SPR", "INST_RETIRED.ANY / CLKS"),
    ("#ITLB_Miss_Cycles", "SNB..IVB", "12 * ITLB_MISSES.STLB_HIT + ITLB_MISSES.WALK_DURATION"),
    ("#ITLB_Miss_Cycles", "HSW", "14 * ITLB_MISSES.STLB_HIT + ITLB_MISSES.WALK_DURATION"),
    ("#ITLB_Miss_Cycles", "BDW",
     "14 * ITLB_MISSES.STLB_HIT + ITLB_MISSES.WALK_DURATION:c1"
     " + 7 * ITLB_MISSES.WALK_COMPLETED"),
]


class Counts(dict):
    """A count for every event that is asked for, by seed, generation and the event's name."""

    def __init__(self, seed, arch):
        super().__init__()
        self.key = "%d %s" % (seed, arch)

    def __missing__(self, event):
        name = SAME.get(event, event)
        if name.startswith("MEM_LOAD"):
            name = name.replace("_PS", "")
        digest = hashlib.sha256(("%s %s" % (self.key, name)).encode()).digest()
        top = 254 if name.startswith("PERF_METRICS") else 999999
        value = float(1 + int.from_bytes(digest[:8], "big") % top)
        self[event] = value
        return value


def evaluate(formula, lookup):
    """Python's own if, min and max; each name by lookup(); None: a division by zero."""
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


def close(a, b):
    return a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def within(arch, span):
    first, _, last = span.partition("..")
    return ORDER.index(first) <= ORDER.index(arch) <= ORDER.index(last or first)


class Way:
    """A kind of machine, and what is counted on it; tests/lib/tma-formulas.c prints the same."""

    def __init__(self, name, smt, metrics, tasks, anythread=True, slots=True):
        self.name = name
        self.smt, self.metrics, self.tasks = smt, metrics, tasks
        self.anythread, self.slots = anythread, slots


WAYS = [Way("%s%s%s" % ("t" if tasks else "c", "s" if smt else "-", "m" if metrics else "-"),
            smt, metrics, tasks)
        for tasks in (False, True) for metrics in (False, True) for smt in (False, True)]
WAYS += [Way("noany", True, False, False, anythread=False),
         Way("noslots", True, False, False, slots=False)]


class Rows(dict):
    """The formulas of topdown.md for one generation, by name; nodes: those of the tree."""

    def __init__(self, path, arch):
        super().__init__()
        self.arch = arch
        self.node = None
        self.nodes = []
        for name, span, formula in DEEPER:
            self.add(name, span, formula)
        with open(path, encoding="utf-8") as file:
            for line in file:
                self.take(line)

    def add(self, name, span, formula):
        if not within(self.arch, span) or formula.startswith("(not "):
            return False
        self[name] = formula
        return True

    def take(self, line):
        node = re.match(r"- \*\*(\w+)\*\* \(", line)
        if node:
            self.node = node.group(1)
        row = re.match(r"  - ([A-Z]{3}(?:\.\.[A-Z]{3})?): `(.*)`$", line)
        # Memory that is on CXL is none that a machine tells us of.
        if row and self.node and self.add(self.node, row.group(1), row.group(2)) and \
                self.node != "CXL_Mem_Bound":
            self.nodes.append(self.node)
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

    def __init__(self, path, arch, way, counts):
        self.rows = dict(rows_of(path, arch))
        no_any = not way.anythread or way.tasks
        # In front of a choice by #SMT_on: without it what it stands for is the same clock.
        self.constants = {"#EBS_Mode": no_any and way.smt, "#SMT_on": way.smt,
                          "#PERF_METRICS_MSR": way.metrics, "#PMM_App_Direct": False}
        self.counts = counts
        if not way.slots and within(arch, "ICL..SPR"):
            self.rows["SLOTS"] = "TOPDOWN.SLOTS_P"
        # Recovery of both threads is what AnyThread counts.
        if way.smt and no_any and "#Recovery_Cycles" in self.rows:
            self.rows["#Recovery_Cycles"] = "INT_MISC.RECOVERY_CYCLES"
        if way.smt and way.tasks and "#Backend_Bound_Cycles" in self.rows:
            # Halved is what both threads did also of a task, whose share of the core's slots
            # is half only while both run: there ours is another, on purpose.
            name = "#Backend_Bound_Cycles"
            self.rows[name] = self.rows[name].replace(" ) / 2 ", " ) * CORE_CLKS / CLKS ")

    def value(self, name):
        if name in self.constants:
            return self.constants[name]
        if name not in self.rows:
            return self.counts[name]
        # Only the side that holds is looked at, as the other one may be of another CPU.
        return evaluate(self.pick(self.rows[name]), self.value)

    def pick(self, formula):
        """A if CONSTANT else B, as deep as they stand at the end."""
        for name, holds in self.constants.items():
            mark = " if %s else " % name
            if mark in formula:
                before, after = formula.split(mark, 1)
                return self.pick(before if holds else after)
        return formula


def classical(arch, n):
    """The equations of topdown.md's section 1, with its corrections, and their successors;
    n: the count of an event.  Node -> value."""
    client = ORDER.index(arch)
    cyc = n["CPU_CLK_UNHALTED.THREAD"]
    width = 4 if client <= 5 else 5 if client <= 7 else 6
    slots = width * cyc
    retired = n["UOPS_RETIRED.RETIRE_SLOTS" if client <= 5 else "UOPS_RETIRED.SLOTS"]
    v = {"Frontend_Bound": n["IDQ_UOPS_NOT_DELIVERED.CORE"] / slots,
         "Bad_Speculation": (n["UOPS_ISSUED.ANY"] - retired) / slots +
                            n["INT_MISC.RECOVERY_CYCLES"] / cyc,
         "Retiring": retired / slots}
    v["Backend_Bound"] = 1 - sum(v.values())

    dsb, mite, ms = n["IDQ.DSB_UOPS"], n["IDQ.MITE_UOPS"], n["IDQ.MS_UOPS"]
    uops = dsb + mite + ms + (n["LSD.UOPS"] if arch in ("SNB", "IVB", "HSW", "BDW", "ICL") else 0)
    v.update(DSB_Uops=dsb / uops, MITE_Uops=mite / uops, MS_Uops=ms / uops)
    fetch = {"IVB": "ICACHE.IFETCH_STALL", "HSW": "ICACHE.IFDATA_STALL",
             "BDW": "ICACHE.IFDATA_STALL", "SKL": "ICACHE_16B.IFDATA_STALL",
             "SKX": "ICACHE_16B.IFDATA_STALL"}.get(arch, "ICACHE_DATA.STALLS")
    if arch != "SNB":
        less = n["ITLB_MISSES.WALK_DURATION"] if arch == "IVB" else 0
        v["ICache"] = (n[fetch] - less) / cyc
    v["Branch_Mispredicts"] = 20 / cyc * n["BR_MISP_RETIRED.ALL_BRANCHES"]

    kind = "PENDING" if client <= 2 else "MISS"
    unit = "MEMORY_ACTIVITY" if arch == "SPR" else "CYCLE_ACTIVITY"
    l1 = n["%s.STALLS_L1D_%s" % (unit, kind)]
    l2 = n["%s.STALLS_L2_%s" % (unit, kind)]
    loads = "MEM_LOAD_UOPS_RETIRED" if client <= 3 else "MEM_LOAD_RETIRED"
    cache = "LLC" if client <= 1 else "L3"
    hits = n["%s.%s_HIT" % (loads, cache)]
    misses = n["MEM_LOAD_UOPS_MISC_RETIRED.LLC_MISS" if arch == "SNB" else
               "%s.%s_MISS" % (loads, cache)]
    share = hits / (hits + 7 * misses)
    v.update(L2_Bound=(l1 - l2) / cyc, L3_Bound=share * l2 / cyc, DRAM_Bound=(1 - share) * l2 / cyc)
    if arch != "SNB":
        waits = n["EXE_ACTIVITY.BOUND_ON_LOADS" if arch == "SPR" else
                  "CYCLE_ACTIVITY.STALLS_LDM_PENDING" if client <= 3 else
                  "CYCLE_ACTIVITY.STALLS_MEM_ANY"]
        idle = n["CYCLE_ACTIVITY.CYCLES_NO_EXECUTE" if client <= 2 else
                 "CYCLE_ACTIVITY.STALLS_TOTAL"]
        one = n["UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC"] - n["UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC"] \
            if client <= 5 else n["UOPS_EXECUTED.THREAD:c1"] - n["UOPS_EXECUTED.THREAD:c2"]
        v.update(Memory_Bound=waits / cyc, L1_Bound=(waits - l1) / cyc,
                 Execution_Bound=(idle + one - waits) / cyc)

    stalls = {"Store_Buffer_Full": "RESOURCE_STALLS.SB"}
    if client <= 5:
        stalls["Resource_Stalls"] = "RESOURCE_STALLS.ANY"
    if client <= 3:
        stalls.update(RS_Full="RESOURCE_STALLS.RS", ROB_Full="RESOURCE_STALLS.ROB")
    if arch == "SNB":
        stalls.update(Load_Buffer_Full="RESOURCE_STALLS.LB",
                      Branch_Buffer_Full="RESOURCE_STALLS2.BOB_FULL")
    v.update((node, n[event] / cyc) for node, event in stalls.items())
    return v


PORTS = {
    "SNB": ("UOPS_DISPATCHED_PORT", "0 1 2 3 4 5"), "IVB": ("UOPS_DISPATCHED_PORT", "0 1 2 3 4 5"),
    "HSW": ("UOPS_EXECUTED_PORT", "0 1 2 3 4 5 6 7"),
    "BDW": ("UOPS_EXECUTED_PORT", "0 1 2 3 4 5 6 7"),
    "SKL": ("UOPS_DISPATCHED_PORT", "0 1 2 3 4 5 6 7"),
    "SKX": ("UOPS_DISPATCHED_PORT", "0 1 2 3 4 5 6 7"),
    "ICL": ("UOPS_DISPATCHED", "0 1 2_3 4_9 5 6 7_8"),
    "ICX": ("UOPS_DISPATCHED", "0 1 2_3 4_9 5 6 7_8"),
    "SPR": ("UOPS_DISPATCHED", "0 1 2_3_10 4_9 5_11 6 7_8"),
}


def steps(v, n, name, event, top, clocks):
    """Cycles with exactly 0, 1, ... of what an event counts, and with top or more."""
    at_least = [clocks] + [n["%s:c%d" % (event, i)] for i in range(1, top + 1)]
    for i in range(top):
        v["%s_%d" % (name, i)] = at_least[i] - at_least[i + 1]
    v["%s_2_Or_More" % name] = at_least[2]
    return at_least[top]


def pipeline(arch, n, smt):
    """Metric -> value; per cent of cycles but for the first three."""
    client = ORDER.index(arch)
    clocks = n["CPU_CLK_UNHALTED.THREAD"]
    ring0 = "CPL_CYCLES.RING0" if client <= 3 else "CPU_CLK_UNHALTED.THREAD_P:SUP"
    v = {}
    width = 4 if client <= 5 else 5 if client <= 7 else 6
    v["Issue_%d" % width] = steps(v, n, "Issue", "UOPS_ISSUED.ANY", width, clocks)
    executed = {"SNB": "UOPS_DISPATCHED.THREAD", "HSW": "UOPS_EXECUTED.CORE"}
    if not (arch == "HSW" and smt):
        v["Execute_4_Or_More"] = steps(v, n, "Execute",
                                       executed.get(arch, "UOPS_EXECUTED.THREAD"), 4, clocks)
    v["Retire_4_Or_More"] = steps(v, n, "Retire", "UOPS_RETIRED.RETIRE_SLOTS" if client <= 5 else
                                  "UOPS_RETIRED.SLOTS", 4, clocks)
    kind = "PENDING" if client <= 2 else "MISS"
    unit = "MEMORY_ACTIVITY" if arch == "SPR" else "CYCLE_ACTIVITY"
    v.update(Stalls_Store_Buffer=n["RESOURCE_STALLS.SB"],
             Stalls_L1D_Miss=n["%s.STALLS_L1D_%s" % (unit, kind)],
             Stalls_L2_Miss=n["%s.STALLS_L2_%s" % (unit, kind)],
             Stalls_Execution=n["CYCLE_ACTIVITY." + ("CYCLES_NO_DISPATCH" if arch == "SNB" else
                                "CYCLES_NO_EXECUTE" if client <= 2 else "STALLS_TOTAL")])
    if client <= 5:
        v["Stalls_Resources"] = n["RESOURCE_STALLS.ANY"]
    if client <= 3:
        v.update(Stalls_RS=n["RESOURCE_STALLS.RS"], Stalls_ROB=n["RESOURCE_STALLS.ROB"])
    else:
        v["Stalls_L3_Miss"] = n[unit + ".STALLS_L3_MISS"]
        v["Stalls_Scoreboard"] = n["PARTIAL_RAT_STALLS.SCOREBOARD" if client <= 5 else
                                   "RESOURCE_STALLS.SCOREBOARD"]
        v.update(Ports_Used_0=n["EXE_ACTIVITY.EXE_BOUND_0_PORTS"],
                 Ports_Used_1=n["EXE_ACTIVITY.1_PORTS_UTIL"],
                 Ports_Used_2=n["EXE_ACTIVITY.2_PORTS_UTIL"])
        v["Ports_Used_3_Or_More"] = n["UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC" if client <= 5 else
                                      "UOPS_EXECUTED.CYCLES_GE_3"]
    if arch == "SNB":
        v.update(Stalls_Load_Buffer=n["RESOURCE_STALLS.LB"],
                 Stalls_Branch_Buffer=n["RESOURCE_STALLS2.BOB_FULL"])
    else:
        v["Stalls_Loads"] = n["EXE_ACTIVITY.BOUND_ON_LOADS" if arch == "SPR" else
                              "CYCLE_ACTIVITY.STALLS_LDM_PENDING" if client <= 2 else
                              "CYCLE_ACTIVITY.STALLS_MEM_ANY"]
    family, ports = PORTS[arch]
    for port in ports.split():
        name = "Ports_" if "_" in port else "Port_"
        v[name + port] = n["%s.PORT_%s" % (family, port)]
    v = {name: 100 * value / clocks for name, value in v.items()}
    v.update(Ring_Switches=1000 * n[ring0 + ":c1:e1"] / n["INST_RETIRED.ANY"],
             Ring0_Cycles=100 * n[ring0] / clocks,
             Ring0_Cycles_Per_Switch=n[ring0] / n[ring0 + ":c1:e1"])
    return v
