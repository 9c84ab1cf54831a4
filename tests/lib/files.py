# SPDX-License-Identifier: GPL-2.0-or-later
"""Which files of code a perf.data file is read with, and what is said where there is none.

files.py PMUCTL DIR: in DIR, which is empty; exit code 1 if something is not as it should be.
"""
import ctypes
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perfdata import BRANCHES, Data   # noqa: E402

PMUCTL, DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
BASE = 0x55550000000
failed = False


def bad(text):
    global failed
    failed = True
    print(text)


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


# ---- build-ids ---------------------------------------------------------------------------------

def build_ids(program):
    """Of any length, padded and cut; and of another build."""
    for digits in ("1234", "ab" * 16, "cd" * 20, "ef" * 24):
        own = Program(build("id", "-Wl,--build-id=0x" + digits))
        whole = bytes.fromhex(digits)
        for kept, size in ((whole[:20].ljust(4, b"\0"), 4 if len(whole) < 4 else len(whole[:20])),
                           (whole[:20].ljust(20, b"\0"), None)):
            data = Data()
            own.map_into(data)
            data.sample(own.ip())
            data.build_id(own.path, kept, size)
            data.write(DIR + "/d")
            expect("build-id %s, size %s" % (digits, size), rows([])[0], ["work"])
    one_sample(program, build_id=b"\x11" * 20)
    got, err = rows([])
    if got == ["work"]:
        bad("another build was taken for the one that was recorded")
    expect_said("another build", err, "another build has its name here")


def namesakes(program):
    """Without a build-id, device and inode tell whether a file is the recorded one."""
    st = os.stat(program.path)
    file = (os.major(st.st_dev), os.minor(st.st_dev), st.st_ino)
    one_sample(program, file=file)
    expect("its own inode", rows([])[0], ["work"])
    one_sample(program, file=file[:2] + (st.st_ino + 1,))
    got, err = rows([])
    if got == ["work"]:
        bad("another file was taken for the one that was recorded")
    expect_said("another file", err, "another file has its name here")


def debug_files(program):
    """What was stripped off is enough, and symbols that are packed in the file are read."""
    build("left", "-g", "-Wl,--build-id=0x" + "7a" * 20)
    left = Program(DIR + "/left")
    one_sample(left, build_id=b"\x7a" * 20)
    kept = DIR + "/home/.debug/.build-id/7a/" + "7a" * 19
    os.makedirs(kept)
    subprocess.run(["objcopy", "--only-keep-debug", left.path, kept + "/debug"], check=True)
    os.unlink(left.path)
    expect("the debug file alone", rows([])[0], ["work"])
    code, out, _ = view("annotate", "-i", "d")
    if code or "is not to be had" not in out:
        bad("annotate of a debug file: %d, %s" % (code, out))
    shutil.rmtree(DIR + "/home")

    subprocess.run("nm w | awk '$2 ~ /[Tt]/ { print $3 }' >keep; objcopy -S --keep-symbols=keep w "
                   "small && objcopy --only-keep-debug w small && xz -c small >small.xz && "
                   "strip -o packed w && objcopy --add-section .gnu_debugdata=small.xz packed",
                   shell=True, check=True, cwd=DIR)
    packed = Program(program.path)
    one_sample(packed, DIR + "/packed")
    expect(".gnu_debugdata", rows([])[0], ["work"])
    subprocess.run("head -c 100 small.xz >cut.xz; strip -o packed w && "
                   "objcopy --add-section .gnu_debugdata=cut.xz packed", shell=True, check=True,
                   cwd=DIR)
    expect_said("a damaged .gnu_debugdata", rows([])[1], "it is stripped")


