# SPDX-License-Identifier: GPL-2.0-or-later
"""pmuctl diff of two builds, whose samples are made.

diff.py PMUCTL DIR: see programs.py
"""
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perfdata import Data   # noqa: E402

from programs import BASE, DIR, end, expect, expect_said, run, text_segment, view   # noqa: E402

# What B has besides: a line in walk(), in front of its loop, and a copy of part() that is inlined.
SOURCE = """\
int g;
__attribute__((noinline)) int walk(int n)
{
	int sum = 0;
%(line)s
	for (int i = 0; i < n; i++)
		sum += i * g;
	return sum;
}
static %(inline)s int part(int n)
{
	int t = n;

	for (int i = 0; i < n; i++)
		t ^= t << 3;
	return t;
}
__attribute__((noinline)) int %(name)s(int n) { return n * 7 + g; }
__attribute__((noinline)) int same(int n) { return n * 9 + g; }
int main(void)
{
	for (int i = 0; i < 100; i++)
		g += walk(i) + part(i) + %(name)s(i) + same(i);
	return 0;
}
"""
OLD = {"line": "", "inline": "__attribute__((noinline))", "name": "old_name"}


def diff(*words, code=0):
    got, out, err = view("diff", *words)
    expect("exit code of diff " + " ".join(words) + err, got, code)
    return out, err


class Build:
    """prog in a directory of its own, and what its functions are made of."""

    def __init__(self, where, source, other="", **how):
        self.path = f"{DIR}/{where}/prog"
        os.mkdir(DIR + "/" + where)
        with open(self.path + ".c", "w", encoding="utf-8") as file:
            file.write(source % how)
        with open(f"{DIR}/{where}/other.c", "w", encoding="utf-8") as file:
            file.write(other)
        subprocess.run(["gcc", "-O2", "-g", "-o", self.path, "prog.c", "other.c"], check=True,
                       cwd=DIR + "/" + where)
        out = subprocess.run(["objdump", "-dl", "--no-show-raw-insn", self.path],
                             capture_output=True, text=True, check=True).stdout
        self.lines = {}     # by address
        self.calls = {}     # mnemonics, by address
        self.functions = {}
        name, line = "", 0
        for text in out.splitlines():
            if match := re.match(r"^([0-9a-f]+) <(\w+)>:", text):
                name = match[2]
                self.functions.setdefault(name, [])
            elif match := re.match(r".*prog\.c:(\d+)", text):
                line = int(match[1])
            elif match := re.match(r" *([0-9a-f]+):\s+(\w+)", text):
                at = int(match[1], 16)
                self.functions[name].append(at)
                self.lines[at], self.calls[at] = line, match[2]
        self.segment = text_segment(self.path)

    def find(self, name, mnemonic):
        return next(at for at in self.functions[name] if self.calls[at] == mnemonic)

    def in_line(self, name, line):
        return next(at for at in self.functions[name] if self.lines[at] == line)

    def write(self, file, samples, name=None):
        data = Data()
        offset, address, size = self.segment
        data.map(BASE + address, size + 4095 & ~4095, offset, name or self.path)
        for at, count in samples:
            for _ in range(count):
                data.sample(BASE + at)
        data.write(DIR + "/" + file)


def by(rows, *keys):
    return {tuple(r[k] for k in keys) if len(keys) > 1 else r[keys[0]]: r for r in rows}


def rows_of(*words):
    lines = [json.loads(x) for x in diff("-j", *words)[0].splitlines()]
    return lines[0], lines[1:]


def by_symbol():
    head, rows = rows_of("a", "b")
    expect("head", [head[x] for x in ("event", "file_a", "total_samples_a", "total_events_b",
                                      "program_a")], ["cpu-clock", "a", 1000, 900000, None])
    rows = by(rows, "symbol")
    expect("symbols", {k: (r["samples_a"], r["samples_b"], r["verdict"], r["note"])
                       for k, r in rows.items()},
           {"walk": (500, 450, "unclear", ""),
            "part": (200, 0, "less", "inlined now: 22.22 % of B is in it"),
            "main": (0, 200, "more", ""), "old_name": (200, 0, "less", "gone"),
            "new_name": (0, 150, "more", "new"), "same": (100, 100, "unclear", "")})
    expect("inlined", [rows["part"][x] for x in ("inlined_a", "inlined_b")], [0, 22.2222222222222])
    expect("shares", [round(rows["walk"][x], 6) for x in ("share_a", "share_b", "change")],
           [50, 50, 0])
    order = [abs(r["change"]) for r in rows.values()]
    expect("largest first", order, sorted(order, reverse=True))
    rows = by(rows_of("-c", "events", "a", "b")[1], "symbol")
    expect("by events", round(sum(r["change"] for r in rows.values()), 6), -10)
    expect("by events", round(rows["walk"]["change"], 6), -5)
    expect("limit", sorted(by(rows_of("--percent-limit", "25", "a", "a")[1], "symbol")), ["walk"])


