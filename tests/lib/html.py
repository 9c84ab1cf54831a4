# SPDX-License-Identifier: GPL-2.0-or-later
"""What a browser shows of the page of pmuctl html.

html.py PMUCTL DIR: see programs.py
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../export"))
from browser import browse_page                                     # noqa: E402
from perfdata import Data                                           # noqa: E402
from programs import DIR, Program, bad, build, end, expect, expect_said, view   # noqa: E402

# What may not be a tag of the page: the source line, the task's name, a node of Top-Down.
TAG = "</script><script>broken('out')</script>"
SOURCE = """volatile int g;
const char *tag = "%s";
static inline int inner(int n)
{
	return n * 3;
}
int __attribute__((noinline)) work(int n)
{
	g += inner(n);	/* %s */
	return g;
}
int __attribute__((noinline)) rest(int n)
{
	return g ^ n;
}
int main(void)
{
	return work(3) + rest(4);
}
""" % (TAG, TAG)

PLAY = """
	const $ = q => document.querySelector(q);
	const all = q => Array.from(document.querySelectorAll(q));
	const cells = q => all(q + ' tbody tr').map(r => Array.from(r.children, c => c.innerText));
	const click = (node, q) => Array.from(node.querySelectorAll(q))[0].click();

	seen.broken = typeof broken;
	seen.title = document.title;
	seen.head = $('h1').innerText;
	seen.sections = all('nav a').map(a => a.innerText);
	seen.functions = cells('#functions');
	seen.lines = cells('#lines');
	seen.select = all('#code select option').map(o => o.innerText);
	seen.code = cells('#code');
	seen.topdown = cells('#topdown');
	seen.bold = all('.bottleneck').map(r => r.children[1].innerText.trim());
	seen.graph = $('#flame #title').textContent;
	seen.frames = all('#flame #frames > g').length;

	// Nothing is wider than the window, and no text is cut but what scrolls.
	seen.wide = document.documentElement.scrollWidth - window.innerWidth;
	seen.cut = all('td, th, p, dd, h1, nav a').filter(n => n.scrollWidth > n.clientWidth + 1 &&
		getComputedStyle(n).display !== 'inline').map(n => n.innerText);
	seen.hidden = all('section').filter(s => s.getBoundingClientRect().height < 40)
		.map(s => s.id);

	const filter = $('#functions input');
	filter.value = 'REST';
	filter.dispatchEvent(new Event('input'));
	seen.filtered = cells('#functions').map(r => r.join('|'));
	filter.value = '';
	filter.dispatchEvent(new Event('input'));
	all('#functions th button').filter(b => b.innerText === 'function')[0].click();
	seen.sorted = cells('#functions').map(r => r[2].split(' ')[0]);
	all('#functions tbody tr').filter(r => r.innerText.includes('rest'))[0]
		.querySelector('td.name button').click();
	seen.chosen = $('#code select').selectedOptions[0].innerText;
	seen.restCode = cells('#code').map(r => r[r.length - 1]);
	click($('#lines tbody'), 'button');
	seen.target = all('#code .target').map(r => r.innerText);
	const before = all('#code tbody tr').length;
	click($('#code .target'), 'button');
	seen.below = all('#code tr.insn').map(r => r.children[2].innerText);
	click($('#code .target'), 'button');
	seen.folded = all('#code tbody tr').length - before;
	const how = all('#code select')[1];
	how.value = 'address';
	how.dispatchEvent(new Event('change'));
	seen.byAddress = cells('#code');
	all('#functions td.name button').filter(b => b.title)[0].click();
	seen.found = $('#flame #found').textContent;
