# SPDX-License-Identifier: GPL-2.0-only
"""Writes the files and directories that the guest sends."""
import os
import stat
import struct


class Files:
    def __init__(self, wishes):
        self.wishes = wishes        # (path in the guest, path here)
        self.missing = []           # (path in the guest, errno)
        self.out = None             # the file that is being sent...
        self.link = None            # ...or the place of a symbolic link

    def paths(self):
        return [guest for guest, _ in self.wishes]

    def announce(self, data):
        """A file follows, or a directory is there, or something cannot be had."""
        self.close()
        index, error, mode = struct.unpack_from("<III", data)
        below = os.fsdecode(data[12:]).strip("/")
        guest, path = self.wishes[index]
        if error:
            self.missing.append((os.path.join(guest, below) if below else guest, error))
            return
        if below:
            path = os.path.join(path, below)
        elif not stat.S_ISDIR(mode) and os.path.isdir(path):
            path = os.path.join(path, os.path.basename(guest))
        self.make(path, mode)

    def make(self, path, mode):
        if stat.S_ISDIR(mode):
            os.makedirs(path, exist_ok=True)
        elif stat.S_ISLNK(mode):
            self.link = path
        else:
            self.out = open(path, "wb")
            os.fchmod(self.out.fileno(), stat.S_IMODE(mode) | 0o600)

    def data(self, data):
        if self.link:
            if os.path.islink(self.link):
                os.unlink(self.link)
            os.symlink(os.fsdecode(data), self.link)
        elif self.out:
            self.out.write(data)

    def close(self):
        if self.out:
            self.out.close()
        self.out = self.link = None
