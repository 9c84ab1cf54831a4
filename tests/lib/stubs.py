# SPDX-License-Identifier: GPL-2.0-or-later
"""Names of stubs of the procedure linkage table, beside what binutils says.

stubs.py PMUCTL DIR: see programs.py
"""
import collections
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perfdata import Data   # noqa: E402
from programs import BASE, DIR, bad, end, expect, view   # noqa: E402

SECTIONS = (".plt", ".plt.sec", ".plt.got", ".iplt")

# A call by a stub, two by a stub whose address is taken as well, and two of functions that are
# chosen at run time: one that others see, one that is nobody else's.
LIBRARY = """
int far1(int), far2(int), far3(int);
static int triple(int x) { return x * 3; }
static void *choose_shown(void) { return triple; }
int shown(int) __attribute__((ifunc("choose_shown")));
static int five(int x) { return x * 5; }
static void *choose_own(void) { return five; }
static int own(int) __attribute__((ifunc("choose_own")));
int (*volatile keep)(int);
int run(int x)
{
	keep = far3;
	return far2(x) + own(x) + far1(x) + shown(x) + far3(x);
}
"""
CALLED = ["far1", "far2", "far3", "own", "shown"]

# The same with libc.
PROGRAM = LIBRARY + """
#include <stdlib.h>
#include <string.h>
int main(int count, char **words)
{
	return run(count) + !!getenv(words[0]) + (int)strlen(words[0]) + !strchr(words[0], count);
}
"""
FAR = "int far1(int x) { return x; } int far2(int x) { return x; } int far3(int x) { return x; }\n"


def tool(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True, cwd=DIR).stdout


def sections_of(path):
    """Name -> (address, offset, size) of those that stubs are in."""
    found = re.findall(r"\] (\S+) +PROGBITS +(\w+) (\w+) (\w+) ", tool("readelf", "-SW", path))
    return {name: tuple(int(x, 16) for x in numbers) for name, *numbers in found
            if name in SECTIONS}


def debug_file(path):
    """What was stripped off, where that is installed."""
    build_id = re.search(r"Build ID: (..)(\w+)", tool("readelf", "-nW", path))
    path = "/usr/lib/debug/.build-id/%s/%s.debug" % build_id.groups() if build_id else ""
    return [path] if os.path.exists(path) else []


def names_of_slots(path):
    """Address in the global offset table -> names of what is called by it, any of which will do."""
    chosen, others = collections.defaultdict(set), collections.defaultdict(set)
    for value, kind, name in re.findall(r"^ +\d+: (\w+) +\w+ (\w+|<OS specific>: 10) +\w+ +\w+ +"
                                        r"(?!UND)\w+ ([^\s@]+)",
                                        tool("readelf", "-sW", path, *debug_file(path)), re.M):
        if kind in ("IFUNC", "<OS specific>: 10"):
            chosen[int(value, 16)].add(name)
        elif kind == "FUNC":
            others[int(value, 16)].add(name)
    slots = {}
    for at, kind, what in re.findall(r"^(\w+) +\w+ R_(?:X86_64|386)_(\w+) +(\S.*)$",
                                     tool("readelf", "-rW", path), re.M):
        words = what.split()
        if kind == "IRELATIVE":
            target = int(words[0], 16)
            slots[int(at, 16)] = chosen[target] or others[target] or {"*ABS*+0x%x" % target}
        elif kind in ("JUMP_SLOT", "JUMP_SLO", "GLOB_DAT") and len(words) > 1:
            slots[int(at, 16)] = {words[1].split("@")[0]}
    return slots


def stubs_of(path, sections):
    """Address of a stub -> its names: by the slot that it jumps through, which objdump tells of
    code of 64 bits, and otherwise objdump's own name of it, which is not to be had of stubs that
    avoid indirect jumps."""
    slots, found = names_of_slots(path), {}
    flags = [word for name in sections for word in ("-j", name)]
    at = None
    for line in tool("objdump", "-d", "--show-raw-insn", *flags, path).splitlines():
        label = re.match(r"(\w+) <(.*)>:$", line)
        code = re.match(r" +(\w+):\t([0-9a-f ]+)\t(.*)$", line)
        if label:
            at = int(label[1], 16)
            if label[2].endswith("@plt") and "retpoline" not in path and not label[2].startswith("*ABS*"):
                found[at] = {label[2][:-len("@plt")]}
        elif code:
            if code[3].startswith("endbr"):
                at = int(code[1], 16)
            slot = re.search(r"(?:jmp +\*|mov .*%r11).*# (\w+)", line)
            if slot and int(slot[1], 16) in slots:
                start = int(code[1], 16)
                found[at if start - at == 4 else start] = slots[int(slot[1], 16)]
    return found


def names_by_us(path, ips):
    data = Data()
    data.map(BASE, (os.path.getsize(path) + 4095) & ~4095, 0, path)
    data.samples([BASE + ip for ip in ips])
    data.write(DIR + "/d")
    code, out, err = view("script", "-i", DIR + "/d", "-F", "ip,sym")
    expect(path + ": script", code, 0)
    got = [re.match(r" *(\w+) (.*)", line) for line in out.splitlines()]
    if len(got) != len(ips):
        bad("%s: %d lines of %d samples: %s" % (path, len(got), len(ips), err))
    return {int(line[1], 16) - BASE: line[2] for line in got if line}