def servers():
    """DEBUGINFOD_URLS is asked for symbols of what is here, and for the rest if the user says so."""
    own = Program(build("served", "-g", "-Wl,--build-id=0x" + "5e" * 20))
    names = DIR + "/server/buildid/" + "5e" * 20
    os.makedirs(names)
    subprocess.run(["objcopy", "--only-keep-debug", own.path, names + "/debuginfo"], check=True)
    shutil.copy(own.path, names + "/executable")
    subprocess.run(["strip", own.path], check=True)
    env = {"DEBUGINFOD_URLS": "file://" + DIR + "/server", "DEBUGINFOD_CACHE_PATH": DIR + "/cache"}
    one_sample(own, build_id=b"\x5e" * 20)
    expect("a server's symbols", rows([], env=env)[0], ["work"])
    shutil.rmtree(DIR + "/cache")
    os.unlink(own.path)
    got = rows([], env=env)[0]
    if got == ["work"]:
        bad("a server was asked by the word of the file alone")
    expect("--debuginfod", rows(["--debuginfod"], env=env)[0], ["work"])


# ---- other machines ----------------------------------------------------------------------------

def symfs(program):
    """Below another root; archive makes one."""
    one_sample(program, "/elsewhere/bin/prog")
    got, err = rows([])
    expect_said("a file of another machine", err, "1 of 1 samples have no function's name: 1 in "
                "/elsewhere/bin/prog (No such file or directory)")
    os.makedirs(DIR + "/root/elsewhere/bin")
    shutil.copy(program.path, DIR + "/root/elsewhere/bin/prog")
    got, err = rows(["--symfs", "root"])
    expect("--symfs", (got, err), (["work"], ""))
    expect("--symfs of nothing", view("report", "-i", "d", "--symfs", "nowhere")[0], 255)
    for words in (["script"], ["annotate"], ["export", "--folded"], ["report", "--svg", "-"]):
        code, out, err = view(*words, "-i", "d", "--symfs", "root")
        if code or "work" not in out:
            bad("%s --symfs: exit code %d, %s%s" % (words[0], code, out, err))


def archives(program):
    """What is packed is enough where nothing else is; and a hostile name leads nowhere else."""
    os.makedirs(DIR + "/there/bin")
    moved = DIR + "/there/bin/prog"
    shutil.copy(program.path, moved)
    subprocess.run(["objcopy", "--only-keep-debug", moved, DIR + "/there/bin/prog.debug"],
                   check=True)
    subprocess.run(["objcopy", "-S", "--add-gnu-debuglink=prog.debug", "prog"], check=True,
                   cwd=DIR + "/there/bin")
    data = Data()
    program.map_into(data, moved)
    program.map_into(data, DIR + "/sub/../../../../" + program.path, BASE + 0x100000)
    data.sample(program.ip())
    data.sample(program.ip(start=BASE + 0x100000))
    data.write(DIR + "/d")
    os.makedirs(DIR + "/sub")
    code, out, err = view("archive", "-i", "d")
    expect("archive", code, 0)
    expect_said("archive", err, "not packed: Invalid argument")
    expect_said("archive", out, "2 files in d.tar.gz")
    listed = run("tar", "-tf", "d.tar.gz")[1]
    if ".." in listed or moved not in "/" + listed.replace("./", "/"):
        bad("archive has " + listed)
    os.makedirs(DIR + "/unpacked")
    run("tar", "-xf", "d.tar.gz", "-C", "unpacked")
    shutil.rmtree(DIR + "/there")
    expect("an archive", rows(["--symfs", "unpacked", "-d", "prog"])[0], ["work"])
    if [x for x in os.listdir(DIR) if x.startswith("pmuctl-archive-")]:
        bad("archive leaves something behind")


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


