#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""latency.py TRUTH ROWS CPU: load latencies that pmuctl sampled and counted, against the truth."""
import collections
import sys

sys.dont_write_bytecode = True

from boxtruth import read_truth  # noqa: E402

PERIOD = 101
# What the most frequent sample of each program's loop says, on Sapphire Rapids the cache's part,
# without the 31 cycles of a walk.
CYCLES = {
    "sandybridge": {"l1": 4, "l2": 12, "memory": 184, "walk": 184 + 31},
    "skylake": {"l1": 4, "l2": 12, "memory": 184, "walk": 184 + 33},
    "icelake": {"l1": 5, "l2": 14, "memory": 205, "walk": 205 + 31},
    "sapphirerapids": {"l1": 5, "l2": 16, "memory": 265, "walk": 265},
}
SOURCES = {"L1": ("l1", "store"), "L2": ("l2",), "L3": ("l3",), "memory": ("memory",),
           "fill buffer": ("under_way",)}

bad = []


def check(right, text):
    if not right:
        bad.append(text)


def read_rows(path):
    """Of each program (address, latency, source) of its samples; and counts by threshold."""
    samples, counted = collections.defaultdict(list), {}
    with open(path, encoding="utf-8") as file:
        for row in file:
            if row.startswith("thresholds;"):
                words = row.split(";")
                counted[int(words[2])] = int(words[4])
                continue
            name, weight, text = row.split(maxsplit=2)
            source = [s for s in SOURCES if s in text.split("|")[1]]
            samples[name].append((text.split()[-1], int(weight), source[0] if source else text))
    return samples, counted


def runs_of(truth, name):
    """Latencies, as the truth has them, of each run of a program."""
    spaces = [space["user"] for space in truth["spaces"]
              if space["name"] == "./" + name and space["origin"] == "exec"]
    check(spaces, f"no {name} in the truth")
    for counts in spaces:
        latencies = counts["load_latency"]
        loads = sum(sum(bins[1:]) for bins in latencies.values())
        check(loads == counts["loads"], f"{name}: {loads} latencies of {counts['loads']} loads")
        waited = sum(latencies["under_way"][1:])
        check(waited == counts["signals"]["fb_hits"], f"{name}: {waited} found a line under way")
    return [counts["load_latency"] for counts in spaces]


def mean(*rows):
    loads = sum(sum(row[1:]) for row in rows)
    return sum(row[0] for row in rows) / loads if loads else 0


def check_sampled(name, samples, run, whole):
    """
    Numbers and sources; whole: the mean as well.  What a sample's own interrupt has thrown out of
    caches and TLBs the next sample is too far behind to see, so that not all means are alike.
    """
    loads = sum(sum(row[1:]) for row in run.values())
    check(len(samples) == loads // PERIOD, f"{name}: {len(samples)} samples of {loads} loads")
    said, true = sum(weight for _, weight, _ in samples) / len(samples), mean(*run.values())
    if whole:
        print(f"note: {name}: {said:.2f} cycles sampled, {true:.2f} in the truth")
        check(0.93 * true < said < 1.07 * true, f"{name}: {said}, not {true}")
    for source, origins in SOURCES.items():
        many = sum(sum(run[origin][1:]) for origin in origins) / PERIOD
        few = sum(source == at for _, _, at in samples)
        check(abs(few - many) < 6 + many / 10, f"{name}: {few} of {source}, not {many:.1f}")


def check_means(truth):
    """Less for a line that is under way than for one of memory, more where loads queue."""
    one, = runs_of(truth, "memory")
    check(mean(one["l1"]) < mean(one["under_way"]) < mean(one["memory"]), "lines under way")
    queue, = runs_of(truth, "queue")
    check(mean(queue["memory"]) > 1.5 * mean(one["memory"]), "loads that queue take no longer")


def check_counted(runs, counted, bins):
    """Two runs warm up; then each threshold has two, and a count that is their mean."""
    check(len(runs) == 12 and len(counted) == 5, f"{len(runs)} runs, counts: {counted}")
    for first, (threshold, count) in zip(range(2, 12, 2), counted.items()):
        slower = [sum(n for row in run.values() for n, low in zip(row[1:], bins)
                      if low > threshold) for run in runs[first:first + 2]]
        check(abs(2 * count - sum(slower)) < 2,
              f"{count} loads above {threshold}, in the truth {slower}")


def main():
    truth, (samples, counted), cpu = read_truth(sys.argv[1]), read_rows(sys.argv[2]), sys.argv[3]
    for name in ("l1", "l2", "memory", "queue", "walk"):
        run, = runs_of(truth, name)
        # Sapphire Rapids' samples have the cache's part, the truth the instruction's.
        check_sampled(name, samples[name], run,
                      name in ("queue", "walk") and cpu != "sapphirerapids")
    for name, cycles in CYCLES[cpu].items():
        loop = collections.Counter(ip for ip, _, source in samples[name]
                                   if name != "memory" or source == "memory").most_common(1)[0][0]
        seen = collections.Counter(weight for ip, weight, source in samples[name]
                                   if ip == loop and (name != "memory" or source == "memory"))
        check(seen.most_common(1)[0][0] == cycles, f"{name}: {seen}, not {cycles}")
    check_means(truth)
    check_counted(runs_of(truth, "counted"), counted, truth["gap_bins"])
    print("\n".join(bad))
    sys.exit(bool(bad))


main()
