# SPDX-License-Identifier: GPL-2.0-only
"""Boots the box: its parts, its initramfs, QEMU's command line."""
import os
import shutil
import subprocess

import clock
import image
from cpio import Archive
from guest import Guest
from options import Bad, NETBURST

BOX = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
TOP = os.path.dirname(os.path.dirname(BOX))

# oops=panic: nothing that follows an oops can be trusted.  loglevel=5: warnings
# show on the console in case the guest cannot send its log any more.  The
# self-tests of the kernel's ciphers are nine tenths of the instructions of a boot.
# init_on_alloc: clearing each page before its use is 80 million instructions of a boot.
# panic_print: where the other CPUs were.  no_timer_check: with --parallel the check
# panics where the host is too busy.  norandmaps: a program's addresses decide what
# its caches and branches do, by points of Top-Down; runs are to be compared.
KERNEL_ARGS = "console=ttyS0 loglevel=5 nmi_watchdog=0 oops=panic panic=-1 " \
    "random.trust_cpu=on cryptomgr.notests init_on_alloc=0 panic_print=0x40 " \
    "no_timer_check norandmaps"
# REP MOVSB takes a turn for each byte here; who reads that it is fast copies whole pages so.
NOT_FAST = ",erms=off"
# Isolated page tables take a fifth of its time, and are what the other kernels are for.
DEBUG_ARGS = "mitigations=off"
# For the guest to read: how long anything takes there is this machine's doing.
PARALLEL_ARGS = "pmubox.parallel"
# Seconds of guest time that a command may take, if PMUBOX_TIMEOUT does not say.
TIMEOUT = 600


class Failed(Exception):
    """The box could not be started; the text says why."""


def cache_dir():
    home = os.environ.get("HOME") or "/root"
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.environ.get("PMUCTL_CACHE") or os.path.join(cache, "pmuctl")


def build_dir():
    return os.path.join(TOP, os.environ.get("O") or "build")


def timeout():
    text = os.environ.get("PMUBOX_TIMEOUT") or TIMEOUT
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not seconds > 0:
        raise Bad(f"PMUBOX_TIMEOUT is '{text}', not a number of seconds")
    return seconds


