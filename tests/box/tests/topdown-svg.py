#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A browser opens the pictures of pmuctl topdown: topdown-svg.py FILE..., of bars and of time;
nodes have names, colours and room, and nothing is loaded or complained of."""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../export"))

from browser import browse, expect  # noqa: E402

PLAY = """
	const nodes = Array.from(document.querySelectorAll('g'));
	seen.count = nodes.length;
	seen.titles = nodes.map(g => g.querySelector('title').textContent.split('\\n')[0]);
	seen.drawn = nodes.filter(g => {
		const box = g.querySelector('rect, polygon').getBBox();
		return box.width > 0 && box.height > 0;
	}).length;
	seen.title = document.getElementById('title').textContent;
	seen.text = Array.from(document.querySelectorAll('text')).map(t => t.textContent).join(' ');
	seen.scripts = document.querySelectorAll('image, link, [href]').length;
"""


def main():
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            svg = file.read()
        with tempfile.TemporaryDirectory() as directory:
            seen = browse(svg, PLAY, directory)
        expect(seen, count=lambda n: n and n >= 4, scripts=0, drawn=lambda n: n and n >= 3,
               titles=lambda titles: "Retiring" in titles and "Backend_Bound" in titles,
               title=lambda title: title and title.startswith("Top-Down of "),
               text=lambda text: text and "%" in text)


main()
