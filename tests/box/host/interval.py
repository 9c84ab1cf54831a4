# SPDX-License-Identifier: GPL-2.0-only
"""The part of a boot's truth that belongs to one of its commands."""
import json

# init's marks around each command, with its number in the lower half.
BEGIN = 0xb0c50000
END = 0xb0c60000


def read(path):
    """None if the box ended before it could write it."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def of_command(truth, number):
    """As if the box had run that one alone; its programs keep their numbers."""
    labels = [mark["label"] for mark in truth["marks"]]
    first, last = (labels.index(label | number) for label in (BEGIN, END))
    begin, end = truth["marks"][first], truth["marks"][last]
    tsc = truth["sample_fields"].index("tsc")
    own = range(begin["spaces"], end["spaces"])
    return dict(truth, marks=truth["marks"][first + 1:last],
                spaces=[dict(space, parent=space["parent"] if space["parent"] in own else None)
                        for space in truth["spaces"] if space["id"] in own],
                samples=[row for row in truth["samples"]
                         if begin["tsc"] <= row[tsc] <= end["tsc"]])
