# SPDX-License-Identifier: GPL-2.0-only
"""Where the CPUs of a guest that went wrong stand: QEMU's report, with symbols."""
import bisect
import re

REPORT = re.compile(r"^pmubox: CPU (\d+) at 0x([0-9a-f]+) ring (\d)( halted)?$", re.M)

# Behind the last symbol of a module stands another, or nothing.
FARTHEST = 1 << 20

# A command for a guest that prints what Symbols reads.
COMMAND = ["grep", " [tTwW] ", "/proc/kallsyms"]


class Symbols:
    def __init__(self, text):
        rows = sorted((int(line.split()[0], 16), line.split()[2:])
                      for line in text.splitlines() if len(line.split()) >= 3)
        self.addresses = [address for address, _ in rows]
        self.names = [" ".join(name) for _, name in rows]

    def name(self, address):
        """SYMBOL+0xOFFSET of an address, or nothing where none is known."""
        at = bisect.bisect_right(self.addresses, address) - 1
        if at < 0 or address - self.addresses[at] > FARTHEST:
            return ""
        return f"{self.names[at]}+{address - self.addresses[at]:#x}"


def in_kernel(report):
    return any(place[3] == "0" for place in REPORT.finditer(report))


def lines(report, symbols):
    """One line a CPU."""
    for cpu, address, ring, halted in REPORT.findall(report):
        name = symbols.name(int(address, 16)) if ring == "0" and symbols else ""
        where = "in the kernel" if ring == "0" else "in a program"
        yield f"CPU {cpu}: 0x{address} {name or where}{', halted' if halted else ''}"
