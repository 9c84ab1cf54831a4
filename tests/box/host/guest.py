# SPDX-License-Identifier: GPL-2.0-only
"""Runs QEMU, takes the frames that the guest's init sends, and judges the outcome."""
import os
import re
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
REFUSED = re.compile(rb"^pmubox: refused: (.*)$", re.M)


class Command:
    """A command for the guest, and what became of it there."""

    def __init__(self, argv, get=(), write=None):
        self.argv = argv
        self.files = Files(get)     # (path in the guest, path here) of those it sends
        self.write = write or write_all     # (1 or 2, a piece of its output)
        self.begun = None           # by this machine's clock
        self.seconds = None         # from there until all of it was told
        self.status = None          # its wait status
        self.problems = []          # of the guest, meanwhile
        self.log = []               # the kernel's, as dmesg shows it
        self.kernel_lines = []      # those lines of it that the kernel itself wrote

    def exit_code(self):
        return os.WEXITSTATUS(self.status) if os.WIFEXITED(self.status) \
            else 128 + os.WTERMSIG(self.status)

    def elapsed(self):
        return time.monotonic() - self.begun if self.begun else 0

    def done(self):
        self.seconds = self.elapsed()
        self.judge()

    def judge(self):
        self.files.close()
        wrong = kernellog.trouble(self.kernel_lines)
        if wrong:
            self.problems.insert(0, f"the kernel said: {wrong}")


class Guest:
    """One run of the box; what it found is in it and in its commands when run() returns."""

    def __init__(self, qemu, fds, commands, guest_limit, host_limit,
                 taints, goes_on=lambda command: True):
        self.qemu = qemu            # its command, without the channel and the console
        self.fds = fds              # that it names
        self.commands = commands
        self.guest_limit = guest_limit  # of a command in QEMU's guest time, or None: seconds
        self.host_limit = host_limit    # of this machine's
        self.taints = taints        # bits of the kernel's that are no problem
        self.goes_on = goes_on      # told a command that ended: whether the next may begin
        self.current = None         # the command that has begun last
        self.problems = []          # while no command ran
        self.boot_log = []
        self.boot_lines = []
        self.console = b""
        self.qemu_said = b""
        self.ended = False
        self.asked = False          # to end, before it did so by itself
        self.enough = False         # it was, and nothing more is of interest
        self.pending = bytearray()
        self.process = None

    # frames

    def feed(self, data):
        self.pending += data
        at = 0
        while len(self.pending) - at >= 5 and not self.enough:
            kind, length = struct.unpack_from("<cI", self.pending, at)
            if len(self.pending) - at - 5 < length:
                break
            self.frame(kind.decode("latin-1"), bytes(self.pending[at + 5:at + 5 + length]))
            at += 5 + length
        del self.pending[:at]

    def frame(self, kind, data):
        handler = {"b": self.on_begin, "o": self.on_stdout, "e": self.on_stderr,
                   "k": self.on_kmsg, "p": self.on_problem, "s": self.on_status,
                   "f": self.on_file, "d": self.on_data, "t": self.on_taint,
                   "n": self.on_done, "z": self.on_end}.get(kind)
        if handler:
            handler(data)
        else:
            self.problem(f"the guest sent a frame of unknown type {kind!r}")

    def problem(self, text):
        (self.problems if self.between() else self.current.problems).append(text)

    def between(self):
        """No command runs: the guest boots or shuts down."""
        return not self.current or self.current.seconds is not None

    def all_problems(self):
        return [text for command in self.commands for text in command.problems] + self.problems

    def log(self):
        return self.boot_log + [line for command in self.commands for line in command.log]

    def on_begin(self, data):
        self.current = self.commands[struct.unpack("<I", data)[0]]
        self.current.begun = time.monotonic()
        self.deadline = self.current.begun + self.host_limit

    def on_stdout(self, data):
        self.current.write(1, data)

    def on_stderr(self, data):
        self.current.write(2, data)

    def on_kmsg(self, data):
        line, by_kernel = kernellog.kmsg_line(data)
        (self.current.log if self.current else self.boot_log).append(line)
        if by_kernel:
            (self.current.kernel_lines if self.current else self.boot_lines).append(line)

    def on_problem(self, data):
        self.problem(data.decode("utf-8", "replace"))

    def on_status(self, data):
        self.current.status = struct.unpack("<i", data)[0]

    def on_file(self, data):
        self.current.files.announce(data)

    def on_data(self, data):
        self.current.files.data(data)

    def on_taint(self, data):
        wrong = kernellog.taint_trouble(int(data), self.taints)
        if wrong:
            self.problem(wrong)

    def on_done(self, _):
        self.current.done()
        if not self.goes_on(self.current):
            self.enough = True
            self.deadline = time.monotonic() + LAST_SECONDS
            self.process.terminate()

    def on_end(self, _):
        self.ended = True
        if not self.guest_limit:
            self.deadline = time.monotonic() + SHUTDOWN_SECONDS

    def on_qemu(self, data):
        self.qemu_said += data

    # the process

    def run(self):
        self.deadline = time.monotonic() + self.host_limit
        ends = [os.pipe() for _ in range(2)]
        channel, said = (write for _, write in ends)
        # A file is never full: the guest does not notice who reads it, and when.
        console = os.memfd_create("pmubox-console")
        command = [*self.qemu,
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
        self.problem(self.overdue())
        self.asked = True
        self.deadline = time.monotonic() + LAST_SECONDS
        self.process.terminate()
        return True

    def refused(self):
        """The PMU's model would not go on; a match, whose group 1 says why."""
        return REFUSED.search(self.qemu_said)

    def hung(self):
        return self.asked or TIME_IS_UP in self.qemu_said

    def what(self):
        told = self.current and self.current.status is not None
        return "the guest did not shut down" if told else "hang: no end"

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
        """What is wrong with the end, which belongs to the command that did not come to its own."""
        if not self.between():
            self.current.judge()
        wrong = kernellog.trouble(self.boot_lines)
        if not wrong and not any(command.problems for command in self.commands):
            wrong = kernellog.trouble(self.console.decode("utf-8", "replace").splitlines())
        if wrong:
            self.problem(f"the kernel said: {wrong}")
        if TIME_IS_UP in self.qemu_said:
            self.problem(f"{self.what()} after {self.guest_limit:g} s of guest time "
                         "(PMUBOX_TIMEOUT sets the limit)")
        refused = self.refused()
        if refused:
            self.problem(refused.group(1).decode("utf-8", "replace"))
        if self.enough or refused:
            return
        if self.process.returncode != 0 and not self.all_problems():
            self.problem(f"QEMU ended with {self.process.returncode}")
        if not self.ended and not self.all_problems():
            self.problem("the guest stopped before it had reported everything")


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]
