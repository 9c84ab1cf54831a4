# SPDX-License-Identifier: GPL-2.0-or-later
"""What is seen on a terminal: colours, the pager, how far it is.

terminal.py PMUCTL DIR: see programs.py
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perfdata import Data   # noqa: E402
from programs import (DIR, PMUCTL, bad, build, end, expect, expect_said,   # noqa: E402
                      plain_program, view)

RED, GREEN, PLAIN = "\033[31m", "\033[32m", "\033[0m"
ESCAPES = re.compile(r"\033\[[0-9;]*[mK]")
MANY = 100000


# A second passes each other time that somebody looks at it; or none ever does.
CLOCK = """
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *t)
{
	static long ticks;

	(void)id;
	ticks += TICK;
	t->tv_sec = ticks / 2;
	t->tv_nsec = ticks % 2 * 500000000;
	return 0;
}
"""


def clocks():
    """That of the test says how long something takes, not the machine."""
    with open(DIR + "/clock.c", "w", encoding="utf-8") as file:
        file.write(CLOCK)
    for name, tick in (("fast.so", 1), ("still.so", 0)):
        build(name, "-shared", "-fPIC", "-DTICK=%d" % tick, source="clock.c")


class Terminal:
    """A command whose standard streams are a terminal, or the last two of them."""

    def __init__(self, *words, size=(24, 80), stdout=None, env=None, **vars_):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        own = {name: value for name, value in os.environ.items() if name not in
               ("NO_COLOR", "PAGER", "PMUCTL_PAGER", "LESS", "COLUMNS", "DEBUGINFOD_URLS")}
        own.update(TERM="xterm", HOME=DIR + "/home", TMPDIR=DIR, LD_PRELOAD=DIR + "/still.so")
        own.update(env or {}, **vars_)
        self.process = subprocess.Popen(
            words, stdin=slave, stdout=stdout or slave, stderr=slave, cwd=DIR,
            env={name: value for name, value in own.items() if value is not None},
            start_new_session=True, preexec_fn=self.take)
        os.close(slave)
        self.seen = ""

    @staticmethod
    def take():
        """What is started in the background has ^C ignored, and no terminal of its own."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def read(self, until=None):
        """All of it, or up to this text."""
        parts = [self.seen]
        while until is None or until not in "".join(parts):
            # A minute of silence is a hang.
            if not select.select([self.master], [], [], 60)[0]:
                self.process.kill()
                bad("it hangs behind %r" % "".join(parts)[-200:])
                break
            try:
                got = os.read(self.master, 65536)
            except OSError:
                got = b""
            if not got:
                break
            parts.append(got.decode(errors="replace"))
        self.seen = "".join(parts).replace("\r\n", "\n")
        return self.seen

    def press(self, keys):
        os.write(self.master, keys.encode())

    def end(self):
        """Exit code and what was seen."""
        self.read()
        code = self.process.wait()
        os.close(self.master)
        return code, self.seen


def on_terminal(*words, **how):
    return Terminal(PMUCTL, *words, **how).end()


