# SPDX-License-Identifier: GPL-2.0-or-later
"""Code that programs make while they run: maps of names, and jitdump.

made.py PMUCTL DIR: see programs.py
"""
import os
import re
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perfdata import Data   # noqa: E402
from programs import (BASE, DIR, bad, end, expect, expect_said, plain_program, rows,
                      view)   # noqa: E402


# ---- code that programs make -------------------------------------------------------------------

# No process has so high a number, nor another run of this test the same.
NOBODY = 2000000000 + os.getpid()


def write_map(path, lines, owner=None):
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join("%x %x %s\n" % line for line in lines))
    if owner is not None:
        os.chown(path, owner, owner)


def made_code():
    """Wherever it lies; what was made later lies over what was there."""
    names = ["//anon", "[heap]", "[stack]", "/SYSV0000beef (deleted)", "/dev/zero (deleted)",
             "[anon:jit code]", "[anon_shmem:jit]", "/anon_hugepage (deleted)",
             "/memfd:doublemapper (deleted)"]
    path = "/tmp/perf-%d.map" % NOBODY
    data = Data()
    lines = []
    for i, name in enumerate(names):
        at = BASE + i * 0x10000
        data.map(at, 0x1000, 0x7000, name, pid=NOBODY, file=(0, 5, i))
        data.sample(at + 0x110, pid=NOBODY)
        lines.append((at + 0x100, 0x40, "code%d" % i))
    data.write(DIR + "/d")
    write_map(path, lines)
    try:
        got, err = rows(["-s", "sym"])
        expect("code in " + " ".join(names), (sorted(got), err),
               (["code%d" % i for i in range(len(names))], ""))
        again = [(BASE + 0x100, 0x40, "later"), (BASE + 0x10000 + 0x80, 0x100, "larger"),
                 (BASE + 0x20000 + 0x100, 0x8, "shorter")]
        write_map(path, lines + again)
        got = rows(["-s", "sym"])[0]
        if not {"later", "larger"} <= set(got) or {"code0", "code1", "code2"} & set(got):
            bad("code that was made again: %s" % got)
        if os.geteuid() == 0:
            write_map(path, lines + again, 12345)
            got, err = rows(["-s", "sym"])
            if "code0" in got:
                bad("anybody's map was taken")
            expect_said("anybody's map", err, "is of user 12345, and whose process it was is not known")
            data.owners = {NOBODY: 12345}
            data.write(DIR + "/d")
            if "later" not in rows(["-s", "sym"])[0]:
                bad("the map of the user whose process it was is not taken")
            data.owners = {NOBODY: 12346}
            data.write(DIR + "/d")
            expect_said("another's map", rows(["-s", "sym"])[1], "the process was user 12346's")
    finally:
        os.unlink(path)
    expect_said("no map", rows([])[1], "no /tmp/perf-PID.map names its code")


def made_by_the_living():
    """A process of another user, in a mount and pid namespace of its own."""
    if os.geteuid():
        return
    inner = ("mount -t tmpfs none /tmp; echo %x 40 inner >/tmp/perf-1.map; chown 12345 "
             "/tmp/perf-1.map; exec setpriv --reuid 12345 --clear-groups sleep 30" % (BASE + 0x100))
    proc = subprocess.Popen(["unshare", "-m", "-p", "--fork", "--kill-child", "sh", "-c", inner],
                            stderr=subprocess.DEVNULL)
    pid = 0
    try:
        for _ in range(200):
            with open("/proc/%d/task/%d/children" % (proc.pid, proc.pid), encoding="ascii") as file:
                pid = int((file.read().split() or ["0"])[0])
            if pid and os.path.exists("/proc/%d/exe" % pid) and \
                    os.readlink("/proc/%d/exe" % pid).endswith("sleep"):
                break
            if proc.poll() is not None:
                return      # no namespaces here
            time.sleep(0.01)
        data = Data()
        data.map(BASE, 0x1000, 0, "//anon", pid=pid)
        data.sample(BASE + 0x110, pid=pid)
        data.write(DIR + "/d")
        write_map("/tmp/perf-%d.map" % pid, [(BASE, 0x1000, "outer")])
        try:
            expect("a process in a container", rows(["-s", "sym"])[0], ["inner"])
        finally:
            os.unlink("/tmp/perf-%d.map" % pid)
    finally:
        # unshare would take it along, but who changes users forgets that.
        if pid:
            os.kill(pid, signal.SIGKILL)
        proc.kill()
        proc.wait()


# ---- jit-PID.dump -------------------------------------------------------------------------------

