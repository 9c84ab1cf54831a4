# SPDX-License-Identifier: GPL-2.0-only
"""Runs QEMU, takes the frames that the guest's init sends, and judges the outcome."""
import os
import selectors
import struct
import subprocess
import time

import kernellog

READ_SIZE = 1 << 20
SHUTDOWN_SECONDS = 30
GATHER_SECONDS = 0.002


class Guest:
    """One run of the box; what it found is in the attributes when run() returns."""

    def __init__(self, command, fds, files, timeout):
        self.command = command      # QEMU's, without the channel and the console
        self.fds = fds              # that it names
        self.files = files          # where the files that the guest sends go
        self.timeout = timeout
        self.status = None          # wait status of the command in the guest
        self.problems = []
        self.log = []               # the kernel's log, as dmesg shows it
        self.kernel_lines = []      # those lines of it that the kernel itself wrote
        self.console = b""
        self.qemu_said = b""
        self.missing = []           # (index of the --get, errno)
        self.ended = False
        self.out_file = None
        self.pending = bytearray()
        self.process = None
        self.aborted = True         # until QEMU closed its output by itself

    # frames

    def feed(self, data):
        self.pending += data
        at = 0
        while len(self.pending) - at >= 5:
            kind, length = struct.unpack_from("<cI", self.pending, at)
            if len(self.pending) - at - 5 < length:
                break
            self.frame(kind, bytes(self.pending[at + 5:at + 5 + length]))
            at += 5 + length
        del self.pending[:at]

    def frame(self, kind, data):
        handler = {b"o": self.on_stdout, b"e": self.on_stderr, b"k": self.on_kmsg,
                   b"p": self.on_problem, b"s": self.on_status, b"f": self.on_file,
                   b"d": self.on_data, b"t": self.on_taint, b"z": self.on_end}.get(kind)
        if handler:
            handler(data)
        else:
            self.problems.append(f"the guest sent a frame of unknown type {kind!r}")

    def on_stdout(self, data):
        write_all(1, data)

    def on_stderr(self, data):
        write_all(2, data)

    def on_kmsg(self, data):
        line, by_kernel = kernellog.kmsg_line(data)
        self.log.append(line)
        if by_kernel:
            self.kernel_lines.append(line)

    def on_problem(self, data):
        self.problems.append(data.decode("utf-8", "replace"))

    def on_status(self, data):
        self.status = struct.unpack("<i", data)[0]

    def on_file(self, data):
        index, err, mode = struct.unpack("<III", data)
        self.close_file()
        if err:
            self.missing.append((index, err))
            return
        self.out_file = open(self.files[index], "wb")
        os.fchmod(self.out_file.fileno(), mode | 0o600)

    def on_data(self, data):
        if self.out_file:
            self.out_file.write(data)

    def on_taint(self, data):
        wrong = kernellog.taint_trouble(int(data))
        if wrong:
            self.problems.append(wrong)

    def on_end(self, _):
        self.ended = True
        self.deadline = time.monotonic() + SHUTDOWN_SECONDS
        self.close_file()

    def close_file(self):
        if self.out_file:
            self.out_file.close()
        self.out_file = None

    def on_console(self, data):
        self.console += data

    def on_qemu(self, data):
        self.qemu_said += data

    # the process

    def run(self):
        self.deadline = time.monotonic() + self.timeout
        ends = [os.pipe() for _ in range(3)]
        channel, console, _ = (write for _, write in ends)
        command = self.command + ["-chardev", f"file,id=channel,path=/dev/fd/{channel}",
                                  "-chardev", f"file,id=console,path=/dev/fd/{console}"]
        # A killed runner takes its QEMU along; Ctrl-C reaches the runner alone.
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *command], stdin=subprocess.DEVNULL,
            stdout=ends[2][1], stderr=ends[2][1], pass_fds=(channel, console, *self.fds),
            start_new_session=True)
        for _, write in ends:
            os.close(write)
        try:
            self.attend([read for read, _ in ends])
        finally:
            self.stop()
            self.close_file()
        self.judge()

    def attend(self, reads):
        selector = selectors.DefaultSelector()
        for read, sink in zip(reads, (self.feed, self.on_console, self.on_qemu)):
            selector.register(read, selectors.EVENT_READ, sink)
        while selector.get_map():
            left = self.deadline - time.monotonic()
            if left <= 0:
                self.problems.append(self.overdue())
                return
            ready = selector.select(left)
            # QEMU writes byte by byte: let some gather.
            time.sleep(GATHER_SECONDS)
            for key, _ in ready:
                data = os.read(key.fd, READ_SIZE)
                if data:
                    key.data(data)
                else:
                    selector.unregister(key.fd)
                    os.close(key.fd)
        self.aborted = False

    def overdue(self):
        if self.ended:
            return f"the guest did not shut down within {SHUTDOWN_SECONDS} s"
        what = "the guest did not shut down" if self.status is not None else "hang: no end"
        return f"{what} after {self.timeout:g} s (PMUBOX_TIMEOUT sets the limit)"

    def stop(self):
        """Waits for QEMU, or ends it; on SIGTERM it still writes the truth."""
        if self.aborted:
            self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def judge(self):
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