def forms(program):
    """Written to a pipe, read from one, compressed."""
    data = Data()
    program.map_into(data)
    for _ in range(500):
        data.sample(program.ip())
    whole, piped = data.bytes(), data.piped()
    for name, content in (("file", whole), ("piped", piped)):
        for how in ("by name", "from standard input", "from a pipe"):
            with open(DIR + "/d", "wb") as file:
                file.write(content)
            with open(DIR + "/d", "rb") as file:
                if how == "from standard input":
                    got = view("report", "-i", "-", "-x", ";", stdin=file)
                elif how == "from a pipe":
                    got = run("sh", "-c", "cat d | %s report -i - -x ';'" % PMUCTL)
                else:
                    got = view("report", "-i", "d", "-x", ";")
            if got[0] or "cpu-clock;100.00;500;500000;prog;%s;work" % program.path not in got[1]:
                bad("a %s %s: %s" % (name, how, got))
    expect_said("a cut pipe", run("sh", "-c", "head -c 20001 d | %s report -i -" % PMUCTL)[1],
                "The file was cut")
    os.makedirs(DIR + "/threads")
    for name, part in (("data", Data()), ("data.0", Data()), ("data.1", Data())):
        program.map_into(part)
        for _ in range(5):
            part.sample(program.ip())
        with open(DIR + "/threads/" + name, "wb") as file:
            file.write(part.bytes() if name == "data" else part.records)
    code, out, err = view("report", "-i", "threads", "-x", ";")
    if code or ";100.00;15;15000;prog;" not in out:
        bad("a directory: %d %s%s" % (code, out, err))
    expect("no directory of perf's", view("report", "-i", "home")[0], 255)
    packed = subprocess.run(["zstd", "-c"], input=data.records, stdout=subprocess.PIPE,
                            check=True).stdout
    for kind in (81, 83):
        data.records = b""
        for at in range(0, len(packed), 101):
            piece = packed[at:at + 101]
            if kind == 83:
                body = struct.pack("<Q", len(piece)) + piece + b"\0" * (-len(piece) % 8)
            else:
                body = piece
            data.records += struct.pack("<IHH", kind, 0, 8 + len(body)) + body
        data.write(DIR + "/d")
        got = view("report", "-i", "d", "-x", ";")
        if got[0] or ";500;500000;prog;" not in got[1]:
            bad("compressed records of type %d: %s" % (kind, got))
    with open(DIR + "/d", "r+b") as file:
        whole = file.read()
        file.truncate(len(whole) - 300)
    if "The file was cut" not in view("report", "-i", "d")[1]:
        bad("compressed records that are cut are not said to be")
    with open(DIR + "/d", "wb") as file:
        file.write(whole)
    with open(DIR + "/d", "r+b") as file:
        file.seek(330)
        file.write(b"damaged")
    code, _, err = view("report", "-i", "d")
    expect("damaged", code, 255)
    expect_said("damaged", err, "its compressed records are damaged")


def kernel_lists():
    """The kernel's symbols from a list, of the same boot and of another."""
    with open(DIR + "/kallsyms", "w", encoding="utf-8") as file:
        file.write("ffffffff81000000 T _text\nffffffff81001000 T do_work\n"
                   "ffffffff81002000 T do_more\nffffffffc0100010 t mod_work\t[mod]\n"
                   "ffffffffc0100080 t mod_more\t[mod]\n")
    for moved in (0, 0x1000000):
        data = Data()
        data.kernel(0xffffffff81000000 + moved, 0x1000000)
        data.kernel(0xffffffffc0100000, 0x1000, "[mod]", 0)
        data.sample(0xffffffff81001010 + moved, misc=1)
        data.sample(0xffffffffc0100020, misc=1)
        data.write(DIR + "/d")
        got, err = rows(["--kallsyms", "kallsyms"])
        if not moved:
            expect("--kallsyms", (sorted(got), err), (["do_work", "mod_work"], ""))
            continue
        if "do_work" not in got or "mod_work" in got:
            bad("--kallsyms of another boot: %s" % got)
        expect_said("a module of another boot", err, "1 in [mod]")
    subprocess.run("printf '.globl _text\\n.text\\n_text: .skip 4096\\n.globl do_elf\\n"
                   ".type do_elf,@function\\ndo_elf: nop\\nret\\n.size do_elf,.-do_elf\\n' >k.S; "
                   "gcc -nostdlib -static -Wl,-Ttext=0xffffffff81000000 -Wl,-e,_text -o vmlinux k.S",
                   shell=True, check=True, cwd=DIR)
    data = Data()
    data.kernel(0xffffffff91000000, 0x1000000)
    data.sample(0xffffffff91001001, misc=1)
    data.write(DIR + "/d")
    expect("--vmlinux", rows(["--vmlinux", "vmlinux"])[0], ["do_elf"])
    out = view("annotate", "-i", "d", "--vmlinux", "vmlinux")[1]
    if "ret" not in out:
        bad("annotate --vmlinux: " + out)


