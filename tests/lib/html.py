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


def of(rows, **more):
    """The same rows of an interval, a task or a kind of core."""
    return "".join(json.dumps(json.loads(row) | more) + "\n" for row in rows.splitlines())


def times(time, rows, **more):
    return of(rows, interval=time, **more)


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


# Pages side by side in one browser: in frames, whose widths are those of windows.
FRAME = """<script>
window.problems = [];
window.addEventListener('error', e => problems.push(String(e.message)));
</script>"""

FRAMES = """
	seen.frames = Array.from(document.querySelectorAll('iframe'), function (frame) {
		const d = frame.contentDocument, w = frame.contentWindow, told = {};
		const $ = q => d.querySelector(q);
		const all = q => Array.from(d.querySelectorAll(q));
		const words = q => all(q).map(n => n.innerText.trim());
		const trees = () => ({ about: words('#topdown .about')[0],
			heads: words('#topdown h3'),
			rows: all('#topdown .tree tbody tr').map(r => [r.children[0].innerText,
				r.children[1].innerText.trim(), r.children[2].innerText,
				r.children[4].innerText]),
			bold: all('#topdown .bottleneck').map(r => r.children[1].innerText.trim()),
			marked: all('svg.over .chosen').map(m => m.getAttribute('x')) });
		const names = (q, x, y) => all(q).map(function (svg) {
			const box = svg.getBoundingClientRect();
			const at = d.elementFromPoint(box.left + x * box.width,
				box.top + y * box.height);

			return at.tagName !== 'path' ? '' :
				at.textContent || at.getAttribute('fill');
		});
		const click = (x) => all('svg.over').slice(-1).forEach(function (svg) {
			const box = svg.getBoundingClientRect();

			svg.dispatchEvent(new w.MouseEvent('click',
				{ clientX: box.left + x * box.width, bubbles: true }));
		});
		const button = text => all('#topdown button').find(b => b.innerText === text);

		told.first = trees();
		told.legend = words('#topdown .legend span');
		told.text = $('#topdown').innerText;
		told.notes = words('#topdown p.faint');
		if ($('svg.over')) {
			told.columns = [0.1, 0.4, 0.9].map(x => names('svg.over', x, 0.4));
			told.strip = [0.1, 0.4, 0.9].map(x => names('svg.strip', x, 0.5));
			told.clicked = [click(0.4), trees()][1];
			told.next = [button('▸').click(), button('▸').click(), trees()][2];
			told.before = [button('◂').click(), trees()][1];
			$('#topdown input').value = 0;
			$('#topdown input').dispatchEvent(new w.Event('input'));
			told.ranged = trees();
		}
		if ($('.tasks')) {
			const rows = () => all('.tasks tbody tr').map(r =>
				Array.from(r.children, c => c.innerText));

			told.tasks = rows();
			told.bars = all('.tasks tbody tr').map(r =>
				Array.from(r.querySelectorAll('.bar i'), i =>
					Math.round(100 * i.getBoundingClientRect().width /
						i.parentNode.getBoundingClientRect().width)));
			all('.tasks tbody tr')[1].querySelector('button').click();
			told.clicked = trees();
			told.chosen = all('.tasks tr.chosen').map(r => r.children[1].innerText);
			told.more = [button('all 60').click(), rows().length][1];
		}
		told.wide = d.documentElement.scrollWidth - w.innerWidth;
		told.cut = all('td, th, p, h3, .about')
			.filter(n => n.scrollWidth > n.clientWidth + 1).map(n => n.innerText);
		told.broken = typeof w.broken;
		told.errors = w.problems;
		return told;
	});
"""


def in_frames(pages, widths=(500, 1400)):
    """What each page shows at each of the widths."""
    frames = []
    for html in pages:
        text = html.replace("<style>", FRAME + "<style>", 1)
        text = text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
        frames += [f'<iframe srcdoc="{text}" width="{width}" height="3000"></iframe>'
                   for width in widths]
    seen = browse_page("<!DOCTYPE html><html><head><style></style></head><body>%s</body></html>" %
                       "".join(frames), FRAMES, DIR, 1600)
    expect("errors of frames", seen["errors"], [])
    told = iter(seen["frames"])
    return [[next(told) for _ in widths] for _ in pages]


def fits(what, told):
    for key, wanted in (("errors", []), ("cut", []), ("broken", "undefined")):
        expect(what + key, told[key], wanted)
    expect(what + "wider", told["wide"] > 0, False)


def level_one(front, bottleneck=None, **more):
    """Two nodes and one below the second, which may be the bottleneck."""
    return (node("Front", 1, front, error=None, **more) +
            node("Back", 1, 100 - front, error=0.001, **more) +
            node(TAG, 2, (100 - front) / 2, error=1.25, flagged=bottleneck == TAG,
                 bottleneck=bottleneck == TAG, **more) +
            node("Lacking", 2, None, note="its event is lacking", **more) +
            node("Absent", 2, None, **more))