class Jitdump:
    """As a just-in-time compiler writes it; records of any length."""

    def __init__(self, magic=0x4a695444, version=1, flags=0):
        self.bytes = struct.pack("<IIIIIIQQ", magic, version, 40, 62, 0, NOBODY, 0, flags)
        self.index = 0

    def record(self, what, when, body, size=None):
        self.bytes += struct.pack("<IIQ", what, size or 16 + len(body), when) + body

    def load(self, when, address, name, code, size=None):
        self.index += 1
        self.record(0, when, struct.pack("<IIQQQQ", NOBODY, NOBODY, address, address,
                                         len(code) if size is None else size, self.index) +
                    name.encode() + b"\0" + code)

    def move(self, when, old, new, size, index):
        self.record(1, when, struct.pack("<IIQQQQQ", NOBODY, NOBODY, new, old, new, size, index))

    def lines(self, when, address, lines):
        body = b"".join(struct.pack("<QII", address + at, line, 0) + file.encode() + b"\0"
                        for at, line, file in lines)
        self.record(2, when, struct.pack("<QQ", address, len(lines)) + body)

    def write(self, path, cut=0):
        with open(path, "wb") as file:
            file.write(self.bytes[:len(self.bytes) - cut])


def jit_data(path, times, clock=time.CLOCK_MONOTONIC):
    """A sample at each (time, address) of a process that mapped the file at time 10."""
    data = Data()
    data.clock = clock
    data.time = 9
    data.map(BASE - 0x1000, 0x1000, 0, path, pid=NOBODY)
    for when, address in times:
        data.time = when - 1
        data.sample(address, pid=NOBODY)
    data.write(DIR + "/d")


def dumped_code():
    """By the time at which it was there, with lines and instructions."""
    path = DIR + "/jit-%d.dump" % NOBODY
    code = bytes.fromhex("4801f8") * 4 + b"\xc3"       # add rax, rdi
    dump = Jitdump()
    dump.lines(20, BASE + 3, [(0, 11, "a.js"), (6, 12, "a.js")])
    dump.load(20, BASE + 3, "first", code)
    dump.load(30, BASE + 0x100, "second", code)
    dump.load(40, BASE + 3, "third", code)
    dump.move(50, BASE + 0x100, BASE + 0x200, len(code), 2)
    dump.lines(55, BASE + 0x300, [(0, 7, "of-nothing.js")])
    dump.load(60, BASE + 0x400, "last", b"\xc3")
    times = [(25, BASE + 9), (35, BASE + 0x106), (45, BASE + 9), (55, BASE + 0x206),
             (65, BASE + 0x400)]
    dump.write(path)
    jit_data(path, times)
    got, err = rows(["-s", "sym"])
    expect("code that was dumped", (sorted(got), err), (["first", "last", "second", "third"], ""))
    out = view("report", "-i", "d", "-x", ";", "-s", "sym,srcline")[1]
    if not re.search(r"first;[^\n]*a\.js:12", out):
        bad("no line of code that was dumped: %s" % out)
    out = view("annotate", "-i", "d", "-s", "first")[1]
    if out.count("add ") != 4 or "ret" not in out:
        bad("no instructions of code that was dumped: %s" % out)
    # Before it was there nothing was.
    jit_data(path, [(15, BASE + 9), (25, BASE + 9)])
    expect("before it was made", len([x for x in rows(["-s", "sym"])[0] if x == "first"]), 1)
    # Another clock says nothing of when: what came last counts.
    for clock in (None, time.CLOCK_REALTIME, time.CLOCK_BOOTTIME):
        jit_data(path, times, clock)
        got = rows(["-s", "sym"])[0]
        if "first" in got or "third" not in got:
            bad("times of clock %s were believed: %s" % (clock, got))
    # The end of a file that is being written, and what is no such file.
    jit_data(path, times)
    dump.write(path, cut=1)
    expect("cut off", sorted(x for x in rows(["-s", "sym"])[0] if not x.startswith("0x")),
           ["first", "second", "third"])
    for wrong, said in ((Jitdump(magic=0x12345678), "it is no dump of code"),
                        (Jitdump(version=2), "of another version"),
                        (Jitdump(flags=1), "times of a TSC")):
        wrong.load(20, BASE + 3, "first", code)
        wrong.write(path)
        expect_said("a wrong dump", rows([])[1], said)
    os.truncate(path, 1 << 40)
    expect_said("a dump of 1 TiB", rows([])[1], "above 1 GiB")
    hostile_dump = Jitdump()
    hostile_dump.load(20, BASE + 3, "reaches", code, size=1 << 20)
    hostile_dump.load(20, BASE + 3, "around", code, size=(1 << 64) - 8)
    hostile_dump.record(0, 20, b"")
    hostile_dump.record(1, 20, b"\0" * 8)
    hostile_dump.record(2, 20, struct.pack("<QQ", BASE + 3, 1 << 60) + b"\0" * 16 + b"endless")
    hostile_dump.load(20, BASE + 3, "whole", code)
    hostile_dump.move(21, 0, (1 << 64) - 4, len(code), 3)
    hostile_dump.record(7, 20, b"unknown")
    hostile_dump.record(0, 20, b"\0" * 64, size=3)
    hostile_dump.write(path)
    jit_data(path, [(25, BASE + 9)])
    expect("a hostile dump", rows(["-s", "sym"])[0], ["whole"])
    os.unlink(path)
    expect_said("no dump", rows([])[1], "it is not here, so that code which process")
    os.symlink("/etc/passwd", path)
    expect_said("a link", rows([])[1], "it is no regular file")
    os.unlink(path)


program = plain_program()
made_code()
made_by_the_living()
dumped_code()
end()
