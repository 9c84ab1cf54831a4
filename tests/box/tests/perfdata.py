# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the samples of a perf.data file, and shares no code with what is tested."""
import functools
import struct

EXACT_IP = 1 << 14
MMAP, LOST, COMM, EXIT, THROTTLE, UNTHROTTLE, FORK, READ, SAMPLE = range(1, 10)
LOST_SAMPLES = 13
HEADER = struct.Struct("<IHH")
ID_LAST = 1 << 16
# What stands before the fields that nobody here reads, in the order of the record.
FIELDS = ((1 << 16, "id", "Q"), (1 << 0, "ip", "Q"), (1 << 1, "pid tid", "II"),
          (1 << 2, "time", "Q"), (1 << 3, "addr", "Q"), (1 << 6, "event", "Q"),
          (1 << 9, "stream", "Q"), (1 << 7, "cpu reserved", "II"), (1 << 8, "period", "Q"))


class PerfData:
    """samples: a dict each, in the order of the file; records: (type, misc, body)

    Both are made when they are asked for: walk() does for a file with millions.
    """

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        magic, _, attr_size, attrs, attrs_size, data, data_size = \
            struct.unpack_from("<8s6Q", self.bytes)
        if magic != b"PERFILE2":
            raise ValueError(f"{path}: not a perf.data file")
        types = {struct.unpack_from("<Q", self.bytes, at + 24)[0]
                 for at in range(attrs, attrs + attrs_size, attr_size)}
        if len({kind & 0x103cf for kind in types}) != 1:
            raise ValueError(f"{path}: events with different fields")
        kind = types.pop()
        self.span = data, data + data_size
        # Behind any other record: where the CPU stands, from its end.
        self.cpu_at = -16 if kind & ID_LAST else -8
        fields = [(names, text) for bit, names, text in FIELDS if kind & bit]
        self.names = " ".join(names for names, _ in fields).split()
        self.layout = struct.Struct("<" + "".join(text for _, text in fields))

    @functools.cached_property
    def records(self):
        return list(self.walk())

    @functools.cached_property
    def samples(self):
        return [self.sample(misc, body) for what, misc, body in self.records if what == SAMPLE]

    def walk(self):
        at, end = self.span
        while at < end:
            what, misc, size = HEADER.unpack_from(self.bytes, at)
            yield what, misc, self.bytes[at + HEADER.size:at + size]
            at += size

    def sample(self, misc, body):
        sample = dict(zip(self.names, self.layout.unpack_from(body)))
        sample["exact"] = bool(misc & EXACT_IP)
        return sample

    def cpu_of(self, what, misc, body):
        """The CPU of a record, in a file that says it of each."""
        if what == SAMPLE:
            return self.sample(misc, body)["cpu"]
        return struct.unpack_from("<I", body, len(body) + self.cpu_at)[0]

    def count(self, *types):
        return sum(what in types for what, _, _ in self.records)
