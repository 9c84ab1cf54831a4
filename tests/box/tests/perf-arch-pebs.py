#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf-arch-pebs.py TRUTH SAMPLES PROGRAM CYCLES perf|pmuctl: what was sampled, against the truth.

CYCLES: the latency of the load that misses.  What registers and counters hold behind the nth
instruction is known from the program, which is a loop of nine.
"""
import re
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of, program_of, symbols  # noqa: E402

ROUNDS = 100000
BEFORE = 3              # instructions in front of the loop
LOOP = 9
EACH = 1009
LINUX_EACH = EACH + 1   # the event that is recorded is not counted on top of Linux's reset value

bad = []


def check(right, text):
    if not right:
        bad.append(text)


class Samples:
    def __init__(self, truth, path):
        self.truth = truth
        with open(path, encoding="utf-8") as text:
            self.lines = [line.split() for line in text]

    def of(self, name):
        return [words[1:] for words in self.lines if words[0] == name]

    def rows(self, name, kind="pebs", ring="user"):
        space = program_of(self.truth, "./" + name)["id"]
        return [row for row in rows_of(self.truth)
                if (row["space"], row["kind"], row["ring"]) == (space, kind, ring)]

    def counts(self, name):
        return program_of(self.truth, "./" + name)["user"]


def same_places(samples, name, said, least):
    """The instructions that perf names are those of the ledger, in its order."""
    true = [row["ip"] for row in samples.rows(name)]
    check(said == true and len(true) > least,
          f"{name}: {len(said)} samples, {len(true)} in the truth, the first ones "
          f"{list(map(hex, said[:4]))}, {list(map(hex, true[:4]))}")


def place_of(n):
    """Rounds that are over behind the nth instruction, and instructions of the next."""
    return divmod(n - BEFORE, LOOP)


def registers_behind(n, at):
    rounds, place = place_of(n)
    left = ROUNDS - rounds
    line = [0, left, left & 15, (left & 15) << 12, (left & 15) << 12][place] if place < 5 else 0
    return {"CX": left - (place == 8), "DX": line, "SI": at["word"], "DI": at["lines"]}


def check_registers(samples, at, each, name="registers"):
    said = samples.of(name)
    for k, words in enumerate(said, 1):
        found = {w.split(":")[0]: int(w.split(":")[1], 16) for w in words[2:]}
        want = registers_behind(each * k, at)
        found = {reg: found.get(reg) for reg in want}
        if found != want:
            check(False, f"{name}: behind instruction {each * k} {found}, not {want}")
            return
    check(len(said) > 800, f"{name}: {len(said)} samples")


def check_vectors(samples):
    said = samples.of("vectors")
    names = [w.split(":")[0] for w in said[0][2:]] if said else []
    check(names == ["XMM0", "XMM0", "XMM15", "XMM15"], f"vectors: {names}")
    check(all(w.endswith(":0x0") for words in said for w in words[2:]), "vectors: not all are 0")


def held_up(rows):
    """Of each record whether its period took longer than others do, an interrupt or another task."""
    times = [row["tsc"] for row in rows]
    took = [after - before for before, after in zip(times, times[1:])]
    return [True] + [each > 1.25 * min(took) for each in took]


def check_branches(samples, at, rounds, name="branches", away=None):
    """All are the loop's, 32 of them once so many rounds are over, or interrupts, which are omitted.

    away: of each record whether it may lack some; None: any may.  They begin where the task came
    last, and that is within a record's 32 branches at times.
    """
    edge, short = (at["again"] + 2, at["loop"]), 0
    for k, words in enumerate(samples.of(name), 1):
        found = [tuple(int(end, 16) for end in word.split("/")[:2]) for word in words[1:]]
        # Behind an interrupt, where perf shows none.
        found = [branch for branch in found if branch[0]]
        lacking = min(32, rounds(k)) - len(found)
        short += lacking != 0
        right = lacking == 0 or (lacking > 0 and (away is None or away[k - 1]))
        if not set(found) <= {edge} or not right:
            check(False, f"{name}: {len(found)} at sample {k}, of which {found[:2]}")
            return
    check(len(samples.of(name)) > 800, f"{name}: {len(samples.of(name))} samples")
    check(short < 20, f"{name}: {short} samples lack some")


def check_slow(samples, at, cycles):
    said, true = samples.of("slow"), samples.rows("slow")
    check([int(words[0], 16) for words in said] == [row["address"] for row in true],
          "slow: the addresses are not the truth's")
    missing = [words[1] for words, row in zip(said, true) if row["ip"] == at["miss"]]
    check(missing.count(cycles) > 900, f"slow: not 900 of {len(missing)} took {cycles}")
    sources = [" ".join(words) for words in samples.of("sources")
               if int(words[-1], 16) == at["miss"]]
    second = sum("OP LOAD" in text and "LVL L2 or L2 hit" in text for text in sources)
    check(second > 900 and second == len(sources),
          f"sources: {second} of {len(sources)} come from the second cache, as {sources[:1]}")


def groups(samples, name):
    """What each sample has read of each event, summed up."""
    total, found = {}, []
    for words in samples.of(name):
        event = re.search("instructions|branches|cycles", words[1])[0]
        total[event] = total.get(event, 0) + int(words[0])
        # The leader comes first.
        if not found or event == found[0][0]:
            found.append((event, int(words[-1], 16), {}))
        found[-1][2][event] = total[event]
    return found


def check_group(samples, name, at, periods):
    """periods: of the leader, or None where they are another event's."""
    order = [at["loop"], at["loop"] + 2, at["loop"] + 5, at["first_hit"], at["miss"],
             at["second_hit"], at["store"], at["again"], at["again"] + 2]
    found, true = groups(samples, name), samples.counts(name)
    # Many records lie in the buffer before anybody looks at them.
    pmis = len(samples.rows(name, "full")) + len(samples.rows(name, "pmi"))
    check(len(found) > 100 and pmis < len(found) / 10,
          f"{name}: {len(found)} samples, {pmis} interrupts")
    for k, (_, ip, read) in enumerate(found, 1):
        n = read["instructions"]
        rounds, place = place_of(n)
        right = read["branches"] == rounds and ip == order[place - 1]
        # The last instruction of a period may have more cycles than one, which Linux counts twice.
        right &= (n == LINUX_EACH * k if periods else
                  0 <= read["cycles"] - LINUX_EACH * k < LINUX_EACH * (1 + k / 20))
        if not right or read["cycles"] > 1.01 * true["cycles"]:
            check(False, f"{name}: sample {k} at {ip:#x} has read {read}")
            return


