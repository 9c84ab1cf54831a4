#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""p4-demo.py TRUTH OUTPUT: whether what make demo said of l1_miss is where its samples were."""
import collections
import re
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth, rows_of  # noqa: E402

# The one load of the demonstration that misses, unless a handler evicts what others want.
LOAD = "mov (%rax), %rax"
KERNEL = 1 << 63
# Of the publication; what a handler evicts misses as well, up to a hundredth.
SAMPLES = range(800, 809)


def annotated(text, file):
    """Of annotate's table of that file the shares by address, and the load's address."""
    table = text.split(f"# pmuctl annotate -i {file} ")[1].split("\n# ")[0]
    rows = re.findall(r"^ +(\.|[\d.]+) +([0-9a-f]+)  (.*)$", table, re.M)
    shares = {int(at, 16): 0 if share == "." else float(share) for share, at, _ in rows}
    return shares, *(int(at, 16) for _, at, code in rows if code == LOAD)


def check_shares(shares, places):
    """Of samples that were noticed in the kernel nobody knows where the program was."""
    hidden = sum(n for at, n in places.items() if at >= KERNEL)
    total = sum(places[at] for at in shares)
    for at, share in shares.items():
        least = 100 * places[at] / (total + hidden)
        most = 100 * (places[at] + hidden) / total
        if not least - 0.006 < share < most + 0.006:
            yield f"{at:#x} has {share} %, truth {least:.2f} to {most:.2f}"


def check_demo(truth, text):
    runs = [space["id"] for space in truth["spaces"] if space["name"] == "./l1_miss"]
    said = re.findall(r"record: (\d+) samples, 0 lost, shortfall 0,", text)
    rows = rows_of(truth)
    if len(runs) != 3 or len(said) != 2 or truth["dropped_samples"]:
        yield f"{len(runs)} runs, {len(said)} recordings, {truth['dropped_samples']} dropped"
        return
    for kind, run, samples, file, where in (("pebs", runs[1], said[0], "/tmp/pebs", "ip"),
                                            ("pmi", runs[2], said[1], "/tmp/interrupt", "at")):
        places = collections.Counter(row[where] for row in rows
                                     if row["kind"] == kind and row["space"] == run)
        shares, load = annotated(text, file)
        if int(samples) != places.total() or int(samples) not in SAMPLES:
            yield f"{file}: {samples} samples, truth {places.total()}, not {SAMPLES}"
        yield from (f"{file}: {wrong}" for wrong in check_shares(shares, places))
        if places[load] < 0.99 * places.total() if kind == "pebs" else places[load]:
            yield f"{file}: {places[load]} of {samples} are the load's"
        yield from check_point(text, file, kind)
        if kind == "pebs":
            yield from check_set(text, places, load)


def check_point(text, file, kind):
    """The step ends with the rows that have samples: by PEBS with the load."""
    step = text.split(f"# pmuctl annotate -i {file} ")[1].split("\n# ")[0].rstrip()
    ends = [line for line in step.split("\n")[-5:] if line.startswith("=> ")]
    if not ends or (LOAD in ends[-1]) != (kind == "pebs"):
        yield f"the step of {file} ends with {step[-200:]}"


def check_set(text, places, load):
    """All of the load's samples are of the set, and some of others may be."""
    found = re.search(r"^ +8 lines compete for one set of 4 ways: ([\d.]+) % of the samples$",
                      text, re.M)
    least = 100 * places[load] / places.total()
    if not found or float(found.group(1)) < least - 0.006:
        yield f"{found and found.group()}, not 8 lines with {least:.2f} %"
    inside = [at for at in places if 0 <= at - load < 0x100]
    by = r", all by l1_miss\+0x" if inside == [load] else ""
    if not re.search(r" 8 lines, 8192 bytes apart .*, in memory" + by, text):
        yield "not 8 lines that are 8192 bytes apart"


def main():
    truth = read_truth(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    wrong = list(check_demo(truth, text))
    if wrong:
        print(text, *wrong, sep="\n")
    return bool(wrong)


sys.exit(main())
