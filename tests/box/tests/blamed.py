#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""blamed.py TRUTH BLAMED PROGRAM: whether samples are where the truth has them.

PROGRAM is missload as it was built; lines of BLAMED are one of
  annotate KIND NAME FUNCTION LOAD ADDRESS:SAMPLES...
        what annotate has of FUNCTION, of missload that was sampled by KIND (pebs, pmi) under
        that NAME; LOAD is the one that misses
  lost NAME LOAD SAMPLES
        samples whose instructions destroyed their addresses, as LOAD does
  skid NAME DISTANCE:SAMPLES,...by interrupt DISTANCE:SAMPLES,...by PEBS
        what pmuctl skid has, run under that NAME
Now and then an interrupt's handler evicts what other loads want, so that they miss truly.
"""
import collections
import subprocess
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of, program_of  # noqa: E402

MOV = 5                 # bytes of each load in front of skid's
BEFORE = 16             # distances of skid that are negative


def places_of(truth, kind, name):
    """Samples by where they are: PEBS at its instruction, an interrupt where it came."""
    space = program_of(truth, "./" + name)["id"]
    return collections.Counter(row["ip" if kind == "pebs" else "at"] for row in rows_of(truth)
                               if row["space"] == space and row["kind"] == kind and
                               row["ring"] == "user")


def symbols(program):
    """{name: (address, size)}"""
    lines = subprocess.run(["nm", "-S", program], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()
    words = [line.split() for line in lines]
    return {w[-1]: (int(w[0], 16), int(w[1], 16) if len(w) == 4 else 0)
            for w in words if len(w) > 2}


def annotate(truth, known, kind, name, function, load, *said):
    begin, size = known[function]
    load = known[load][0]
    places = places_of(truth, kind, name)
    places = {at: n for at, n in places.items() if begin <= at < begin + size}
    said = {int(at, 0): int(n) for at, n in (word.split(":") for word in said)}
    if said != places:
        yield f"annotate has {said}, truth {places}"
    whole, here = sum(places.values()), places.get(load, 0)
    print(f"note: {kind} {name}: {here} of {whole} samples are the load's")
    if whole < 100 or (here < whole * 0.99 if kind == "pebs" else here):
        yield f"{here} of {whole} samples are the load's"


def lost(truth, known, name, load, samples):
    places = places_of(truth, "pebs", name)
    here = places[known[load][0]]
    if not here <= int(samples) <= places.total():
        yield f"{samples} addresses are lost, truth {here} of {places.total()}"


def skid(truth, _, name, *said):
    ways = [{at: int(n) for at, n in (pair.split(":") for pair in words.split(","))}
            for words in said]
    pebs, pmi = places_of(truth, "pebs", name), places_of(truth, "pmi", name)
    load, here = pebs.most_common(1)[0]
    for way, places in zip(ways, (pmi, pebs)):
        if sum(way.values()) != places.total():
            yield f"{way} are not {places.total()} samples"
    if ways[1].get("0") != here or here < pebs.total() * 0.99:
        yield f"{ways[1]} by PEBS, truth {here} at the load"
    for d in range(-BEFORE, 1):
        if ways[0].get(str(d), 0) != pmi[load + d * MOV]:
            yield f"{ways[0]} by interrupt, truth {pmi[load + d * MOV]} at {d}"
    if pmi[load]:
        yield f"{pmi[load]} of {pmi.total()} by interrupt are at the load"


def main():
    truth, known = read_truth(sys.argv[1]), symbols(sys.argv[3])
    if truth["dropped_samples"]:
        sys.exit("the truth is not complete")
    checks = {"annotate": annotate, "lost": lost, "skid": skid}
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = [line.split() for line in file]
    wrong = 0
    for line in lines:
        for text in checks[line[0]](truth, known, *line[1:]):
            print(" ".join(line[:4]) + ":", text)
            wrong += 1
    print(f"{len(lines)} kinds of samples, {wrong} wrong")
    return 1 if wrong or len(lines) < 3 else 0


sys.exit(main())
