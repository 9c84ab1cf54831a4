# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs, files of samples of them, and what pmuctl's views say of those.

For scripts that are run as SCRIPT PMUCTL DIR: in DIR, which is empty; exit code 1 if something is
not as it should be.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perfdata import Data   # noqa: E402

PMUCTL, DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
BASE = 0x55550000000
failed = False


def bad(text):
    global failed
    failed = True
    print(text)


def end():
    sys.exit(failed)


def run(*words, env=None, **how):
    own = dict(os.environ, HOME=DIR + "/home", TMPDIR=DIR)
    own.pop("DEBUGINFOD_URLS", None)
    env = dict(own, **(env or {}))
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env,
                          check=False, cwd=DIR, timeout=60,
                          **({"stdin": subprocess.DEVNULL} | how))
    return done.returncode, done.stdout, done.stderr


def view(*words, **how):
    return run(PMUCTL, *words, **how)


def build(name, *flags, source="w.c"):
    subprocess.run(["gcc", "-O1", "-o", name, *flags, source], check=True, cwd=DIR)
    return DIR + "/" + name


def symbols(path):
    out = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    return {name: int(at, 16) for at, name in re.findall(r"^(\w+) [Tt] (\w+)$", out, re.M)}


def text_segment(path):
    """Offset, address and size of what is mapped as code."""
    out = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True,
                         check=True).stdout
    match = re.search(r"LOAD +(\w+) (\w+) \w+ (\w+) \w+ R E", out)
    return tuple(int(x, 16) for x in match.groups())


class Program:
    def __init__(self, path):
        self.path = path
        self.offset, self.address, self.size = text_segment(path)
        self.functions = symbols(path)

    def ip(self, function="work", start=BASE):
        return start + self.functions[function] - self.address

    def map_into(self, data, name=None, start=BASE, **how):
        data.map(start, (self.size + 4095) & ~4095, self.offset, name or self.path, **how)


def rows(words, file="d", code=0, env=None):
    """What report has in its last column; and its standard error."""
    got, out, err = view("report", "-i", file, "-x", ";", "-s", "dso,sym", *words, env=env)
    if got != code:
        bad("report %s: exit code %d, not %d: %s" % (" ".join(words), got, code, err))
    return [line.split(";")[-1] for line in out.splitlines() if not line.startswith("#")], err


def expect(what, got, wanted):
    if got != wanted:
        bad("%s: %r, not %r" % (what, got, wanted))


def expect_said(what, err, words):
    if words not in err:
        bad("%s: not said: '%s' in '%s'" % (what, words, err))


def one_sample(program, name=None, **how):
    data = Data()
    program.map_into(data, name, **how)
    data.sample(program.ip())
    data.write(DIR + "/d")
    return data


def plain_program():
    """work() and main(), and a home for what is kept there."""
    with open(DIR + "/w.c", "w", encoding="utf-8") as file:
        file.write("volatile int g;\nint __attribute__((noinline)) work(int n) { for (int i = 0; i < n;"
                   " i++) g += i; return g; }\nint main(void) { return work(3); }\n")
    os.makedirs(DIR + "/home")
    return Program(build("w"))