def read_line(command):
    """The last line that a helper prints; its progress goes to stderr."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode or not done.stdout.strip():
        raise Failed(f"{os.path.relpath(command[0], TOP)} failed")
    return done.stdout.strip().splitlines()[-1]


def kernel_dir(kernel):
    return read_line([os.path.join(BOX, "kernel"), kernel])


def profiles():
    try:
        with open(os.path.join(BOX, "qemu", "profiles"), encoding="utf-8") as file:
            lines = [line.split(None, 1) for line in file if line.strip()]
    except FileNotFoundError:
        return {}
    return {line[0]: line[1].strip() for line in lines if not line[0].startswith("#")}


def cpu_string(options):
    override = os.environ.get("PMUBOX_CPU")
    known = profiles()
    if not override and options.cpu not in known:
        raise Bad(f"no CPU '{options.cpu}'; there are: {' '.join(known)}")
    cpu = override or known[options.cpu] + NOT_FAST
    if options.kinds:
        cpu += f",pmu-kinds={options.kinds}"
    if options.skid:
        if not override and "pmu-profile=" not in cpu:
            raise Bad(f"--skid: CPU '{options.cpu}' has no PMU")
        cpu += f",pmu-skid={options.skid}"
    if options.ideal and not override and "pmu-profile=" not in cpu:
        raise Bad(f"--ideal: CPU '{options.cpu}' has no PMU, and the penalties are its model's")
    if options.silicon and not override and "pmu-profile=" not in cpu:
        raise Bad(f"--silicon: CPU '{options.cpu}' has no PMU, and the readings are its model's")
    if options.truth:
        if not override and "pmu-profile=" not in cpu:
            raise Bad(f"--truth: CPU '{options.cpu}' has no PMU, and the truth comes from its model")
        cpu += ",pmu-truth=" + os.path.abspath(options.truth).replace(",", ",,")
    if options.truth_slots or options.counted_slots:
        cpu += ",pmu-truth-slots=on"
    return cpu


def build(*targets):
    """Brings the parts of this tree that the guest runs up to date."""
    if os.environ.get("PMUBOX_PREBUILT"):
        return
    env = {name: value for name, value in os.environ.items()
           if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    with image.lock(os.path.join(build_dir(), ".box.lock")):
        done = subprocess.run(["make", "-s", "-C", TOP, f"O={build_dir()}", *targets],
                              env=env, stdout=2, check=False)
    if done.returncode:
        raise Failed("the parts of the guest could not be built")


def tree_files(archive, release):
    """Adds init, command and library; returns the path of the module, if built."""
    out = build_dir()
    box = os.path.join(out, "box")
    archive.file("init", os.path.join(box, "init"))
    for name, path in (("/usr/bin/pmuctl", "pmuctl"),
                       (image.LIBRARIES + "/libpmuctl.so.0", "libpmuctl.so.0")):
        if os.path.exists(os.path.join(box, path)):
            image.add_program(archive, name, os.path.join(box, path), out)
    module = os.path.join(box, f"kmod-{release}", "pmuctl.ko")
    return module if os.path.exists(module) else None


def strings(values):
    return b"".join(os.fsencode(value) + b"\0" for value in values)


def write_initrd(options, commands, kernel, file):
    """Everything that the guest is told; no name, time or order of this machine."""
    cache = cache_dir()
    with image.lock(os.path.join(cache, ".initramfs.lock")):
        base, names = image.base(cache)
    with open(os.path.join(kernel, "release"), encoding="utf-8") as text:
        release = text.read().strip()
    archive = Archive(names)
    module = tree_files(archive, release)
    loaded = image.add_modules(archive, kernel, release, module, options.module)
    for source, place in options.add:
        image.add_program(archive, image.guest_path(place), source, build_dir())
    archive.directory(".box", 0o700)
    archive.data(".box/modules", strings(loaded))
    for number, command in enumerate(commands):
        archive.data(f".box/{number}/argv", strings(command.argv))
        archive.data(f".box/{number}/get", strings(command.files.paths()))
    if options.print_qemu:
        archive.data(".box/plain", b"")
    if options.truth_slots:
        archive.data(".box/slots", b"")
    if options.marks:
        archive.data(".box/marks", b"")
    with open(base, "rb") as source:
        shutil.copyfileobj(source, file, 1 << 20)
    archive.write(file)
    file.flush()


def qemu_command(options, kernel, initrd, limit=None):
    qemu = os.environ.get("PMUBOX_QEMU") or read_line([os.path.join(BOX, "qemu", "build")])
    if not os.access(qemu, os.X_OK):
        raise Failed(f"{qemu} is no program")
    smp = f"{options.smp},sockets=1,cores={options.smp // options.threads}," \
          f"threads={options.threads}"
    given = {"PMUBOX_MSR_LOG": options.msr_log, "PMUBOX_IDEAL": options.ideal,
             "PMUBOX_SILICON": options.silicon,
             "PMUBOX_TRACE_RETIRE": options.trace_retire, "PMUBOX_WHERE": options.where_raw}
    env = [f"{name}={value}" for name, value in given.items() if value]
    more = [DEBUG_ARGS] if options.kernel == "debug" else []
    more += [PARALLEL_ARGS] if options.parallel else []
    cpu = cpu_string(options)
    turns = options.threads > 1 and any(f"pmu-profile={name}" in cpu for name in NETBURST)
    accel = "tcg,thread=single" if turns and options.parallel else "tcg"
    return [*(["env", *env] if env else []), qemu, "-accel", accel, *clock.qemu_options(options, limit), "-M", "pc",
            "-cpu", cpu, "-smp", smp, "-m", str(options.mem), "-nodefaults",
            "-no-user-config", "-display", "none", "-no-reboot",
            "-kernel", os.path.join(kernel, "vmlinux"), "-initrd", initrd,
            "-append", " ".join([KERNEL_ARGS, *more, *options.append])]


def boot(options, commands, kernel, limit=None, **more):
    """Runs the box once; what it found is in the commands and the Guest that is returned.

    limit: in seconds of guest time, if not that of PMUBOX_TIMEOUT.
    """
    limit = limit or timeout()
    # A file without a name: nothing is left behind, however this ends.
    with os.fdopen(os.memfd_create("pmubox-initrd"), "wb") as initrd:
        write_initrd(options, commands, kernel, initrd)
        command = qemu_command(options, kernel, f"/dev/fd/{initrd.fileno()}", limit)
        guest = Guest(command, [initrd.fileno()], commands,
                      None if options.parallel else limit, clock.host_limit(options, limit),
                      options.taints, **more)
        guest.run()
    return guest
