#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds pmuctl's callers to those of progs/stacks.c, and to perf's: unwind.py PMUCTL LONG SHORT PROGRAM"""
import os
import random
import re
import subprocess
import sys
import tempfile

# What each way to spend() is called by, from there outwards; --inline has those in brackets, too.
PATHS = {
    "plain": "plain_leaf (inlined_inner) (inlined_outer) plain_middle plain_outer main",
    "sorted": "sorted_leaf",
    "deep": "deep_leaf",
    "signal": "signal_leaf __restore_rt __pthread_kill_implementation raise signal_outer main",
    "thread": "thread_leaf start_thread",
}
# Of functions of libc perf says which one it is, and pmuctl what its symbol is called.
OWN = re.compile(r"(plain|sorted|signal|deep|thread|inlined)_\w+|spend|main")
# Copies of the program with some bytes of its rules changed.
DAMAGED = 40
problems = []


def problem(text):
    if len(problems) < 20:
        print(text)
    problems.append(text)


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)


def plain(name):
    """As it is in the source, whatever the compiler made of it."""
    name = re.sub(r" \(inlined\)$", "", name.strip())
    return re.sub(r"(\.(constprop|part|isra|cold)(\.\d+)?)+$|@.*", "", name)


def ours(pmuctl, path, *options):
    """([name], why it was cut or None) of each sample, and what was said."""
    said = run(pmuctl, "script", "-i", path, "-F", "ip,callchain", *options)
    chains = []
    for line in said.stdout.splitlines():
        names = line.split(maxsplit=1)[1].split(" <- ")
        cut = names.pop() if names[-1].startswith("...") else None
        chains.append(([plain(re.sub(r"\+0x[0-9a-f]+$", "", n)) for n in names], cut))
    return chains, said.stderr


def perfs(path, *options):
    chains = []
    for block in run("perf", "script", "-i", path, "-F", "comm,ip,sym", *options).stdout.split("\n\n"):
        lines = block.strip("\n").split("\n")[1:]
        if lines:
            chains.append([plain(line.split(None, 1)[1]) for line in lines])
    return chains


def is_explained(chain, cut, perf):
    """perf has no name for what a signal's handler returns to, and shows something more behind
    the end of a copy."""
    if any(p not in (c, "[unknown]") for c, p in zip(chain, perf)):
        return False
    rest = perf[len(chain):]
    return set(rest) <= {"[unknown]"} and (not rest or cut)


def compare(chains, perf):
    if len(chains) != len(perf):
        problem(f"{len(chains)} samples, of which perf has {len(perf)}")
    same = lost = 0
    for number, ((chain, cut), theirs) in enumerate(zip(chains, perf)):
        same += chain == theirs
        lost += len(theirs) < len(chain)
        if not is_explained(chain, cut, theirs):
            problem(f"sample {number}: {' '.join(chain)} {cut}\n     of perf: {' '.join(theirs)}")
    print(f"{len(chains)} chains, {same} as perf has them to the last frame, "
          f"{lost} in which perf lost its way")
    # In a function's last instructions: what it has popped perf looks for in the copy.
    if lost > len(chains) / 50:
        problem("perf cannot have lost its way so often")
    if same < len(chains) / 2:
        problem("that is less than half")


def compare_inlined(chains, perf):
    for number, ((chain, _), theirs) in enumerate(zip(chains, perf)):
        for name, other in zip(chain, theirs):
            if name != other and (OWN.fullmatch(name) or OWN.fullmatch(other)):
                problem(f"sample {number}, --inline: {' '.join(chain)}\n"
                        f"               of perf: {' '.join(theirs)}")
                break


def check_paths(chains, inlined):
    seen = set()
    for chain, cut in chains:
        way = re.match(r"(\w+)_leaf", chain[1]) if len(chain) > 1 and chain[0] == "spend" else None
        if not way:
            continue
        want = PATHS[way[1]]
        want = (re.sub(r"[()]", "", want) if inlined else re.sub(r"\(\w+\) ", "", want)).split()
        seen.add(way[1])
        if chain[1:1 + len(want)] != want:
            problem(f"the way to spend() is {' '.join(want)}, not {' '.join(chain[1:])}")
        if not cut and chain[-1] not in ("_start", "__clone3", "clone3"):
            problem(f"this chain ends as if nobody called {chain[-1]}: {' '.join(chain)}")
        if way[1] == "deep" and not (cut and "copy of the stack" in cut):
            problem(f"more than the copy has is said to be whole: {' '.join(chain)}")
    if seen != set(PATHS):
        problem(f"no sample came by {' '.join(set(PATHS) - seen)}")


def check_short(pmuctl, path):
    chains, said = ours(pmuctl, path)
    cut = sum(1 for _, why in chains if why)
    if not re.search(rf"{cut} of {len(chains)} stacks of .* are unwound in part.*copy of the stack", said):
        problem(f"of {cut} short chains is said: {said}")
    if not cut:
        problem("copies of 512 bytes are long enough?")


def sections(program):
    """{name: (offset, size)} of a file of code."""
    lines = run("readelf", "-SW", program).stdout.splitlines()
    found = (re.match(r"\s*\[\s*\d+\]\s+(\.\S+)\s+\S+\s+\S+\s+(\S+)\s+(\S+)", line) for line in lines)
    return {m[1]: (int(m[2], 16), int(m[3], 16)) for m in found if m}


def check_damaged(pmuctl, path, program):
    """Whatever its rules and its debugging information say, each sample is printed."""
    rng = random.Random(1)
    with open(program, "rb") as file:
        whole = file.read()
    where = [place for name, place in sections(program).items()
             if name.startswith((".eh_frame", ".debug_"))]
    for number in range(DAMAGED):
        bytes_of = bytearray(whole)
        for _ in range(rng.choice((1, 3, 30, 300))):
            # Half of it in the rules.
            offset, size = rng.choice(where[:2] if rng.random() < 0.5 else where)
            bytes_of[offset + rng.randrange(size)] = rng.choice((0, 0xff, 0x80, rng.randrange(256)))
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(root + os.path.dirname(program))
            with open(root + program, "wb") as file:
                file.write(bytes_of)
            end = subprocess.run([pmuctl, "script", "-i", path, "--symfs", root, "--inline", "-F",
                                  "callchain"], capture_output=True, text=True, check=False,
                                 timeout=60)
        lines = end.stdout.splitlines()
        if end.returncode or not lines or any(line.count(" <- ") > 1000 for line in lines):
            problem(f"damaged file {number} of seed 1: exit code {end.returncode}, {end.stderr}")


def main():
    pmuctl, long, short, program = sys.argv[1:]
    for inlined in (False, True):
        chains, _ = ours(pmuctl, long, *(["--inline"] if inlined else []))
        check_paths(chains, inlined)
        if inlined:
            compare_inlined(chains, perfs(long))
        else:
            compare(chains, perfs(long, "--no-inline"))
    check_short(pmuctl, short)
    check_damaged(pmuctl, long, program)
    sys.exit(1 if problems else 0)


main()
