# SPDX-License-Identifier: GPL-2.0-only
"""The command line of tests/box/run."""
import os
import re

import clock

KERNELS = ("6.1", "6.12", "7.x", "debug")
MOST_SEED = 2 ** 63 - 1

USAGE = """\
usage: tests/box/run [--cpu NAME] [--smp N] [--threads N] [--mem MB] [--kernel 6.1|6.12|7.x|debug]
                     [--append 'KERNEL ARGS'] [--module NAME]... [--add FILE[:GUESTPATH]]...
                     [--get GUESTPATH:FILE]... [--truth FILE.json
                     [--truth-slots|--counted-slots] [--trace-retire FILE]]
                     [--where FILE] [--ideal PENALTY[,PENALTY...][:SHARE]]
                     [--silicon READING[,READING...]] [--kinds LIST] [--skid CYCLES]
                     [--shift N] [--msr-log FILE] [--print-qemu]
                     [--seed N | --parallel] [--] COMMAND [ARG...]
Runs COMMAND as root in the emulated test box and returns its exit code.  The box
lives in guest time: clocks count its instructions, idle time is skipped, and the
same seed, command and files give the same bytes on any machine, however busy.

  --cpu NAME        profile of the CPU and its PMU (default skylake)
  --smp N           logical CPUs (default 1; p4, p4-northwood: 4)
  --threads N       threads a core (default 1; p4, p4-northwood: 2)
  --mem MB          memory (default 512)
  --kernel SERIES   Debian cloud kernel, 6.1, 6.12 or 7.x (the newest of Debian 13's backports
                    that was tried; default 6.1), or debug: a 6.1 with KASAN,
                    lockdep, kmemleak and UBSAN, which boots with mitigations=off
  --append ARGS     more kernel arguments; the last one of a kind wins
  --module NAME     a module of the kernel's package, and those that it needs, for modprobe to
                    find (intel_rapl_msr; tests/box/kernel has what is kept)
  --add FILE[:GUESTPATH]
                    copies a file or directory into the guest, to /root by default
  --get GUESTPATH:FILE
                    copies a file or directory out of the guest after COMMAND ended
  --truth FILE      writes what really retired, as JSON
  --truth-slots     ... with the cause of every issue slot of user mode, and of the kernel
                    where counters count it; slow
  --counted-slots   the same without waste: of what runs while counters count its cycles or
                    slots
  --trace-retire FILE
                    ... and a line for each instruction that retires in user mode meanwhile:
                    its space in the truth, address, cycles since the one before, what befell it
  --where FILE      writes where all instructions went, of user mode and the kernel, by who called:
                    exact, and the same bytes each time; tests/box/where prints it as a table,
                    as folded stacks or in callgrind's format
  --ideal PENALTIES takes penalties away, so that what they cost is known: branch l1 l2 l3
                    walk divider alias block icache, several with commas between; behind a
                    colon which share of each is free (0.1).  Instructions, events and output
                    stay what they are, cycles do not.  Refused beside interrupts and PEBS
                    records by cycles, which would come elsewhere
  --silicon READINGS
                    where the manual leaves it open, or processors and hypervisors do
                    otherwise, such a machine: counts-recorded c0-counts-only stays-ready
                    names-ready names-none own-bits late-bits more-bits no-buffer-bit
                    unmasked lost-pmi counts-interrupts lost-carry pops-empty
                    lbr-unwritten full-stops full-interrupts off-overflows record-each
                    reload-ones fragments null-fragments no-baseline
                    wants-preset counts-beginnings own-prefetch
                    (Documentation/silicon.rst), or with errata
                    (Documentation/errata.rst): twins short-dist odd-dist first-event
                    counter3 auxiliary; energy-wraps (box.rst); several with commas
                    between; sound: all under which samples come where they would
  --kinds LIST      which CPUs of alderlake, meteorlake, arrowlake-h, lunarlake and pantherlake
                    are big (p) and small (e), and of arrowlake-h low-power (l): p,e,p,e or
                    2p1e1l (default: the first half is big, and of three kinds the last quarter
                    low-power); --smp may be left out
  --skid CYCLES     from the overflow of a counter to its interrupt (default 0: behind the
                    very instruction; processors take some tens, up to a few hundred)
  --msr-log FILE    writes each WRMSR of a register of the PMU, a line each: CPU, register,
                    value, "ok" or "fault", address of the instruction
  --shift N         an instruction takes 2^N ns (default 2): the larger, the less happens
                    between two ticks, or in a turn of a set.  Nothing with --parallel
  --taints BITS     of the kernel that are no failure here (0, or PMUBOX_TAINTS)
  --print-qemu      prints the QEMU command line instead of running it
  --seed N          draws the length of the CPUs' turns (1,000 to 50,000
                    instructions), RDRAND and the date from N; 1, the default:
                    turns of 20,000 and the first of January 2026
  --parallel        a thread a CPU and the clocks of this machine instead: runs
                    differ, and depend on what else the machine does

Exit code: that of COMMAND, 128 + N if signal N killed it, 141 if nobody reads its
output; 2 for a bad command line; 125 if the guest hung, warned, panicked or could
not start; 126 or 127 if COMMAND could not be executed or found.

Environment: PMUBOX_TIMEOUT seconds of guest time until it counts as a hang
(default 600; with --parallel of this machine's), PMUBOX_SEED and PMUBOX_PARALLEL
for runs without --seed and --parallel, PMUBOX_QEMU another QEMU binary, PMUBOX_CPU
another -cpu string, PMUBOX_KERNEL another kernel than --kernel says, PMUBOX_TAINTS
bits of the kernel's taints that are no failure, PMUCTL_CACHE the cache, O the build
directory.
"""


