#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The Pentium 4's events, each mask alone and together, and what they are in the truth.

p4.py plan              prints the sets to count, a line each: NAME EVENT...
p4.py seventeen         prints one event for each counter but counter 1
p4.py check TRUTH COUNTS
                        whether each line of COUNTS, "NAME EVENT VALUE PERCENT", is the
                        truth of the program of that name, in user mode, counted all the time
p4.py check-all TRUTH COUNTS
                        the same, and that nothing was left out
p4.py cascade TRUTH A B whether A is all branches of the program "cascade", and B those
                        behind the 10000th
"""
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, program_of  # noqa: E402

# Group, ESCR pair, event, and each mask's totals of the truth; "-": less so many.
# What the manual's masks mean, in the words of the box (tests/box/model/p4_signals.h).
EVENTS = (
    ("BPU", "FSB", "global_power_events", {"RUNNING": "cycles"}),
    ("BPU", "BPU", "BPU_fetch_request", {"TCMISS": "tc_misses"}),
    ("BPU", "ITLB", "ITLB_reference", {"HIT": "itlb_hits", "MISS": "itlb_misses"}),
    ("BPU", "PMH", "page_walk_type", {"DTMISS": "data_page_walks", "ITMISS": "code_page_walks"}),
    ("BPU", "MOB", "MOB_load_replay", {
        "NO_STA": "mob_no_store_address", "NO_STD": "mob_no_store_data",
        "PARTIAL_DATA": "mob_partial_data", "UNALGN_ADDR": "mob_unaligned_address"}),
    ("BPU", "BSU", "BSQ_cache_reference", {
        "RD_2ndL_HITS": "l2_read_hits_shared", "RD_2ndL_HITE": "l2_read_hits_exclusive",
        "RD_2ndL_HITM": "l2_read_hits_modified", "RD_2ndL_MISS": "l2_read_misses",
        "WR_2ndL_MISS": "l2_write_misses"}),
    ("MS", "TC", "TC_deliver_mode", {
        "DD": "tc_cycles_dd", "DB": "tc_cycles_db", "DI": "tc_cycles_di", "BD": "tc_cycles_bd",
        "BB": "tc_cycles_bb", "BI": "tc_cycles_bi", "ID": "tc_cycles_id"}),
    ("MS", "TC", "TC_misc", {"FLUSH": "tc_flushes"}),
    ("MS", "MS", "tc_ms_xfer", {"CISC": "rom_entries"}),
    ("MS", "MS", "uop_queue_writes", {
        "FROM_TC_BUILD": "uops_from_build", "FROM_TC_DELIVER": "uops_from_deliver",
        "FROM_ROM": "uops_from_rom"}),
    # A return is indirect as well; so are calls and jumps by a pointer.
    ("MS", "TBPU", "retired_branch_type", {
        "CONDITIONAL": "branches_conditional", "CALL": "branches_call branches_call_indirect",
        "RETURN": "branches_return",
        "INDIRECT": "branches_return branches_call_indirect branches_jump_indirect"}),
    ("MS", "TBPU", "retired_mispred_branch_type", {
        "CONDITIONAL": "branch_misses_conditional",
        "CALL": "branch_misses_call branch_misses_call_indirect",
        "RETURN": "branch_misses_return",
        "INDIRECT": "branch_misses_return branch_misses_call_indirect "
                    "branch_misses_jump_indirect"}),
    ("FLAME", "SAAT", "memory_complete", {"LSC": "split_loads", "SSC": "split_stores"}),
    ("FLAME", "SAAT", "load_port_replay", {"SPLIT_LD": "split_loads"}),
    ("FLAME", "SAAT", "store_port_replay", {"SPLIT_ST": "split_stores"}),
    ("FLAME", "FIRM", "packed_SP_uop", {"ALL": "packed_sp_uops"}),
    ("FLAME", "FIRM", "scalar_DP_uop", {"ALL": "scalar_dp_uops"}),
    ("FLAME", "FIRM", "x87_FP_uop", {"ALL": "x87_uops"}),
    ("FLAME", "FIRM", "64bit_MMX_uop", {"ALL": "mmx_64bit_uops"}),
    ("FLAME", "DAC", "memory_cancel", {"64K_CONF": "alias_64k_conflicts"}),
    ("IQ", "CRU0", "instr_retired", {
        "NBOGUSNTAG": "instructions -tagged_instructions", "NBOGUSTAG": "tagged_instructions",
        "BOGUSNTAG": "bogus_instructions -bogus_tagged_instructions",
        "BOGUSTAG": "bogus_tagged_instructions"}),
    ("IQ", "CRU0", "uops_retired", {"NBOGUS": "uops", "BOGUS": "bogus_uops"}),
    ("IQ", "CRU0", "mispred_branch_retired", {"NBOGUS": "branch_misses"}),
    ("IQ", "CRU0", "instr_completed", {"NBOGUS": "instructions", "BOGUS": "bogus_instructions"}),
    ("IQ", "CRU2", "branch_retired", {
        "MMNP+MMNM+MMTP+MMTM": "branches", "MMNM+MMTM": "branch_misses"}),
    ("IQ", "CRU2", "machine_clear", {
        "CLEAR": "machine_clear_cycles", "MOCLEAR": "memory_order_clears",
        "SMCLEAR": "self_modifying_clears"}),
    ("IQ", "ALF", "resource_stall", {"SBFULL": "store_stall_cycles"}),
)

# By tags: each by itself, with the event that tags beside it.
TAGGED = {
    "1stL_cache_load_miss_retired": "l1d_misses",
    "DTLB_load_miss_retired": "dtlb_load_misses",
    "DTLB_store_miss_retired": "dtlb_store_misses",
    "DTLB_all_miss_retired": "dtlb_load_misses dtlb_store_misses",
    "split_load_retired": "split_loads",
    "split_store_retired": "split_stores",
    "MOB_load_replay_retired": "mob_partial_data mob_unaligned_address",
    "tagged_mispred_branch": "branch_misses",
    "memory_loads": "loads",
    "memory_stores": "stores",
    "front_end_event:nbogus:bogus:tag=loads": "loads bogus_load_uops",
    "packed_SP_retired": "packed_sp_uops",
    "execution_event:NBOGUS2:tag=scalar_DP_uop": "scalar_dp_uops",
    "execution_event:tag3=x87_FP_uop:nbogus": "x87_uops",
}

SEVENTEEN = """
global_power_events:RUNNING ITLB_reference:HIT BSQ_cache_reference:RD_2ndL_MISS
uop_queue_writes:FROM_ROM retired_branch_type:CONDITIONAL TC_deliver_mode:DI
retired_mispred_branch_type:CONDITIONAL
memory_complete:LSC store_port_replay:SPLIT_ST packed_SP_uop:ALL x87_FP_uop:ALL
instr_retired:NBOGUSNTAG instr_retired:BOGUSNTAG branch_retired:MMNM:MMTM
machine_clear:SMCLEAR resource_stall:SBFULL uop_type:TAGLOADS""".split()

# Tags, and instructions by whether they have one.
BESIDE = (
    "uop_type:TAGLOADS instr_retired:NBOGUSTAG instr_retired:BOGUSTAG",
    "uop_type:TAGLOADS instr_retired:NBOGUSNTAG instr_retired:BOGUSNTAG",
    "uop_type:TAGSTORES instr_retired:NBOGUSTAG:BOGUSTAG instr_retired:NBOGUSNTAG:NBOGUSTAG",
)

# What one task alone does not do, and what only tags.
NOTHING = {
    "TC_deliver_mode:BB", "TC_deliver_mode:BD", "TC_deliver_mode:DB", "TC_deliver_mode:DD",
    "TC_deliver_mode:ID", "uop_type:TAGLOADS", "uop_type:TAGSTORES",
}

# Counters of each group's two halves; counter 1 is left alone.
ROOM = {"BPU": 3, "MS": 4, "FLAME": 4, "IQ": 6}


def items():
    """(group, ESCR pair, event with masks, totals)"""
    for group, escr, event, masks in EVENTS:
        for mask, totals in masks.items():
            yield group, escr, f"{event}:{mask.replace('+', ':')}", totals
        if len(masks) > 1 and event != "branch_retired":
            together = " ".join(masks.values())
            # A mask that is part of another counts once.
            if event.endswith("branch_type"):
                together = " ".join(sorted(set(together.split())))
            yield group, escr, f"{event}:{':'.join(masks)}", together


def plan():
    """Sets that fill the counters as far as two ESCRs of a kind allow it."""
    left = list(items())
    while left:
        chosen, used, room = [], {}, dict(ROOM)
        for item in list(left):
            group, escr = item[:2]
            if not room[group] or used.get(escr, 0) == 2:
                continue
            room[group] -= 1
            used[escr] = used.get(escr, 0) + 1
            chosen.append(item[2])
            left.remove(item)
        yield chosen


def truth_of(truth, name, totals):
    user = program_of(truth, f"/root/{name}")["user"]
    return sum(-user[t[1:]] if t[0] == "-" else user[t] for t in totals.split())


def cascade(path, first, second):
    true = truth_of(read_truth(path), "cascade", "branches")
    if (int(first), int(second)) == (true, true - 10000):
        return 0
    print(f"cascade: {first} and {second}, truth {true}")
    return 1


def check(path, counts, everything):
    truth = read_truth(path)
    known = {item[2]: item[3] for item in items()}
    known.update(TAGGED)
    # They tag what others count, and count nothing.
    known["uop_type:TAGLOADS"] = known["uop_type:TAGSTORES"] = ""
    known["instr_retired:NBOGUSTAG:BOGUSTAG"] = \
        "tagged_instructions bogus_tagged_instructions"
    known["instr_retired:NBOGUSNTAG:NBOGUSTAG"] = "instructions"
    wrong, seen, moved = 0, set(), set()
    with open(counts, encoding="utf-8") as file:
        for line in file:
            name, event, value, percent = line.split()
            event = event.removesuffix(":u")
            true = truth_of(truth, name, known[event])
            seen.add(event)
            if true:
                moved.add(event)
            if value != str(true) or percent != "100.00":
                print(f"{name}: {event} is {value} ({percent} %), truth {true}")
                wrong += 1
    for event in sorted(set(known) - seen if everything else ()):
        print(f"{event}: was not counted")
        wrong += 1
    for event in sorted(seen - moved - NOTHING):
        print(f"{event}: it never happened, so that nothing was shown")
        wrong += 1
    print(f"{len(seen)} events and masks, {wrong} wrong")
    return 1 if wrong else 0


def main():
    if sys.argv[1] in ("check", "check-all"):
        return check(*sys.argv[2:], sys.argv[1] == "check-all")
    if sys.argv[1] == "cascade":
        return cascade(*sys.argv[2:])
    if sys.argv[1] == "seventeen":
        print(*SEVENTEEN)
        return 0
    for number, events in enumerate(plan()):
        print(f"set{number}", *events)
    for number, event in enumerate(TAGGED):
        print(f"tag{number}", event)
    for number, events in enumerate(BESIDE):
        print(f"beside{number}", events)
    return 0


sys.exit(main())
