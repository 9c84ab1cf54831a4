# SPDX-License-Identifier: GPL-2.0-or-later
"""Which files of code a perf.data file is read with, and what is said where there is none.

files.py PMUCTL DIR: see programs.py
"""
import ctypes
import os
import resource
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perfdata import Data   # noqa: E402
from programs import (BASE, DIR, PMUCTL, Program, bad, build, end, expect, expect_said,
                      one_sample, plain_program, rows, run, view)   # noqa: E402


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


program = plain_program()
build_ids(program)
namesakes(program)
debug_files(program)
servers()
symfs(program)
archives(program)
forms(program)
kernel_lists()
modes()
many(program)
hostile()
end()
