// SPDX-License-Identifier: GPL-2.0-or-later
// Makes the page of pmuctl html out of its data.  Names are put in as text, never as markup.
'use strict';
(function () {
	const data = JSON.parse(document.getElementById('data').textContent);
	const page = document.getElementById('page');
	const ROWS = 50;		// of a table, at first
	let current = 0;		// which of data.functions, an event each

	// ---- pieces of a page

	function add(to, tag, properties, ...inner) {
		const node = document.createElement(tag);

		for (const [name, value] of Object.entries(properties || {}))
			if (name in node)
				node[name] = value;
			else
				node.setAttribute(name, value);
		node.append(...inner);
		if (to)
			to.append(node);
		return node;
	}

	function link(text, action) {
		return add(null, 'button', { className: 'link', type: 'button', onclick: action },
			text);
	}

	function count(n) {
		return n.toLocaleString('en');
	}

	function percent(share) {
		return (100 * share).toFixed(2) + ' %';
	}

	// weak: behind it, what is not only its own.
	function shareCell(row, share, weak) {
		const box = add(add(row, 'td', { className: 'share' }), 'div');

		if (weak !== undefined)
			add(box, 'i').style.width = 100 * Math.min(weak, 1) + '%';
		add(box, 'b').style.width = 100 * Math.min(share, 1) + '%';
		add(box, 'span', null, percent(share));
	}

	const links = add(null, 'nav');

	function section(id, title) {
		const node = add(page, 'section', { id: id });

		add(node, 'h2', null, title);
		add(links, 'a', { href: '#' + id }, title);
		return node;
	}

	function heads(table, titles) {
		const row = add(add(table, 'thead'), 'tr');

		titles.forEach(function (title) {
			const number = title.startsWith('#');

			add(row, 'th', { className: number ? 'number' : '' },
				title.slice(number ? 1 : 0));
		});
		return add(table, 'tbody');
	}

	function tableIn(parent, className) {
		return add(add(parent, 'div', { className: 'scrolls' }), 'table',
			{ className: className });
	}

	// ---- what was recorded

	function head() {
		const s = data.session;
		const machine = [s.host, s.kernel, s.machine, s.cpu,
			s.cpus ? s.cpus + ' CPUs' : ''].filter(Boolean).join(', ');
		const facts = [['file', s.file], ['machine', machine], ['recorded by', s.recorder],
			['samples', count(s.samples)]];
		const list = add(null, 'dl');
		const alarms = [];

		add(page, 'h1', null, s.command || s.file);
		for (const [name, value] of facts)
			if (value) {
				add(list, 'dt', null, name);
				add(list, 'dd', null, value);
			}
		page.append(list);
		if (s.lost)
			alarms.push(count(s.lost) + ' samples were lost');
		if (s.throttled)
			alarms.push('sampling was throttled ' + count(s.throttled) + ' times');
		if (s.cut)
			alarms.push('the file was cut or not closed: these are its whole records');
		if (s.undescribed)
			alarms.push(count(s.undescribed) + ' samples are of events that the file ' +
				'does not describe');
		for (const alarm of alarms)
			add(page, 'p', { className: 'alarm' }, alarm);
		page.append(links);
	}

	// ---- Top-Down: numbers are hundredths of a percent; one stands for a column of equals

	const HUES = [30, 0, 215, 110, 275, 180];

	function at(column, i) {
		return Array.isArray(column) ? column[i] : column;
	}

	function nodesOf(kind, tree) {
		return kind.nodes.map(([name, level, unit, text], i) => ({
			name: name, level: level, unit: unit, text: text,
			value: at(tree.values, i), error: at(tree.errors, i),
			flagged: at(tree.flags, i) & 1, bottleneck: at(tree.flags, i) & 2,
			note: data.topdown.notes[at(tree.notes, i)]
		}));
	}

	function nodeRow(body, node, noteAll) {
		const row = add(body, 'tr', { className: node.bottleneck ? 'bottleneck' : '',
			title: node.text || '' });

		shareCell(row, node.value / 10000);
		add(row, 'td', null, '  '.repeat(node.level - 1) + node.name);
		add(row, 'td', { className: 'number' },
			node.error > 0 ? '± ' + (node.error / 100).toFixed(2) : '');
		add(row, 'td', null, node.unit || '');
		add(row, 'td', { className: node.flagged ? 'alarm' : '' },
			(node.flagged ? 'above its threshold' : '') +
			(node.bottleneck ? ': the bottleneck' : ''));
		add(row, 'td', { className: 'faint' }, node.note === noteAll ? '' : node.note);
	}

	function treeOfKind(to, kind, tree) {
		const nodes = nodesOf(kind, tree);
		const measured = nodes.filter(n => n.value !== null);
		const missing = nodes.filter(n => n.value === null);
		const notes = new Set(measured.map(n => n.note));
		const noteAll = notes.size === 1 ? measured[0].note : null;

		if (kind.name)
			add(to, 'h3', null, 'On ' + kind.name + (tree.share === undefined ? '' :
				', ' + percent(tree.share / 10000) + ' of the time'));
		if (kind.why)
			add(to, 'p', null, 'no tree: ' + kind.why);
		if (measured.length) {
			const body = heads(tableIn(to, 'tree'),
				['share', 'where the slots went', '#error', 'of', '', '']);

			measured.forEach(n => nodeRow(body, n, noteAll));
		}
		if (noteAll)
			add(to, 'p', { className: 'alarm' }, noteAll);
		for (const why of new Set(missing.map(n => n.note)))
			add(to, 'p', { className: 'faint' }, 'not measured: ' + missing
				.filter(n => n.note === why).map(n => n.name).join(', ') +
				(why ? ': ' + why : ''));
	}

	function trees(box, item) {
		box.replaceChildren();
		data.topdown.kinds.forEach(function (kind, k) {
			if (item.trees[k])
				treeOfKind(box, kind, item.trees[k]);
		});
	}

	// Which is the bottleneck on that kind of core; below 0: none is.
	function bottleneckOf(k, item) {
		const tree = item.trees[k];

		return tree ? data.topdown.kinds[k].nodes.findIndex((n, i) =>
			at(tree.flags, i) & 2) : -1;
	}

	function bottlenecks(item) {
		const names = data.topdown.kinds.map(function (kind, k) {
			const i = bottleneckOf(k, item);

			return i < 0 ? '' :
				kind.nodes[i][0] + (kind.name ? ' on ' + kind.name : '');
		});

		return names.filter(Boolean).join(', ');
	}

	// Numbers of the nodes that no other one is above.
	function topsOf(kind) {
		const top = Math.min(...kind.nodes.map(n => n[1]));

		return kind.nodes.map((n, i) => i).filter(i => kind.nodes[i][1] === top);
	}

	// The same name has the same colour on all kinds of cores.
	const topNames = Array.from(new Set((data.topdown ? data.topdown.kinds : [])
		.flatMap(k => topsOf(k).map(i => k.nodes[i][0]))));

	function colour(name) {
		return 'hsl(' + HUES[topNames.indexOf(name) % HUES.length] + ', 65%, 72%)';
	}

	function legend(to) {
		const line = add(to, 'p', { className: 'legend' });

		for (const name of topNames) {
			const entry = add(line, 'span');

			add(entry, 'i').style.background = colour(name);
			entry.append(name);
		}
	}

	// From and to, of 100, of each node of level 1; what is more than all is made less.
	function stripes(k, item) {
		const kind = data.topdown.kinds[k], tree = item.trees[k];
		const values = topsOf(kind).map(i => tree && Math.max(0, at(tree.values, i)) || 0);
		const whole = Math.max(10000, values.reduce((sum, value) => sum + value, 0));
		let from = 0;

		return values.map(function (value) {
			const begin = from;

			from += 100 * value / whole;
			return [begin, from];
		});
	}

	function seconds(microseconds) {
		return (microseconds / 1e6).toFixed(3) + ' s';
	}

	// ---- Top-Down of intervals

	function shape(to, tag, attributes) {
		const node = document.createElementNS('http://www.w3.org/2000/svg', tag);

		for (const [name, value] of Object.entries(attributes))
			node.setAttribute(name, value);
		to.append(node);
		return node;
	}

	function canvas(to, className, label) {
		return shape(to, 'svg', { class: className, viewBox: '0 0 1000 100',
			preserveAspectRatio: 'none', role: 'img', 'aria-label': label });
	}

	// From left to right along one edge and back along the other, in steps.
	function area(edges, columns) {
		const there = edges.map((e, i) => columns[i][0] + ' ' + e[0] + 'H' + columns[i][1]);
		const back = edges.map((e, i) => columns[i][1] + ' ' + e[1] + 'H' + columns[i][0]);

		return 'M' + there.join('L') + 'L' + back.reverse().join('L') + 'z';
	}

	// Below it, whose part the bottleneck is in; returns what marks one of its columns.
	function overTime(to, k, columns, choose) {
		const kind = data.topdown.kinds[k], items = data.topdown.items;
		const tops = topsOf(kind), edges = items.map(item => stripes(k, item));
		const label = 'level 1 over time' + (kind.name ? ' on ' + kind.name : '');
		const within = items.map(item =>
			tops.filter(i => i <= bottleneckOf(k, item)).pop());

		add(to, 'p', { className: 'faint' }, label +
			'; the strip below: in whose part the bottleneck is');
		const svg = canvas(to, 'over', label);
		const strip = canvas(to, 'strip', 'where the bottleneck is');

		tops.forEach(function (i, number) {
			const name = kind.nodes[i][0], fill = colour(name);
			const parts = columns.filter((c, n) => within[n] === i)
				.map(c => 'M' + c[0] + ' 0H' + c[1] + 'V100H' + c[0] + 'z');

			shape(shape(svg, 'path', { d: area(edges.map(e => e[number]), columns),
				fill: fill }), 'title', {}).textContent = name;
			if (parts.length)
				shape(strip, 'path', { d: parts.join(''), fill: fill });
		});
		const mark = shape(svg, 'rect', { class: 'chosen', y: 0, height: 100 });

		svg.addEventListener('click', function (e) {
			const box = svg.getBoundingClientRect();
			const x = 1000 * (e.clientX - box.left) / box.width;
			const found = columns.findIndex(c => x < c[1]);

			choose(found < 0 ? columns.length - 1 : found);
		});
		return mark;
	}

	function intervals(node) {
		const t = data.topdown, last = t.items.length - 1, end = t.items[last].end;
		const columns = t.items.map((item, i) =>
			[i ? 1000 * t.items[i - 1].end / end : 0, 1000 * item.end / end]
				.map(x => Math.round(x * 100) / 100));
		let marks = [];

		function choose(i) {
			const item = t.items[i], limits = bottlenecks(item);

			range.value = i;
			for (const mark of marks) {
				mark.setAttribute('x', columns[i][0]);
				mark.setAttribute('width',
					Math.max(1, columns[i][1] - columns[i][0]));
			}
			about.textContent = 'interval ' + count(item.number + 1) + ' of ' +
				count(t.all) + ', ' + seconds(item.begin) + ' to ' +
				seconds(item.end) + (limits ? ': ' + limits : '');
			trees(box, item);
		}

		function step(by) {
			return () => choose(Math.min(last, Math.max(0, Number(range.value) + by)));
		}

		legend(node);
		marks = t.kinds.map((kind, k) => kind.nodes.length ?
			overTime(node, k, columns, choose) : null).filter(Boolean);
		add(node, 'p', { className: 'axis faint' }, add(null, 'span', null, '0 s'),
			add(null, 'span', null, seconds(end)));
		if (t.stride > 1)
			add(node, 'p', { className: 'faint' }, 'Of ' + count(t.all) +
				' intervals one of ' + t.stride + ' is in this page.');
		const controls = add(node, 'p', { className: 'controls' });

		controls.append(link('◂', step(-1)));
		const range = add(controls, 'input', { type: 'range', min: 0, max: last, value: 0,
			ariaLabel: 'interval' });
		controls.append(link('▸', step(1)));
		const about = add(controls, 'span', { className: 'about' });
		const box = add(node, 'div');

		range.addEventListener('input', () => choose(Number(range.value)));
		choose(0);
	}

	// ---- Top-Down of tasks

	function bar(to, k, item) {
		const kind = data.topdown.kinds[k], edges = stripes(k, item);
		const shares = topsOf(kind).map(i =>
			[kind.nodes[i][0], at(item.trees[k].values, i)]);
		const box = add(to, 'div', { className: 'bar', title: shares
			.filter(([name, value]) => value !== null)
			.map(([name, value]) => name + ' ' + percent(value / 10000)).join('\n') });

		edges.forEach(function ([from, end], number) {
			const part = add(box, 'i', null, end - from < 15 ? '' :
				Math.round(shares[number][1] / 100) + ' %');

			part.style.width = (end - from) + '%';
			part.style.background = colour(shares[number][0]);
		});
	}

	function taskRow(body, item, choose) {
		const row = add(body, 'tr'), t = data.topdown;

		if (t.cycles)
			shareCell(row, item.cycles / t.cycles);
		add(row, 'td', { className: 'name' }, link(item.comm || '?', () => choose(item)));
		const cell = add(row, 'td', { className: 'bars' });

		t.kinds.forEach(function (kind, k) {
			const tree = item.trees[k];

			if (!tree || !kind.nodes.length)
				return;
			if (kind.name)
				add(cell, 'div', { className: 'faint' }, kind.name +
					(tree.share === undefined ? '' :
						', ' + percent(tree.share / 10000)));
			if (topsOf(kind).some(i => at(tree.values, i) !== null))
				bar(cell, k, item);
		});
		add(row, 'td', null, bottlenecks(item));
		add(row, 'td', { className: 'number' }, item.tid);
		add(row, 'td', { className: 'number' }, item.pid);
		return row;
	}

	function tasks(node) {
		const t = data.topdown, rows = new Map();
		const more = link('', () => draw(t.items));

		legend(node);
		const body = heads(tableIn(node, 'tasks'), (t.cycles ? ['share of cycles'] : [])
			.concat(['task', 'level 1', 'bottleneck', '#thread', '#process']));
		add(node, 'p', null, more);
		if (!t.cycles)
			add(node, 'p', { className: 'faint' },
				'The file does not have the cycles of tasks: ' +
				'they are in its order.');
		if (t.all > t.items.length)
			add(node, 'p', { className: 'faint' },
				'Of ' + count(t.all) + ' tasks the ' + count(t.items.length) +
				' with most cycles are in this page.');
		const title = add(node, 'h3'), box = add(node, 'div');

		function choose(item) {
			rows.forEach((row, of) => row.classList.toggle('chosen', of === item));
			title.textContent = item.comm + ', thread ' + item.tid + ' of process ' +
				item.pid;
			trees(box, item);
		}

		// The tree is below a table that may be long.
		function show(item) {
			choose(item);
			title.scrollIntoView({ block: 'nearest' });
		}

		function draw(items) {
			body.replaceChildren();
			items.forEach(item => rows.set(item, taskRow(body, item, show)));
			more.textContent = items.length < t.items.length ?
				'all ' + count(t.items.length) : '';
			choose(items[0]);
		}

		draw(t.items.slice(0, ROWS));
	}

	function topdown() {
		if (!data.topdown && !data.noTopdown)
			return;
		const node = section('topdown', 'Top-Down');

		if (!data.topdown)
			add(node, 'p', { className: 'alarm' }, 'not measured: ' + data.noTopdown);
		else if (data.topdown.what === 'intervals')
			intervals(node);
		else if (data.topdown.what === 'tasks')
			tasks(node);
		else
			trees(add(node, 'div'), data.topdown.items[0]);
	}

	// ---- the event that is shown

	function event() {
		return data.functions[current];
	}

	// Of a pair of samples and events: what shares are of.
	function weight(samples, events) {
		return event().events ? events : samples;
	}

	function whole() {
		return event().events || event().samples || 1;
	}

	const redrawn = [];	// by whom, when another event is chosen

	function chooser() {
		const line = add(page, 'p', { className: 'controls' }), about = add(null, 'span');

		function tell() {
			const e = event();

			const parts = [count(e.samples) + (e.waits ? ' waits' : ' samples'),
				count(e.events) + (e.waits ? ' ns' : ' events')];

			if (e.precise)
				parts.push('by PEBS');
			if (e.uncertain)
				parts.push(count(e.uncertain) + ' may name the instruction behind');
			about.textContent = parts.join(', ');
		}

		if (data.functions.length > 1) {
			const select = add(line, 'select', { ariaLabel: 'event' });

			data.functions.forEach((f, i) =>
				add(select, 'option', { value: i }, data.events[f.event]));
			select.addEventListener('change', function () {
				current = Number(select.value);
				redrawn.forEach(draw => draw());
			});
		} else {
			add(line, 'strong', null, data.events[event().event]);
		}
		line.append(about);
		redrawn.push(tell);
	}

	// ---- the flame graph

	const flame = { search: function () {} };

	function flames() {
		const node = section('flame', 'Flame graph');
		const box = add(node, 'div', { className: 'flame' });

		redrawn.push(function () {
			const template = document.querySelector('template.flame[data-event="' +
				event().event + '"]');

			box.replaceChildren(template ? template.content.cloneNode(true) :
				'no samples of this event are of what was asked for');
			if (!template)
				return;
			flameGraph(box.querySelector('svg'));
			// A deep one begins at its bottom.
			box.scrollTop = box.scrollHeight;
		});
		flame.search = function (name) {
			const input = box.querySelector('#search input, #search > *');

			if (!input)
				return;
			input.value = '^' + name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '$';
			input.dispatchEvent(new Event('input', { bubbles: true }));
			node.scrollIntoView();
		};
	}

	// ---- functions

	// Of a row: key, name, object, kernel; samples and events, and those with callees.
	const columns = [
		{ title: 'self', of: row => weight(row[4], row[5]) },
		{ title: 'with callees', of: row => weight(row[6], row[7]), chains: true },
		{ title: 'samples', of: row => row[4], number: true },
		{ title: 'function', of: row => row[1], text: true },
		{ title: 'object', of: row => row[2], text: true }
	].filter(c => data.children || !c.chains);

	function functions() {
		const node = section('functions', 'Functions');
		const controls = add(node, 'p', { className: 'controls' });
		const filter = add(controls, 'input', { type: 'search', placeholder: 'filter',
			ariaLabel: 'filter of functions and objects' });
		const more = link('', function () { all = true; draw(); });
		const table = tableIn(node, '');
		const top = add(add(table, 'thead'), 'tr'), body = add(table, 'tbody');
		const rest = add(node, 'p', { className: 'faint' });
		let sorted = columns[0], down = true, all = false;

		columns.forEach(function (column) {
			const cell = add(top, 'th', { className: column.number ? 'number' : '' });

			add(cell, 'button', { type: 'button', onclick: function () {
				down = sorted === column ? !down : !column.text;
				sorted = column;
				draw();
			} }, column.title);
			column.head = cell;
		});

		function matches(row) {
			const text = filter.value.toLowerCase();

			return [row[1], row[2]].some(name => name.toLowerCase().includes(text));
		}

		function compare(a, b) {
			const x = sorted.of(a), y = sorted.of(b);
			const order = sorted.text ? x.localeCompare(y) : x - y;

			return down ? -order : order;
		}

		function addRow(row) {
			const tr = add(body, 'tr'), own = weight(row[4], row[5]) / whole();

			shareCell(tr, own);
			if (data.children)
				shareCell(tr, weight(row[6], row[7]) / whole());
			add(tr, 'td', { className: 'number' }, count(row[4]));
			add(tr, 'td', { className: 'name' }, code.has(row[0]) ?
				link(row[1], () => code.show(row[0])) : row[1], ' ',
				link('▤', () => flame.search(row[1])));
			tr.lastChild.lastChild.title = 'where it is in the flame graph';
			add(tr, 'td', { className: row[3] ? 'faint' : '' }, row[2]);
		}

		function draw() {
			const rows = event().rows.filter(matches).sort(compare);
			const shown = all ? rows : rows.slice(0, ROWS);

			columns.forEach(c => c.head.removeAttribute('aria-sort'));
			sorted.head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
			body.replaceChildren();
			shown.forEach(addRow);
			more.textContent = rows.length > shown.length ?
				'all ' + count(rows.length) : '';
			rest.textContent = event().leftOut ? count(event().leftOut) +
				' more are not in this page; they have ' +
				count(event().leftSamples) + ' samples' : '';
		}

		controls.append(more);
		filter.addEventListener('input', draw);
		redrawn.push(draw);
	}

	// ---- code: rows of address, text, file, line, what was inlined, counts by event

	// 0 of the number of instructions that are left out between others.
	function rowWeight(row) {
		const counts = row[5] && row[5][event().event];

		return counts ? weight(counts[0], counts[1]) : 0;
	}

	function functionWeight(f) {
		return f.rows.reduce((sum, row) => sum + rowWeight(row), 0);
	}

	// By file and line, in the order of the instructions: { file, line, weight, rows }.
	function linesOf(f) {
		const lines = new Map();

		for (const row of f.rows) {
			if (!Array.isArray(row) || row[2] < 0)
				continue;
			const key = row[2] + ':' + row[3];

			if (!lines.has(key))
				lines.set(key, { file: row[2], line: row[3], weight: 0, rows: [] });
			lines.get(key).weight += rowWeight(row);
			lines.get(key).rows.push(row);
		}
		return lines;
	}

	function sourceText(file, line) {
		return data.sources[file].lines[line];
	}

	function shortName(path) {
		return path.slice(path.lastIndexOf('/') + 1);
	}

	function placeText(file, line) {
		return shortName(data.sources[file].file) + ':' + line;
	}

	const code = {
		has: key => data.code.some(f => f.key === key),
		show: function () {}
	};

	function codeCells(tr, amount, middle, text) {
		const share = amount / whole();

		add(tr, 'td', { className: 'number' }, amount ? percent(share) : '');
		add(tr, 'td', { className: 'number faint' }, middle);
		return add(tr, 'td', null, text);
	}

	function wholeRow(body, className, text) {
		add(add(body, 'tr', { className: className }), 'td', { colSpan: 3 }, text);
	}

	function heat(tr, amount, most) {
		if (amount)
			tr.style.background = 'rgba(var(--hot), ' +
				(0.08 + 0.5 * amount / most).toFixed(3) + ')';
	}

	function insnRow(row, most) {
		const tr = add(null, 'tr', { className: 'insn' });

		tr.classList.toggle('sampled', rowWeight(row) > 0);
		codeCells(tr, rowWeight(row), row[0], '    ' + row[1]);
		heat(tr, rowWeight(row), most);
		return tr;
	}

	// A click shows the instructions of a line below it, or hides them.
	function toggle(tr, rows, most) {
		if (tr.below) {
			tr.below.forEach(below => below.remove());
			tr.below = null;
		} else {
			tr.below = rows.map(row => insnRow(row, most));
			tr.after(...tr.below);
		}
	}

	function lineRow(body, file, number, entry, most) {
		const text = sourceText(file, number);
		const tr = add(body, 'tr', { className: entry ? 'line' : '' });
		const shown = text === undefined ? entry.rows.length + ' instructions' :
			text || ' ';

		codeCells(tr, entry ? entry.weight : 0, number, entry && entry.rows.length ?
			link(shown, () => toggle(tr, entry.rows, most)) : shown);
		if (entry)
			heat(tr, entry.weight, most);
		tr.dataset.line = file + ':' + number;
	}

	function fileRows(body, file, entries, most) {
		const source = data.sources[file];
		const numbers = new Set(entries.map(e => e.line));
		const first = Math.min(...numbers), last = Math.max(...numbers);
		const byLine = new Map(entries.map(e => [e.line, e]));
		let before = 0;

		wholeRow(body, 'file', source.file +
			(Object.keys(source.lines).length ? '' : ': the file is not here'));
		for (const number of Object.keys(source.lines).map(Number))
			if (number >= first - 3 && number <= last + 3)
				numbers.add(number);
		for (const number of Array.from(numbers).sort((a, b) => a - b)) {
			if (before && number > before + 1)
				wholeRow(body, 'gap', '…');
			lineRow(body, file, number, byLine.get(number), most);
			before = number;
		}
	}

	// Files with most first; instructions without a line behind them.
	function drawSource(body, f) {
		const byFile = new Map(), lines = Array.from(linesOf(f).values());
		const most = Math.max(1, ...lines.map(l => l.weight));
		const bare = f.rows.filter(row => Array.isArray(row) && row[2] < 0);
		const sum = entries => entries.reduce((s, e) => s + e.weight, 0);

		for (const line of lines)
			byFile.set(line.file, (byFile.get(line.file) || []).concat(line));
		Array.from(byFile).sort((a, b) => sum(b[1]) - sum(a[1]))
			.forEach(([file, entries]) => fileRows(body, file, entries, most));
		if (bare.length && byFile.size)
			wholeRow(body, 'file', 'without a source line');
		bare.forEach(row => body.append(insnRow(row, most)));
	}

	function drawInstructions(body, f) {
		const most = Math.max(1, ...f.rows.map(rowWeight));
		let before = '';

		for (const row of f.rows) {
			if (!Array.isArray(row)) {
				wholeRow(body, 'gap',
					'… ' + count(row) + ' instructions without samples');
				continue;
			}
			const place = row[2] < 0 ? before : row[2] + ':' + row[3] + row[4];

			if (place !== before) {
				const words = [placeText(row[2], row[3])];

				if (row[4])
					words.push(row[4] + ' (inlined)');
				words.push(sourceText(row[2], row[3]) || '');
				codeCells(add(body, 'tr', { className: 'line' }), 0, '',
					words.join('  '));
			}
			before = place;
			body.append(insnRow(row, most));
		}
	}

	function codes() {
		const node = section('code', 'Code');
		const controls = add(node, 'p', { className: 'controls' });
		const select = add(controls, 'select', { ariaLabel: 'function' });
		const how = add(controls, 'select', { ariaLabel: 'in which order' });
		const about = add(node, 'p', { className: 'faint' });
		const body = heads(tableIn(node, 'code'), ['#of all', '#', '']);

		add(how, 'option', { value: 'source' }, 'by source line');
		add(how, 'option', { value: 'address' }, 'by address');

		function draw() {
			const f = data.code.find(f => f.key === select.value);

			body.replaceChildren();
			about.textContent = '';
			if (!f)
				return;
			about.textContent = f.why || 'A click on a line shows its instructions.';
			if (how.value === 'source' && f.rows.some(row => row[2] >= 0))
				drawSource(body, f);
			else
				drawInstructions(body, f);
		}

		function list() {
			const chosen = select.value;
			const weights = new Map(data.code.map(f => [f, functionWeight(f)]));

			select.replaceChildren();
			data.code.filter(f => weights.get(f))
				.sort((a, b) => weights.get(b) - weights.get(a))
				.forEach(f => add(select, 'option', { value: f.key },
					[percent(weights.get(f) / whole()), f.name, f.dso]
						.join('  ')));
			if (Array.from(select.options).some(o => o.value === chosen))
				select.value = chosen;
			draw();
		}

		select.addEventListener('change', draw);
		how.addEventListener('change', draw);
		redrawn.push(list);
		code.show = function (key, line) {
			select.value = key;
			draw();
			const target = line && body.querySelector('[data-line="' + line + '"]');

			if (target)
				target.classList.add('target');
			(target || node).scrollIntoView({ block: target ? 'center' : 'start' });
		};
	}

	// ---- the hottest lines of all

	function hottestLines() {
		const lines = new Map();

		for (const f of data.code)
			for (const [key, line] of linesOf(f)) {
				const all = lines.get(key) || { key: key, file: line.file,
					line: line.line, weight: 0, functions: [] };

				lines.set(key, all);
				all.weight += line.weight;
				if (line.weight)
					all.functions.push([line.weight, f]);
			}
		return Array.from(lines.values()).filter(line => line.weight)
			.sort((a, b) => b.weight - a.weight).slice(0, ROWS);
	}

	function hotLines() {
		const node = section('lines', 'Hot lines');
		const body = heads(tableIn(node, ''), ['self', 'line', 'source', 'function']);
		const rest = add(node, 'p', { className: 'faint' });

		function addLine(line) {
			const tr = add(body, 'tr');
			const f = line.functions.sort((a, b) => b[0] - a[0])[0][1];

			shareCell(tr, line.weight / whole());
			add(tr, 'td', { className: 'place' }, link(placeText(line.file, line.line),
				() => code.show(f.key, line.key)));
			add(add(tr, 'td', { className: 'name' }), 'code', null,
				(sourceText(line.file, line.line) || '').trim());
			add(tr, 'td', { className: 'name' }, f.name + (line.functions.length > 1 ?
				' and ' + (line.functions.length - 1) + ' more' : ''));
		}

		redrawn.push(function () {
			const sum = data.code.reduce((s, f) => s + functionWeight(f), 0);
			const lines = hottestLines();

			body.replaceChildren();
			lines.forEach(addLine);
			rest.textContent = lines.length ?
				'of the functions whose code is in this page, which have ' +
				percent(sum / whole()) + ' of all' :
				'no line of a source file is known of what was sampled';
		});
	}

	// ---- what threads share

	function accessTable(node, accesses) {
		const body = heads(tableIn(node, ''), ['#offset', '#bytes', '#stores', '#loads',
			'#latency', 'thread', 'variable', 'instruction', 'line']);

		for (const a of accesses) {
			const tr = add(body, 'tr');

			for (const value of ['+' + a.offset, a.bytes, a.stores, a.loads,
				typeof a.latency === 'number' ? a.latency.toFixed(1) : ''])
				add(tr, 'td', { className: 'number' }, String(value));
			add(tr, 'td', null, a.comm + ' ' + a.tid);
			add(tr, 'td', { className: 'name' }, a.variable || '');
			add(tr, 'td', { className: 'name' }, a.place || '');
			add(tr, 'td', null, a.file ? shortName(a.file) + ':' + a.line : '');
		}
	}

	function sharing() {
		if (!data.sharing && !data.noSharing)
			return;
		const node = section('sharing', 'Shared lines of the cache');

		if (!data.sharing) {
			add(node, 'p', { className: 'alarm' }, 'not measured: ' + data.noSharing);
			return;
		}
		const lines = data.sharing.filter(row => row.table === 'line');

		if (!lines.length)
			add(node, 'p', null, 'No line is shared in a way that costs.');
		for (const line of lines) {
			const part = add(node, 'div');

			add(part, 'h3', null, line.address +
				(line.pid ? ' of process ' + line.pid : '') + ': ' + line.verdict);
			add(part, 'p', null, count(line.samples) + ' samples, ' + line.threads +
				' threads, ' + line.writers + ' of them write');
			if (line.advice)
				add(part, 'p', null, line.advice);
			accessTable(part, data.sharing.filter(row => row.table === 'access' &&
				row.address === line.address && row.pid === line.pid));
		}
		add(node, 'p', { className: 'faint' }, data.sharing
			.filter(row => row.table === 'verdict' && row.lines)
			.map(row => count(row.lines) + ' lines: ' + row.verdict).join('; '));
	}

	head();
	topdown();
	if (data.functions.length) {
		chooser();
		flames();
		functions();
		hotLines();
		codes();
		redrawn.forEach(draw => draw());
	}
	sharing();
})();
