# SPDX-License-Identifier: GPL-2.0-only
"""Puts names to the addresses of where.c's file: whose code they are is known by its bytes.

What QEMU writes has addresses, and of each page that user code ran on the sum of its bytes.  The
programs and libraries of the initramfs have the same pages; the kernel's names are those of its
/proc/kallsyms, whose kernel is not moved about at boot here.
"""
import bisect
import hashlib
import json
import os
import re
import struct
import subprocess
import tempfile

PAGE = 4096
KERNEL = 1 << 63
# Where Linux has the page of its own code in a process, near the stack.
VDSO = 0x7ff000000
SYSCALLS = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"


def archive_files(path):
    """(name, data) of each file of a cpio archive, or of several in a row."""
    with open(path, "rb") as file:
        while head := file.read(110):
            if not head.startswith(b"070701"):
                return
            fields = [int(head[at:at + 8], 16) for at in range(6, 110, 8)]
            size, length = fields[6], fields[11]
            name = file.read(length + -(110 + length) % 4)[:length - 1]
            data = file.read(size + -size % 4)[:size]
            if name == b"TRAILER!!!":
                # Zeros may be between two archives.
                while (byte := file.read(1)) == b"\0":
                    pass
                file.seek(-len(byte), os.SEEK_CUR)
            elif fields[1] >> 12 == 8:
                yield os.fsdecode(name), data


def code_of(data):
    """(offset in the file, address, size) of what a 64-bit ELF file maps as code."""
    if data[:5] != b"\x7fELF\x02":
        return
    start, size, count = struct.unpack_from("<Q", data, 32) + struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, flags, offset, address, _, length = struct.unpack_from("<IIQQQQ", data, start + i * size)
        if kind == 1 and flags & 1:
            yield offset, address, length


class Symbols:
    """Functions by address; of several at one the first that is given."""

    def __init__(self, rows, unknown):
        self.unknown = unknown
        self.rows = sorted(dict(reversed([(row[0], row) for row in rows])).values())
        self.starts = [row[0] for row in self.rows]

    def name(self, address):
        at = bisect.bisect_right(self.starts, address) - 1
        if at < 0:
            return self.unknown
        start, size, name, where = self.rows[at]
        return (name, where) if not size or address < start + size else self.unknown


def symbols_of(path, data):
    name = os.path.basename(path)
    rows = []
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        for more in ([], ["-D"]):
            out = subprocess.run(["nm", "-nSC", "--defined-only", *more, file.name],
                                 capture_output=True, text=True, check=False).stdout
            for line in out.splitlines():
                match = re.match(r"(\w{16}) (\w{16} )?([tTwWiVu]) (.*)", line)
                # _init has no size, and stubs behind it have no name.
                if match and match[4] != "_init":
                    rows.append((int(match[1], 16), int(match[2] or "0", 16),
                                 re.sub("@.*", "", match[4]), name))
    return Symbols(rows, (f"[{name}]", name))


class Programs:
    """The files of the guest, by the bytes of their pages."""

    def __init__(self, initrd):
        self.data, self.pages, self.symbols = {}, {}, {}
        for path, data in archive_files(initrd):
            for offset, address, length in code_of(data):
                self.data[path] = data
                for at in range(offset & -PAGE, offset + length, PAGE):
                    page = data[at:at + PAGE].ljust(PAGE, b"\0")
                    key = hashlib.sha1(page).hexdigest()
                    self.pages.setdefault(key, []).append((path, address - offset + at))

    def find(self, key, program):
        """(path, address) of a page; of several files that have it the program's own."""
        found = self.pages.get(key)
        if not found:
            return None
        own = [place for place in found if os.path.basename(place[0]) == os.path.basename(program)]
        return (own or found)[0]

    def name(self, path, address):
        if path not in self.symbols:
            self.symbols[path] = symbols_of(path, self.data[path])
        return self.symbols[path].name(address)


def kernel_symbols(path):
    rows = []
    with open(path, encoding="ascii") as file:
        for line in file:
            address, kind, name, *module = line.split()
            # Of a system call of 64 bits the name of the one of 32 bits may be a second one.
            if kind in "tTwW" and int(address, 16) & KERNEL and not name.startswith("__ia32_sys_"):
                rows.append((int(address, 16), 0, name, module[0].strip("[]") if module else "kernel"))
    return Symbols(rows, ("[kernel]", "kernel"))


def system_calls():
    try:
        with open(SYSCALLS, encoding="ascii") as file:
            return {int(number): name
                    for name, number in re.findall(r"#define __NR_(\w+) (\d+)", file.read())}
    except OSError:
        return {}


