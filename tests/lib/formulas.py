# SPDX-License-Identifier: GPL-2.0-or-later
"""Formulas with Python's values of them: random ones, and all of Intel's where they are.

formulas.py write FORMULAS [DIR]   lines for formula-values
formulas.py check FORMULAS VALUES  exit code 1 if a value is not Python's
"""
import glob
import json
import math
import random
import re
import sys

NAMES = ["a", "b", "A.B_C:c1", "#Width", "zero"]


def python_of(formula):
    """Names of ours are none of Python's."""
    for i, name in enumerate(NAMES):
        formula = formula.replace("{%d}" % i, "n%d" % i)
    return formula


def ours_of(formula):
    for i, name in enumerate(NAMES):
        formula = formula.replace("{%d}" % i, name)
    return formula


def generate(rnd, depth):
    """Python's & and | bind tighter than its comparisons, so those stand in brackets."""
    kind = rnd.randrange(9) if depth else 0
    if kind == 0:
        return rnd.choice(["{0}", "{1}", "{2}", "{3}", "{4}", "3", "0.5", "12e-1", "7"])
    part = [generate(rnd, depth - 1) for _ in range(4)]
    if kind == 1:
        return "%s %s %s %s %s" % (part[0], rnd.choice("+-*/"), part[1], rnd.choice("+-*/"), part[2])
    if kind == 2:
        return "( %s ) %s ( %s )" % (part[0], rnd.choice("+-*/"), part[1])
    if kind == 3:
        return "max(%s, %s)" % (part[0], part[1])
    if kind == 4:
        return "min(%s , %s)" % (part[0], part[1])
    if kind == 5:
        return "( %s if %s %s %s else %s )" % (part[0], part[1], rnd.choice(["<", ">", "<=", ">="]),
                                               part[2], part[3])
    if kind == 6:
        return "- ( %s )" % part[0]
    if kind == 7:
        return "( ( %s < %s ) %s ( %s > %s ) )" % (part[0], part[1], rnd.choice("&|"), part[2], part[3])
    return "( %s if ( %s ) > 1 else %s if ( %s ) < 2 else 4 )" % tuple(part)


# How Intel's files write what we write otherwise; their own are not in this tree.
FORMS = [
    "( {0} if {1} > = 3 else {2} )", "( {0} if {1} < = 3 else {2} )",
    "100 * ( ( {0} / ( {1} + {2} ) ) - ( 1 - ( 10 * ( {3} / ( {0} ) ) * ( max( ( {2} ) , 0.0001 ) ) ) ) )",
    "(({0} + {1}) * 64 / 1000000) / {2}",
    "{0} / ( ( {1} / 2 ) if {2} > 1 else {3} )",
    "( {0} if {1} > 3 else ( {2} if {3} > 5 else 0 ) ) * 1e-3",
    "max( 0 , min( {0} , ( {1} - {2} ) ) ) if {3} < ( {0} - {1} ) else {2} / {0}",
    "( {0} - {1} ) / {2} if ( {3} < ( {2} - {0} ) ) else {1} / {2}",
    "max( {0} , max( {1} , min( {2} , 1 ) ) ) - min( {0} , ( {1} ) )",
]


def random_lines(rnd, count):
    values = {"n0": 2.0, "n1": 3.5, "n2": 5.0, "n3": 4.0, "n4": 0.0}
    given = " ".join("%s=%r" % (name, values["n%d" % i]) for i, name in enumerate(NAMES))
    for formula in FORMS:
        yield ours_of(formula), given, python_of(re.sub("([<>]) =", r"\1=", formula)), values
    for _ in range(count):
        # A comparison of comparisons is an error of ours and a chain of Python's.
        formula = generate(rnd, rnd.randrange(1, 5))
        yield ours_of(formula), given, python_of(formula), values


def intel_lines(rnd, directory):
    for path in sorted(glob.glob(directory + "/*/metrics/*.json")):
        with open(path, encoding="utf-8") as file:
            # Beside metrics there are tables of latencies.
            metrics = json.load(file).get("Metrics", [])
        for metric in metrics:
            aliases = [x["Alias"] for x in metric["Events"] + metric["Constants"]]
            values = {alias: float(rnd.randrange(1, 1000000)) for alias in aliases}
            values["DURATIONTIMEINSECONDS"] = 2.0
            given = " ".join("%s=%r" % item for item in values.items())
            # Some have a space within >=.
            python = re.sub(r"([<>]) +=", r"\1=", metric["Formula"])
            # Nor is one of several sockets' counts a name that we have.
            if not re.search(r"[#\[]", python):
                yield metric["Formula"], given, python, values


def evaluate(formula, values):
    try:
        return float(eval(formula, {"max": max, "min": min}, values))
    except ZeroDivisionError:
        return None


def write(to, directory):
    rnd = random.Random(20261121)
    lines = list(random_lines(rnd, 3000))
    count = len(lines)
    if directory:
        lines += intel_lines(rnd, directory)
    with open(to, "w", encoding="utf-8") as file:
        for ours, given, python, values in lines:
            value = evaluate(python, values)
            file.write("%s\t%s\t%s\n" % (ours, given, "zero" if value is None else repr(value)))
    print("%d formulas, %d of them Intel's" % (len(lines), len(lines) - count))


def check(formulas, values):
    with open(formulas, encoding="utf-8") as file:
        wanted = [line.rstrip("\n").split("\t") for line in file]
    with open(values, encoding="utf-8") as file:
        got = [line.rstrip("\n") for line in file]
    bad = 0 if len(wanted) == len(got) else 1
    for (formula, given, value), ours in zip(wanted, got):
        try:
            same = ours == value or math.isclose(float(ours), float(value), rel_tol=1e-9,
                                                 abs_tol=1e-9)
        except ValueError:
            same = False
        if not same:
            bad += 1
            print("%.200s of %.200s: %s, Python has %s" % (formula, given, ours, value))
    print("%d of %d differ" % (bad, len(wanted)))
    return 1 if bad or not wanted else 0


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
    else:
        sys.exit(check(sys.argv[2], sys.argv[3]))
