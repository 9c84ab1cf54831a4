#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kmod-sample.py OUTPUT: what kmod-sample.guest printed is exact, or why not."""
import re
import sys

sys.dont_write_bytecode = True

from talked import fields  # noqa: E402

KERNEL, USER = 2 ** 64 - 128, 2 ** 64 - 512
REGS = 18
problems = []


class Scenario:
    """The lines of one scenario, by their first word."""

    def __init__(self, name, text):
        self.name, self.text = name, text
        self.lines = {}
        for line in text.splitlines():
            kind = line.split(":")[0]
            if kind in ("sum", "sample", "lost", "ledger", "count", "throttle", "unthrottle"):
                self.lines.setdefault(kind, []).append(fields(line))

    def expect(self, what, right):
        if not right:
            problems.append(f"{self.name}: {what}")

    def of(self, kind):
        return self.lines.get(kind, [])

    def total(self, kind, member, event=None):
        return sum(line[member] for line in self.of(kind)
                   if event is None or line["event"] == event)

    def check_ledger(self):
        for entry in self.of("ledger"):
            self.expect(f"the ledger is exact: {entry}",
                        entry["produced"] == entry["written"] + entry["lost"])
        self.expect("written records were read", self.total("ledger", "written") ==
                    self.total("sum", "samples"))
        self.expect("lost ones are told", self.total("ledger", "lost") ==
                    self.total("lost", "samples"))

    def check_sums(self, event, period, tasks):
        """A sample every so many events, less than one period a task is left."""
        counted = self.total("count", "value", event)
        sampled = self.total("sum", "period", event)
        self.expect(f"event {event}: of {counted} events {sampled} are sampled, {tasks} tasks",
                    0 <= counted - sampled < tasks * period)
        self.expect(f"event {event}: there are samples", sampled > 3 * period)
        for line in self.of("sum"):
            if line["event"] == event:
                self.expect(f"one period a sample: {line}",
                            line["period"] == line["samples"] * period)

    def check_user(self):
        self.expect("user mode only", all(line["user"] == line["samples"] and not line["odd"]
                                          for line in self.of("sum")))


def check_threads(run):
    run.check_sums(0, 10007, 9)
    run.check_user()
    run.expect("nine threads", len(run.of("sum")) == 9)


def check_children(run):
    run.check_sums(0, 10007, 9)
    run.check_user()


def check_two(run):
    """Both sessions are event 0: part them where the second begins."""
    lines = run.text.splitlines()
    ends = [i for i, line in enumerate(lines) if line.startswith("count:")]
    for part, period in ((lines[:ends[0] + 1], 10007), (lines[ends[0] + 1:], 1009)):
        one = Scenario(f"two, period {period}", "\n".join(part))
        one.check_sums(0, period, 5)
        one.check_ledger()


def check_sets(run):
    run.check_sums(0, 10007, 5)
    run.check_sums(1, 503, 5)
    run.check_user()


def check_random(run):
    periods = [line["period"] for line in run.of("sample")]
    counted = run.total("count", "value")
    run.expect("periods are 5003, 1023 more or less",
               all(abs(period - 5003) < 1024 for period in periods))
    run.expect("periods differ", len(set(periods)) > len(periods) / 3)
    # Five standard deviations of the mean: 1024 / sqrt(3) each.
    run.expect("their mean is right", abs(sum(periods) / len(periods) - 5003) <
               5 * 591 / len(periods) ** 0.5)
    run.expect("they add up", 0 <= counted - sum(periods) < 5003 + 1024)


def check_full(run):
    run.expect("some were lost", run.total("ledger", "lost") > 0)
    run.expect("one every 1009, lost or not",
               run.total("ledger", "produced") == run.total("count", "value") // 1009)


def check_one(run):
    run.expect("every instruction is in a sample",
               run.total("sum", "period") == run.total("count", "value") and
               run.total("ledger", "throttled") == 0)


def check_kernel(run):
    run.expect("there are samples", len(run.of("sample")) > 10)
    for line in run.of("sample"):
        chain = line["content"][1:]
        # The interrupt may come when the program runs again.
        ring = USER if line["flags"] & 1 else KERNEL
        run.expect(f"a chain from its ip: {line}",
                   line["content"][0] == len(chain) and chain[:2] == [ring, line["ip"]])
    run.expect("nearly all in the kernel", run.total("sum", "user") < len(run.of("sample")) / 10)
    deep = [line for line in run.of("sample") if line["content"][0] > 4]
    run.expect("chains are deep", len(deep) > len(run.of("sample")) / 2)


def check_chain(run):
    for line in run.of("sample"):
        regs, chain = line["content"][:REGS], line["content"][REGS + 1:]
        run.expect(f"registers and a chain from its ip: {line}",
                   regs[1] == line["ip"] and chain[:2] == [USER, line["ip"]] and
                   line["content"][REGS] == len(chain))
    deep = [line for line in run.of("sample") if line["content"][REGS] > 2]
    run.expect("chains are deep", len(deep) > len(run.of("sample")) / 2)


def check_poll(run):
    polls = re.findall(r"^poll: (.*)$", run.text, flags=re.M)
    run.expect(f"polls: {polls}", polls == ["1 in", "0", "1 hup"])


def check_storm(run):
    run.expect("it was throttled", len(run.of("throttle")) > 0)
    run.expect("and each was over", len(run.of("throttle")) == len(run.of("unthrottle")))
    # Of one that nothing ends there are those of its first window and no more: 4.
    run.expect("and went on", run.total("sum", "samples") > 3 * 4)
    run.expect("no event is sampled twice", run.total("sum", "period") +
               run.total("ledger", "throttled") <= run.total("count", "value"))


def check_frequency(run):
    run.expect("there are samples", run.total("sum", "samples") > 3)
    run.expect("no event is sampled twice",
               run.total("sum", "period") <= run.total("count", "value"))


def check_cpus(run):
    run.expect("nothing is read twice", run.text.count("sum:") == len(run.of("sum")) and
               run.total("sum", "samples") == run.total("ledger", "written"))


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        text = file.read()
    parts = re.split(r"^== (\w+)$", text, flags=re.M)
    runs = {name: Scenario(name, body) for name, body in zip(parts[1::2], parts[2::2])}
    checks = {name[6:]: check for name, check in globals().items()
              if name.startswith("check_")}
    for name, check in checks.items():
        if name not in runs:
            problems.append(f"{name}: did not run")
            continue
        runs[name].expect("every request is served", "error" not in runs[name].text and
                          "failed" not in runs[name].text)
        check(runs[name])
        if name not in ("two", "poll"):
            runs[name].check_ledger()
    if not re.search(r"^log: .* samples too often and is throttled", text, flags=re.M):
        problems.append("storm: the kernel's log does not name the session")
    for line in problems:
        print(f"kmod-sample: {line}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