class Raw:
    """What QEMU wrote."""

    def __init__(self, path):
        self.pages, self.nodes, self.spaces = {}, {}, []
        self.parts = [([], [])]     # calls and counts up to each mark
        self.marks = []
        node, whole = None, False
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                word, *rest = line.rstrip("\n").split(" ")
                if word == "page":
                    self.pages[int(rest[0]), int(rest[1], 16)] = rest[2]
                elif word == "node":
                    self.nodes[int(rest[0])] = (int(rest[1]), rest[2], int(rest[3], 16),
                                                int(rest[4], 16))
                elif word == "calls":
                    self.parts[-1][0].append((int(rest[0]), int(rest[1])))
                elif word == "in":
                    node = int(rest[0])
                elif word == "mark":
                    self.marks.append({"label": int(rest[0]), "cpu": int(rest[1])})
                    self.parts.append(([], []))
                elif word == "space":
                    self.spaces.append({"id": int(rest[0]), "parent": int(rest[1]), "origin": rest[2],
                                        "name": " ".join(rest[3:])})
                elif word == "end":
                    whole = True
                else:
                    self.parts[-1][1].append((node, int(word, 16), int(rest[0])))
        if not whole:
            raise OSError(f"{path}: QEMU did not write all of it")
        self.name_programs()

    def name_programs(self):
        """The program that runs in each space: a fork's is its parent's, which comes first."""
        for space in self.spaces:
            of_parent = self.spaces[space["parent"]]["program"] if space["parent"] >= 0 else ""
            space["program"] = space["name"] or of_parent


class Named:
    """The same with functions in the place of addresses: nodes that became alike are one."""

    def __init__(self, raw, programs, kernel):
        self.raw, self.programs, self.kernel = raw, programs, kernel
        self.calls_by_number = system_calls()
        self.functions, self.numbers = [], {}
        self.nodes, self.merged = [], {}
        self.of_node, self.of_address, self.space = {}, {}, {}

    def number(self, function):
        if function not in self.numbers:
            self.numbers[function] = len(self.functions)
            self.functions.append(function)
        return self.numbers[function]

    def page(self, space, number):
        """A child has its parent's pages, those as well that it has not run on."""
        key = self.raw.pages.get((space, number))
        while not key and 0 <= space < len(self.raw.spaces) and self.raw.spaces[space]["origin"] == "fork":
            space = self.raw.spaces[space]["parent"]
            key = self.raw.pages.get((space, number))
        return key

    def user_name(self, space, address):
        key = self.page(space, address // PAGE)
        place = self.programs.find(key, self.raw.spaces[space]["program"]) if key else None
        if place:
            return self.programs.name(place[0], place[1] + address % PAGE)
        return ("[vdso]", "vdso") if address // PAGE >= VDSO else ("[anonymous]", "anonymous")

    def function(self, space, address):
        where = (None if address & KERNEL else space, address)
        if where not in self.of_address:
            kernel = bool(address & KERNEL)
            name = self.kernel.name(address) if kernel else self.user_name(*where)
            self.of_address[where] = self.number((*name, "kernel" if kernel else "user"))
        return self.of_address[where]

    def node(self, number):
        """Its number here.  Parents come first; no recursion, for paths are long."""
        todo = [number]
        while todo:
            parent = self.raw.nodes[todo[-1]][0]
            if todo[-1] in self.of_node:
                todo.pop()
            elif self.raw.nodes[todo[-1]][1] == "root" or parent in self.of_node:
                self.add(todo.pop())
            else:
                todo.append(parent)
        return self.of_node[number]

    def add(self, number):
        parent, kind, site, target = self.raw.nodes[number]
        if kind == "root":
            self.space[number] = parent
            row = (parent, kind, 0, 0)
        else:
            space = self.space[number] = self.space[parent]
            to = self.calls_by_number.get(target, str(target)) if kind == "syscall" else \
                self.function(space, target)
            row = (self.of_node[parent], kind, self.function(space, site), to)
        if row not in self.merged:
            self.merged[row] = len(self.nodes)
            self.nodes.append(row)
        self.of_node[number] = self.merged[row]

    def part(self, calls, counts):
        into_calls, into_counts = {}, {}
        for node, count in calls:
            node = self.node(node)
            into_calls[node] = into_calls.get(node, 0) + count
        for node, address, count in counts:
            key = (self.node(node), self.function(self.space[node], address))
            into_counts[key] = into_counts.get(key, 0) + count
        return {"calls": sorted(into_calls.items()),
                "counts": sorted((*key, count) for key, count in into_counts.items())}


def write(raw_path, kallsyms, initrd, path):
    named = Named(Raw(raw_path), Programs(initrd), kernel_symbols(kallsyms))
    parts = [named.part(*part) for part in named.raw.parts]
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        json.dump({"spaces": named.raw.spaces, "functions": named.functions, "nodes": named.nodes,
                   "marks": named.raw.marks, "parts": parts}, file)
        file.write("\n")
