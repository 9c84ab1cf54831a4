#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What Linux's driver of the Pentium 4 programs for each event, and what ours does.

p4-referee.py routes        prints requests to talk that take each route with an event
p4-referee.py empty-routes  prints ESCR, CCCR and counters of those without one
p4-referee.py check LOG LINUX OURS METRICS ERRATA
                            compares the writes in LOG; each difference is a row below,
                            and each row has its place in ERRATA
"""
import fnmatch
import json
import sys

COUNTER, CCCR, ESCR, PEBS_ENABLE, MATRIX_VERT = 0x300, 0x360, 0x3a0, 0x3f1, 0x3f2
# Counters start at minus these and the number of the event: Linux's, ours, routes.
LINUX, OURS, ROUTES = 0x10000000, 0x20000000, 0x30000000
ENABLE, OVF_PMI = 1 << 12, {0: 1 << 26, 1: 2 << 26}
UOP_TAG = 1 << 24
RINGS = {0: 0xc, 1: 0x3}
HARDWARE, CACHE, RAW = 0, 3, 4

# SDM, counters with their CCCRs and ESCRs: counters of both halves, by select value the
# first ESCR of a pair and an event of it, whose select is None if none is known.
GROUPS = (
    ((0, 1), (2, 3), ((0x12, 0x03), (0x14, None), (0x0a, 0x03), (0x16, 0x18), (0x0c, 0x01),
                      (0x28, None), (0x02, 0x13), (0x00, 0x0c))),
    ((4, 5), (6, 7), ((0x20, 0x09), (0x24, 0x01), (0x22, 0x04))),
    ((8, 9), (10, 11), ((0x06, None), (0x04, 0x04), (0x0e, 0x04), (0x10, None), None,
                        (0x08, 0x02))),
    ((12, 13, 16), (14, 15, 17), ((0x1a, None), (0x2a, 0x01), (0x1c, 0x02), (0x1e, None),
                                  (0x18, 0x02), (0x2c, 0x06), (0x40, None))),
)
# A bit of the mask that the event has.
MASK = {(0x0a, 0x03): 3, (0x04, 0x04): 15, (0x0e, 0x04): 1, (0x08, 0x02): 3, (0x22, 0x04): 1,
        (0x2a, 0x01): 5, (0x1c, 0x02): 1}
SSU_ESCR1 = 0x1f

# Perf's numbers of what it has names for, by type, and our names.
PORTABLE = {
    (HARDWARE, 0): "cycles", (HARDWARE, 1): "instructions", (HARDWARE, 2): "cache-references",
    (HARDWARE, 3): "cache-misses", (HARDWARE, 4): "branches", (HARDWARE, 5): "branch-misses",
    (HARDWARE, 6): "bus-cycles", (HARDWARE, 7): "stalled-cycles-frontend",
    (HARDWARE, 8): "stalled-cycles-backend", (HARDWARE, 9): "ref-cycles",
    (CACHE, 0x10000): "l1d-load-misses", (CACHE, 0x10002): "llc-load-misses",
    (CACHE, 0x10003): "dtlb-load-misses", (CACHE, 0x10103): "dtlb-store-misses",
    (CACHE, 0x10004): "itlb-misses", (CACHE, 0x4): "itlb-loads",
}

# The driver's raw numbers of causes of replays.
REPLAYS = dict(enumerate((
    "1stL_cache_load_miss_retired", "2ndL_cache_load_miss_retired", "DTLB_load_miss_retired",
    "DTLB_store_miss_retired", "DTLB_all_miss_retired", "Tagged_mispred_branch",
    "MOB_load_replay_retired", "split_load_retired", "split_store_retired"), 1))

# What differs, as a pattern, and words of errata.rst that explain it.
DIFFERENCES = (
    ("ours only, CPU ?: TC_deliver_mode:IB", "``TC_deliver_mode:IB``"),
    ("ours only, CPU ?: IOQ_*:TYPE_BIT[1-4]", "IOQ type field"),
    ("ours only, CPU 1: BSQ_allocation:*", "``BSQ_allocation``"),
    ("ours only, CPU ?: *_uop:ALL", "``packed_SP_uop:ALL``"),
    ("ours only, CPU ?: SSE_input_assist:ALL", "``packed_SP_uop:ALL``"),
    ("Linux only, CPU ?: *_uop mask 0x??", "``packed_SP_uop:ALL``"),
    ("Linux only, CPU ?: *_uop mask 0x?", "``packed_SP_uop:ALL``"),
    ("Linux only, CPU ?: SSE_input_assist mask 0x*", "``packed_SP_uop:ALL``"),
    ("Linux only, CPU ?: page_walk_type mask 0x*", "``packed_SP_uop:ALL``"),
    ("Linux only, CPU ?: FSB_data_activity mask 0x40", "``packed_SP_uop:ALL``"),
    ("Linux only, CPU ?: WC_Buffer mask 0x*", "``packed_SP_uop:ALL``"),
    ("ours only, CPU ?: b2b_cycles:BIT?", "``b2b_cycles``"),
    ("ours only, CPU ?: bnr:BIT?", "``b2b_cycles``"),
    ("ours only, CPU ?: snoop:BIT?", "``b2b_cycles``"),
    ("ours only, CPU ?: response:BIT?", "``b2b_cycles``"),
    ("Linux only, CPU ?: b2b_cycles mask 0x0", "``b2b_cycles``"),
    ("Linux only, CPU ?: bnr mask 0x0", "``b2b_cycles``"),
    ("Linux only, CPU ?: snoop mask 0x0", "``b2b_cycles``"),
    ("Linux only, CPU ?: response mask 0x0", "``b2b_cycles``"),
    ("ours only, CPU ?: machine_clear:SMCLEAR", "``machine_clear``"),
    ("Linux only, CPU ?: machine_clear mask 0x2", "``machine_clear``"),
    ("CPU 1: retired_mispred_branch_type:*: ESCR 0x23, Linux's 0x22",
     "retired_mispred_branch_type"),
    ("CPU 1: IOQ_active_entries:*: counter 2, Linux's 3", "``IOQ_active_entries``"),
    ("CPU 1: BSQ_active_entries:*: counter 2, Linux's 3", "``BSQ_active_entries``"),
    ("CPU ?: instructions: mask 0x3, Linux's 0x5", "portable ``instructions``"),
    ("CPU ?: cache-references: mask 0x507, Linux's 0x3f", "portable ``cache-references``"),
    ("CPU ?: cache-misses: mask 0x500, Linux's 0x700", "portable ``cache-misses``"),
    ("CPU ?: branches: event 0x6, Linux's 0x4", "portable ``branches``"),
    ("CPU ?: ref-cycles: event 0x13, Linux's 0x1", "portable ``ref-cycles``"),
    ("Linux only, CPU ?: bus-cycles", "``bus-cycles``"),
    ("Linux only, CPU ?: stalled-cycles-*", "``stalled-cycles-frontend``"),
    ("Linux only, CPU ?: itlb-loads", "``iTLB-loads``"),
)


def routes():
    """(counter, select, ESCR's number, event or None) of all 103."""
    for first, second, escrs in GROUPS:
        for half, counters in enumerate((first, second)):
            for counter in counters:
                for select, row in enumerate(escrs):
                    if row and row[0] + half != SSU_ESCR1:
                        yield counter, select, row[0] + half, row


ROUTE = {(counter, select): escr for counter, select, escr, _ in routes()}


def route_request(counter, select, row):
    escr = row[1] << 25 | 1 << MASK.get(row, 0) + 9
    return (f"new 0 cpu=0 escr=3:{escr:x}:{1 << counter:x},7:0:{select << 13:x}"
            f"@period={ROUTES + 1 + counter * 8 + select} , start , del ,")


class Written:
    """What was programmed for an event, once its counter was enabled."""

    def __init__(self, counter, cccr, escrs, now):
        self.counter, self.cccr = counter, cccr
        self.replay = now.get(PEBS_ENABLE, 0), now.get(MATRIX_VERT, 0)
        # The one that it reaches, or else what was meant.
        route = ROUTE.get((counter, cccr >> 13 & 7))
        self.escr = route if route in escrs else escrs[-1]
        self.value = now[ESCR + self.escr]

    def key(self):
        """ESCR's pair, event select and mask: what is counted."""
        return self.escr & ~1, self.value >> 25, self.value >> 9 & 0xffff


def read_log(path):
    """By CPU and number at which its counter starts, what was written for an event."""
    written, now, escrs, starts, seen = {}, {}, [], {}, set()
    with open(path, encoding="utf-8") as file:
        for line in file:
            cpu, msr, value = (int(word, 0) for word in line.split()[:3])
            now[msr] = value
            start = cpu, (1 << 40) - value
            # Linux's second write of a counter is of what it was before that.
            if COUNTER <= msr < COUNTER + 18 and LINUX <= start[1] < ROUTES * 2:
                if start not in seen:
                    starts[msr - COUNTER] = start
                seen.add(start)
            elif ESCR <= msr < PEBS_ENABLE and value >> 9:
                escrs.append(msr - ESCR)
            elif CCCR <= msr < CCCR + 18 and not value & ENABLE:
                starts.pop(msr - CCCR, None)
                escrs.clear()
            elif msr - CCCR in starts and escrs:
                counter = msr - CCCR
                written[starts.pop(counter)] = Written(counter, value, escrs, now)
    return written


def read_linux(path, written):
    """(CPU, type, config): Written"""
    events = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            number, cpu, kind, config = (int(word, 0) for word in line.split())
            events[cpu, kind, config] = written[cpu, LINUX + number]
    return events


def read_ours(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check_ours(ours, written):
    """What explain says is what the module writes, for either thread."""
    for cpu in (0, 1):
        for number, event in enumerate(ours):
            name, got = event["full_name"], written.get((cpu, OURS + number))
            if not got:
                yield f"{name} on CPU {cpu}: was not programmed"
            elif got.value != event["escr"] | RINGS[cpu] or \
                    got.cccr != event["cccr"] | 3 << 16 | ENABLE | OVF_PMI[cpu]:
                yield f"{name} on CPU {cpu}: ESCR {got.value:#x}, CCCR {got.cccr:#x}, " \
                    "explained otherwise"


def check_routes(written):
    for counter, select, escr, row in routes():
        if row[1] is None:
            continue
        got = written.get((0, ROUTES + counter * 8 + select))
        if not got or (got.counter, got.escr, got.cccr >> 13 & 7) != (counter, escr, select):
            yield f"counter {counter} by select {select} does not have ESCR {escr:#x}"


def main():
    if sys.argv[1] == "routes":
        print(*(route_request(counter, select, row)
                for counter, select, _, row in routes() if row[1] is not None), sep="\n")
        return 0
    if sys.argv[1] == "empty-routes":
        for counter, select, _, row in routes():
            if row[1] is None:
                print(f"{1 << 25 | 1 << 9:x} {select << 13:x} {1 << counter:x}")
        return 0
    return check(*sys.argv[2:])


def differing(name, cpu, ours, theirs):
    """The first thing in which two that count the same differ, if any."""
    for what, a, b in (("event", ours.key()[1], theirs.key()[1]),
                       ("mask", ours.key()[2], theirs.key()[2]),
                       ("ESCR", ours.escr, theirs.escr), ("CCCR", ours.cccr, theirs.cccr),
                       ("counter", ours.counter, theirs.counter)):
        if a != b:
            text = (str(a), str(b)) if what == "counter" else (hex(a), hex(b))
            return [f"CPU {cpu}: {name}: {what} {text[0]}, Linux's {text[1]}"]
    return []


def diff_raw(ours, written, linux):
    """Every event and bit of its mask: by one driver only, or by both in other ways."""
    known, names = {}, {}
    for number, event in enumerate(ours):
        for cpu in (0, 1):
            got = written.get((cpu, OURS + number))
            if got:
                known.setdefault((cpu,) + got.key(), (event["full_name"], got))
                names[got.key()[:2]] = event["full_name"].split(":")[0]
    theirs = {(cpu,) + got.key(): got for (cpu, kind, _), got in linux.items() if kind == RAW}
    for key, got in theirs.items():
        if key in known:
            name, mine = known[key]
            yield from differing(name, key[0], mine, got)
        else:
            yield f"Linux only, CPU {key[0]}: {names[key[1:3]]} mask {key[3]:#x}"
    for key, (name, _) in known.items():
        if key not in theirs:
            yield f"ours only, CPU {key[0]}: {name}"


class Explained:
    """What explain says will be written; by the plan, for the first thread."""

    def __init__(self, event):
        self.event, self.mask = event["event_code"], event["event_mask"]
        values = {reg["register"]: reg["value"] for reg in event["registers"]}
        self.replay = values.get("IA32_PEBS_ENABLE", 0), values.get("MSR_PEBS_MATRIX_VERT", 0)


def diff_named(name, cpu, mine, got):
    _, event, mask = got.key()
    if not mine:
        yield f"Linux only, CPU {cpu}: {name}"
    elif mine.event != event:
        yield f"CPU {cpu}: {name}: event {mine.event:#x}, Linux's {event:#x}"
    elif mine.mask != mask:
        yield f"CPU {cpu}: {name}: mask {mine.mask:#x}, Linux's {mask:#x}"
    elif mine.replay[0] and (mine.replay[0] | UOP_TAG, mine.replay[1]) != got.replay:
        yield f"CPU {cpu}: {name}: replays {mine.replay}, Linux's {got.replay}"


def diff_names(metrics, linux):
    """What both have names for."""
    named = {event["event"]: Explained(event) for event in metrics}
    for (cpu, kind, config), got in linux.items():
        name = REPLAYS.get(config & 0xff) if kind == RAW else PORTABLE[kind, config]
        if name:
            yield from diff_named(name, cpu, named.get(name), got)


def explain(found, errata):
    """Differences without a row, rows without a difference, rows that errata.rst lacks."""
    with open(errata, encoding="utf-8") as file:
        text = file.read()
    used = set()
    for difference in found:
        rows = [row for row in DIFFERENCES if fnmatch.fnmatchcase(difference, row[0])]
        used.update(rows)
        if not rows:
            yield f"unexplained: {difference}"
    yield from (f"no such difference any more: {row[0]}" for row in DIFFERENCES
                if row not in used)
    yield from (f"errata.rst has no {words}" for _, words in DIFFERENCES if words not in text)


def check(log, linux, ours, metrics, errata):
    written, ours = read_log(log), read_ours(ours)
    linux = read_linux(linux, written)
    found = list(diff_raw(ours, written, linux)) + list(diff_names(read_ours(metrics), linux))
    wrong = list(check_ours(ours, written)) + list(check_routes(written)) + \
        list(explain(found, errata))
    print(*wrong[:40], sep="\n")
    print(f"{len(linux)} events of Linux's, {2 * len(ours)} of ours, {len(found)} differences, "
          f"{len(wrong)} wrong")
    return bool(wrong) or len(linux) < 400 or len(ours) < 170


sys.exit(main())