def modes():
    """Code of 32 bits, and of a machine that is none of ours."""
    with open(DIR + "/m.S", "w", encoding="utf-8") as file:
        file.write(".code32\n.text\n.globl work\n.type work,@function\nwork: inc %eax\n"
                   "add (%esi),%edx\ninc %ebx\ndec %ecx\njnz work\n.size work,.-work\n")
    subprocess.run("as --32 -o m.o m.S && ld -m elf_i386 -Ttext=0x8049000 -e work -o m m.o",
                   shell=True, check=True, cwd=DIR)
    narrow = Program(DIR + "/m")
    one_sample(narrow, start=0x8049000)
    with open(DIR + "/d", "rb") as file:
        data = file.read().replace(struct.pack("<Q", narrow.ip()),
                                   struct.pack("<Q", narrow.functions["work"]))
    with open(DIR + "/d", "wb") as file:
        file.write(data)
    out = view("annotate", "-i", "d", "-x", ";")[1]
    expect("32 bits", [line.split(";")[7].split()[0] for line in out.splitlines()],
           ["inc", "add", "inc", "dec", "jnz"])
    with open(narrow.path, "r+b") as file:
        file.seek(18)
        file.write(struct.pack("<H", 183))
    out = view("annotate", "-i", "d")[1]
    if "code of aarch64" not in out or "jnz" in out:
        bad("annotate of an aarch64 program: " + out)


# ---- code that programs make -------------------------------------------------------------------

# No process has so high a number, nor another run of this test the same.
NOBODY = 2000000000 + os.getpid()


def write_map(path, lines, owner=None):
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join("%x %x %s\n" % line for line in lines))
    if owner is not None:
        os.chown(path, owner, owner)


def made_code():
    """Wherever it lies; what was made later lies over what was there."""
    names = ["//anon", "[heap]", "[stack]", "/SYSV0000beef (deleted)", "/dev/zero (deleted)",
             "[anon:jit code]", "[anon_shmem:jit]", "/anon_hugepage (deleted)",
             "/memfd:doublemapper (deleted)"]
    path = "/tmp/perf-%d.map" % NOBODY
    data = Data()
    lines = []
    for i, name in enumerate(names):
        at = BASE + i * 0x10000
        data.map(at, 0x1000, 0x7000, name, pid=NOBODY, file=(0, 5, i))
        data.sample(at + 0x110, pid=NOBODY)
        lines.append((at + 0x100, 0x40, "code%d" % i))
    data.write(DIR + "/d")
    write_map(path, lines)
    try:
        got, err = rows(["-s", "sym"])
        expect("code in " + " ".join(names), (sorted(got), err),
               (["code%d" % i for i in range(len(names))], ""))
        again = [(BASE + 0x100, 0x40, "later"), (BASE + 0x10000 + 0x80, 0x100, "larger"),
                 (BASE + 0x20000 + 0x100, 0x8, "shorter")]
        write_map(path, lines + again)
        got = rows(["-s", "sym"])[0]
        if not {"later", "larger"} <= set(got) or {"code0", "code1", "code2"} & set(got):
            bad("code that was made again: %s" % got)
        if os.geteuid() == 0:
            write_map(path, lines + again, 12345)
            got, err = rows(["-s", "sym"])
            if "code0" in got:
                bad("anybody's map was taken")
            expect_said("anybody's map", err, "is of user 12345, and whose process it was is not known")
            data.owners = {NOBODY: 12345}
            data.write(DIR + "/d")
            if "later" not in rows(["-s", "sym"])[0]:
                bad("the map of the user whose process it was is not taken")
            data.owners = {NOBODY: 12346}
            data.write(DIR + "/d")
            expect_said("another's map", rows(["-s", "sym"])[1], "the process was user 12346's")
    finally:
        os.unlink(path)
    expect_said("no map", rows([])[1], "no /tmp/perf-PID.map names its code")