# As in tests/box/model/ideal.h.
PENALTIES = ("branch", "l1", "l2", "l3", "walk", "divider", "alias", "block", "icache")

# As in tests/box/model/silicon.h.
READINGS = ("counts-recorded", "c0-counts-only", "stays-ready", "names-ready", "names-none",
            "own-bits", "late-bits", "more-bits", "no-buffer-bit", "unmasked", "lost-pmi",
            "counts-interrupts", "lost-carry", "twins", "short-dist", "odd-dist", "first-event",
            "counter3", "auxiliary", "energy-wraps", "pops-empty", "lbr-unwritten", "full-stops",
            "full-interrupts", "off-overflows", "record-each", "reload-ones", "fragments",
            "null-fragments", "no-baseline", "wants-preset", "counts-beginnings",
            "own-prefetch")
# Under which every sample comes where and when it would: one word for all of them.
SOUND = ("counts-recorded", "stays-ready", "own-bits", "late-bits", "more-bits", "no-buffer-bit",
         "unmasked", "full-stops", "full-interrupts", "off-overflows", "record-each", "reload-ones",
         "fragments", "null-fragments", "no-baseline", "own-prefetch")

# CPUs that come as cores of two threads, which share counters and so take turns.
NETBURST = ("p4", "p4-northwood")
# CPUs with big and small cores, and the letters of their kinds.
HYBRIDS = {"alderlake": "pe", "meteorlake": "pe", "arrowlake-h": "pel", "lunarlake": "pe",
           "pantherlake": "pe"}


class Bad(Exception):
    """A command line that cannot be run; the text says why."""


def number(name, text, least, most):
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise Bad(f"{name} takes a number from {least} to {most}, not '{text}'")
    return int(text)