def tree_rows(front, flag=""):
    return [["%.2f %%" % front, "Front", "", ""], ["%.2f %%" % (100 - front), "Back", "± 0.01", ""],
            ["%.2f %%" % ((100 - front) / 2), TAG, "± 1.25", flag]]


FLAG = "above its threshold: the bottleneck"


def of_intervals():
    """On two kinds of cores; in the second nothing ran on the second one."""
    write("intervals", "".join(
        times(time, of(level_one(front, limit), kind="p cores", **{"time-share": share})) +
        times(time, of(other, kind="e cores", **{"time-share": 100 - share}))
        for time, front, limit, share, other in (
            (1, 90, None, 75, level_one(10)),
            (2, 20, TAG, 100, of(level_one(0), value=None)),
            (4, 60, None, 25, level_one(30, TAG)))))
    return page("-o", "-", "--topdown", "intervals")


def shows_intervals(what, told):
    fits(what, told)
    expect(what + "legend", told["legend"], ["Front", "Back"])
    # Of the width the first quarter is the first interval, the next one the second.
    expect(what + "columns", told["columns"], [["Front", "Back"], ["Back", ""], ["Front", "Back"]])
    back = "hsl(0, 65%, 72%)"
    expect(what + "strip", told["strip"], [["", ""], [back, ""], ["", back]])
    first = {"about": "interval 1 of 3, 0.000 s to 1.000 s",
             "heads": ["On p cores, 75.00 % of the time", "On e cores, 25.00 % of the time"],
             "rows": tree_rows(90) + tree_rows(10), "bold": [], "marked": ["0", "0"]}
    second = {"about": "interval 2 of 3, 1.000 s to 2.000 s: " + TAG + " on p cores",
              "heads": ["On p cores, 100.00 % of the time", "On e cores, 0.00 % of the time"],
              "rows": tree_rows(20, FLAG), "bold": [TAG], "marked": ["250", "250"]}
    third = {"about": "interval 3 of 3, 2.000 s to 4.000 s: " + TAG + " on e cores",
             "heads": ["On p cores, 25.00 % of the time", "On e cores, 75.00 % of the time"],
             "rows": tree_rows(60) + tree_rows(30, FLAG), "bold": [TAG], "marked": ["500", "500"]}
    for key, wanted in (("first", first), ("clicked", second), ("next", third), ("before", second),
                        ("ranged", first)):
        expect(what + key, told[key], wanted)
    has(what + "words", told["notes"], "not measured: Lacking: its event is lacking",
        "not measured: Absent", "level 1 over time on p cores",
        "level 1 over time on e cores")


def of_tasks():
    """As many as are not shown at first; the second heaviest has the name of a tag."""
    write("tasks", "".join(of(level_one(100 if n == 57 else n + 10), pid=100, tid=100 + n,
                              comm=TAG if n == 58 else f"task{n}", cycles=(n + 1) * 1000)
                           for n in range(60)))
    return page("-o", "-", "--topdown", "tasks")


def shows_tasks(what, told):
    fits(what, told)
    expect(what + "first", told["first"],
           {"heads": ["task59, thread 159 of process 100"], "rows": tree_rows(69), "bold": [],
            "marked": []})
    wanted = [["%.2f %%" % (100 * (n + 1) / 1830), TAG if n == 58 else f"task{n}",
               "100 %" if n == 57 else f"{n + 10} %\n{90 - n} %", "", str(100 + n), "100"]
              for n in range(59, 9, -1)]
    expect(what + "rows", told["tasks"], wanted)
    expect(what + "bars", told["bars"][:3], [[69, 31], [68, 32], [100, 0]])
    expect(what + "clicked", told["clicked"],
           {"heads": [TAG + ", thread 158 of process 100"], "rows": tree_rows(68), "bold": [],
            "marked": []})
    expect(what + "chosen", told["chosen"], [TAG])
    expect(what + "all of them", told["more"], 60)


def of_kinds():
    """One of which has no tree."""
    absent = {"name": "", "level": 0, "value": None, "unit": "", "note": "small ones have none",
              "kind": "e cores", "time-share": 25.0}
    write("kinds", of(level_one(40, TAG), kind="p cores", **{"time-share": 75.0}) +
          json.dumps(absent) + "\n")
    return page("-o", "-", "--topdown", "kinds")


def shows_kinds(what, told):
    fits(what, told)
    expect(what + "trees", told["first"],
           {"heads": ["On p cores, 75.00 % of the time", "On e cores, 25.00 % of the time"],
            "rows": tree_rows(40, FLAG), "bold": [TAG], "marked": []})
    has(what + "no tree", [told["text"]], "no tree: small ones have none")


def of_one_interval():
    write("once", times(0.5, level_one(75)))
    return page("-o", "-", "--topdown", "once")


