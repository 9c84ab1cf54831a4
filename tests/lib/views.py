# SPDX-License-Identifier: GPL-2.0-or-later
"""What of a perf.data file is shown: filters, times, branches, listings of instructions.

views.py PMUCTL DIR: see programs.py
"""
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perfdata import BRANCHES, Data   # noqa: E402
from programs import (DIR, Program, build, end, expect, expect_said, one_sample, plain_program,
                       rows, run, view)   # noqa: E402


def filters():
    """Names with commas, as C++ templates have them, alone and beside others."""
    template = "A<unsigned int, 7>::f"
    with open(DIR + "/t.c", "w", encoding="utf-8") as file:
        file.write('volatile int g;\nint work(int) __asm__("_ZN1AIjLi7EE1fEj");\n'
                   "int __attribute__((noinline)) work(int n) { return g += n; }\n"
                   "int main(void) { return work(3); }\n")
    program = Program(build("pro,g", source="t.c"))
    data = Data()
    data.comm(100, "a,b")
    program.map_into(data)
    data.sample(program.ip("_ZN1AIjLi7EE1fEj"))
    data.sample(program.ip("main"))
    data.write(DIR + "/d")
    for words, wanted in ((["-S", template], [template]), (["-S", "main," + template],
                          ["main", template]), (["-S", template + ",main"], ["main", template]),
                          (["-d", "pro,g"], ["main", template]), (["-c", "a,b"], ["main", template]),
                          (["-c", "x,a,b", "-S", "main"], ["main"])):
        expect(" ".join(words), sorted(rows(words)[0], reverse=True), sorted(wanted, reverse=True))
    others = {"_ZlsiPKc": "operator<<(int, char const*)", "_ZN1AclEii": "A::operator()(int, int)",
              "_ZltRK1BIiLi3EES2_": "operator<(B<int, 3> const&, B<int, 3> const&)",
              "_ZNK1AptEv": "A::operator->() const"}
    code = "".join('int __attribute__((noinline)) o%d(int) __asm__("%s"); int o%d(int n) { return g += n; }\n' %
                   (i, name, i) for i, name in enumerate(others))
    with open(DIR + "/o.c", "w", encoding="utf-8") as file:
        file.write("volatile int g;\n" + code + "int main(void) { return 0; }\n")
    operators = Program(build("ops", source="o.c"))
    ops = Data()
    operators.map_into(ops)
    for name in others:
        ops.sample(operators.ip(name))
    ops.write(DIR + "/d")
    shown = sorted(rows([])[0])
    for i, one in enumerate(shown):
        expect("-S " + one, rows(["-S", one]), ([one], ""))
        two = sorted([one, shown[i - 1]])
        got, err = rows(["-S", ",".join(two)])
        expect("-S " + ",".join(two), (sorted(got), err), (two, ""))
    data.write(DIR + "/d")
    got, err = rows(["-S", "nosuch,main"])
    expect("-S nosuch,main", got, ["main"])
    expect_said("-S nosuch,main", err, "-S: no sample is in a symbol named 'nosuch'")
    for words in (["-S", "7>::f"], ["-S", "A<unsigned int"], ["-d", "g"], ["-c", "b"]):
        expect(" ".join(words), rows(words, code=1)[0], [])


def branches(program):
    """Rows of what record -b keeps."""
    data = Data(BRANCHES)
    program.map_into(data)
    work, main = program.ip("work"), program.ip("main")
    for i in range(4):
        data.sample(work, branches=[(main + 1, work, 2), (work + 4, work + 1, 1 if i else 2),
                                    (work + 4, main + 9, 0)])
    data.write(DIR + "/d")
    out = view("report", "-i", "d", "-x", ";", "-s", "symbol_from,symbol_to,mispredict")[1]
    expect("branches", sorted(x.split(";", 1)[1] for x in out.splitlines() if x[0] != "#"),
           ["25.00;3;3;work;work;Y", "33.33;4;4;main;work;N", "33.33;4;4;work;main;N/A",
            "8.33;1;1;work;work;N"])
    expect("branches and places", view("report", "-i", "d", "-s", "symbol_from,sym")[0], 129)
    one_sample(program)
    expect("no branches", view("report", "-i", "d", "-s", "symbol_to")[0], 255)


# ---- many, and hostile -------------------------------------------------------------------------

