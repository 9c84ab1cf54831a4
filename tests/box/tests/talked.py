# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the lines that talk prints of samples, ledgers and counts."""
import re


def fields(line):
    """A line's "name number" pairs; what follows "content" is a list."""
    line, _, content = line.partition(" content")
    found = {name: int(value, 16 if name == "ip" else 10)
             for name, value in re.findall(r"(\w+) (-?[0-9a-f]+)\b", line.split(":", 1)[1])}
    found["content"] = [int(word, 16) for word in content.split()]
    return found
