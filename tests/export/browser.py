# SPDX-License-Identifier: GPL-2.0-or-later
"""Flame graphs and pages in headless Chromium: a script plays in one and tells what it saw."""
import json
import os
import re
import subprocess
import sys

# Before the graph's own script, so that its errors are seen, too.
WATCH = """<script>
const seen = { errors: [] };
window.addEventListener('error', e => seen.errors.push(String(e.message)));
for (const kind of ['error', 'warn'])
	console[kind] = (...words) => seen.errors.push(words.join(' '));
</script>"""

TELL = """<script>
window.addEventListener('load', () => {
	try { %s } catch (e) { seen.errors.push(String(e.stack)); }
	seen.resources = performance.getEntriesByType('resource').map(r => r.name);
	document.documentElement.setAttribute('data-seen', JSON.stringify(seen));
});
</script>"""

TOOLS = """
	const frames = () => Array.from(document.querySelectorAll('#frames > g'));
	const name = g => g.querySelector('title').textContent.split('\\n')[0];
	const find = n => frames().find(g => name(g).startsWith(n));
	const wide = g => g.getAttribute('display') === 'none' ? 0 :
		Number(g.querySelector('rect').getAttribute('width'));
	const click = g => g.querySelector('rect').dispatchEvent(
		new MouseEvent('click', { bubbles: true }));
	const key = k => document.activeElement.dispatchEvent(
		new KeyboardEvent('keydown', { key: k, bubbles: true }));
	const reset = () => document.getElementById('reset');
	const all = frames()[0];
"""

OPENS = TOOLS + """
	seen.count = frames().length;
	seen.whole = wide(all);
	const last = frames()[frames().length - 1];
	click(last);
	seen.zoomed = wide(last);
"""


def browse(svg, play, directory, width=1000):
    """What the graph saw, after `play` ran in it."""
    head, rest = svg.split("<style>", 1)
    rest = rest.replace("</svg>\n", TELL % f"/*<![CDATA[*/{play}/*]]>*/" + "</svg>\n")
    watch = WATCH.replace("<script>", "<script><![CDATA[").replace("</script>", "]]></script>")
    return show(head + watch + "<style>" + rest, "flame.svg", directory, width)


def browse_page(html, play, directory, width=1000):
    """The same of a page."""
    head, rest = html.split("<style>", 1)
    rest = rest.replace("</body>", TELL % play + "</body>")
    return show(head + WATCH + "<style>" + rest, "page.html", directory, width)


def show(text, name, directory, width):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    page = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--disable-background-networking", f"--window-size={width},600",
         f"--user-data-dir={directory}/profile", "--dump-dom", "file://" + path],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300).stdout.decode()
    seen = re.search(r'data-seen="([^"]*)"', page)
    if not seen:
        sys.exit(f"the page never finished:\n{page[:2000]}")
    text = seen.group(1)
    for entity, char in (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(entity, char)
    return json.loads(text)


def expect(seen, **wanted):
    bad = {key: seen.get(key) for key, value in wanted.items()
           if not (value(seen.get(key)) if callable(value) else seen.get(key) == value)}
    bad.update({key: seen[key] for key in ("errors", "resources") if seen[key]})
    if bad:
        sys.exit(f"not as expected: {bad}\nof {seen}")