def main():
    truth_file, file, program, cycles, recorder = sys.argv[1:]
    linux = recorder == "perf"
    each = LINUX_EACH if linux else EACH
    samples = Samples(read_truth(truth_file), file)
    at = symbols(program)
    check(not samples.truth["dropped_samples"], "the truth is not complete")
    for name in ["plain", "cycles", "registers", "branches"] + ["distributed"] * linux:
        same_places(samples, name, [int(words[0], 16) for words in samples.of(name)], 90)
    same_places(samples, "slow", [int(words[-1], 16) for words in samples.of("slow")], 900)
    both = [int(words[0], 16) for words in samples.of("rings")]
    same_places(samples, "rings", [ip for ip in both if ip < 1 << 63], 90)
    check(any(ip >> 63 for ip in both), "rings: no sample is of the kernel")
    check_registers(samples, at, each)
    # Their number is that of the rows, or same_places() has said so.
    if not bad:
        check_branches(samples, at, lambda k: place_of(each * k)[0],
                       away=held_up(samples.rows("branches")))
    check_slow(samples, at, cycles)
    if linux:
        same_places(samples, "vectors", [int(words[0], 16) for words in samples.of("vectors")], 80)
        check_vectors(samples)
        check_group(samples, "group", at, True)
        check_group(samples, "by-cycles", at, False)
    else:
        check_registers(samples, at, each, "both")
        # Of a CPU they begin where the task came last.
        check_branches(samples, at, lambda k: 101 * k, "outer")
    for words in samples.of("trouble"):
        bad.append("the kernel says: " + " ".join(words))
    for text in bad:
        print(f"perf-arch-pebs: {text}")
    return 1 if bad else 0


sys.exit(main())
