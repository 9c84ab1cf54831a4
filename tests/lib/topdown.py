# SPDX-License-Identifier: GPL-2.0-or-later
"""Our tables of Top-Down against the figures of the published ones.

topdown.py TABLES LINES FIGURES

TABLES is what tma-formulas prints, FIGURES the directory tests/figures.  LINES become lines for
formula-values, with Python's values behind them, for formulas.py to check.  Exit code 1 if a
value, a threshold or a node's place is not the published one, or one is there on one side alone.
"""
import math
import sys

from published import SEEDS, Counts, evaluate


def table(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                yield line.rstrip("\n").split(",")


def figures_of(path):
    """(generation, way, tree, node, seed) -> text."""
    with open(path, encoding="utf-8") as file:
        ways = [x for x in file if x.startswith("# generation,")][0].rstrip("\n").split(",")[4:]
    figures = {}
    for arch, tree, node, seed, *values in table(path):
        for way, value in zip(ways, values):
            if value == "=":
                value = values[0]
            if value != "-":
                figures[arch, way, tree, node, int(seed)] = float(value)
    return figures


class Judge:
    def __init__(self):
        self.compared = 0
        self.bad = 0

    def differs(self, what, ours, wanted, why=""):
        self.compared += 1
        if isinstance(wanted, float):
            same = ours is not None and math.isclose(ours, wanted, rel_tol=1e-8, abs_tol=1e-9)
        else:
            same = ours == wanted
        if not same:
            self.bad += 1
            print("%s: ours %s, published %s %s" % (what, ours, wanted, why))

    def missing(self, ours, wanted, what):
        for x in sorted(set(wanted) - set(ours)):
            self.differs(" ".join(map(str, x)), "no " + what, "one")
        for x in sorted(set(ours) - set(wanted)):
            self.differs(" ".join(map(str, x)), "a " + what, "none")


def check_formulas(formulas, figures, to, judge):
    """formulas: (generation, way, tree, node) -> text."""
    judge.missing({x + (seed,) for x in formulas for seed in range(SEEDS)}, figures, "formula")
    for key, formula in formulas.items():
        for seed in range(SEEDS):
            counts = Counts(seed, key[0])
            value = evaluate(formula, lambda name, counts=counts: counts[name])
            if key + (seed,) in figures:
                judge.differs(" ".join(key), value, figures[key + (seed,)], "\n  " + formula)
            given = " ".join("%s=%r" % item for item in counts.items())
            to.write("%s\t%s\t%s\n" % (formula, given, "zero" if value is None else repr(value)))


def parts(threshold):
    """In Intel's files the conditions stand in any order."""
    return sorted(x.strip() for x in threshold.split("&"))


# What ours has on purpose otherwise than Intel's files.
PARENTS = {("SKX", "Serializing_Operation"): "Core_Bound"}	# as everywhere else
EVERY = "INST_RETIRED.PREC_DIST"
# Of the instructions that retirement waits for.
CYCLES = "cycles"
EVENTS = {
    # Any slot that is used is some instruction's, and one that is not is none's.
    "Retiring": EVERY, "Backend_Bound": CYCLES,
    # The same code by another name, and what is an event that counts slots there.
    ("SPR", "Divider"): "ARITH.DIV_ACTIVE", ("ADL", "Divider"): "ARITH.DIV_ACTIVE",
    ("SPR", "Branch_Mispredicts"): "BR_MISP_RETIRED.ALL_BRANCHES",
    ("ADL", "Branch_Mispredicts"): "BR_MISP_RETIRED.ALL_BRANCHES",
    # Of small cores Intel's table names none, and INST_RETIRED.PREC_DIST they have not.
    ("GRT", "Branch_Mispredicts"): "BR_MISP_RETIRED.ALL_BRANCHES",
    ("CMT", "Branch_Mispredicts"): "BR_MISP_RETIRED.ALL_BRANCHES",
    ("SKT", "Branch_Mispredicts"): "BR_MISP_RETIRED.ALL_BRANCHES",
    ("DKT", "Branch_Mispredicts"): "BR_MISP_RETIRED.ALL_BRANCHES",
    ("GRT", "Retiring"): CYCLES, ("CMT", "Retiring"): CYCLES, ("SKT", "Retiring"): CYCLES,
    ("DKT", "Retiring"): CYCLES,
    ("SPR", "AMX_Busy"): "EXE.AMX_BUSY",
    # Intel's files name none.
    "LCP": "DECODE.LCP", ("HSW", "LCP"): "ILD_STALL.LCP", ("BDW", "LCP"): "ILD_STALL.LCP",
    ("HSW", "ICache_Misses"): "ICACHE.MISSES", ("BDW", "ICache_Misses"): "ICACHE.MISSES",
    "Memory_Bound": "MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=8",
    "Bad_Speculation": "BR_MISP_RETIRED.ALL_BRANCHES",
}
# The name for which another code stands in with PEBS.
PORTABLE = {"branch-misses": "BR_MISP_RETIRED.ALL_BRANCHES"}
# Of these generations there is no file: Haswell's by the names that they have.
OLDEST = {
    "Fetch_Latency": "RS_EVENTS.EMPTY_END", "ICache_Misses": "ICACHE.MISSES",
    "ITLB_Misses": "ITLB_MISSES.WALK_COMPLETED", "Branch_Resteers": "branch-misses",
    "MS_Switches": "IDQ.MS_SWITCHES", "LCP": "ILD_STALL.LCP", "Bad_Speculation": "branch-misses",
    "Branch_Mispredicts": "branch-misses", "Machine_Clears": "MACHINE_CLEARS.COUNT",
    "Memory_Bound": "MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=8",
    "L1_Bound": "MEM_LOAD_UOPS_RETIRED.L1_HIT", "L2_Bound": "MEM_LOAD_UOPS_RETIRED.L2_HIT",
    "L3_Bound": "MEM_LOAD_UOPS_RETIRED.LLC_HIT", "Store_Bound": "MEM_UOPS_RETIRED.ALL_STORES",
    "Retiring": EVERY, "Light_Operations": EVERY,
    "Divider": "ARITH.FPU_DIV_ACTIVE", "Microcode_Sequencer": "IDQ.MS_UOPS",
    ("SNB", "L3_Miss_Bound"): "MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=128",
    ("IVB", "L3_Miss_Bound"): "MEM_LOAD_UOPS_RETIRED.LLC_MISS",
}


def check_event(arch, node, event, wanted, judge):
    what = "%s %s event to record" % (arch, node)
    names = [x.replace("_PS", "") for x in wanted.split() if x != "#NA"]
    event = PORTABLE.get(event, event)
    special = CYCLES if arch in ("LNC", "CGC") else EVENTS.get((arch, node), EVENTS.get(node))
    if special or not names:
        judge.differs(what, event, special or CYCLES)
    else:
        plain = event.split(":")[0]
        judge.differs(what, plain, plain if plain in names else wanted)


def check_nodes(nodes, path, judge):
    """nodes: (generation, node) -> level, parent, unit, threshold, event."""
    compared = set()
    for arch, node, level, parent, unit, threshold, events in table(path):
        ours = nodes.get((arch, node))
        if not ours:
            continue
        compared.add((arch, node))
        what = "%s %s" % (arch, node)
        judge.differs(what + " level", ours[0], level)
        judge.differs(what + " parent", ours[1], PARENTS.get((arch, node), parent or "-"))
        judge.differs(what + " unit", ours[2], unit)
        judge.differs(what + " threshold", parts(ours[3]), parts(threshold))
        check_event(arch, node, ours[4], events, judge)
    for arch, node in nodes:
        if arch in ("SNB", "IVB"):
            compared.add((arch, node))
            judge.differs("%s %s event to record" % (arch, node), nodes[arch, node][4],
                          OLDEST.get((arch, node), OLDEST.get(node, CYCLES)))
            judge.differs("%s %s but for its event" % (arch, node), nodes[arch, node][:4],
                          nodes.get(("HSW", node), [None])[:4])
    judge.missing(nodes, compared, "node")


def main(path, to, figures):
    judge = Judge()
    formulas, nodes = {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            head, *rest = line.rstrip("\n").split("\t")
            kind, *words = head.split()
            if kind == "formula":
                formulas[tuple(words)] = rest[0]
            else:
                nodes[words[0], words[1]] = words[2:] + rest
    with open(to, "w", encoding="utf-8") as file:
        check_formulas(formulas, figures_of(figures + "/topdown.csv"), file, judge)
    check_nodes(nodes, figures + "/nodes.csv", judge)
    print("%d of %d differ" % (judge.bad, judge.compared))
    return 1 if judge.bad or not judge.compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