def made(program):
    """d: three rows of 90, 9.6 and 0.4 %; many: a row for each of many addresses; large: MiB."""
    data = Data()
    program.map_into(data)
    for function, count in (("work", 900), ("main", 96), ("_start", 4)):
        for _ in range(count):
            data.sample(program.ip(function))
    data.write(DIR + "/d")
    for name, count in (("many", MANY), ("large", MANY // 3)):
        data = Data()
        program.map_into(data)
        data.sample(program.ip())
        data.samples(0x1000 + 16 * i for i in range(count))
        data.write(DIR + "/" + name)


def shares(text):
    """Share -> its colour."""
    return {share: colour for colour, share in
            re.findall(r"(\033\[3\dm)? +(\d+\.\d\d)%", text)}


def colours():
    words = ("report", "-i", "d", "-s", "sym")
    code, plain, _ = view(*words)
    expect("plain", (code, "\033" in plain), (0, False))
    code, seen = on_terminal(*words, "--no-pager")
    expect("colours", (code, shares(seen)), (0, {"90.00": RED, "9.60": RED, "0.40": ""}))
    expect("text below colours", ESCAPES.sub("", seen), plain)
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": None}, {"TERM": ""}):
        expect("none with %s" % env, on_terminal(*words, "--no-pager", env=env), (0, plain))
    expect("an empty NO_COLOR", "\033" in on_terminal(*words, "--no-pager", NO_COLOR="")[1], True)
    expect("never", on_terminal(*words, "--no-pager", "--color=never"), (0, plain))
    code, always, _ = view(*words, "--color", "always", env={"NO_COLOR": "1"})
    expect("always", (code, always), (0, seen))
    for more in (["-x", ";"], ["-j"]):
        expect("always " + more[0], view(*words, "--color", "always", *more), view(*words, *more))
    view(*words, "-o", "out")
    with open(DIR + "/out", encoding="utf-8") as file:
        expect("-o", file.read(), plain)
    code, _, err = view(*words, "--color", "red")
    expect("--color red", code, 129)
    expect_said("--color red", err, "--color 'red': it is auto, always or never")
    code, seen = on_terminal("annotate", "-i", "d", "work", "--no-pager")
    expect("annotate", (code, RED in seen, ESCAPES.sub("", seen)),
           (0, True, view("annotate", "-i", "d", "work")[1]))


def differences(program):
    for name, work in (("a", 2000), ("b", 1000)):
        data = Data()
        program.map_into(data)
        for i in range(3000):
            data.sample(program.ip("work" if i < work else "main"))
        data.write(DIR + "/" + name)
    code, seen = on_terminal("diff", "a", "b", "-s", "sym", "--no-pager")
    expect("diff", (code, ESCAPES.sub("", seen)), (0, view("diff", "a", "b", "-s", "sym")[1]))
    expect("diff's verdicts", sorted(re.findall(r"(\033\[3\dm)  (more|less)", seen)),
           [(RED, "more"), (GREEN, "less")])


# ---- the pager -----------------------------------------------------------------------------------

# Sits between: says what it was given, and to whom it was started.
PAGER = """#!/bin/sh
echo "[$0 $* $LESS $TERM]"
sed 's/^/|/'
"""


def script(name, text):
    path = DIR + "/bin/" + name
    os.makedirs(DIR + "/bin", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


def which_pager():
    words = ("report", "-i", "d", "-s", "sym")
    plain = view(*words)[1]
    one, two = script("one", PAGER), script("two", PAGER)
    script("less", PAGER)
    path = DIR + "/bin:" + os.environ["PATH"]
    given = "".join("|%s\n" % line for line in plain.splitlines())
    for env, name in (({"PMUCTL_PAGER": one, "PAGER": two}, one + " "),
                      ({"PAGER": two + " -a  b"}, two + " -a b"), ({"PATH": path}, DIR + "/bin/less "),
                      ({"PAGER": two + " 'a b'"}, two + " a b")):
        code, seen = on_terminal(*words, env=env, NO_COLOR="1")
        expect("pager of %s" % env, (code, seen), (0, "[%s FRX xterm]\n%s" % (name, given)))
    code, seen = on_terminal(*words, PAGER=one, LESS="R")
    expect("an own LESS, and colours", (seen.split("\n")[0], RED in seen), ("[%s  R xterm]" % one, True))
    # None of these is started, nor is one where nobody looks.
    for env in ({"PMUCTL_PAGER": "", "PAGER": one}, {"PAGER": "cat"}, {"PAGER": ""}, {"PAGER": "  "},
                {"PAGER": DIR + "/nosuch -R"}, {"PAGER": DIR}, {"PAGER": one, "TERM": "dumb"},
                {"PATH": DIR + "/none"}):
        expect("no pager by %s" % env, on_terminal(*words, env=env, NO_COLOR="1"), (0, plain))
    expect("--no-pager", on_terminal(*words, "--no-pager", PAGER=one, NO_COLOR="1"), (0, plain))
    expect("to a pipe", view(*words, env={"PAGER": one})[1], plain)
    code, seen = on_terminal(*words, PAGER="nosuch-pager | nosuch", NO_COLOR="1")
    expect("a shell without it", code, 255)
    expect_said("a shell without it", seen, "pmuctl: the pager could not be started")
    # What is said on standard error is seen behind what it is about.
    code, seen = on_terminal(*words, "-S", "work,nosuch", PAGER=one, NO_COLOR="1")
    expect("errors", (code, seen.rstrip().split("\n")[-1]),
           (0, "|pmuctl report: -S: no sample is in a symbol named 'nosuch'"))
    code, seen = on_terminal(*words, "-S", "nosuch", PAGER=one, NO_COLOR="1")
    expect("the exit code", code, 1)
    code, seen = on_terminal("report", "-i", "nosuch", PAGER=one)
    expect("nothing to be paged", (code, "|" in seen), (255, False))
    for words in (("script", "-i", "d"), ("annotate", "-i", "d", "work"), ("diff", "a", "b"),
                  ("mem", "-i", "d"), ("list", "inst"), ("list", "--metrics", "--for", "skylake"),
                  ("explain", "--for", "skylake", "cycles")):
        code, seen = on_terminal(*words, PAGER=one, NO_COLOR="1")
        code_of_plain, plain, _ = view(*words)
        expect("%s in a pager" % words[0], (code, seen.startswith("[")), (code_of_plain, True))
        given = re.findall(r"^\|(.*)$", seen, re.M)
        expect("%s in a pager, whole" % words[0],
               [line for line in plain.splitlines() if line not in given], [])


def ends():
    words = ("report", "-i", "many", "-s", "address")
    code, seen = on_terminal(*words, PAGER="head -1", NO_COLOR="1")
    expect("head -1", (code, seen), (0, "# Total Lost Samples: 0\n"))
    code, seen = on_terminal(*words, PAGER="true")
    expect("true", (code, seen), (0, ""))
    code, seen = on_terminal(*words, PAGER="cat -", NO_COLOR="1")
    expect("all of it", (code, seen.count("\n")), (0, view(*words)[1].count("\n")))
    code, seen = on_terminal("script", "-i", "many", PAGER="head -1")
    expect("script and head -1", (code, seen.count("\n")), (0, 1))
    # One that does not read more: ^C is not its end, and nothing more is written.
    slow = script("slow", "#!/bin/sh\ntrap 'echo interrupted' INT\nhead -1; read a </dev/tty\n"
                  "read a </dev/tty\necho ended\n")
    t = Terminal(PMUCTL, *words, PAGER=slow, NO_COLOR="1")
    t.read("Lost Samples: 0")
    # A shell that is just before its read says what its trap has behind that, so the lines it
    # waits for come at once: of 3000 ^C alone 73 were not answered before the read was over.
    t.press("\003\n\n")
    code, seen = t.end()
    expect("^C", (code, seen.endswith("interrupted\nended\n")), (-signal.SIGINT, True))
    # All was written before: then it is the pager's alone.
    t = Terminal(PMUCTL, "report", "-i", "d", PAGER=slow, NO_COLOR="1")
    t.read("Lost Samples: 0")
    # When its output is the terminal again it waits for the pager alone.
    while "pipe:" in os.readlink("/proc/%d/fd/1" % t.process.pid):
        time.sleep(0.01)
    t.press("\003\n\n")
    code, seen = t.end()
    expect("^C behind all", (code, seen.endswith("interrupted\nended\n")), (0, True))


def real_less():
    """On a screen of 50 lines the table fits and less ends by itself; on one of 5 it waits."""
    words = (PMUCTL, "report", "-i", "d", "-s", "sym")
    if subprocess.run(["which", "less"], stdout=subprocess.DEVNULL, check=False).returncode:
        return
    code, seen = Terminal(*words, size=(50, 80)).end()
    expect("less on a large screen", (code, shares(seen)), (0, {"90.00": RED, "9.60": RED, "0.40": ""}))
    t = Terminal(*words, size=(5, 80))
    t.read(":")
    t.press("q")
    code, seen = t.end()
    expect("less on a small screen", (code, "90.00" in seen), (0, False))


# ---- how far it is ---------------------------------------------------------------------------

def screen(text):
    """What is left to be read of it in the end."""
    done, line, column = "", "", 0
    for piece in re.findall(r"\r|\n|\033\[K|[^\r\n\033]+|\033", text):
        if piece == "\n":
            done, line, column = done + line + "\n", "", 0
        elif piece == "\r":
            column = 0
        elif piece == "\033[K":
            line = line[:column]
        else:
            line = line[:column] + piece + line[column + len(piece):]
            column += len(piece)
    return done + line


def progress():
    clock = {"LD_PRELOAD": DIR + "/fast.so"}
    reading = r"reading \d of \d MiB"
    for words, wanted in ((("report", "-i", "large"), reading), (("diff", "large", "large"), reading),
                          (("report", "-i", "large", "-s", "address", "-o", "out"),
                           r"looking up addresses: \d+ of 100 %"),
                          (("script", "-i", "large", "-o", "out"), reading),
                          (("annotate", "-i", "large"), reading), (("mem", "-i", "large"), reading),
                          (("export", "-i", "large", "--folded", "-o", "out"), reading),
                          (("archive", "-i", "large", "-o", "out.tar"),
                           "collecting 0 of 1 files of code")):
        code, _, err = view(*words, env=clock)
        expect("%s in a log" % words[0], "\r" in err, False)
        with open("/dev/null", "wb") as null:
            seen = on_terminal(*words, stdout=null, env=clock)
        lines = re.findall(r"\rpmuctl %s: %s\033\[K" % (words[0], wanted), seen[1])
        expect("%s on the way" % words[0], bool(lines), True)
        # What is said comes when the line has gone.
        expect("%s at the end" % words[0], (seen[0], screen(seen[1])), (code, err))
    # So does what is printed; a pager has the screen for itself, so have lines that come meanwhile.
    words = ("report", "-i", "large", "-s", "dso")
    code, plain, err = view(*words, env=clock)
    seen = on_terminal(*words, "--no-pager", env=clock, NO_COLOR="1")
    expect("then the table", (seen[0], screen(seen[1]), "reading" in seen[1]), (code, plain + err, True))
    code, seen = on_terminal("script", "-i", "large", "--no-pager", env=clock)
    expect("not between lines", (code, "reading" in seen[seen.index("cpu-clock"):]), (0, False))
    code, seen = on_terminal("script", "-i", "large", env=clock, PAGER="head -1")
    expect("nor in a pager", (code, "reading" in seen[seen.index("cpu-clock"):]), (0, False))
    # Both files are read before there is a pager.
    code, seen = on_terminal("diff", "large", "large", env=clock, PAGER=DIR + "/bin/one")
    expect("diff in a pager", (code, "reading" in seen, re.findall(r"\|.*reading", seen)), (0, True, []))
    for how in ({"TERM": "dumb", "env": clock}, {"NO_COLOR": "1"}):
        expect("none with %s" % how, on_terminal(*words, "--no-pager", **how), (0, plain + err))


def human():
    for words, wanted in ((["-s", "sym", "-n"], ["900  ", "96  ", "4  "]),):
        code, out, _ = view("report", "-i", "d", "--human", *words)
        expect("--human", (code, re.findall(r"% +(\d\S*(?: [kMG]| {2})) ", out)), (0, wanted))
        expect("--human above", re.findall(r"^# (?:Samples|Event count.*): (\S+(?: [kMG])?)", out, re.M),
               ["1.00 k", "1.00 M"])
    for option, more in (("-x", ["-x", ";"]), ("-j", ["-j"])):
        code, _, err = view("report", "-i", "d", "--human", *more)
        expect("--human " + option, code, 129)
        expect_said("--human " + option, err, "--human rounds, and %s is for programs" % option)


def main():
    program = plain_program()
    clocks()
    made(program)
    colours()
    differences(program)
    which_pager()
    ends()
    real_less()
    progress()
    human()
    end()


main()