def shows_one_interval(what, told):
    fits(what, told)
    expect(what + "columns", told["columns"], [["Front"]] * 3)
    for key in ("first", "clicked", "next", "before"):
        expect(what + key, told[key], {"about": "interval 1 of 1, 0.000 s to 0.500 s", "heads": [],
                                       "rows": tree_rows(75), "bold": [], "marked": ["0"]})


def shows_thinned(what, told):
    fits(what, told)
    has(what + "words", told["notes"], "Of 5,001 intervals one of 2 is in this page.")
    expect(what + "first", told["first"]["about"], "interval 1 of 5,001, 0.000 s to 0.010 s")
    # To the pixel.
    chosen = told["clicked"]["about"].split()[1].replace(",", "")
    if int(chosen) % 2 != 1 or not 1975 < int(chosen) < 2025:
        bad(f"{what}clicked: interval {chosen}, which is not at 40 %")


def of_many():
    """A page stays small, whatever there is: intervals are thinned out, light tasks left out."""
    write("many", "".join(times(round((n + 1) / 100, 2), node("x", 1, n % 101))
                          for n in range(5001)))
    html = page("-o", "-", "--topdown", "many")
    shown = data_of(html)["topdown"]
    expect("every second", [item["number"] for item in shown["items"]], list(range(0, 5001, 2)))
    expect("its value", [item["trees"][0]["values"] for item in shown["items"][:3]],
           [0, 200, 400])
    cycles = [n * 3571 % 5519 for n in range(1, 5519)]
    write("crowd", "".join(of(node("x", 1, 1), comm="c", pid=1, tid=n, cycles=c)
                           for n, c in enumerate(cycles)))
    shown = data_of(page("-o", "-", "--topdown", "crowd"))["topdown"]
    got = [item["cycles"] for item in shown["items"]]
    expect("the heaviest", got, sorted(cycles, reverse=True)[:len(got)])
    expect("of all", (shown["all"], shown["cycles"], 2500 < len(got) <= 5000),
           (len(cycles), sum(cycles), True))
    if len(html) > 1000000:
        bad("a page of %d bytes" % len(html))
    return html


def topdown_pages():
    parts_of = ((of_intervals, shows_intervals), (of_tasks, shows_tasks), (of_kinds, shows_kinds),
                (of_one_interval, shows_one_interval), (of_many, shows_thinned))
    told = in_frames([make() for make, _ in parts_of])
    for (make, shows), widths in zip(parts_of, told):
        for width, one in zip((500, 1400), widths):
            shows(f"{make.__name__}, {width}: ", one)


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
    two = node("x", 1, 1) + node("y", 1, 2)
    for name, text in (
            ("twice", two + two), ("other", times(1, two) + times(2, node("x", 1, 1) * 2)),
            ("short", times(1, two) + times(2, node("x", 1, 1)) + times(3, two)),
            ("cut", times(1, two) + times(2, node("x", 1, 1))), ("mixed", two + times(1, two)),
            ("back", times(2, two) + times(1, two)), ("same", times(2, two) * 2),
            ("both", times(1, two, tid=5)), ("never", times("1", two)),
            ("nobody", of(two, tid=5, pid=5)), ("deep", node("x", 17, 1)),
            ("level", node("x", 0, 1)), ("text", node("x", 1, "1")),
            ("wrong", node("x", 1, 1, error=-1)), ("wide", "".join(node(f"n{n}", 1, 1)
                                                            for n in range(1001))),
            ("kinds", "".join(of(two, kind="k%d" % n) for n in range(5)))):
        write(name, text)
    for name, said in (("lacking", "it is no row of a tree"), ("broken", "line 1: "),
                       ("empty", "it is empty"), ("nosuch", "No such file"),
                       ("twice", "line 3: another tree begins"),
                       ("other", "line 4: 'x' stands where trees above have 'y'"),
                       ("short", "line 4: the tree above has 1 nodes, and those before it 2"),
                       ("cut", "line 3: the tree above has 1 nodes"),
                       ("mixed", "line 3: trees of intervals, of tasks and of a whole run"),
                       ("back", "line 3: the interval ends at 1 s, and the one above at 2 s"),
                       ("same", "line 3: the interval ends at 2 s, and the one above at 2 s"),
                       ("both", "line 1: a page has room for intervals (-I) or for tasks"),
                       ("never", "line 1: an interval ends at a number"),
                       ("nobody", "line 1: a task has a name"), ("deep", "line 1: there is no such"),
                       ("level", "line 1: there is no such level"), ("text", "line 1: it is no row"),
                       ("wrong", "line 1: an error is a number"),
                       ("wide", "line 1001: the tree has more than 1000 nodes"),
                       ("kinds", "line 9: cores are of more than 4 kinds")):
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
    topdown_pages()
    parts()
    refusals()
    long_function()


main()
end()
