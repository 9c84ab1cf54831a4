# SPDX-License-Identifier: GPL-2.0-only
"""The checks of tests/box/tests: what the heads of their files say, and who shares a boot.

A file NAME.guest with a line "# box: [OPTION...] [-- CHECK...]" is a file of checks.
Documentation/testing.rst has the lines of such a head.
"""
import glob
import itertools
import os
import re
import shlex

import boot
from options import Bad, Options

# Others are for the test of the checks themselves.
TESTS = os.environ.get("PMUBOX_CHECKS") or os.path.join(boot.BOX, "tests")
# Estimated.  Longer boots would leave one core without work at the end.
BOOT_SECONDS = 80
DEFAULT_SECONDS = 3

# The lines of a head that name boxes, and the tiers in which these are tried.
TIERS = {"box": ("check", "full"), "full": ("full",), "debug": ("debug",)}
KEYS = (*TIERS, "programs", "files", "get", "judge", "seconds", "seeds")
# Options of a box that are not those of tests/box/run: --truth has no file here.
OWN_OPTIONS = ("--truth", "--pipeline", "--alone")
HEAD = re.compile(r"^# ([a-z]+):(?: (.*))?$")


class Head:
    """What the comments at the top of a file of checks say."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.relpath(path, boot.TOP)
        self.boxes = []         # (key, its text)
        self.judges = []        # commands
        self.words = {key: [] for key in KEYS if key not in TIERS}
        with open(path, encoding="utf-8") as file:
            for line in file:
                if not line.startswith("#"):
                    break
                self.take(line.rstrip("\n"))

    def take(self, line):
        found = HEAD.match(line)
        if not found or found[1] not in KEYS:
            return
        if found[1] in TIERS:
            self.boxes.append((found[1], found[2] or ""))
        elif found[1] == "judge":
            self.judges.append(shlex.split(found[2]))
        else:
            self.words[found[1]] += shlex.split(found[2] or "")

    def seconds(self):
        return float((self.words["seconds"] or [DEFAULT_SECONDS])[0])

    def added(self):
        """(path here, path in the guest) of what its checks find there."""
        progs = os.path.join(boot.build_dir(), "box", "progs")
        where = [(os.path.join(TESTS, name), name) for name in
                 [os.path.basename(self.path), *self.words["files"]]]
        for word in self.words["programs"]:
            name, _, place = word.partition(":")
            where.append((os.path.join(progs, name), place or name))
        return [(path, os.path.join("/root", place)) for path, place in where]

    def program(self, name):
        return os.path.join(boot.build_dir(), "box", "progs", name)


class Box:
    """The machine that a line of a head asks for."""

    def __init__(self, words):
        self.truth = not {"--truth", "--truth-slots", "--counted-slots"}.isdisjoint(words)
        self.pipeline = "--pipeline" in words
        self.alone = "--alone" in words     # what its checks do cannot be undone
        self.words = [word for word in words if word not in OWN_OPTIONS]
        options = self.options()
        self.cpus = options.smp
        first = ["--cpu", options.cpu, "--kernel", options.kernel, "--smp", str(options.smp)]
        self.name = shlex.join([*first, *self.rest(),
                                *(word for word in OWN_OPTIONS if word in words)])

    def options(self, truth=os.devnull):
        """truth: the file for it, if there is one."""
        return Options([*self.words, *(["--truth", truth] if self.truth else []), "--", "checks"])

    def rest(self):
        """Its options but those that each name begins with."""
        rest, words = [], list(self.words)
        while words:
            word = words.pop(0)
            if word in ("--cpu", "--kernel", "--smp"):
                words.pop(0)
            else:
                rest.append(word)
        return rest


class Check:
    """One check in one box."""

    def __init__(self, head, box, args):
        self.head = head
        self.box = box
        self.args = args        # as a line of a shell
        self.seconds = 0        # estimated
        self.name = " ".join(word for word in (head.name, args, box.name) if word)

    def argv(self):
        return ["./" + os.path.basename(self.head.path), *shlex.split(self.args)]


def spread(words):
    """--cpu and --kernel may have several values with commas between: a box for each."""
    values = [word.split(",") if before in ("--cpu", "--kernel") else [word]
              for before, word in zip(["", *words], words)]
    return [list(row) for row in itertools.product(*values)]


def of_line(head, text):
    """The checks of one line "# box: ..."."""
    words = shlex.split(text)
    at = words.index("--") if "--" in words else len(words)
    try:
        boxes = [Box(row) for row in spread(words[:at])]
    except Bad as error:
        raise Bad(f"{head.name}: 'box: {text}': {error}") from None
    return [Check(head, box, args) for box in boxes for args in words[at + 1:] or [""]]


def of_file(path, tier):
    head = Head(path)
    rows = [(key, check) for key, text in head.boxes for check in of_line(head, text)]
    in_check = [check for key, check in rows if key == "box"] or rows
    # A line for make check-full may have boxes again that make check has.
    checks = {check.name: check for key, check in rows if tier in TIERS[key]}
    for check in checks.values():
        check.seconds = head.seconds() / len(in_check)
    return list(checks.values())


def all_checks(tier):
    return [check for path in sorted(glob.glob(os.path.join(TESTS, "*.guest")))
            for check in of_file(path, tier)]


def boots(checks):
    """Those that share a box share a boot, as many as it has time for; files stay together."""
    rows = [[check] for check in checks if check.box.alone]
    for box in sorted({check.box.name for check in checks if not check.box.alone}):
        row, seconds = [], 0
        same = [check for check in checks if check.box.name == box]
        for name in dict.fromkeys(check.head.name for check in same):
            own = [check for check in same if check.head.name == name]
            takes = sum(check.seconds for check in own)
            if row and seconds + takes > BOOT_SECONDS:
                rows.append(row)
                row, seconds = [], 0
            row, seconds = row + own, seconds + takes
        rows.append(row)
    return rows
