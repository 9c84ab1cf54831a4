# SPDX-License-Identifier: GPL-2.0-only
"""Reads the guest's kernel log and says whether something in it is wrong."""
import re

# Kernel messages that no test may cause.  A program's own crash ("traps: ...")
# is none of them.
TROUBLE = re.compile(
    r"^WARNING: |BUG: |\bOops\b|kernel BUG at|Kernel panic|soft lockup|hard LOCKUP"
    r"|rcu: INFO: .*(stall|expedited)|INFO: .*(detected stall|blocked for more than)"
    r"|unchecked MSR access error|^general protection fault|^invalid opcode: "
    r"|UBSAN: |KASAN: |KCSAN: |possible recursive locking|possible circular locking"
    r"|suspicious RCU usage|kmemleak: [1-9]|Uhhuh. NMI received|trying to register non-static key"
    r"|refcount_t: |^list_(add|del) corruption|scheduling while atomic|Modules linked in:")

# /proc/sys/kernel/tainted: the module is out of tree (12) and unsigned (13); a test has
# written an MSR (2), which the kernel knows no other word for.
TAINT_ALLOWED = 1 << 2 | 1 << 12 | 1 << 13
TAINT_LETTERS = "PFSRMBUDAWCIOELKXTN"


def kmsg_line(record):
    """One record of /dev/kmsg as dmesg shows it, and whether the kernel wrote it."""
    head, _, text = record.decode("utf-8", "replace").partition(";")
    text = text.partition("\n")[0]
    fields = head.split(",")
    try:
        facility, stamp = int(fields[0]) >> 3, int(fields[2]) / 1e6
    except (ValueError, IndexError):
        return text, True
    return f"[{stamp:12.6f}] {text}", facility == 0


def without_stamp(line):
    return re.sub(r"^\[ *[0-9.]+\](\[[ TC0-9]+\])? ", "", line.rstrip("\r"))


def trouble(lines):
    """The first line that means trouble, or None."""
    for line in lines:
        text = without_stamp(line)
        if TROUBLE.search(text):
            return text
    return None


def taint_trouble(value, allowed):
    """allowed: what this box may have besides."""
    wrong = value & ~(TAINT_ALLOWED | allowed)
    if not wrong:
        return None
    letters = "".join(letter for bit, letter in enumerate(TAINT_LETTERS) if wrong >> bit & 1)
    return f"the kernel is tainted: {letters or hex(wrong)} (tainted = {value})"
