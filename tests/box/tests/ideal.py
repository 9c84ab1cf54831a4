#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the truth and the output of runs with penalties taken away: ideal.py DIR NAME...

DIR has NAME.json and NAME.out of each, with + for commas, and all.json and all.out of the
run without.
"""
import os
import sys

from boxtruth import program_of, read_truth

TIME = ("cycles", "ref_cycles")
# Of which cycles, and uops of wrong paths, take a part.
ENERGY = ("energy_nj", "core_energy_nj")
# Counted in the pipeline as well, and no matter of time.
SIGNALS = ("uops_retired", "uops_retired_all", "macro_fused", "clears_count", "machine_clears",
           "baclears", "dsb_uops", "mite_uops", "ms_uops", "icache_misses", "itlb_walks",
           "divider_uops", "dtlb_load_walks", "dtlb_store_walks", "split_loads", "split_stores")
PROGRAMS = ("/usr/bin/gzip", "/usr/bin/pmuctl")


def path(where, name, kind):
    return os.path.join(where, name.replace(",", "+") + kind)


def events(truth):
    for space in truth["spaces"]:
        for ring in ("user", "kernel"):
            counts = space[ring]
            name = f"{space['id']} {space['name']} {ring}"
            yield from (((name, event), n) for event, n in counts.items()
                        if isinstance(n, int) and event not in TIME + ENERGY)
            if ring == "user":
                yield from (((name, event), counts["signals"][event]) for event in SIGNALS)


def energies(every, free):
    """What is wrong: it falls where cycles do, and where they do not it does not rise."""
    for a, b in zip(every["spaces"], free["spaces"]):
        for ring in ("user", "kernel"):
            fewer = b[ring]["cycles"] < a[ring]["cycles"]
            for event in ENERGY:
                if b[ring][event] + fewer > a[ring][event] and b[ring]["cycles"] <= a[ring]["cycles"]:
                    yield f"{a['id']} {a['name']} {ring} {event} {b[ring][event]}, of " \
                        f"{b[ring]['cycles']} cycles, not {a[ring][event]}, of {a[ring]['cycles']}"


def cycles(truth, program):
    return program_of(truth, program)["user"]["cycles"]


def output(where, name):
    with open(path(where, name, ".out"), "rb") as file:
        return file.read()


def main():
    where, free = sys.argv[1], sys.argv[2:]
    every = read_truth(path(where, "all", ".json"))
    expected, failed, cost = dict(events(every)), False, {}
    for name in free:
        truth = read_truth(path(where, name, ".json"))
        wrong = [f"{key} {n}, not {expected.get(key)}" for key, n in events(truth)
                 if expected.get(key) != n]
        wrong += energies(every, truth)
        if output(where, name) != output(where, "all"):
            wrong.append("its output differs")
        for program in PROGRAMS:
            cost[name, program] = cycles(every, program) - cycles(truth, program)
            if cost[name, program] < 0:
                wrong.append(f"{program} takes {-cost[name, program]} cycles more")
        for text in wrong[:5]:
            print(f"--ideal {name}: {text}")
        failed |= bool(wrong)
    for program in PROGRAMS:
        whole = cycles(every, program)
        print(f"note: {program}: {whole} cycles; per cent of them are", ", ".join(
            f"{name} {100 * cost[name, program] / whole:.2f}" for name in free))
        icost = cost["branch,l3", program] - cost["branch", program] - cost["l3", program]
        print(f"note: {program}: icost(branch,l3) {icost} cycles, "
              f"{100 * icost / whole:.2f} % of all")
        if cost["branch", program] <= 0:
            print(f"{program}: mispredictions cost nothing")
            failed = True
        tenth = cost["branch:0.1", program] / max(cost["branch", program], 1)
        if not 0.05 < tenth < 0.2:
            print(f"{program}: a tenth of the mispredictions costs {tenth:.3f} of them all")
            failed = True
    sys.exit(failed)


main()
