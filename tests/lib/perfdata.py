# SPDX-License-Identifier: GPL-2.0-or-later
"""perf.data files made record by record, for tests of what reads them."""
import struct

EXEC = 5
KERNEL, USER = 1, 2
HAS_ID = 1 << 14        # PERF_RECORD_MISC_MMAP_BUILD_ID
BRANCHES = 1 << 11
TYPE = 0x1 | 0x2 | 0x4 | 0x100     # IP, TID, TIME, PERIOD


def padded(text):
    data = text if isinstance(text, bytes) else text.encode()
    return data + b"\0" * (8 - len(data) % 8)


class Data:
    """One event, cpu-clock; the time goes on by one with each record."""

    def __init__(self, extra=0):
        self.type = TYPE | extra
        self.records = b""
        self.time = 0
        self.build_ids = b""
        self.owners = {}
        self.features = {}      # bit -> section, of those that nothing here makes
        self.clock = None       # of clock_gettime(); None: perf's own
        self.comm(100, "prog")

    def record(self, kind, misc, body):
        body += b"\0" * (-len(body) % 8)
        self.records += struct.pack("<IHH", kind, misc, 8 + len(body)) + body

    def trailer(self, pid):
        self.time += 1
        return struct.pack("<IIQ", pid, pid, self.time)

    def comm(self, pid, name):
        self.record(3, 0, struct.pack("<II", pid, pid) + padded(name) + self.trailer(pid))

    def map(self, start, size, offset, name, pid=100, prot=EXEC, file=(0, 0, 0), build_id=None):
        if build_id is None:
            what = struct.pack("<IIQQ", *file, 0)
        else:
            what = struct.pack("<B3x20s", len(build_id), build_id)
        self.record(10, USER | (0 if build_id is None else HAS_ID),
                    struct.pack("<IIQQQ", pid, pid, start, size, offset) + what +
                    struct.pack("<II", prot, 2) + padded(name) + self.trailer(pid))

    def kernel(self, start, size, name="[kernel.kallsyms]_text", offset=None):
        self.record(1, KERNEL, struct.pack("<IIQQQ", 0xffffffff, 0, start, size,
                                           start if offset is None else offset) +
                    padded(name) + self.trailer(0))

    def sample(self, ip, pid=100, misc=USER, branches=None):
        self.time += 1
        body = struct.pack("<QIIQQ", ip, pid, pid, self.time, 1000)
        if branches is not None:
            body += struct.pack("<Q", len(branches))
            for origin, target, flags in branches:
                body += struct.pack("<QQQ", origin, target, flags)
        self.record(9, misc, body)

    def samples(self, ips, pid=100):
        """Many of them: a text that grows with each would be copied with each."""
        made = []
        for ip in ips:
            self.time += 1
            made.append(struct.pack("<IHHQIIQQ", 9, USER, 40, ip, pid, pid, self.time, 1000))
        self.records += b"".join(made)

    def build_id(self, name, build_id, size=None):
        """In the list behind the records; size None: as perf before 5.10, without a length."""
        misc = USER | (0 if size is None else 1 << 15)
        body = struct.pack("<i20sB3x", -1, build_id, size or 0) + padded(name)
        self.build_ids += struct.pack("<IHH", 67, misc, 8 + len(body)) + body

    def attr(self):
        flags = 1 << 8 | 1 << 9 | 1 << 13 | 1 << 18 | 1 << 23
        flags |= (self.clock is not None) << 25
        attr = struct.pack("<IIQQQQQ", 1, 128, 0, 1000, self.type, 0, flags)
        if self.type & BRANCHES:
            attr = attr.ljust(72, b"\0") + struct.pack("<Q", 1 << 3 | 1)
        return attr.ljust(92, b"\0") + struct.pack("<I", self.clock or 0) + bytes(32)

    def bytes(self):
        at, attr = 104, self.attr() + struct.pack("<QQ", 0, 0)
        records = at + len(attr)
        sections = dict(self.features)
        if self.build_ids:
            sections[2] = self.build_ids
        if self.owners:
            # Behind the text of the version.
            sections[5] = struct.pack("<I64sI", 64, b"pmuctl 0", len(self.owners)) + \
                b"".join(struct.pack("<II", *x) for x in self.owners.items())
        features = sum(1 << bit for bit in sections)
        head = b"PERFILE2" + struct.pack("<8Q", 104, len(attr), at, len(attr), records,
                                         len(self.records), 0, 0) + struct.pack("<4Q", features,
                                                                                0, 0, 0)
        end = records + len(self.records)
        sections = [sections[bit] for bit in sorted(sections)]
        index, at = b"", end + 16 * len(sections)
        for section in sections:
            index += struct.pack("<QQ", at, len(section))
            at += len(section)
        return head + attr + self.records + index + b"".join(sections)

    def piped(self):
        attr = self.attr()
        return (b"PERFILE2" + struct.pack("<Q", 16) +
                struct.pack("<IHH", 64, 0, 8 + len(attr) + 8) + attr + struct.pack("<Q", 7) +
                self.records)

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.bytes())
