# SPDX-License-Identifier: GPL-2.0-only
"""Writes cpio archives in the "newc" format that the kernel unpacks at boot.

No times of this machine go into them: the same files give the same bytes.
"""
import os
import stat


class Archive:
    """One archive; directories above an entry are added with it."""

    def __init__(self, existing=()):
        self.entries = {}
        self.existing = set(existing)

    def names(self):
        return self.existing | set(self.entries)

    def _add(self, name, mode, data):
        name = name.strip("/")
        parent = os.path.dirname(name)
        if parent and parent not in self.entries and parent not in self.existing:
            self._add(parent, stat.S_IFDIR | 0o755, b"")
        self.entries[name] = (mode, data)

    def directory(self, name, mode=0o755):
        self._add(name, stat.S_IFDIR | mode, b"")

    def symlink(self, name, target):
        self._add(name, stat.S_IFLNK | 0o777, os.fsencode(target))

    def data(self, name, data, mode=0o644):
        self._add(name, stat.S_IFREG | mode, data)

    def file(self, name, path, mode=None):
        """Adds what is at path with its mode; directories with all below."""
        info = os.stat(path)
        if mode is None:
            mode = stat.S_IMODE(info.st_mode)
        if stat.S_ISDIR(info.st_mode):
            self._tree(name, path, mode)
        elif stat.S_ISREG(info.st_mode):
            with open(path, "rb") as file:
                self._add(name, stat.S_IFREG | mode, file.read())
        else:
            raise OSError(f"{path} is neither a file nor a directory")

    def _tree(self, name, path, mode):
        self.directory(name, mode)
        for entry in sorted(os.scandir(path), key=lambda e: e.name):
            where = f"{name}/{entry.name}"
            if entry.is_symlink():
                self.symlink(where, os.readlink(entry.path))
            else:
                self.file(where, entry.path)

    def write(self, out):
        for number, (name, entry) in enumerate(self.entries.items(), start=1):
            self._entry(out, number, name, *entry)
        self._entry(out, 0, "TRAILER!!!", 0, b"")

    @staticmethod
    def _entry(out, number, name, mode, data):
        name = os.fsencode(name) + b"\0"
        links = 2 if stat.S_ISDIR(mode) else 1
        fields = (number, mode, 0, 0, links, 0, len(data), 0, 0, 0, 0, len(name), 0)
        head = b"070701" + b"".join(b"%08x" % field for field in fields) + name
        out.write(head + bytes(-len(head) % 4))
        out.write(data)
        out.write(bytes(-len(data) % 4))