def spans(program):
    """Eleven samples, a tenth of a second apart, of two tasks; by whatever shows some of them."""
    data = Data()
    program.map_into(data, pid=100)
    program.map_into(data, pid=200)
    for i in range(11):
        data.time = 5000000000 + 100000000 * i - 1
        data.sample(program.ip("main" if i % 2 else "work"), pid=200 if i > 7 else 100)
    data.write(DIR + "/d")

    def counts(*words):
        """By report, script, export, annotate and the picture."""
        shown = view("report", "-i", "d", "-x", ";", "-s", "dso,sym", *words)[1]
        lines = [x.split(";") for x in shown.splitlines() if x[0] != "#"]
        folded = view("export", "-i", "d", "--folded", "--samples", *words)[1]
        script = view("script", "-i", "d", "-F", "time", *words)[1].splitlines()
        code, _, err = view("report", "-i", "d", "--svg", "g.svg", *words)
        expect("svg of %s: %s" % (words, err), code, 0)
        with open(DIR + "/g.svg", encoding="utf-8") as file:
            title = int(re.search(r"cpu-clock, (\d+) samples of d", file.read())[1])
        of_all = [sum(int(x[2]) for x in lines),
                  sum(int(x.split()[-1]) for x in folded.splitlines()), len(script), title]
        if "-S" not in words and "-d" not in words:
            out = view("annotate", "-i", "d", "-x", ";", *words)[1]
            of_all.append(sum(int(x.split(";")[4]) for x in out.splitlines() if x[0] != "#"))
        expect("%s by all" % (words,), of_all, of_all[:1] * len(of_all))
        return of_all[0]

    for span, wanted in (("5.2,5.4", 3), ("+0.2,+0.4", 3), ("20%,40%", 3), ("20%-40%", 3),
                         (",5.1", 2), ("5.9,", 2), ("5.200000001,5.4", 2), ("+.2,+.399999999", 2),
                         ("90%,", 2), ("0%-100%", 11), ("5,6", 11), ("4.5,+0.1", 2)):
        expect("--time " + span, counts("--time", span), wanted)
    expect("tasks and time", counts("--time", "5.7,5.9", "--pid", "200"), 2)
    expect("a symbol", counts("-S", "main"), 5)
    expect("a DSO", counts("-d", "w", "--tid", "100"), 8)
    expect("parts", rows(["--time", "5.2,5.4"])[0], ["work", "main"])
    for span in ("5.4", "", ",", "x,1", "1e3,2", "5.4,x", "-1,2", "120%,130%", "1,2,3", "10%-x",
                 "99999999999999999999,"):
        code, _, err = view("report", "-i", "d", "--time", span)
        expect("--time " + span, (code, "it is FROM,TO" in err), (129, True))
    code, _, err = view("report", "-i", "d", "--time", "5.4,5.2")
    expect("backwards", (code, "ends before it begins" in err), (129, True))
    for command in (["report"], ["report", "--svg", "h.svg"], ["export", "--folded"]):
        code, _, err = view(*command, "-i", "d", "--time", "7,8")
        expect("%s of no time" % command, (code, "no sample is of that time" in err), (1, True))
    expect("no picture of it", os.path.exists(DIR + "/h.svg"), False)
    if shutil.which("perf"):
        out = run("perf", "script", "-i", "d", "-F", "time", "--time", "5.2,5.4")[1]
        expect("perf script --time", len(out.splitlines()), 3)


def listings(program):
    """annotate: syntax, arrows, what is hot, and sources that are elsewhere."""
    debug = Program(build("wg", "-g", "-fdebug-prefix-map=%s=/build/one/src" % DIR))
    data = Data()
    debug.map_into(data)
    for i in range(40):
        data.sample(debug.ip() + (0 if i else 1))
    data.write(DIR + "/d")
    plain = view("annotate", "-i", "d", "work")[1]
    expect("AT&T", ("%eax" in plain, "+->" in plain, "for (int" in plain), (True, False, False))
    out = view("annotate", "-i", "d", "-M", "intel", "work")[1]
    expect("Intel", ("%" in out.split("instruction\n")[1], "eax" in out), (False, True))
    expect("as many lines", len(out.splitlines()), len(plain.splitlines()))
    out = view("annotate", "-i", "d", "--arrows", "work")[1]
    jumps = len(re.findall(r"\bj\w+ 0x\w+ <work", out))
    expect("arrows", (jumps > 0, len(re.findall(r"[+]-+ j", out))), (True, jumps))
    expect("arrows' ends", bool(re.search(r"[+]-*> ", out)), True)
    out = view("annotate", "-i", "d", "--percent-limit", "5", "work")[1]
    rest = int(re.search(r"[.]{3}  \((\d+) instructions\)", out)[1])
    every = len(re.findall(r"^ +[\d.]+ +[0-9a-f]{4,}  (?!\()", plain, re.M))
    shown = re.findall(r"^ +[\d.]+ +[0-9a-f]{4,}  (?!\()", out, re.M)
    expect("hot", (len(shown), rest), (1, every - 1))
    out = view("annotate", "-i", "d", "-x", ";", "--percent-limit", "5", "work")[1]
    expect("hot in CSV", [int(x.split(";")[4]) for x in out.splitlines() if x[0] != "#"], [39, 1])
    # The last one of them, and the first is not.
    last = int(re.findall(r"^ +[.] +([0-9a-f]{4,})  (?![(])", plain, re.M)[-1], 16)
    data = Data()
    debug.map_into(data)
    for i in range(40):
        data.sample(debug.ip() + (last - debug.functions["work"] if i else 0))
    data.write(DIR + "/d")
    out = view("annotate", "-i", "d", "-x", ";", "--percent-limit", "5", "work")[1]
    expect("hot is the last", [x.split(";")[2:5:2] for x in out.splitlines() if x[0] != "#"],
           [[f"{last:#x}", "39"]])
    os.makedirs(DIR + "/tree/src")
    shutil.copy(DIR + "/w.c", DIR + "/tree/src")
    out = view("annotate", "-i", "d", "--prefix", DIR + "/tree", "--prefix-strip", "2", "work")[1]
    expect("source", "for (int i = 0; i < n; i++)" in out, True)
    out = view("annotate", "-i", "d", "--prefix", DIR + "/tree", "work")[1]
    expect("no source", "for (int" in out, False)
    for words in (["-M", "nasm"], ["--percent-limit", "101"], ["--prefix-strip", "x"]):
        expect("refused %s" % words, view("annotate", "-i", "d", *words)[0], 129)


program = plain_program()
filters()
branches(program)
spans(program)
listings(program)
end()