def by_line(a, b):
    loop_a, loop_b = a.in_line("walk", 7), b.in_line("walk", 7)
    added = b.in_line("walk", 5)
    a.write("la", [(loop_a, 300), (a.in_line("same", 19), 100)])
    b.write("lb", [(loop_b, 200), (added, 100), (b.in_line("same", 19), 100)])
    rows = by(rows_of("-s", "symbol,line", "la", "lb")[1], "symbol", "line")
    expect("lines", {k: (r["samples_a"], r["samples_b"], r["note"]) for k, r in rows.items()},
           {("walk", "prog.c:7"): (300, 200, ""), ("walk", "prog.c:5"): (0, 100, "new"),
            ("same", "prog.c:19"): (100, 100, "")})


def by_moved_line(a):
    """Two lines more at the top: what is the same has other numbers."""
    shifted = Build("m", "\n\n" + SOURCE, **dict(OLD, line="\tg++;"))
    a.write("la", [(a.in_line("walk", 7), 300)])
    shifted.write("lb", [(shifted.in_line("walk", 9), 300)])
    rows = rows_of("-s", "line", "la", "lb")[1]
    expect("moved", [(r["line"], r["samples_a"], r["samples_b"], r["note"]) for r in rows],
           [("prog.c:7", 300, 300, "line 9 in B")])
    # What is new there has the number of another line.
    shifted.write("lb", [(shifted.in_line("walk", 7), 300)])
    rows = rows_of("-s", "line", "la", "lb")[1]
    expect("other", sorted((r["line"], r["samples_a"], r["samples_b"], r["note"]) for r in rows),
           [("prog.c:7", 0, 300, "new"), ("prog.c:7", 300, 0, "")])


def namesakes():
    """A static function of another file has the name: it is no build of the first one."""
    other = ("int k;\nstatic __attribute__((noinline)) int walk(int n) { return k *= n; }\n"
             "int other(int n) { return walk(n) + 1; }\n")
    a = Build("n1", SOURCE, other, **OLD)
    b = Build("n2", SOURCE, other, **dict(OLD, line="\tg++;"))
    for file, build in (("la", a), ("lb", b)):
        second = max(at for at in build.functions["walk"] if build.calls[at] == "ret")
        build.write(file, [(build.in_line("walk", 7), 300), (second, 300)])
    rows = rows_of("-s", "symbol,line", "la", "lb")[1]
    expect("namesakes", sorted((r["line"], r["samples_a"], r["samples_b"], r["note"]) for r in rows),
           [("other.c:2", 300, 300, ""), ("prog.c:7", 300, 300, "")])


def by_instruction(a, b):
    """The first return is the same one, wherever it is and whatever is in front of it."""
    ret_a, ret_b = a.find("walk", "ret"), b.find("walk", "ret")
    start = [min(x.functions["walk"]) for x in (a, b)]
    added = b.in_line("walk", 5)
    a.write("ia", [(ret_a, 300)])
    b.write("ib", [(ret_b, 200), (added, 100)])
    rows = rows_of("-s", "symbol,address", "ia", "ib")[1]
    expect("instructions", sorted((r["address"], r["samples_a"], r["samples_b"], r["note"],
                                   r["instruction"].split()[0]) for r in rows),
           sorted([(f"+{ret_a - start[0]:#x}", 300, 200, "", "ret"),
                   (f"+{added - start[1]:#x}", 0, 100, "new", b.calls[added])]))


def missing_code(a, b):
    """Without code of both sides offsets are compared as they are, which is said."""
    a.write("ia", [(a.find("walk", "ret"), 300)])
    b.write("ib", [(b.find("walk", "ret"), 300)])
    os.rename(a.path, a.path + "-away")
    err = diff("-s", "symbol,line", "ia", "ib")[1]
    for words in ("300 of 300 samples have no function's name", "`pmuctl archive`"):
        expect_said("without A's code", err, words)
    os.rename(a.path + "-away", a.path)
    # The same from another root, of A alone.
    os.makedirs(DIR + "/root" + os.path.dirname(a.path))
    os.rename(a.path, DIR + "/root" + a.path)
    rows = rows_of("--symfs-a", DIR + "/root", "ia", "ib")[1]
    expect("--symfs-a", [(r["symbol"], r["samples_a"], r["samples_b"]) for r in rows],
           [("walk", 300, 300)])
    os.rename(DIR + "/root" + a.path, a.path)


