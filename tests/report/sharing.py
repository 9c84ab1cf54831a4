#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sharing.py PMUCTL PROGRAM: whether pmuctl mem --sharing and perf c2c report agree.

Of a file, made here, in which threads of PROGRAM (tests/box/progs/sharing.c) write counters in one
line and a word that is everybody's, and loads find both modified in other cores and sockets.
"""
import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

import perfdata  # noqa: E402

ADDR, CPU, WEIGHT, DATA_SRC = 0x8, 0x80, 0x4000, 0x8000
LOAD, STORE = 2, 4
# Of union perf_mem_data_src: where levels and snoops begin, and some of them.
LVL, SNOOP = 5, 19
HIT, L1, L3, REMOTE_CACHE = 2, 8, 0x40, 0x400
SNOOP_NA, NONE, HITM = 1, 2, 16
PID = 100


class Accesses(perfdata.Data):
    def __init__(self):
        super().__init__(ADDR | CPU | WEIGHT | DATA_SRC)
        cpus = b"".join(struct.pack("<I64s", 64, x) for x in (b"0-3", b"4-7"))
        self.features = {
            7: struct.pack("<II", 8, 8),
            14: struct.pack("<I", 2) + b"".join(
                struct.pack("<IQQ", node, 1 << 20, 1 << 19) + cpus[68 * node:68 * node + 68]
                for node in (0, 1)),
        }

    def trailer(self, pid):
        return super().trailer(pid) + struct.pack("<II", 0, 0)

    def access(self, thread, ip, address, source, weight=0):
        self.time += 1
        self.record(9, perfdata.USER | 1 << 14, struct.pack(
            "<QIIQQIIQQQ", ip, PID, PID + thread, self.time, address, thread, 0, 1000, weight,
            source))


def symbols(program):
    lines = subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()
    return {words[-1]: int(words[0], 16) for words in map(str.split, lines) if len(words) == 3}


def code_of(program):
    """(offset, address, size) of the segment that is executed."""
    text = subprocess.run(["readelf", "-lW", program], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    found = re.search(r"LOAD +(\w+) (\w+) \w+ (\w+) \w+ R E", text)
    return [int(x, 16) for x in found.groups()]


def instructions(program, function):
    """Addresses of the first load from memory and the first store that only stores."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "--disassemble=" + function,
                           program], stdout=subprocess.PIPE, text=True, check=True).stdout
    load = re.search(r"^ *(\w+):\s+mov +\(%\w+\),%", text, re.M)
    store = re.search(r"^ *(\w+):\s+mov +%\w+,\(%", text, re.M)
    return int(load[1], 16), int(store[1], 16)


def make(program, path):
    data = Accesses()
    known = symbols(program)
    offset, address, size = code_of(program)
    load, store = instructions(program, "count")
    add = known["count_same"]
    data.map(address, size, offset, os.path.realpath(program), pid=PID)
    source = {
        "near": LOAD | (HIT | L3) << LVL | HITM << SNOOP,
        "far": LOAD | (HIT | REMOTE_CACHE) << LVL | HITM << SNOOP,
        "hit": LOAD | (HIT | L1) << LVL | NONE << SNOOP,
        "store": STORE | (HIT | L1) << LVL | SNOOP_NA << SNOOP,
    }
    for turn in range(30):
        for thread in range(3):
            mine = known["counters"] + 16 * thread
            data.access(thread, load, mine, source[("near", "far", "hit")[turn % 3]], 100 + turn)
            data.access(thread, store, mine, source["store"])
            if turn < 12:
                data.access(thread, load, known["word"], source["near" if turn % 2 else "hit"], 50)
                data.access(thread, store, known["word"], source["store"])
            # Whatever each has for itself.
            data.access(thread, store, known["padded"] + 128 * thread, source["store"])
    data.access(0, add, known["table"], source["hit"], 5)
    data.write(path)


def ours(pmuctl, path):
    text = subprocess.run([pmuctl, "mem", "--sharing", "-x", ";", "-i", path], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split(";") for line in text.splitlines()]
    lines = [row for row in rows if row[0] == "line"]
    return [(int(row[1], 0), row[3]) for row in lines], \
        [(int(row[1], 0), int(row[13]), int(row[14]), int(row[10])) for row in lines]


def perfs(path):
    """Address, local and remote HITMs, stores of each line."""
    text = subprocess.run(["perf", "c2c", "report", "-i", path, "--stdio"], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          stdin=subprocess.DEVNULL).stdout
    table = text[text.index("Shared Data Cache Line Table"):]
    table = table[:table.index("Shared Cache Line Distribution")]
    rows = [line.split() for line in table.splitlines() if re.match(r" +\d+ +0x", line)]
    # Index, address, node, PA count, HITM %; HITMs: all, local, remote; records, loads, stores.
    return [(int(row[1], 16), int(row[6]), int(row[7]), int(row[10])) for row in rows]


def main():
    pmuctl, program = sys.argv[1:]
    make(program, "perf.data")
    verdicts, lines = ours(pmuctl, "perf.data")
    theirs = perfs("perf.data")
    known = symbols(program)
    wrong = 0
    if verdicts != [(known["counters"], "false sharing"), (known["word"], "true sharing")]:
        print(f"pmuctl's verdicts: {verdicts}")
        wrong = 1
    if lines != theirs or not theirs:
        print(f"pmuctl has {lines}, perf {theirs}")
        wrong = 1
    return wrong


sys.exit(main())
