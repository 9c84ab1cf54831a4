#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether hotspot's parser found what pmuctl script has: hotspot.py PARSED SCRIPT

PARSED is a stream of messages, each a length and a type; SCRIPT has a line a sample, its
event and its symbol.
"""
import collections
import struct
import sys

HEAD = b"QPERFSTREAM\0"
STRING, LOST, SAMPLE = 5, 6, 13


def messages(stream):
    if not stream.startswith(HEAD):
        raise ValueError("no stream of hotspot's parser")
    at = len(HEAD) + 4
    while at < len(stream):
        size, kind = struct.unpack_from("<IB", stream, at)
        yield kind, stream[at + 5:at + 4 + size]
        at += 4 + size


def main():
    parsed, script = sys.argv[1:]
    counts, strings = collections.Counter(), set()
    with open(parsed, "rb") as file:
        for kind, body in messages(file.read()):
            counts[kind] += 1
            if kind == STRING:
                strings.add(body[8:].decode("utf-8", "replace"))
    with open(script, encoding="utf-8") as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    wanted = {row[0] for row in rows} | {"inner"}
    print(f"{counts[SAMPLE]} samples of {len(rows)}, {counts[LOST]} losses, {len(strings)} strings")
    for name in sorted(wanted - strings):
        print(f"hotspot has no '{name}'")
    return counts[SAMPLE] != len(rows) or len(rows) < 50 or bool(wanted - strings)


sys.exit(main())