"""


def program_and_file():
    with open(DIR + "/w.c", "w", encoding="utf-8") as file:
        file.write(SOURCE)
    program = Program(build("w", "-g", "-fno-ipa-icf"))
    data = Data()
    data.comm(100, TAG)
    program.map_into(data)
    for _ in range(60):
        data.sample(program.ip("work"))
    for _ in range(30):
        data.sample(program.ip("rest"))
    for _ in range(10):
        data.sample(0x7f0000000000)     # of nothing that is mapped
    data.write(DIR + "/d")


def node(name, level, value, **more):
    row = {"value": value, "unit": "Slots", "name": name, "level": level, "threshold": "",
           "flagged": False, "error": 0.5, "bottleneck": False, "note": "", "text": "what it is"}
    return json.dumps(row | more) + "\n"


def write(name, text):
    with open(DIR + "/" + name, "w", encoding="utf-8") as file:
        file.write(text)


def page(*words, code=0, said=None):
    """The page that is made; the words that are said, and none if said is None."""
    got, out, err = view("html", "-i", "d", *words)
    if got != code:
        bad("html %s: exit code %d, not %d: %s" % (" ".join(words), got, code, err))
    if said is not None:
        expect_said("html " + " ".join(words), err, said)
    return out


def has(what, got, *wanted):
    for words in wanted:
        if not any(words in str(x) for x in got):
            bad("%s: '%s' is not in %r" % (what, words, got))


def shown(html, width):
    seen = browse_page(html, PLAY, DIR, width)
    what = "in a window of %d: " % width
    for key in ("errors", "resources", "cut", "hidden"):
        expect(what + key, seen.get(key), [])
    expect(what + "wider", seen.get("wide") > 0, False)
    expect(what + "broken", seen["broken"], "undefined")
    expect(what + "title", (seen["title"], seen["head"]), ("d - pmuctl", "d"))
    expect(what + "sections", seen["sections"],
           ["Top-Down", "Flame graph", "Functions", "Hot lines", "Code"])
    expect(what + "functions", [(r[0], r[1], r[2].split()[0], r[3]) for r in seen["functions"]][:2],
           [("60.00 %", "60", "work", "w"), ("30.00 %", "30", "rest", "w")])
    expect(what + "sum", sum(int(r[1]) for r in seen["functions"]), 100)
    expect(what + "graph", (seen["graph"], seen["frames"]), ("cpu-clock, 100 samples of d", 5))
    expect(what + "hot lines", [(r[0], r[1], r[3]) for r in seen["lines"]],
           [("60.00 %", "w.c:9", "work"), ("30.00 %", "w.c:14", "rest")])
    has(what + "choice", seen["select"], "60.00 %", "30.00 %", "by source line", "by address")
    has(what + "code", [r[-1] for r in seen["code"]], "/w.c", "g += inner(n);", TAG)
    expect(what + "shares of code", [r[0] for r in seen["code"] if len(r) == 3 and r[0]],
           ["60.00 %"])
    expect(what + "Top-Down", [[r[0], r[1].strip(), r[2]] for r in seen["topdown"]],
           [["25.00 %", "Retiring", "± 0.50"], ["75.00 %", TAG, "± 0.50"]])
    expect(what + "bottleneck", seen["bold"], [TAG])
    expect(what + "filter", len(seen["filtered"]), 1)
    has(what + "filter", seen["filtered"], "rest")
    expect(what + "sorted", seen["sorted"][-2:], ["rest", "work"])
    has(what + "chosen", [seen["chosen"]], "rest")
    has(what + "its code", seen["restCode"], "return g ^ n;")
    expect(what + "target", len(seen["target"]), 1)
    has(what + "target", seen["target"], "60.00 %")
    has(what + "instructions", seen["below"], "<g>")
    expect(what + "folded again", seen["folded"], 0)
    has(what + "by address", [r[-1] for r in seen["byAddress"]], "w.c:9", "ret")
    expect(what + "found", seen["found"][:9], "found in ")


def without_graph(html):
    """As of an event all of whose samples a filter leaves out."""
    seen = browse_page(html.replace('class="flame" data-event', 'class="none" data-event'), """
        seen.flame = document.querySelector('#flame .flame').innerText;
        seen.rows = document.querySelectorAll('#functions tbody tr').length;
        seen.sections = document.querySelectorAll('section').length;
        document.querySelector('#functions td.name button[title]').click();
    """, DIR, 900)
    expect("without a graph", (seen["errors"], seen["rows"] > 1, seen["sections"]), ([], True, 5))
    expect_said("without a graph", seen["flame"], "no samples of this event")


def data_of(html):
    return json.loads(html.split('id="data">', 1)[1].split("</script>", 1)[0])


def parts():
    """Of what was filtered, the rest is nowhere; what is inlined has its name."""
    data = data_of(page("-o", "-", "-S", "rest", "--inline"))
    expect("-S: functions", [[row[1] for row in table["rows"]] for table in data["functions"]],
           [["rest"]])
    expect("-S: samples of all", [table["samples"] for table in data["functions"]], [100])
    expect("-S: code", [f["name"] for f in data["code"]], ["rest"])
    for words, wanted in (([], []), (["--inline"], ["inner"])):
        code = data_of(page("-o", "-", "-S", "work", *words))["code"]
        expect("inlined " + " ".join(words), sorted({row[4] for row in code[0]["rows"] if row[4]}),
               wanted)
    data = data_of(page("-o", "-", "--prefix", "/nowhere", "--prefix-strip", "1"))
    expect("--prefix: sources", [len(source["lines"]) for source in data["sources"]], [0])


def long_function():
    """Most of it is far from any sample."""
    with open(DIR + "/long.c", "w", encoding="utf-8") as file:
        file.write('void vast(void) { __asm__(".rept 40000; nop; .endr"); }\n'
                   "int main(void) { vast(); return 0; }\n")
    program = Program(build("long", "-g", source="long.c"))
    data = Data()
    program.map_into(data)
    for at in (0, 20000, 20000, 39990):
        data.sample(program.ip("vast") + at)
    data.write(DIR + "/d")
    code = data_of(page("-o", "-"))["code"]
    expect("a long one", [f["name"] for f in code], ["vast"])
    rows = code[0]["rows"]
    skipped = [row for row in rows if isinstance(row, int)]
    expect("its gaps", len(skipped), 2)
    expect("its instructions", sum(skipped) + len(rows) - len(skipped), 40001)
    sampled = [row[5]["0"] for row in rows if not isinstance(row, int) and row[5]]
    expect("its samples", sampled, [[1, 1000], [2, 2000], [1, 1000]])
    if not 300 < len(rows) < 600:
        bad("of a long function %d rows" % len(rows))


def refusals():
    write("lacking", '{"name": "x"}\n')
    write("broken", "{\n")
    write("empty", "")
    write("times", node("x", 1, 1, interval=1.5))
    write("tasks", node("x", 1, 1, tid=5))
    for name, said in (("lacking", "it is no row of a tree"), ("broken", "line 1: "),
                       ("empty", "it is empty"), ("times", "-I): not yet"),
                       ("tasks", "--per-task): not yet"), ("nosuch", "No such file")):
        page("--topdown", name, "-o", "x", code=255, said="--topdown " + name + ": ")
        page("--topdown", name, "-o", "x", code=255, said=said)
    if os.path.exists(DIR + "/x"):
        bad("a page of what was refused")
    page("--sharing", "d", code=255, said="--sharing d has no sample of a load or store")
    for words, said in ((["true"], "-i 'd' is read, or a command is run"),
                        (["-F", "5"], "-F: it says how a command is recorded"),
                        (["--call-graph", "fp"], "--call-graph: it says how"),
                        (["--prefix-strip", "1"], "--prefix-strip goes with --prefix"),
                        (["-e", "nosuch"], "no event")):
        page(*words, code=129, said=said)
    page("-o", "d", code=255, said="d")
    page("-S", "nosuch", code=1, said="no samples of what was asked for")


def main():
    program_and_file()
    write("tree", node("Retiring", 1, 25.0) + node(TAG, 1, 75.0, bottleneck=True, flagged=True) +
          node("Lacking", 1, None))
    expect("the page on standard output", page("-o", "-", "--topdown", "tree")[:15], "<!DOCTYPE html>")
    page("--topdown", "tree")
    with open(DIR + "/perf.html", encoding="utf-8") as file:
        html = file.read()
    for width in (500, 1400):
        shown(html, width)
    without_graph(html)
    parts()
    refusals()
    long_function()


main()
end()