def made_by_the_living():
    """A process of another user, in a mount and pid namespace of its own."""
    if os.geteuid():
        return
    inner = ("mount -t tmpfs none /tmp; echo %x 40 inner >/tmp/perf-1.map; chown 12345 "
             "/tmp/perf-1.map; exec setpriv --reuid 12345 --clear-groups sleep 30" % (BASE + 0x100))
    proc = subprocess.Popen(["unshare", "-m", "-p", "--fork", "--kill-child", "sh", "-c", inner],
                            stderr=subprocess.DEVNULL)
    pid = 0
    try:
        for _ in range(200):
            with open("/proc/%d/task/%d/children" % (proc.pid, proc.pid), encoding="ascii") as file:
                pid = int((file.read().split() or ["0"])[0])
            if pid and os.path.exists("/proc/%d/exe" % pid) and \
                    os.readlink("/proc/%d/exe" % pid).endswith("sleep"):
                break
            if proc.poll() is not None:
                return      # no namespaces here
            time.sleep(0.01)
        data = Data()
        data.map(BASE, 0x1000, 0, "//anon", pid=pid)
        data.sample(BASE + 0x110, pid=pid)
        data.write(DIR + "/d")
        write_map("/tmp/perf-%d.map" % pid, [(BASE, 0x1000, "outer")])
        try:
            expect("a process in a container", rows(["-s", "sym"])[0], ["inner"])
        finally:
            os.unlink("/tmp/perf-%d.map" % pid)
    finally:
        # unshare would take it along, but who changes users forgets that.
        if pid:
            os.kill(pid, signal.SIGKILL)
        proc.kill()
        proc.wait()


# ---- jit-PID.dump -------------------------------------------------------------------------------

class Jitdump:
    """As a just-in-time compiler writes it; records of any length."""

    def __init__(self, magic=0x4a695444, version=1, flags=0):
        self.bytes = struct.pack("<IIIIIIQQ", magic, version, 40, 62, 0, NOBODY, 0, flags)
        self.index = 0

    def record(self, what, when, body, size=None):
        self.bytes += struct.pack("<IIQ", what, size or 16 + len(body), when) + body

    def load(self, when, address, name, code, size=None):
        self.index += 1
        self.record(0, when, struct.pack("<IIQQQQ", NOBODY, NOBODY, address, address,
                                         len(code) if size is None else size, self.index) +
                    name.encode() + b"\0" + code)

    def move(self, when, old, new, size, index):
        self.record(1, when, struct.pack("<IIQQQQQ", NOBODY, NOBODY, new, old, new, size, index))

    def lines(self, when, address, lines):
        body = b"".join(struct.pack("<QII", address + at, line, 0) + file.encode() + b"\0"
                        for at, line, file in lines)
        self.record(2, when, struct.pack("<QQ", address, len(lines)) + body)

    def write(self, path, cut=0):
        with open(path, "wb") as file:
            file.write(self.bytes[:len(self.bytes) - cut])


def jit_data(path, times, clock=time.CLOCK_MONOTONIC):
    """A sample at each (time, address) of a process that mapped the file at time 10."""
    data = Data()
    data.clock = clock
    data.time = 9
    data.map(BASE - 0x1000, 0x1000, 0, path, pid=NOBODY)
    for when, address in times:
        data.time = when - 1
        data.sample(address, pid=NOBODY)
    data.write(DIR + "/d")


