#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether hotspot's parser found what pmuctl script has: hotspot.py PARSED SCRIPT

PARSED is a stream of messages, each a length and a type, as perfparser's perfunwind.h has
them; SCRIPT has an object a sample: tid, time, event, period, ip, sym, callchain and
brstack.  Each sample has to be there with its task, time, event, period and address, and
with the chain of the program's own functions; others may have several names.  Where there
are branches hotspot takes those for the chain: where the latest led to, and where each
came from.
"""
import json
import struct
import sys

HEAD = b"QPERFSTREAM\0"
LOCATION, SYMBOL, STRING, LOST, ATTRIBUTES, SAMPLE = 3, 4, 5, 6, 11, 13
OWN = ("inner", "left", "right", "outer", "main")


def messages(stream):
    if not stream.startswith(HEAD):
        raise ValueError("no stream of hotspot's parser")
    at = len(HEAD) + 4
    while at < len(stream):
        size, kind = struct.unpack_from("<IB", stream, at)
        yield kind, stream[at + 5:at + 4 + size]
        at += 4 + size


class Parsed:
    """What the messages define, and the samples by that."""

    def __init__(self, stream):
        self.strings, self.locations, self.symbols, self.events = {}, {}, {}, {}
        self.samples, self.lost = [], 0
        for kind, body in messages(stream):
            if kind == STRING:
                number, size = struct.unpack_from(">iI", body)
                self.strings[number] = body[8:8 + size].decode("utf-8", "replace")
            elif kind == LOCATION:
                number, address, _, _, _, _, caller = struct.unpack(">iQiiiii", body)
                self.locations[number] = (address, caller)
            elif kind == SYMBOL:
                number, name, _, _, _ = struct.unpack(">iiiib", body)
                self.symbols[number] = name
            elif kind == ATTRIBUTES:
                number, _, _, name = struct.unpack_from(">iIQi", body)
                self.events[number] = name
            elif kind == LOST:
                self.lost += 1
            elif kind == SAMPLE:
                self.samples.append(body)

    def function(self, location):
        """A function is a location of its own, which those in it are told to be in."""
        number = location if location in self.symbols else self.locations[location][1]
        return self.strings.get(self.symbols.get(number))

    def rows(self, branches):
        for body in self.samples:
            _, tid, time, _, frames = struct.unpack_from(">iiQII", body)
            chain = struct.unpack_from(f">{frames}i", body, 24)
            number, period = struct.unpack_from(">iQ", body, 24 + 4 * frames + 5)
            addresses = [self.locations[call][0] for call in chain]
            yield (tid, time, self.strings[self.events[number]], period,
                   tuple(addresses if branches else addresses[:1]),
                   own(map(self.function, chain[:1] if branches else chain)))


def own(names):
    return tuple(name for name in names if name in OWN)


def nanoseconds(text):
    seconds, rest = text.split(".")
    return int(seconds) * 10 ** 9 + int(rest)


def addresses_of(sample):
    branches = [branch.split("/") for branch in (sample["brstack"] or "").split()]
    if not branches:
        return (int(sample["ip"], 16),)
    return (int(branches[0][1], 16), *(int(branch[0], 16) for branch in branches))


def script_row(sample):
    calls = sample["callchain"] or sample["sym"] or ""
    return (sample["tid"], nanoseconds(sample["time"]), sample["event"], sample["period"],
            addresses_of(sample), own(call.split("+")[0] for call in calls.split(" <- ")))


def main():
    with open(sys.argv[1], "rb") as file:
        parsed = Parsed(file.read())
    with open(sys.argv[2], encoding="utf-8") as file:
        samples = [json.loads(line) for line in file]
    wanted = sorted(map(script_row, samples))
    found = sorted(parsed.rows(any(sample["brstack"] for sample in samples)))
    inside = sum(row[5][:1] == ("inner",) for row in wanted)
    print(f"{len(found)} samples of {len(wanted)}, {parsed.lost} losses, {inside} in inner(), "
          f"{sum(len(row[5]) == 4 for row in found)} with all who called it")
    for row in sorted(set(wanted) ^ set(found))[:10]:
        print("hotspot has not" if row in wanted else "only hotspot has", row)
    return found != wanted or len(wanted) < 50 or inside < len(wanted) / 2


sys.exit(main())