class Options:
    def __init__(self, argv):
        self.cpu = "skylake"
        self.smp = None
        self.threads = None
        self.mem = 512
        self.kernel = "6.1"
        self.append = []
        self.module = []
        self.add = []           # (path here, path in the guest)
        self.get = []           # (path in the guest, path here)
        self.truth = None
        self.truth_slots = False
        self.counted_slots = False
        self.skid = 0
        self.ideal = None
        self.silicon = None
        self.kinds = None       # a letter for each CPU
        self.trace_retire = None
        self.msr_log = None
        self.where = None
        self.where_raw = None   # as QEMU writes it, without names
        self.shift = clock.SHIFT
        self.print_qemu = False
        self.taints = None
        self.seed = None
        self.parallel = False
        self.help = False
        self.marks = False      # around each command, in the truth
        self.command = self.parse(list(argv))
        if not self.help:
            self.check()

    def parse(self, args):
        while args and args[0].startswith("-") and args[0] != "-":
            option = args.pop(0)
            if option == "--":
                break
            if option in ("-h", "--help"):
                self.help = True
                return []
            if option in ("--print-qemu", "--parallel", "--truth-slots", "--counted-slots"):
                setattr(self, option[2:].replace("-", "_"), True)
                continue
            name, equals, value = option.partition("=")
            take = getattr(self, "take_" + name[2:].replace("-", "_"), None) if name.startswith("--") else None
            if not take:
                raise Bad(f"unknown option '{option}' (tests/box/run --help lists them)")
            if not equals:
                if not args:
                    raise Bad(f"option {name} needs a value")
                value = args.pop(0)
            take(value)
        return args

    def take_cpu(self, value):
        self.cpu = value

    def take_smp(self, value):
        self.smp = number("--smp", value, 1, 64)

    def take_threads(self, value):
        self.threads = number("--threads", value, 1, 8)

    def take_mem(self, value):
        self.mem = number("--mem", value, 192, 65536)

    def take_kernel(self, value):
        if value not in KERNELS:
            raise Bad(f"no kernel '{value}'; there are: {' '.join(KERNELS)}")
        self.kernel = value

    def take_seed(self, value):
        self.seed = number("--seed", value, 0, MOST_SEED)

    def take_append(self, value):
        self.append.append(value)

    def take_module(self, value):
        self.module.append(value)

    def take_add(self, value):
        path, guest = value, ""
        if not os.path.exists(path) and ":" in value:
            path, guest = value.rsplit(":", 1)
        if not os.path.exists(path):
            raise Bad(f"--add {value}: no file '{path}'")
        if not os.access(path, os.R_OK):
            raise Bad(f"--add {value}: '{path}' cannot be read")
        name = os.path.basename(os.path.abspath(path))
        if not guest or guest.endswith("/"):
            guest += name
        guest = os.path.normpath(os.path.join("/root", guest))
        if guest == "/" or guest.split("/")[1] in ("dev", "proc", "sys"):
            raise Bad(f"--add {value}: nothing can be put at {guest} in the guest")
        self.add.append((path, guest))

    def take_get(self, value):
        guest, colon, path = value.partition(":")
        if not colon or not guest or not path:
            raise Bad(f"--get {value}: GUESTPATH:FILE expected")
        if not os.path.isdir(path):
            check_writable("--get", path)
        self.get.append((guest, path))

    def take_skid(self, value):
        self.skid = number("--skid", value, 0, 1000000)

    def take_ideal(self, value):
        names, colon, share = value.partition(":")
        for name in names.split(","):
            if name not in PENALTIES:
                raise Bad(f"--ideal: no penalty '{name}'; there are: {' '.join(PENALTIES)}")
        try:
            right = not colon or set(share) <= set("0123456789.") and 0 < float(share) <= 1
        except ValueError:
            right = False
        if not right:
            raise Bad(f"--ideal: a share is a number above 0 and up to 1, not '{share}'")
        self.ideal = value

    def take_silicon(self, value):
        names = [one for name in value.split(",") for one in (SOUND if name == "sound" else [name])]
        for name in names:
            if name not in READINGS:
                raise Bad(f"--silicon: no reading '{name}'; there are: {' '.join(READINGS)} sound")
        self.silicon = ",".join(names)

    def take_kinds(self, value):
        runs = re.findall("([0-9]{0,2})([pel]),?", value)
        if not re.fullmatch("([0-9]{0,2}[pel],?)+", value) or not all(int(n or 1) for n, _ in runs):
            raise Bad(f"--kinds takes p,e,p,e or 2p2e, say, not '{value}'")
        self.kinds = "".join(letter * int(n or 1) for n, letter in runs)

    def take_taints(self, value):
        self.taints = number("--taints", value, 0, 1 << 32)

    def take_shift(self, value):
        self.shift = number("--shift", value, 0, clock.MOST_SHIFT)

    def take_truth(self, value):
        check_writable("--truth", value)
        self.truth = value

    def take_msr_log(self, value):
        check_writable("--msr-log", value)
        self.msr_log = os.path.abspath(value)

    def take_where(self, value):
        check_writable("--where", value)
        self.where = os.path.abspath(value)

    def take_trace_retire(self, value):
        check_writable("--trace-retire", value)
        self.trace_retire = os.path.abspath(value)

    def fill_machine(self):
        """Cores of two threads, where the CPU is one that has them."""
        threads = self.cpu in NETBURST
        if self.smp is None:
            self.smp = 4 if threads else len(self.kinds or "p")
        if self.threads is None:
            self.threads = 2 if threads and self.smp % 2 == 0 else 1

    def check(self):
        self.fill_machine()
        if self.taints is None:
            self.take_taints(os.environ.get("PMUBOX_TAINTS") or "0")
        if not self.silicon and os.environ.get("PMUBOX_SILICON"):
            self.take_silicon(os.environ["PMUBOX_SILICON"])
        if self.parallel and self.seed is not None:
            raise Bad("--seed decides nothing with --parallel: leave one of them out")
        if self.seed is None:
            self.parallel = self.parallel or bool(os.environ.get("PMUBOX_PARALLEL"))
            seed = os.environ.get("PMUBOX_SEED") or "1"
            self.seed = number("PMUBOX_SEED", seed, 0, MOST_SEED)
        if self.smp % self.threads:
            raise Bad(f"--smp {self.smp} is no multiple of --threads {self.threads}")
        self.check_kinds()
        if (self.truth_slots or self.counted_slots) and not self.truth:
            raise Bad("--truth-slots and --counted-slots need --truth FILE")
        if self.where and self.parallel:
            raise Bad("--where counts on the one thread that runs all CPUs: not with --parallel")
        if self.where and self.kernel == "debug":
            raise Bad("--where knows a thread by its stack, which KASAN makes another size: "
                      "not with --kernel debug")
        if self.trace_retire and not (self.truth_slots or self.counted_slots):
            raise Bad("--trace-retire needs --truth-slots or --counted-slots")
        if self.ideal and self.skid:
            raise Bad("--ideal: a skid (--skid) is in cycles, and would move interrupts")
        if self.ideal and self.cpu in NETBURST:
            raise Bad("--ideal: a Pentium 4's penalties cannot be taken away yet")
        if not self.command:
            raise Bad("no COMMAND given (tests/box/run --help shows the usage)")

    def check_kinds(self):
        if not self.kinds:
            return
        if self.cpu not in HYBRIDS:
            raise Bad(f"--kinds: '{self.cpu}' has one kind of core; there are more on: "
                      f"{' '.join(HYBRIDS)}")
        letters = HYBRIDS[self.cpu]
        others = sorted(set(self.kinds) - set(letters))
        if others:
            raise Bad(f"--kinds: '{self.cpu}' has cores of kinds {' and '.join(letters)}, not "
                      f"{' or '.join(others)}")
        if len(self.kinds) != self.smp:
            raise Bad(f"--kinds names {len(self.kinds)} CPUs, and there are {self.smp} (--smp)")
        cores = [self.kinds[i:i + self.threads] for i in range(0, self.smp, self.threads)]
        if any(len(set(core)) > 1 for core in cores):
            raise Bad(f"--kinds: the {self.threads} threads of a core are of one kind")


def check_writable(option, path):
    where = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise Bad(f"{option}: '{path}' is a directory")
    if not os.path.isdir(where):
        raise Bad(f"{option}: no directory '{where}'")
    if not os.access(path if os.path.exists(path) else where, os.W_OK):
        raise Bad(f"{option}: '{path}' cannot be written")