def dumped_code():
    """By the time at which it was there, with lines and instructions."""
    path = DIR + "/jit-%d.dump" % NOBODY
    code = bytes.fromhex("4801f8") * 4 + b"\xc3"       # add rax, rdi
    dump = Jitdump()
    dump.lines(20, BASE + 3, [(0, 11, "a.js"), (6, 12, "a.js")])
    dump.load(20, BASE + 3, "first", code)
    dump.load(30, BASE + 0x100, "second", code)
    dump.load(40, BASE + 3, "third", code)
    dump.move(50, BASE + 0x100, BASE + 0x200, len(code), 2)
    dump.lines(55, BASE + 0x300, [(0, 7, "of-nothing.js")])
    dump.load(60, BASE + 0x400, "last", b"\xc3")
    times = [(25, BASE + 9), (35, BASE + 0x106), (45, BASE + 9), (55, BASE + 0x206),
             (65, BASE + 0x400)]
    dump.write(path)
    jit_data(path, times)
    got, err = rows(["-s", "sym"])
    expect("code that was dumped", (sorted(got), err), (["first", "last", "second", "third"], ""))
    out = view("report", "-i", "d", "-x", ";", "-s", "sym,srcline")[1]
    if not re.search(r"first;[^\n]*a\.js:12", out):
        bad("no line of code that was dumped: %s" % out)
    out = view("annotate", "-i", "d", "-s", "first")[1]
    if out.count("add ") != 4 or "ret" not in out:
        bad("no instructions of code that was dumped: %s" % out)
    # Before it was there nothing was.
    jit_data(path, [(15, BASE + 9), (25, BASE + 9)])
    expect("before it was made", len([x for x in rows(["-s", "sym"])[0] if x == "first"]), 1)
    # Another clock says nothing of when: what came last counts.
    for clock in (None, time.CLOCK_REALTIME, time.CLOCK_BOOTTIME):
        jit_data(path, times, clock)
        got = rows(["-s", "sym"])[0]
        if "first" in got or "third" not in got:
            bad("times of clock %s were believed: %s" % (clock, got))
    # The end of a file that is being written, and what is no such file.
    jit_data(path, times)
    dump.write(path, cut=1)
    expect("cut off", sorted(x for x in rows(["-s", "sym"])[0] if not x.startswith("0x")),
           ["first", "second", "third"])
    for wrong, said in ((Jitdump(magic=0x12345678), "it is no dump of code"),
                        (Jitdump(version=2), "of another version"),
                        (Jitdump(flags=1), "times of a TSC")):
        wrong.load(20, BASE + 3, "first", code)
        wrong.write(path)
        expect_said("a wrong dump", rows([])[1], said)
    os.truncate(path, 1 << 40)
    expect_said("a dump of 1 TiB", rows([])[1], "above 1 GiB")
    hostile_dump = Jitdump()
    hostile_dump.load(20, BASE + 3, "reaches", code, size=1 << 20)
    hostile_dump.load(20, BASE + 3, "around", code, size=(1 << 64) - 8)
    hostile_dump.record(0, 20, b"")
    hostile_dump.record(1, 20, b"\0" * 8)
    hostile_dump.record(2, 20, struct.pack("<QQ", BASE + 3, 1 << 60) + b"\0" * 16 + b"endless")
    hostile_dump.load(20, BASE + 3, "whole", code)
    hostile_dump.move(21, 0, (1 << 64) - 4, len(code), 3)
    hostile_dump.record(7, 20, b"unknown")
    hostile_dump.record(0, 20, b"\0" * 64, size=3)
    hostile_dump.write(path)
    jit_data(path, [(25, BASE + 9)])
    expect("a hostile dump", rows(["-s", "sym"])[0], ["whole"])
    os.unlink(path)
    expect_said("no dump", rows([])[1], "it is not here, so that code which process")
    os.symlink("/etc/passwd", path)
    expect_said("a link", rows([])[1], "it is no regular file")
    os.unlink(path)


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
    expect("arrows' ends", "> " in out.replace("<work>", ""), True)
    out = view("annotate", "-i", "d", "--percent-limit", "5", "work")[1]
    rest = int(re.search(r"[.]{3}  \((\d+) instructions\)", out)[1])
    every = len(re.findall(r"^ +[\d.]+ +[0-9a-f]{4,}  (?!\()", plain, re.M))
    shown = re.findall(r"^ +[\d.]+ +[0-9a-f]{4,}  (?!\()", out, re.M)
    expect("hot", (len(shown), rest), (1, every - 1))
    out = view("annotate", "-i", "d", "-x", ";", "--percent-limit", "5", "work")[1]
    expect("hot in CSV", [int(x.split(";")[4]) for x in out.splitlines() if x[0] != "#"], [39, 1])
    os.makedirs(DIR + "/tree/src")
    shutil.copy(DIR + "/w.c", DIR + "/tree/src")
    out = view("annotate", "-i", "d", "--prefix", DIR + "/tree", "--prefix-strip", "2", "work")[1]
    expect("source", "for (int i = 0; i < n; i++)" in out, True)
    out = view("annotate", "-i", "d", "--prefix", DIR + "/tree", "work")[1]
    expect("no source", "for (int" in out, False)
    for words in (["-M", "nasm"], ["--percent-limit", "101"], ["--prefix-strip", "x"]):
        expect("refused %s" % words, view("annotate", "-i", "d", *words)[0], 129)


