#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-pebs.py TRUTH SAMPLES: is each sample the record that the box wrote?

Of each CPU they come in the same order.  What is flagged exact names the
instruction; what is uncertain names the next one, and the block that it gives
holds the instruction.
"""
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of  # noqa: E402

USER, PEBS, EXACT, UNCERTAIN, AFTER = 1, 2, 4, 8, 16
REGS, CHAIN, BLOCK = 8, 16, 64
CONTENT = {"single": REGS | BLOCK, "chain": CHAIN, "gates": REGS | CHAIN | BLOCK}
KERNEL = 1 << 63
# Not addresses: they say in a chain whose those behind them are.
CONTEXTS = (1 << 64) - 4096
REGS_WORDS, REGS_IP, REGS_SP = 18, 1, 9
failed = 0


def fail(text):
    global failed
    failed += 1
    if failed <= 20:
        print(text)


class Sample:
    def __init__(self, session, words):
        self.session = session
        keys = dict(zip(words[1:17:2], words[2:18:2]))
        self.cpu, self.pid = int(keys["cpu"]), int(keys["pid"])
        self.event, self.period = int(keys["event"]), int(keys["period"])
        self.ip, self.flags = int(keys["ip"], 16), int(keys["flags"])
        self.content = [int(w, 16) for w in words[words.index("content") + 1:]]

    def take(self):
        """Registers, chain and block, where the session has them."""
        has, at, found = CONTENT.get(self.session, 0), 0, {}
        if has & REGS:
            found["regs"], at = self.content[:REGS_WORDS], REGS_WORDS
        if has & CHAIN:
            found["chain"] = self.content[at + 1:at + 1 + self.content[at]]
            at += 1 + self.content[at]
        if has & BLOCK:
            found["block"] = self.content[at]
        return found


def parse(path):
    """Sessions by name: their samples, counts and ledgers."""
    sessions, name = {}, None
    with open(path, encoding="ascii") as file:
        for words in (line.split() for line in file):
            if words[0] == "session":
                name = words[1]
                sessions[name] = {"samples": [], "count": {}, "ledger": {}, "switches": 0}
            elif words[0] == "sample:":
                sessions[name]["samples"].append(Sample(name, words))
            elif words[0] == "switches:":
                sessions[name]["switches"] = int(words[1])
            elif words[0] in ("count:", "counts:"):
                event = int(words[2])
                count = sessions[name]["count"]
                count[event] = count.get(event, 0) + int(words[6])
            elif words[0] == "ledger:":
                row = dict(zip(words[5::2], map(int, words[6::2])))
                ledger = sessions[name]["ledger"].setdefault(int(words[2]), {})
                for key, value in row.items():
                    ledger[key] = ledger.get(key, 0) + value
    return sessions


def hidden(sample, row):
    """Behind its instruction the program is in the kernel, and nobody may see where."""
    return sample.session != "both" and row["next"] >= KERNEL


def check_sample(sample, row):
    behind = 0 if hidden(sample, row) else row["next"]
    where = f"{sample.session}: ip {sample.ip:#x} flags {sample.flags:#x}, truth {row}"
    found = sample.take()
    if sample.flags & EXACT and sample.ip != row["ip"]:
        fail(f"exact, and wrong: {where}")
    if sample.flags & UNCERTAIN and sample.ip != behind:
        fail(f"uncertain, and not the next one: {where}")
    if not sample.flags & PEBS or bool(sample.flags & EXACT) == bool(sample.flags & UNCERTAIN):
        fail(f"flags: {where}")
    if sample.session != "both" and not sample.flags & USER or not sample.flags & AFTER:
        fail(f"flags: {where}")
    if "regs" in found and found["regs"][REGS_IP] != behind:
        fail(f"registers at {found['regs'][REGS_IP]:#x}: {where}")
    if found.get("block") and not found["block"] <= row["ip"] < row["next"]:
        fail(f"block {found['block']:#x}: {where}")
    if "chain" in found and len(found["chain"]) < 2 and sample.ip:
        fail(f"no chain: {where}")
    if sample.session == "gates" and any(KERNEL <= word < CONTEXTS for word in
                                         [sample.ip, found["regs"][REGS_IP],
                                          found["regs"][REGS_SP], found["block"],
                                          *found["chain"]]):
        fail(f"an address of the kernel's: {found} {where}")


def check_ledger(name, session):
    by_event = {}
    for sample in session["samples"]:
        by_event.setdefault(sample.event, []).append(sample)
    for event, ledger in session["ledger"].items():
        written = len(by_event.get(event, []))
        if ledger["written"] != written or ledger["produced"] != written + ledger["lost"]:
            fail(f"{name}: {written} samples of event {event}, ledger {ledger}")
    for event, samples in by_event.items():
        count = session["count"].get(event)
        period = samples[0].period
        # Of one task; of several each has a rest of its own, and so have CPUs.
        rests = len({s.pid for s in samples}) + 1
        if name == "random":
            if len({s.period for s in samples}) < 3 or any(not 872 <= s.period <= 1128
                                                           for s in samples):
                fail(f"{name}: periods {[s.period for s in samples]}")
            continue
        if name == "throttled":
            missed = session["ledger"][event]["throttled"]
            if not missed or abs((len(samples) + missed) * period - count) > 0.1 * count:
                fail(f"{name}: {len(samples)} samples and {missed} of {count} / {period}")
            continue
        # A switch right in front of a record makes it one event late; a period of
        # 2 has no room to make up for that, and others within the next.
        late = session["switches"] if period == 2 else 0
        if not len(samples) * period <= count < (len(samples) + rests) * period + late:
            fail(f"{name}: {len(samples)} samples every {period}, count {count}")


def check_pids(truth, pids):
    """No two tasks have one PID; a task that execs has another space, and its PID."""
    forked = {space["id"] for space in truth["spaces"] if space["origin"] == "fork"}
    whose = {}
    for space, pid in pids.items():
        if space in forked and whose.setdefault(pid, space) != space:
            fail(f"pid {pid} is said to be that of space {whose[pid]} and of {space}")


def main():
    truth = read_truth(sys.argv[1])
    rows = rows_of(truth)
    if truth["dropped_samples"]:
        fail(f"{truth['dropped_samples']} records more than the box holds")
    # The module first tries what this PEBS does, in the kernel; the first session is a program's.
    while rows and rows[0]["ip"] >= KERNEL:
        rows.pop(0)
    for n, row in enumerate(rows):
        if row["kind"] == "lost":
            fail(f"record {n} was lost: {row}, behind {rows[max(n - 3, 0):n]}")
    sessions = parse(sys.argv[2])
    samples = [s for session in sessions.values() for s in session["samples"]
               if s.flags & PEBS]
    pids, fixed, gates, in_kernel = {}, 0, 0, 0
    for cpu in range(8):
        mine = [s for s in samples if s.cpu == cpu]
        true = [r for r in rows if r["kind"] == "pebs" and r["cpu"] == cpu]
        if len(mine) != len(true):
            fail(f"cpu {cpu}: {len(mine)} samples, {len(true)} records")
        for sample, row in zip(mine, true):
            check_sample(sample, row)
            fixed += bool(sample.flags & EXACT)
            gates += sample.session == "gates" and hidden(sample, row)
            # The box knows a new task by its first instruction in user mode.
            if row["ip"] >= KERNEL or row["ring"] == "kernel":
                in_kernel += 1
                continue
            if pids.setdefault(row["space"], sample.pid) != sample.pid:
                fail(f"{sample.session}: pid {sample.pid}, but space {row['space']} was "
                     f"that of {pids[row['space']]}")
    check_pids(truth, pids)
    for name, session in sessions.items():
        if not session["samples"]:
            fail(f"{name}: no samples")
        check_ledger(name, session)
    if not gates or not in_kernel:
        fail("no record of a program stands in the kernel, or none is the kernel's")
    print(f"{len(samples)} samples by PEBS, {fixed} of them exact, {failed} wrong")
    return 1 if failed else 0


sys.exit(main())
