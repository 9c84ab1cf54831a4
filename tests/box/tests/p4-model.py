#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The box's Pentium 4 held to its truth: counters of every event and mask bit.

p4-model.py script          prints what progs/p4-script is to do
p4-model.py check TRUTH     compares the counters with the totals, mark by mark
"""
import json
import sys

COMPARE, COMPLEMENT, ALWAYS = 1 << 18, 1 << 19, 15 << 20
COUNTER, CCCR, ESCR, PEBS_ENABLE, MATRIX_VERT = 0x300, 0x360, 0x3a0, 0x3f1, 0x3f2
T0_OS, T0_USR, T1_OS, T1_USR = 8, 4, 2, 1
THREADS = {T0_OS: (0, "kernel"), T0_USR: (0, "user"), T1_OS: (1, "kernel"), T1_USR: (1, "user")}

# Each ring of each thread, and some together: user of the first, kernel of the second.
RINGS = T0_USR, T0_OS, T1_USR, T1_OS, T0_USR | T1_OS, T0_OS | T1_OS

# Counters of either half of a group, and of each half the ESCRs by select value.
HALVES = {"BPU": ((0, 1), (2, 3)), "MS": ((4, 5), (6, 7)), "FLAME": ((8, 9), (10, 11)),
          "IQ": ((12, 13, 16), (14, 15, 17))}
UNITS = {"ITLB": ("BPU", 3, 0x16), "BPU": ("BPU", 0, 0x12), "MOB": ("BPU", 2, 0x0a),
         "PMH": ("BPU", 4, 0x0c), "BSU": ("BPU", 7, 0x00), "FSB": ("BPU", 6, 0x02),
         "TC": ("MS", 1, 0x24), "MS": ("MS", 0, 0x20), "TBPU": ("MS", 2, 0x22),
         "DAC": ("FLAME", 5, 0x08), "SAAT": ("FLAME", 2, 0x0e), "FIRM": ("FLAME", 1, 0x04),
         "ALF": ("IQ", 1, 0x2a), "RAT": ("IQ", 2, 0x1c), "CRU01": ("IQ", 4, 0x18),
         "CRU23": ("IQ", 5, 0x2c)}

# What is tagged by them is counted elsewhere; the rest does not happen here.
NOTHING = {("uop_type", 1), ("TC_misc", 4)}

CALLS = "branches_call", "branches_call_indirect"
INDIRECT = "branches_return", "branches_call_indirect", "branches_jump_indirect"


def misses(names):
    return tuple(name.replace("branches_", "branch_misses_") for name in names)


# Unit, event select, both threads' bits are one; what each bit of the mask stands for.
EVENTS = {
    "TC_deliver_mode": ("TC", 0x01, True, {
        bit: ("tc_cycles_" + pair,) for bit, pair in
        enumerate(("dd", "db", "di", "bd", "bb", "bi", "id", "ib"))}),
    "BPU_fetch_request": ("BPU", 0x03, False, {0: ("tc_misses",)}),
    "ITLB_reference": ("ITLB", 0x18, False, {0: ("itlb_hits",), 1: ("itlb_misses",)}),
    "memory_cancel": ("DAC", 0x02, False, {3: ("alias_64k_conflicts",)}),
    "memory_complete": ("SAAT", 0x08, False, {0: ("split_loads",), 1: ("split_stores",)}),
    "load_port_replay": ("SAAT", 0x04, False, {1: ("split_loads",)}),
    "store_port_replay": ("SAAT", 0x05, False, {1: ("split_stores",)}),
    "MOB_load_replay": ("MOB", 0x03, False, {
        1: ("mob_no_store_address",), 3: ("mob_no_store_data",), 4: ("mob_partial_data",),
        5: ("mob_unaligned_address",)}),
    "page_walk_type": ("PMH", 0x01, True, {0: ("data_page_walks",), 1: ("code_page_walks",)}),
    "BSQ_cache_reference": ("BSU", 0x0c, False, {
        0: ("l2_read_hits_shared",), 1: ("l2_read_hits_exclusive",),
        2: ("l2_read_hits_modified",), 8: ("l2_read_misses",), 10: ("l2_write_misses",)}),
    "packed_SP_uop": ("FIRM", 0x08, True, {15: ("packed_sp_uops",)}),
    "packed_DP_uop": ("FIRM", 0x0c, True, {15: ("packed_dp_uops",)}),
    "scalar_SP_uop": ("FIRM", 0x0a, True, {15: ("scalar_sp_uops",)}),
    "scalar_DP_uop": ("FIRM", 0x0e, True, {15: ("scalar_dp_uops",)}),
    "64bit_MMX_uop": ("FIRM", 0x02, True, {15: ("mmx_64bit_uops",)}),
    "128bit_MMX_uop": ("FIRM", 0x1a, True, {15: ("mmx_128bit_uops",)}),
    "x87_FP_uop": ("FIRM", 0x04, True, {15: ("x87_uops",)}),
    "x87_SIMD_moves_uop": ("FIRM", 0x2e, True, {
        3: ("simd_move_uops",), 4: ("simd_load_uops",)}),
    "TC_misc": ("TC", 0x06, False, {4: ("tc_flushes",)}),
    "global_power_events": ("FSB", 0x13, False, {0: ("cycles",)}),
    "tc_ms_xfer": ("MS", 0x05, False, {0: ("rom_entries",)}),
    "uop_queue_writes": ("MS", 0x09, False, {
        0: ("uops_from_build",), 1: ("uops_from_deliver",), 2: ("uops_from_rom",)}),
    "retired_mispred_branch_type": ("TBPU", 0x05, False, {
        1: ("branch_misses_conditional",), 2: misses(CALLS), 3: ("branch_misses_return",),
        4: misses(INDIRECT)}),
    "retired_branch_type": ("TBPU", 0x04, False, {
        1: ("branches_conditional",), 2: CALLS, 3: ("branches_return",), 4: INDIRECT}),
    "resource_stall": ("ALF", 0x01, False, {5: ("store_stall_cycles",)}),
    "instr_retired": ("CRU01", 0x02, False, {
        0: ("instructions", "-tagged_instructions"), 1: ("tagged_instructions",),
        2: ("bogus_instructions", "-bogus_tagged_instructions"),
        3: ("bogus_tagged_instructions",)}),
    "uops_retired": ("CRU01", 0x01, False, {0: ("uops",), 1: ("bogus_uops",)}),
    "mispred_branch_retired": ("CRU01", 0x03, False, {0: ("branch_misses",)}),
    "instr_completed": ("CRU01", 0x07, False, {
        0: ("instructions",), 1: ("bogus_instructions",)}),
    "branch_retired": ("CRU23", 0x06, False, {10: ("branch_misses",)}),
    "machine_clear": ("CRU23", 0x02, False, {
        0: ("machine_clear_cycles",), 2: ("memory_order_clears",),
        6: ("self_modifying_clears",)}),
}
# Named by what they stand for: their bits have no totals one by one.
WHOLE = {("branch_retired", 10): 0x0a}


class Counted:
    """An event with a mask, on a counter: what it is to be equal to."""

    def __init__(self, event, bits, threads, tag=0, compare=0):
        self.event, self.bits, self.threads, self.tag = event, bits, threads, tag
        self.compare = compare
        self.unit, self.code, self.either, self.masks = EVENTS[event]

    def escr_value(self):
        mask = 0
        for bit in self.bits:
            mask |= WHOLE.get((self.event, bit), 1 << bit)
        return self.code << 25 | mask << 9 | self.tag | self.threads

    def names(self):
        """Each total once, though several bits may have it."""
        names = {name for bit in self.bits for name in self.masks[bit]}
        return {name for name in names if "-" + name not in names and
                not (name[0] == "-" and name[1:] in names)}

    def threads_counted(self):
        for bit, thread in THREADS.items():
            twin = bit >> 2 | bit << 2 & 0xf
            if self.threads & bit or (self.either and self.threads & twin):
                yield thread

    def expected(self, delta):
        return sum(-delta(*thread, name[1:]) if name[0] == "-" else delta(*thread, name)
                   for thread in self.threads_counted() for name in self.names())


class Round:
    """What is counted at the same time; add() says no if there is no room."""

    def __init__(self, work, before=()):
        self.work, self.before = work, before
        self.counters, self.escrs, self.cccrs = {}, {}, {}

    def add(self, counted):
        group, select, first = UNITS[counted.unit]
        for half, counters in enumerate(HALVES[group]):
            value = counted.escr_value()
            if self.escrs.get(first + half, value) != value:
                continue
            for counter in counters:
                if counter != 1 and counter not in self.counters:
                    self.counters[counter] = counted
                    self.escrs[first + half] = value
                    self.cccrs[counter] = 3 << 16 | select << 13 | 1 << 12 | counted.compare
                    return True
        return False

    def script(self, label):
        yield from (f"w {CCCR + counter:x} 0" for counter in range(18))
        yield from self.before
        yield from (f"w {ESCR + escr:x} {value:x}" for escr, value in self.escrs.items())
        yield from (f"w {COUNTER + counter:x} 0" for counter in self.counters)
        yield from (f"w {CCCR + counter:x} {value:x}" for counter, value in self.cccrs.items())
        yield f"mark {label}"
        yield self.work
        yield f"mark {label + 1}"
        yield from (f"w {CCCR + counter:x} 0" for counter in self.counters)


def pack(rounds, counted, work):
    for old in rounds:
        if old.work == work and old.add(counted):
            return
    rounds.append(Round(work))
    assert rounds[-1].add(counted), counted.event


def seventeen():
    """17 at once, with a mix of threads and rings."""
    new = Round("work 60 0 1")
    for event, bits, threads in (
            ("global_power_events", (0,), T0_USR), ("ITLB_reference", (0, 1), T0_USR | T1_OS),
            ("BSQ_cache_reference", (1, 2, 8), T1_USR), ("TC_deliver_mode", (0, 1, 2), T0_USR),
            ("uop_queue_writes", (0, 1, 2), T0_OS), ("retired_branch_type", (1, 2, 3, 4), 0xf),
            ("tc_ms_xfer", (0,), T1_USR | T1_OS),
            ("x87_FP_uop", (15,), T0_USR), ("scalar_DP_uop", (15,), T0_USR | T0_OS),
            ("load_port_replay", (1,), T1_USR), ("memory_complete", (0, 1), T0_USR),
            ("instr_retired", (0, 1), T0_USR | T1_OS), ("uops_retired", (0,), T1_USR),
            ("instr_retired", (0, 1), T0_USR | T1_OS), ("branch_retired", (10,), T0_USR | T1_USR),
            ("uops_retired", (0,), T1_USR), ("machine_clear", (0, 2, 6), T0_USR)):
        assert new.add(Counted(event, bits, threads)), event
    assert len(new.counters) == 17
    return new


def tagged():
    """Tags of each kind, and what makes instructions tagged."""
    EVENTS["uop_type"] = ("RAT", 0x02, False, {1: ()})
    EVENTS["front_end_event"] = ("CRU23", 0x08, False, {0: ("loads",), 1: ("bogus_load_uops",)})
    EVENTS["execution_event"] = ("CRU23", 0x0c, False, {1: ("x87_uops",), 2: ("scalar_dp_uops",)})
    EVENTS["replay_event"] = ("CRU23", 0x09, False, {0: ("l1d_misses",)})
    front = Round("work 60 0")
    for event, bits in (("uop_type", (1,)), ("front_end_event", (0,)), ("front_end_event", (1,)),
                        ("instr_retired", (0,)), ("instr_retired", (3,))):
        assert front.add(Counted(event, bits, T0_USR))
    execution = Round("work 60 0")
    for event, bits, tag in (("x87_FP_uop", (15,), 1 << 6 | 1 << 4), ("execution_event", (1,), 0),
                             ("scalar_DP_uop", (15,), 1 << 7 | 1 << 4),
                             ("execution_event", (1, 2), 0), ("instr_retired", (1,), 0)):
        assert execution.add(Counted(event, bits, T0_USR, tag))
    replay = Round("miss 500", (f"w {MATRIX_VERT:x} 1", f"w {PEBS_ENABLE:x} 1000001"))
    for event, bits in (("replay_event", (0,)), ("instr_retired", (0,)), ("instr_retired", (1,))):
        assert replay.add(Counted(event, bits, T0_USR))
    last = Round("miss 5", (f"w {MATRIX_VERT:x} 0", f"w {PEBS_ENABLE:x} 0"))
    assert last.add(Counted("replay_event", (), T0_USR))
    return [front, execution, replay, last]


def compared():
    """Cycles of the core in which an instruction retires, in which none does, and all."""
    new = Round("work 20 0 1")
    for event, compare in (("instr_retired", COMPARE), ("instr_retired", COMPARE | COMPLEMENT),
                           ("branch_retired", COMPARE | COMPLEMENT | ALWAYS)):
        masks = EVENTS[event][3]
        assert new.add(Counted(event, tuple(masks)[:1], T0_USR, 0, compare))
    return new


def check_compared(values, delta):
    """The three, whose sum and whose whole are known."""
    cycles = sum(delta(cpu, ring, "cycles") for cpu in (0, 1) for ring in ("user", "kernel"))
    some, none, every = values
    if every != cycles or some + none != cycles or not some:
        return [f"{some} cycles with and {none} without instructions, {every} in all; "
                f"truth {cycles}"]
    return []


def all_rounds():
    rounds = [compared(), seventeen()]
    for event, (_, _, _, masks) in sorted(EVENTS.items()):
        for bits in [(bit,) for bit in masks] + [tuple(masks)]:
            pack(rounds, Counted(event, bits, T0_USR), "work 40 0")
            for threads in RINGS:
                pack(rounds, Counted(event, bits, threads), "work 5 1 0")
    return rounds + tagged()


def check(path):
    with open(path, encoding="utf-8") as file:
        marks = {mark["label"]: mark for mark in json.load(file)["marks"]}
    wrong, counted, seen = [], 0, set()
    for number, one in enumerate(all_rounds()):
        before, after = marks[2 * number + 1], marks[2 * number + 2]

        def delta(cpu, ring, name, before=before, after=after):
            return after["totals"][cpu][ring][name] - before["totals"][cpu][ring][name]

        def moved(counter, before=before, after=after):
            values = [int(mark["msrs"][0].get(f"{COUNTER + counter:#x}", "0"), 16)
                      for mark in (before, after)]
            return values[1] - values[0]

        if any(what.compare for what in one.counters.values()):
            wrong += check_compared([moved(counter) for counter in one.counters], delta)
            counted += 3
            continue
        for counter, what in one.counters.items():
            got, expected = moved(counter), what.expected(delta)
            counted += 1
            if got:
                seen.update((what.event, bit) for bit in what.bits)
            if got != expected:
                wrong.append(f"round {number}, counter {counter}, {what.event} {what.bits} "
                             f"threads {what.threads:x}: {got}, truth {expected}")
    for name, (_, _, _, masks) in EVENTS.items():
        wrong += [f"{name}, bit {bit} never counted" for bit in masks
                  if (name, bit) not in seen and (name, bit) not in NOTHING]
    print("\n".join(wrong) if wrong else f"{counted} counts equal to the truth")
    return bool(wrong)


def main():
    if sys.argv[1] == "check":
        sys.exit(check(sys.argv[2]))
    for number, one in enumerate(all_rounds()):
        print("\n".join(one.script(2 * number + 1)))


if __name__ == "__main__":
    main()