def text_and_csv():
    out = diff("a", "b")[0]
    expect("text", [x for x in ("# B has -10.00 % events, 0.9000 times as many as A\n",
                                "\n   20.00%    0.00%   -20.00  [", "[.] part  (inlined now: 22.22 %",
                                "rows told apart") if x not in out], [])
    lines = diff("-x", ";", "-s", "symbol", "a", "b")[0].splitlines()
    names = lines[0][2:].split(";")
    expect("csv", [len(x.split(";")) for x in lines], [len(names)] * 7)
    walk = dict(zip(names, next(x for x in lines if ";walk;" in x).split(";")))
    expect("csv", (walk["samples_a"], walk["share_b"], walk["verdict"]), ("500", "50.000000",
                                                                         "unclear"))


def by_perf():
    """Where perf is right rows are the same: of one build, whose symbols it finds."""
    if not shutil.which("perf"):
        return
    code, out, err = run("perf", "diff", "-s", "symbol", "-c", "delta", "p", "q")
    if code:
        expect("perf diff " + err, code, 0)
    theirs = {}
    for match in re.finditer(r"^ +([\d.]+)% +([+-][\d.]+)% +\[\.\] (\w+)", out, re.M):
        theirs[match[3]] = (float(match[1]), float(match[2]))
    ours = {k: (round(r["share_a"], 2), round(r["change"], 2))
            for k, r in by(rows_of("-s", "symbol", "p", "q")[1], "symbol").items()}
    expect("perf diff", theirs, ours)


def pictures():
    diff("--svg", "x.svg", "a", "b")
    root = xml.etree.ElementTree.parse(DIR + "/x.svg").getroot()
    space = "{http://www.w3.org/2000/svg}"
    boxes = {}
    for group in root.iter(space + "g"):
        if group.get("data-w"):
            title = group.find(space + "title").text.split("\n")
            boxes[title[0]] = (round(float(group.get("data-w")), 4), title[1],
                               group.find(space + "rect").get("fill"))
    expect("boxes", sorted(boxes), ["all", "main", "new_name", "old_name", "part", "prog", "same",
                                    "walk"])
    expect("width", [boxes[x][0] for x in ("all", "part", "walk")], [1, 0.1, 0.5])
    expect("gone", boxes["part"][2], "hsl(212,70%,58%)")
    expect("new", boxes["new_name"][2], "hsl(4,75%,58%)")
    expect("unclear", boxes["walk"][2], "hsl(45,25%,92%)")
    expect("says", "A: 20.00%, 200 samples, B: 0.00%, 0 samples, change -20.00 [" in
           boxes["part"][1], True)


def refusals(a):
    for words, code, said in ((["a"], 129, "nothing to compare"), (["a", "b", "c"], 129, "two files"),
                              (["-", "-"], 129, "only one of the two"),
                              (["-s", "pid", "a", "b"], 129, "is none of task"),
                              (["-c", "ratio", "a", "b"], 129, "it is share"),
                              (["--percent-limit", "x", "a", "b"], 129, "not a number"),
                              (["-e", "nosuch", "a", "b"], 129, "no event 'nosuch'"),
                              (["--svg", "x", "-j", "a", "b"], 129, "whole output"),
                              (["--inline", "a", "b"], 129, "--inline is for --svg"),
                              (["a", "none"], 255, "none"), (["-o", "b", "a", "b"], 255, "b is what"),
                              (["-o", "a", "a", "b"], 255, "a is what"),
                              (["--svg", "b", "a", "b"], 255, "b is what"),
                              (["a", "nothing"], 1, "no event in common")):
        if words == ["a", "nothing"]:
            a.write("nothing", [])
        err = diff(*words, code=code)[1]
        expect_said(f"diff {words}", err, said)
    with open(DIR + "/junk", "wb") as file:
        file.write(b"PERFILE2" + bytes(40))
    diff("a", "junk", code=255)


def main():
    a = Build("v1", SOURCE, **OLD)
    b = Build("v2", SOURCE, line="\tg++;", inline="inline __attribute__((always_inline))", name="new_name")
    inlined = next(at for at in b.functions["main"] if b.lines[at] == 15)
    a.write("a", [(a.in_line("walk", 7), 500), (min(a.functions["part"]), 200),
                  (min(a.functions["old_name"]), 200), (min(a.functions["same"]), 100)])
    b.write("b", [(b.in_line("walk", 7), 450), (inlined, 200),
                  (min(b.functions["new_name"]), 150), (min(b.functions["same"]), 100)])
    a.write("p", [(a.in_line("walk", 7), 500), (min(a.functions["part"]), 300),
                  (min(a.functions["same"]), 200)])
    a.write("q", [(a.in_line("walk", 7), 400), (min(a.functions["part"]), 350),
                  (min(a.functions["same"]), 250)])
    by_symbol()
    by_line(a, b)
    by_moved_line(a)
    namesakes()
    by_instruction(a, b)
    missing_code(a, b)
    text_and_csv()
    by_perf()
    pictures()
    refusals(a)


main()
end()
