# SPDX-License-Identifier: GPL-2.0-only
"""Runs QEMU, takes the frames that the guest's init sends, and judges the outcome."""
import os
import selectors
import struct
import subprocess
import sys
import time

import kernellog
from files import Files

READ_SIZE = 1 << 20
# QEMU writes the truth behind it, with up to 200000 samples a CPU.
SHUTDOWN_SECONDS = 120
LAST_SECONDS = 120      # for QEMU to write the truth when it was asked to end
TIME_IS_UP = b"pmubox: guest time is up\n"


class Guest:
    """One run of the box; what it found is in the attributes when run() returns."""

    def __init__(self, command, fds, files, guest_limit, host_limit, out=None):
        self.command = command      # QEMU's, without the channel and the console
        self.fds = fds              # that it names
        self.files = Files(files)   # (path in the guest, path here) of those it sends
        self.guest_limit = guest_limit  # of QEMU's guest time, or None: seconds
        self.host_limit = host_limit    # of this machine's
        self.out = out              # a file for the command's output, or our own streams
        self.status = None          # wait status of the command in the guest
        self.problems = []
        self.log = []               # the kernel's log, as dmesg shows it
        self.kernel_lines = []      # those lines of it that the kernel itself wrote
        self.console = b""
        self.qemu_said = b""
        self.ended = False
        self.asked = False          # to end, before it did so by itself
        self.pending = bytearray()
        self.process = None

    # frames

    def feed(self, data):
        self.pending += data
        at = 0
        while len(self.pending) - at >= 5:
            kind, length = struct.unpack_from("<cI", self.pending, at)
            if len(self.pending) - at - 5 < length:
                break
            self.frame(kind.decode("latin-1"), bytes(self.pending[at + 5:at + 5 + length]))
            at += 5 + length
        del self.pending[:at]

    def frame(self, kind, data):
        handler = {"o": self.on_stdout, "e": self.on_stderr, "k": self.on_kmsg,
                   "p": self.on_problem, "s": self.on_status, "f": self.files.announce,
                   "d": self.files.data, "t": self.on_taint, "z": self.on_end}.get(kind)
        if handler:
            handler(data)
        else:
            self.problems.append(f"the guest sent a frame of unknown type {kind!r}")

    def on_stdout(self, data):
        self.write(1, data)

    def on_stderr(self, data):
        self.write(2, data)

    def write(self, fd, data):
        if self.out:
            self.out.write(data)
        else:
            write_all(fd, data)

    def on_kmsg(self, data):
        line, by_kernel = kernellog.kmsg_line(data)
        self.log.append(line)
        if by_kernel:
            self.kernel_lines.append(line)

    def on_problem(self, data):
        self.problems.append(data.decode("utf-8", "replace"))

    def on_status(self, data):
        self.status = struct.unpack("<i", data)[0]

    def on_taint(self, data):
        wrong = kernellog.taint_trouble(int(data))
        if wrong:
            self.problems.append(wrong)

    def on_end(self, _):
        self.ended = True
        if not self.guest_limit:
            self.deadline = time.monotonic() + SHUTDOWN_SECONDS
        self.files.close()

    def on_qemu(self, data):
        self.qemu_said += data

    # the process

    def run(self):
        self.deadline = time.monotonic() + self.host_limit
        ends = [os.pipe() for _ in range(2)]
        channel, said = (write for _, write in ends)
        # A file is never full: the guest does not notice who reads it, and when.
        console = os.memfd_create("pmubox-console")
        command = [*self.command,
                   "-chardev", f"file,id=console,path=/dev/fd/{console}",
                   "-serial", "chardev:console"]
        # A killed runner takes its QEMU along; Ctrl-C reaches the runner alone.
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *command], stdin=subprocess.DEVNULL,
            stdout=said, stderr=said, pass_fds=(channel, console, *self.fds),
            env=dict(os.environ, PMUBOX_REPORT="1", PMUBOX_CHANNEL=str(channel)),
            start_new_session=True)
        for _, write in ends:
            os.close(write)
        try:
            self.attend([read for read, _ in ends])
        finally:
            self.stop()
            self.files.close()
            self.console = os.pread(console, os.fstat(console).st_size, 0)
            os.close(console)
        self.judge()

    def attend(self, reads):
        selector = selectors.DefaultSelector()
        for read, sink in zip(reads, (self.feed, self.on_qemu)):
            selector.register(read, selectors.EVENT_READ, sink)
        while selector.get_map():
            left = self.deadline - time.monotonic()
            if left <= 0 and not self.give_up():
                return
            ready = selector.select(left)
            for key, _ in ready:
                data = os.read(key.fd, READ_SIZE)
                if data:
                    key.data(data)
                else:
                    selector.unregister(key.fd)
                    os.close(key.fd)

    def give_up(self):
        """Asks QEMU to end, or returns False if it was asked before."""
        if self.asked:
            return False
        self.problems.append(self.overdue())
        self.asked = True
        self.deadline = time.monotonic() + LAST_SECONDS
        self.process.terminate()
        return True

    def hung(self):
        return self.asked or TIME_IS_UP in self.qemu_said

    def what(self):
        return "the guest did not shut down" if self.status is not None else "hang: no end"

    def overdue(self):
        if self.guest_limit:
            return f"{self.what()} after {self.host_limit:g} s of this machine's time, before " \
                   f"{self.guest_limit:g} s of guest time were over (PMUBOX_TIMEOUT sets both)"
        if self.ended:
            return f"the guest did not shut down within {SHUTDOWN_SECONDS} s"
        return f"{self.what()} after {self.host_limit:g} s (PMUBOX_TIMEOUT sets the limit)"

    def stop(self):
        """Waits for QEMU, or ends it; on SIGTERM it still writes the truth."""
        if sys.exc_info()[0]:
            self.process.terminate()
        try:
            self.process.wait(LAST_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def judge(self):
        if TIME_IS_UP in self.qemu_said:
            self.problems.append(f"{self.what()} after {self.guest_limit:g} s of guest time "
                                 "(PMUBOX_TIMEOUT sets the limit)")
        wrong = kernellog.trouble(self.kernel_lines)
        if not wrong:
            wrong = kernellog.trouble(self.console.decode("utf-8", "replace").splitlines())
        if wrong:
            self.problems.insert(0, f"the kernel said: {wrong}")
        if self.process.returncode != 0 and not self.problems:
            self.problems.append(f"QEMU ended with {self.process.returncode}")
        if not self.ended and not self.problems:
            self.problems.append("the guest stopped before it had reported everything")


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]
