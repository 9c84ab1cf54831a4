# SPDX-License-Identifier: GPL-2.0-or-later
"""Types lines with a Tab at their end into shells, and reads what becomes of them: type.py BUILD

The line is cleared afterwards; nothing is run.  Exit code 1 if a line did not become what it
should.
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

# How long a shell may take; it is there long before, or hangs.
PATIENCE = 60

# What is typed, and what it becomes; several words may stand for it, which a Tab lists.
LINES = [
    ("pmuctl topd", "pmuctl topdown "),
    ("pmuctl help anno", "pmuctl help annotate "),
    ("pmuctl stat --no-mul", "pmuctl stat --no-multiplex "),
    ("pmuctl stat --nmi", "pmuctl stat --nmi-watchdog=off "),
    ("pmuctl report --call-graph=fra", "pmuctl report --call-graph=fractal "),
    ("pmuctl record --strict --for", "pmuctl record --strict --force-ovf "),
    ("pmuctl stat --color=al", "pmuctl stat --color=always "),
    ("pmuctl report -s dso,addr", "pmuctl report -s dso,address "),
    ("pmuctl workload pointer", "pmuctl workload pointer-chase "),
    ("pmuctl report -i a-fi", "pmuctl report -i a-file.data "),
    ("pmuctl stat --events-dir a-dir", "pmuctl stat --events-dir a-directory/"),
    ("pmuctl stat -e cycles -- a-com", "pmuctl stat -e cycles -- a-command-of-ours "),
    ("pmuctl stat a-command-of-ours a-fi", "pmuctl stat a-command-of-ours a-file.data "),
    ("pmuctl list --metr", "pmuctl list --metrics "),
    ("pmuctl load a-fi", "pmuctl load a-file.data "),
]

# The prompt is not in what is typed, so that its echo is not taken for it.
BEGIN = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "bind 'set enable-bracketed-paste off'; PS1='%''ready '; "
             "source <(pmuctl completion bash)\n"),
    "zsh": (["zsh", "-f", "-i"],
            "unsetopt zle_bracketed_paste promptsp; autoload -U compinit; compinit -u -D; "
            "unset zle_bracketed_paste; PROMPT='%%''ready '; RPROMPT=; "
            "source <(pmuctl completion zsh)\n"),
}


def plain(text):
    """What stands in the line when all is drawn, as well as one can tell without a screen."""
    text = re.sub(r"\x1b\[[0-9;?>=]*[A-Za-z]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[=>()][0B]?", "",
                  text)
    return text.replace("\x07", "").replace("\r", "").replace("\n", "")


class Shell:
    def __init__(self, name, build, home):
        words, begin = BEGIN[name]
        self.name, self.seen = name, ""
        pid, self.fd = pty.fork()
        if not pid:
            os.chdir(home)
            os.environ.update(PATH="%s:%s:%s" % (build, home, os.environ["PATH"]), HOME=home,
                              TERM="xterm", COLUMNS="200", LC_ALL="C.UTF-8", ENV="", HISTFILE="")
            os.execvp(words[0], words)
        self.pid = pid
        self.type(begin)
        self.wait("%ready ")

    def type(self, text):
        self.seen = ""
        os.write(self.fd, text.encode())

    def wait(self, text):
        """Reads until `text` is there; what there was, if it never is."""
        until = time.monotonic() + PATIENCE
        while text not in plain(self.seen):
            if not select.select([self.fd], [], [], max(0, until - time.monotonic()))[0]:
                return False
            try:
                more = os.read(self.fd, 4096)
            except OSError:
                return False
            self.seen += more.decode(errors="replace")
        return True

    def end(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def try_line(shell, typed, becomes):
    # What is typed behind it shows where the line's end is: behind a blank, or not.
    shell.type(typed + "\t")
    good = shell.wait(becomes.rstrip(" "))
    os.write(shell.fd, b"xx")
    # zsh draws the blank twice.
    good = good and shell.wait("xx" if shell.name == "zsh" else becomes + "xx")
    said = plain(shell.seen)
    # ^U clears the line.
    shell.type("\x15")
    return good, said


def complain(name, typed, becomes, said):
    print("%s: '%s' and Tab: '%s' is expected, not '%s'" % (name, typed, becomes, said))
    return 1


def try_typed(name, build, home):
    shell = Shell(name, build, home)
    failed = 0
    for typed, becomes in LINES:
        good, said = try_line(shell, typed, becomes)
        failed += 0 if good else complain(name, typed, becomes, said)
    shell.end()
    return failed


def try_asked(name, build, home):
    """fish says by itself what it would complete."""
    failed = 0
    for typed, becomes in LINES:
        said = subprocess.run(
            [name, "--no-config", "-c", "pmuctl completion fish | source; complete -C '%s'" % typed],
            env=dict(os.environ, PATH="%s:%s:%s" % (build, home, os.environ["PATH"]), HOME=home),
            cwd=home, stdout=subprocess.PIPE, encoding="utf-8", check=False).stdout
        words = {line.split("\t")[0] for line in said.split("\n") if line}
        if words != {becomes.split()[-1]}:
            failed += complain(name, typed, becomes, said)
    return failed


def main(build):
    failed = 0
    home = tempfile.mkdtemp(prefix="pmuctl-shells-")
    open(os.path.join(home, "a-file.data"), "w", encoding="ascii").close()
    os.mkdir(os.path.join(home, "a-directory"))
    command = os.path.join(home, "a-command-of-ours")
    with open(command, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n")
    os.chmod(command, 0o755)
    try:
        for name, attempt in (("bash", try_typed), ("zsh", try_typed), ("fish", try_asked)):
            if shutil.which(name):
                failed += attempt(name, build, home)
                print("%s: %d lines" % (name, len(LINES)))
            else:
                print("%s is not installed here: not tried" % name)
    finally:
        shutil.rmtree(home)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