def without_version(name):
    """A name of a symbol table may have one."""
    return re.sub(r"@@?[A-Z].*@plt$|@plt$", "", name) if name and "@plt" in name else None


def check(path, least=1, wanted=()):
    sections = sections_of(path)
    stubs = stubs_of(path, sections)
    places = {}     # where in the file, and whose
    for start, offset, size in sections.values():
        places.update((at - start + offset, at) for at in range(start, start + size, 4))
    got = names_by_us(path, sorted(places))
    firsts = {start for start, _, _ in sections.values()}
    for place, at in places.items():
        if at in stubs and without_version(got.get(place)) not in stubs[at]:
            bad("%s: the stub at %#x is '%s', not %s" % (path, at, got.get(place), stubs[at]))
        for before in (4, 8):
            if at - before in stubs and not {at - before // 2, at} & (firsts | set(stubs)) and \
                    got.get(place) != got[place - before]:
                bad("%s: the stub at %#x ends too early" % (path, at - before))
    if len(stubs) < least:
        bad("%s: only %d stubs are known" % (path, len(stubs)))
    for name in wanted:
        if name + "@plt" not in got.values():
            bad("%s: no stub of %s" % (path, name))
    return {at: got.get(place) for place, at in places.items()}


def write(name, text):
    with open(DIR + "/" + name, "w", encoding="utf-8") as file:
        file.write(text)


def libraries(linker, bits, tracking, more=()):
    """One that binds its calls lazily and one that does not."""
    part = "l%d%s.o" % (bits, tracking)
    if not os.path.exists(DIR + "/" + part):
        tool("gcc", "-c", "-O1", "-m%d" % bits, "-fPIC", "-fcf-protection=" + tracking, "l.c", "-o",
             part)
    for when in "lazy", "now":
        path = "%s/%s-%d-%s-%s%s.so" % (DIR, linker, bits, tracking, when, "".join(more))
        ibt = ["-z", "ibt"] if tracking == "full" and linker == "ld.lld" else []
        tool(linker, "-m", "elf_x86_64" if bits == 64 else "elf_i386", "-shared", "-z", when, *more,
             *ibt, part, "-o", path)
        yield path


def all_libraries():
    for linker in "ld.bfd", "ld.gold", "ld.lld":
        if not shutil.which(linker):
            continue
        for bits in 64, 32:
            for tracking in "none", "full":
                for path in libraries(linker, bits, tracking):
                    check(path, 4 if linker != "ld.gold" else 0, CALLED)
            if linker == "ld.lld":
                for path in libraries(linker, bits, "none", ("-zretpolineplt",)):
                    check(path, 0, CALLED)


def executables():
    tool("gcc", "-shared", "-fPIC", "far.c", "-o", "libfar.so")
    for name, *flags in (("pie", "-pie", "-fPIE"), ("fixed", "-no-pie", "-fno-pie"),
                         ("tracked", "-pie", "-fPIE", "-fcf-protection=full", "-Wl,-z,ibtplt")):
        tool("gcc", "-O1", "-fno-builtin", *flags, "p.c", "-o", name, "./libfar.so")
        check(DIR + "/" + name, 6, ["far1", "far2", "getenv", "own", "strlen"])
    for name, *flags in (("static", "-static", "-fno-pie"), ("static-pie", "-static-pie", "-fPIE")):
        tool("gcc", "-O1", "-fno-builtin", *flags, "p.c", "far.c", "-o", name)
        got = check(DIR + "/" + name, 10, ["own", "shown", "strlen", "strchr"])
        expect(name + " has code for the dynamic linker", ".plt" in got.values(),
               name == "static-pie")


def header():
    """What is in front of the stubs, or is there for the dynamic linker alone."""
    path = DIR + "/ld.bfd-64-none-lazy.so"
    at = sections_of(path)[".plt"][0]
    names = check(path)
    expect("in front of stubs", [names[at + i] for i in (0, 12, 16)], [".plt", ".plt", "far1@plt"])
    path = DIR + "/ld.bfd-64-full-lazy.so"
    start, _, size = sections_of(path)[".plt"]
    names = check(path)
    expect("the linker's own", {names[i] for i in range(start, start + size, 4)}, {".plt"})


def without_names():
    """A function that is chosen at run time by one whose name was stripped off."""
    tool("strip", "-o", "bare.so", "ld.bfd-64-none-lazy.so")
    names = set(check(DIR + "/bare.so", 5, ["far1", "far2", "far3", "shown"]).values())
    if not any(re.fullmatch(r"\*ABS\*\+0x[0-9a-f]+@plt", name) for name in names if name):
        bad("a function without a name: %s" % names)


def installed():
    """Of this machine; libc has relocations in another order than its stubs."""
    used = re.findall(r"=> (/\S+)", tool("ldd", sys.executable) + tool("ldd", "/bin/bash"))
    for path in sorted({os.path.realpath(path) for path in used} | {"/bin/bash"}):
        if sections_of(path):
            check(path, 20 if "/libc.so" in path else 0)


os.makedirs(DIR + "/home")
write("l.c", LIBRARY)
write("p.c", PROGRAM)
write("far.c", FAR)
all_libraries()
executables()
header()
without_names()
installed()
end()