def many(program):
    """More objects than there are descriptors."""
    data = Data()
    os.makedirs(DIR + "/many")
    for i in range(200):
        path = DIR + "/many/l%03d" % i
        os.link(program.path, path)
        program.map_into(data, path, BASE + i * 0x100000)
    for i in range(200):
        data.sample(program.ip(start=BASE + i * 0x100000))
    data.write(DIR + "/d")
    limit = (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    code, out, err = run(PMUCTL, "report", "-i", "d", "-x", ";", "-s", "dso,sym",
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit))
    expect("200 objects, 64 descriptors", (out.count(";work\n"), err), (200, ""))


def watch_opened(path):
    """A descriptor that can be read once the file is opened, for more than its name."""
    libc = ctypes.CDLL(None)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    libc.inotify_add_watch(watch, path.encode(), 0x20)      # IN_OPEN
    return watch


def was_opened(watch):
    try:
        return bool(os.read(watch, 4096))
    except BlockingIOError:
        return False
    finally:
        os.close(watch)


def hostile():
    """What a file names is looked at before it is opened."""
    os.mkfifo(DIR + "/fifo")
    os.symlink("/dev/tty", DIR + "/tty")
    names = [DIR + "/fifo", DIR + "/tty", "/dev/zero0", "/dev/watchdog", "/proc/self/mem",
             "/proc/kmsg", "/sys/kernel/debug/tracing/trace_pipe", "/proc/self/exe", DIR]
    data = Data()
    for i, name in enumerate(names):
        data.map(BASE + i * 0x100000, 0x1000, 0, name)
        data.sample(BASE + i * 0x100000 + 16)
    data.write(DIR + "/d")
    watch = watch_opened(names[0])
    got, err = rows([])
    if was_opened(watch):
        bad("a pipe was opened before it was looked at")
    if any(not x.startswith("0x") for x in got):
        bad("a symbol of what is no regular file: %s" % got)
    expect_said("hostile names", err, "it is no regular file")


def main():
    with open(DIR + "/w.c", "w", encoding="utf-8") as file:
        file.write("volatile int g;\nint __attribute__((noinline)) work(int n) { for (int i = 0; i < n;"
                   " i++) g += i; return g; }\nint main(void) { return work(3); }\n")
    os.makedirs(DIR + "/home")
    program = Program(build("w"))
    build_ids(program)
    namesakes(program)
    debug_files(program)
    servers()
    symfs(program)
    archives(program)
    filters()
    branches(program)
    forms(program)
    kernel_lists()
    modes()
    made_code()
    made_by_the_living()
    dumped_code()
    spans(program)
    listings(program)
    many(program)
    hostile()
    return failed


sys.exit(main())
