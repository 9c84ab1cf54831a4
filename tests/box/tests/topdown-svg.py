#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A browser opens the pictures of pmuctl topdown: topdown-svg.py BARS TIME.

Nodes have names, colours and room, and nothing is loaded or complained of.  In a wide window and
in a narrow one all of the picture is in it; no text is cut, lies on another, or lies outside of
what it is about; numbers are those of the tooltips; ticks are round and have units; the bottleneck
has a frame.
"""
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../export"))

from browser import browse, expect  # noqa: E402

PLAY = """
	const nodes = Array.from(document.querySelectorAll('g'));
	const texts = Array.from(document.querySelectorAll('text'));
	const box = e => e.getBoundingClientRect();
	const whole = box(document.documentElement);
	const within = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 &&
		a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
	const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
		a.top < b.bottom - 3 && b.top < a.bottom - 3;
	const shown = texts.filter(t => t.textContent);

	seen.count = nodes.length;
	seen.titles = nodes.map(g => g.querySelector('title').textContent.split('\\n')[0]);
	seen.drawn = nodes.filter(g => {
		const size = g.querySelector('rect, polygon').getBBox();
		return size.width > 0 && size.height > 0;
	}).length;
	seen.title = document.getElementById('title').textContent;
	seen.text = shown.map(t => t.textContent);
	seen.scripts = document.querySelectorAll('image, link, [href]').length;
	seen.wide = whole.width > window.innerWidth + 1;
	seen.outside = shown.filter(t => !within(box(t), whole)).map(t => t.textContent);
	seen.cut = nodes.filter(g => g.querySelector('text') &&
		!within(box(g.querySelector('text')), box(g.querySelector('rect'))))
		.map(g => g.querySelector('text').textContent);
	seen.labels = nodes.filter(g => g.querySelector('text')).map(g =>
		[g.querySelector('text').textContent, g.querySelector('title').textContent]);
	seen.overlaid = [];
	shown.forEach((a, i) => shown.slice(i + 1).forEach(b => {
		if (meet(box(a), box(b)))
			seen.overlaid.push(a.textContent + ' | ' + b.textContent);
	}));
	seen.framed = document.querySelectorAll('.bottleneck rect, .mark').length;
"""


def is_label(pair):
    """The name, the number or both, with or without the error, whole."""
    label, title = pair
    name, number, *_ = title.split("\n")
    number = number.split(" of ")[0]
    share = number.split(" +- ")[0].removesuffix(" %") + " %"
    return label in (f"{name} {number}", f"{name} {share}", name, share)


def ticks_are_round(texts):
    """Of each field; the step is 1, 2 or 5 times a power of ten."""
    found = [re.fullmatch(r"([0-9.]+) (ms|s|%)", text) for text in texts]
    times = [float(tick[1]) for tick in found if tick and tick[2] != "%"]
    if not times:
        return sum(text in ("0 %", "100 %") for text in texts) >= 2
    digits = f"{times[1]:e}"[0] + f"{times[1]:e}".split("e")[0][1:].strip(".0")
    steps = {round((b - a) / times[1], 6) for a, b in zip(times, times[1:]) if b}
    return times[0] == 0 and digits in ("1", "2", "5") and steps == {1.0}


def main():
    for name, width in zip(sys.argv[1:], (500, 1400)):
        with open(name, encoding="utf-8") as file:
            svg = file.read()
        with tempfile.TemporaryDirectory() as directory:
            seen = browse(svg, PLAY, directory, width)
        expect(seen, count=lambda n: n and n >= 4, scripts=0, drawn=lambda n: n and n >= 3,
               titles=lambda titles: "Retiring" in titles and "Backend_Bound" in titles,
               title=lambda title: title and title.startswith("Top-Down of "),
               text=ticks_are_round, wide=False, outside=[], cut=[], overlaid=[],
               labels=lambda labels: all(map(is_label, labels)), framed=lambda n: n and n >= 1)


main()
