#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A browser opens pages of pmuctl html: html.py RUN FILE REPORT.

RUN is of a run of tests/box/progs/sharing.c, whose three threads write counters in one line; it
has all parts, and each says so.  FILE is of a file of two events and one of intervals, and has the
functions that pmuctl report has (REPORT, as JSON).  In a wide window and in a narrow one nothing is
cut.
"""
import collections
import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../export"))

from browser import browse_page, expect  # noqa: E402

PLAY = """
	const all = q => Array.from(document.querySelectorAll(q));
	const cells = q => all(q + ' tbody tr').map(r => Array.from(r.children, c => c.innerText));
	const more = all('#functions button').filter(b => b.innerText.startsWith('all '))[0];

	seen.head = document.querySelector('h1').innerText;
	seen.sections = all('nav a').map(a => a.innerText);
	seen.wide = document.documentElement.scrollWidth > window.innerWidth;
	seen.cut = all('td, th, p, dd, h1, h3, nav a')
		.filter(n => n.scrollWidth > n.clientWidth + 1).map(n => n.innerText);
	seen.hidden = all('section').filter(s => s.getBoundingClientRect().height < 40)
		.map(s => s.id);
	seen.topdown = cells('#topdown');
	seen.sharing = cells('#sharing');
	seen.verdicts = all('#sharing h3').map(h => h.innerText);
	seen.hot = cells('#lines');
	seen.frames = all('#flame #frames > g').length;
	seen.events = all('select[aria-label=event] option').map(o => o.innerText);
	seen.tables = [];
	seen.codes = [];
	for (const option of seen.events.length ? all('select[aria-label=event] option') : [null]) {
		if (option) {
			option.parentNode.value = option.value;
			option.parentNode.dispatchEvent(new Event('change'));
		}
		if (more && more.innerText)
			more.click();
		seen.tables.push(cells('#functions').map(r =>
			[r[0], r[1], r[2], r[3].split(' ')[0], r[4]]));
		seen.codes.push(all('#code select')[0].innerText.split('\\n'));
	}
"""


def see(name, width):
    with open(name, encoding="utf-8") as file:
        html = file.read()
    with tempfile.TemporaryDirectory() as directory:
        return browse_page(html, PLAY, directory, width)


def shares_counters(rows):
    """Each of the three threads has two fields of its own, at the offsets of sharing.c."""
    threads = collections.defaultdict(set)
    for offset, _, _, _, _, thread, variable, place, line in rows:
        threads[thread].add((offset, variable.split(".")[-1], line))
        if not place.startswith("count+"):
            return False
    wanted = {frozenset({(f"+{16 * n}", "hits", "sharing.c:54"),
                         (f"+{16 * n + 8}", "misses", "sharing.c:56")}) for n in range(3)}
    return {frozenset(fields) for fields in threads.values()} == wanted


def level_one(rows):
    """Shares of the four nodes that begin the tree add up to all."""
    names = ("Frontend_Bound", "Bad_Speculation", "Backend_Bound", "Retiring")
    shares = [float(row[0].split()[0]) for row in rows if row[1] in names]
    return len(shares) == 4 and abs(sum(shares) - 100) < 3


def report_of(path):
    """By event: rows as the page has them."""
    events = collections.defaultdict(list)
    with open(path, encoding="utf-8") as file:
        for row in map(json.loads, file):
            if "symbol" in row:
                events[row["event"]].append(row)
    return events


def same_as_report(tables, names, path):
    events = report_of(path)
    if set(events) != set(names) or not names:
        return False
    for name, rows in zip(names, tables):
        page = sorted((float(r[0].split()[0]), float(r[1].split()[0]), int(r[2].replace(",", "")),
                       r[3]) for r in rows)
        report = sorted((round(r["overhead"], 2), round(r["children"], 2), r["samples"],
                         r["symbol"].split(" ")[0]) for r in events[name])
        if page != report:
            print(f"{name}: only in the page {sorted(set(page) - set(report))[:5]}, "
                  f"only in report {sorted(set(report) - set(page))[:5]}")
            return False
    return True


def code_has_its_shares(codes, tables):
    """Functions that are offered have the shares that the table has of that event."""
    for lines, rows in zip(codes, tables):
        shares = {(row[0], row[3]) for row in rows}
        offered = {(line.split(" %")[0] + " %", line.split(" %")[1].split()[0]) for line in lines}
        if not offered or offered - shares:
            print(f"code: {offered - shares}, not {shares}")
            return False
    return True


def main():
    run, of_file, report = sys.argv[1:]
    if not os.path.getsize(run):
        return
    parts = ["Flame graph", "Functions", "Hot lines", "Code"]
    fits = {"wide": False, "cut": [], "hidden": []}
    for width in (500, 1400):
        seen = see(run, width)
        seen.pop("tables")
        seen.pop("codes")
        expect(seen, **fits, head="./sharing shared 400000", frames=lambda n: n > 20,
               sections=["Top-Down", *parts, "Shared lines of the cache"], topdown=level_one,
               verdicts=lambda v: len(v) == 1 and v[0].endswith(": false sharing"),
               sharing=shares_counters,
               hot=lambda rows: rows and rows[0][1].startswith("sharing.c:") and
               rows[0][3] == "count")
        seen = see(of_file, width)
        expect(seen, **fits, sections=["Top-Down", *parts], topdown=level_one, events=["cycles:u", "instructions:u"],
               tables=lambda tables: same_as_report(tables, seen["events"], report),
               codes=lambda codes: code_has_its_shares(codes, seen["tables"]))


main()
