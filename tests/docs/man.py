# SPDX-License-Identifier: GPL-2.0-or-later
"""The manual pages of subcommands against what the command itself takes and says.

man.py PMUCTL PAGES [SOURCES]

Of every subcommand of `PMUCTL --help`: the options of its page, their letters, arguments and
numbers, and those of the synopsis are those of --help, which is made of the rows by which the
command line is read; words that an option takes (tables in SOURCES) are in the page, and none
besides.
Exit code 1 if something is not.
"""
import glob
import re
import subprocess
import sys

# An example of --help's, and the page has another.
EXAMPLES = {("topdown", "--pid")}
MACROS = {"Fl", "Ar", "Op", "Oo", "Oc", "Ns", "Cm", "Pa", "Ql", "Pq", "Li", "Nm"}
findings = []


def bad(text):
    findings.append(text)
    print(text)


def run(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          encoding="utf-8", stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout


def flat(line):
    """mdoc's macros as the text that they make, arguments in capitals."""
    out, close, macro, glue = "", "", "", False
    for token in line.lstrip(".").split():
        if token in MACROS:
            macro = token if token not in ("Ns", "Op", "Oo", "Oc") else macro
            glue = glue or token == "Ns"
            if token in ("Op", "Oo"):
                out, close = out + ("" if glue else " ") + "[", close + ("]" if token == "Op" else "")
                glue = True
            elif token == "Oc":
                out += "]"
            continue
        if token == "It":
            continue
        text = token
        if macro == "Fl" and token not in ("|", ",", ":", "="):
            text = "-" + token
        elif macro == "Ar" and token not in ("|", ",", ":", "=", "..."):
            text = token.upper()
        out += text if glue or token == "," or out.endswith("[") else " " + text
        glue = False
    return (out + close).strip()


class Page:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.synopsis = self.section("SYNOPSIS")
        self.items = self.take_items()

    def section(self, name):
        at = self.lines.index(".Sh " + name) + 1
        end = next((i for i in range(at, len(self.lines)) if self.lines[i].startswith(".Sh ")),
                   len(self.lines))
        return self.lines[at:end]

    def take_items(self):
        """Long or short name -> (names, argument, lines)."""
        items, current = [], None
        for line in self.lines:
            if line.startswith(".It Fl "):
                names, argument = split_option(flat(line))
                current = (names, argument, [])
                items.append(current)
            elif line.startswith((".It ", ".El", ".Sh")):
                current = None
            elif current:
                current[2].append(line)
        return items


def split_option(text):
    """"-i, --input FILE" -> (("-i", "--input"), "FILE")."""
    match = re.match(r"((?:--?[A-Za-z0-9][\w-]*(?:, )?)+)[ =]?(.*)$", text)
    return tuple(match.group(1).split(", ")), match.group(2).strip()


def plain(argument):
    """SEPARATOR and SEP, FILE and FILE.ko: the word of it, without what may follow."""
    word = re.sub(r"[^A-Za-z].*", "", argument.lstrip("[")).upper()
    return "SEPARATOR" if word == "SEP" else word


class Help:
    def __init__(self, text):
        self.text = text
        usage = text[text.index("usage:"):]
        self.usage = usage[:usage.index("\n\n")]
        self.items = [split_option(x.group(1)) + (x.group(2),) for x in
                      re.finditer(r"^  (--?\w.*?)  +(\S.*)$", text, re.M)]
        # An option as long as its column has but one blank behind it.
        self.items += [split_option(x.group(1)) + (x.group(2),) for x in
                       re.finditer(r"^  (-g, --call-graph \S+) (\S.*)$", text, re.M)]


def in_usage(text):
    """Option -> the argument that stands behind it."""
    found = {}
    for option, argument in re.findall(r"(?<![\w-])(--?[A-Za-z][\w-]*)\]?(?:[ =](\[?[A-Za-z][A-Z]*|off))?",
                                       text):
        found[option] = plain(argument) if argument != "off" else "OFF"
    return found


def same_options(command, page, help_):
    ours = {}
    for names, argument, _ in page.items:
        # Two long ones are two options in one item.
        for group in ([names] if not names[0].startswith("--") else [(x,) for x in names]):
            ours[group] = argument
    theirs = {names: argument for names, argument, _ in help_.items}
    for names in sorted(set(theirs) - set(ours)):
        bad("pmuctl-%s.1: no item %s" % (command, ", ".join(names)))
    for names in sorted(set(ours) - set(theirs)):
        bad("pmuctl-%s.1: an item %s, which --help does not have" % (command, ", ".join(names)))
    for names in sorted(set(ours) & set(theirs)):
        if bool(ours[names]) != bool(theirs[names]):
            bad("pmuctl-%s.1: %s takes '%s', --help has '%s'" %
                (command, names[-1], ours[names], theirs[names]))


def same_usage(command, page, help_):
    synopsis = "\n".join(flat(x) for x in page.synopsis if x)
    ours, theirs = in_usage(synopsis), in_usage(help_.usage)
    for option in sorted(set(ours) ^ set(theirs)):
        bad("pmuctl-%s.1: %s is in %s only" %
            (command, option, "the synopsis" if option in ours else "the usage of --help"))
    for option in sorted(set(ours) & set(theirs)):
        if ours[option] != theirs[option] and option != "--cascade":
            bad("pmuctl-%s.1: %s %s in the synopsis, %s in the usage" %
                (command, option, ours[option], theirs[option]))
    # Each option has its place there; what perf has for nothing has none.
    for names, _, _ in help_.items:
        if not set(names) & set(theirs) and names[-1] != "--stdio":
            bad("pmuctl %s --help: %s is not in the usage" % (command, names[-1]))


def numbers(text):
    return set(re.findall(r"(?<![\w.^-])\d+(?:\.\d+)?(?![\w-])", text))


def same_numbers(command, page, help_):
    """A default or a limit that --help has is in the page."""
    for names, _, text in help_.items:
        item = [x for x in page.items if x[0] == names]
        missing = numbers(text) - numbers(" ".join(item[0][2])) if item else set()
        if missing and (command, names[-1]) not in EXAMPLES:
            bad("pmuctl-%s.1: %s: --help says %s, and the page does not" %
                (command, names[-1], " ".join(sorted(missing))))


# Words that an option takes: where the table of them is, and how they stand in it; "": of the
# items of the page that are words.
WORDS = [
    ("report", "--sort", "report/args.c", r'\{ "(\w+)", KEY_\w+'),
    ("report", "--call-graph", "report/args.c", r'\{ "(\w+)", take_\w+, \w+ \}'),
    ("script", "", "script/args.c", r'\[FIELD_\w+\] = "(\w+)"'),
]


def words_of(page, option):
    if option:
        text = "\n".join(line for names, _, lines in page.items if option in names
                         for line in lines)
        lines = re.findall(r"Cm (.*)", text)
    else:
        lines = [x[len(".It Cm "):] for x in page.lines if x.startswith(".It Cm ")]
    return {word for line in lines for word in re.findall(r"[\w-]+", line)}


def check_words(pages, sources):
    for command, option, path, pattern in WORDS:
        found = set()
        for name in glob.glob("%s/%s" % (sources, path)):
            with open(name, encoding="utf-8") as file:
                found |= set(re.findall(pattern, file.read()))
        said = words_of(pages[command], option)
        if not found:
            bad("%s: no words of %s found in it" % (path, option))
        for word in sorted(found - said):
            bad("pmuctl-%s.1: %s takes %s" % (command, option, word))
        for word in sorted(said - found):
            bad("pmuctl-%s.1: %s does not take %s" % (command, option, word))


def main(pmuctl, directory, sources):
    commands = re.findall(r"^  ([a-z]+) .*", run(pmuctl, "--help")[1], re.M)
    pages = {}
    for command in commands:
        if command == "help":
            continue
        pages[command] = Page("%s/pmuctl-%s.1" % (directory, command))
        help_ = Help(run(pmuctl, command, "--help")[1])
        same_options(command, pages[command], help_)
        same_usage(command, pages[command], help_)
        same_numbers(command, pages[command], help_)
    check_words(pages, sources)
    print("%d pages compared, %d findings" % (len(pages), len(findings)))
    return 1 if findings or len(pages) < 15 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
