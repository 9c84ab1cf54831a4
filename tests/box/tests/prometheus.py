#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""prometheus.py queries DASHBOARD: its queries, one a line, as an address has them, with values
for Grafana's variables.
prometheus.py check ANSWERS QUERIES: whether Prometheus answered each of them with a number, and has
what pmuctl stat counted."""
import json
import math
import os
import sys
from urllib.parse import quote, unquote

VARIABLES = {"$__rate_interval": "20s", "$instance": ".*", "$unit": ".*"}


def queries(path):
    with open(path, encoding="utf-8") as file:
        dashboard = json.load(file)
    count = 0
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            text = target["expr"]
            for name, value in VARIABLES.items():
                text = text.replace(name, value)
            print(quote(text, safe=""))
            count += 1
    return 0 if count > 10 else 1


def values(path):
    with open(path, encoding="utf-8") as file:
        answer = json.load(file)
    if answer["status"] != "success":
        return []
    return [float(row["value"][1]) for row in answer["data"]["result"]]


def check(directory, path):
    wrong = 0
    with open(path, encoding="utf-8") as file:
        texts = [unquote(line) for line in file.read().split("\n") if line]
    for number, text in enumerate(texts):
        found = values(os.path.join(directory, str(number)))
        if not any(math.isfinite(value) for value in found):
            print(f"no answer to: {text}")
            wrong = 1
    before, after = (values(os.path.join(directory, name)) for name in ("before", "after"))
    with open(os.path.join(directory, "counted"), encoding="utf-8") as file:
        counted = int(file.read().split(",")[0])
    if len(before) != 1 or len(after) != 1 or after[0] - before[0] != counted:
        print(f"PromQL has {before} and {after}, pmuctl stat {counted}")
        wrong = 1
    print(f"note: {len(texts)} queries; {counted} instructions, and the same by PromQL")
    return wrong


sys.exit({"queries": queries, "check": check}[sys.argv[1]](*sys.argv[2:]))
