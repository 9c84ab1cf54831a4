// SPDX-License-Identifier: GPL-2.0-or-later
// Fits a flame graph into its window; a click or a key zooms, searches and tells.
'use strict';
// The window stays: of an element that has left the page nothing is asked any more.
function flameGraph(svg) {
	const frames = [];	// as in the file: a caller, then all that it called
	let width = 1200;	// of the window
	let letter = 7.3;	// of the font
	let zoomed = 0;		// the frame that is as wide as the window
	let current = 0;	// the one that has the keyboard

	function byId(id) {
		return svg.querySelector('#' + id);
	}

	const input = byId('search').firstChild;

	function readFrame(group, i) {
		const about = group.children[0].textContent;

		frames.push({
			group: group,
			rect: group.children[1],
			label: group.children[2],
			about: about,
			name: about.split('\n', 1)[0],
			x: Number(group.dataset.x),
			w: Number(group.dataset.w),
			depth: Number(group.dataset.d),
			parent: -1,
			end: i + 1,	// of what it called
			shown: true
		});
		group.setAttribute('role', 'button');
		group.setAttribute('tabindex', i ? -1 : 0);
	}

	function linkFrames() {
		const open = [];

		frames.forEach(function (frame, i) {
			open.length = frame.depth;
			frame.parent = frame.depth ? open[frame.depth - 1] : -1;
			open.push(i);
		});
		for (let i = frames.length - 1; i > 0; i--) {
			const parent = frames[frames[i].parent];

			parent.end = Math.max(parent.end, frames[i].end);
		}
	}

	function label(frame, pixels) {
		const fits = Math.floor((pixels - 6) / letter);

		if (fits < 3)
			return '';
		if (frame.name.length <= fits)
			return frame.name;
		return frame.name.slice(0, fits - 2) + '..';
	}

	function hide(frame) {
		if (frame.shown)
			frame.group.setAttribute('display', 'none');
		frame.shown = false;
	}

	function place(frame, x, pixels, outer) {
		const text = label(frame, pixels);

		if (!frame.shown)
			frame.group.removeAttribute('display');
		frame.shown = true;
		frame.group.classList.toggle('outer', outer);
		frame.rect.setAttribute('x', x.toFixed(2));
		frame.rect.setAttribute('width', Math.max(pixels - 0.3, 0.1).toFixed(2));
		frame.label.setAttribute('x', (x + 3).toFixed(2));
		if (frame.label.textContent !== text)
			frame.label.textContent = text;
	}

	function layout() {
		const to = frames[zoomed];
		const outer = new Set();

		for (let i = to.parent; i >= 0; i = frames[i].parent)
			outer.add(i);
		frames.forEach(function (frame, i) {
			const pixels = frame.w / to.w * width;

			if (outer.has(i))
				place(frame, 0, width, true);
			else if (i < zoomed || i >= to.end || pixels < 0.1)
				hide(frame);
			else
				place(frame, (frame.x - to.x) / to.w * width, pixels, false);
		});
		byId('reset').setAttribute('visibility', zoomed ? 'visible' : 'hidden');
	}

	function zoom(i) {
		zoomed = i;
		layout();
	}

	function fit() {
		width = Math.max(svg.clientWidth || window.innerWidth || 1200, 400);
		byId('title').setAttribute('x', width / 2);
		layout();
	}

	function tell(frame) {
		byId('details').textContent = frame ? frame.about.replace('\n', ': ') : '';
	}

	function focus(i) {
		frames[current].group.setAttribute('tabindex', -1);
		current = i;
		frames[i].group.setAttribute('tabindex', 0);
		frames[i].group.focus();
		tell(frames[i]);
	}

	function frameOf(target) {
		const group = target.closest ? target.closest('#frames > g') : null;

		return group ? frames.findIndex(function (frame) {
			return frame.group === group;
		}) : -1;
	}

	// The next of those that are shown in the same row, to the left or to the right.
	function beside(i, step) {
		for (let j = i + step; j >= 0 && j < frames.length; j += step)
			if (frames[j].shown && frames[j].depth === frames[i].depth)
				return j;
		return i;
	}

	function inwards(i) {
		for (let j = i + 1; j < frames[i].end; j++)
			if (frames[j].shown)
				return j;
		return i;
	}

	function matcher(text) {
		try {
			const pattern = new RegExp(text, 'i');

			return function (name) { return pattern.test(name); };
		} catch (e) {
			return function (name) { return name.includes(text); };
		}
	}

	// How much is in what was found; what one of them called is in it already.
	function search(text) {
		const found = matcher(text);
		let share = 0, end = 0;

		frames.forEach(function (frame, i) {
			const hit = text !== '' && found(frame.name);

			frame.group.classList.toggle('found', hit);
			if (hit && i >= end) {
				share += frame.w;
				end = frame.end;
			}
		});
		byId('found').textContent = text === '' ? '' :
			'found in ' + (100 * share).toFixed(2) + '%';
	}

	const keys = {
		ArrowUp: function () { focus(inwards(current)); },
		ArrowDown: function () { focus(Math.max(frames[current].parent, 0)); },
		ArrowLeft: function () { focus(beside(current, -1)); },
		ArrowRight: function () { focus(beside(current, 1)); },
		Enter: function () { zoom(current); },
		' ': function () { zoom(current); },
		Escape: function () { zoom(0); },
		'/': function () { input.focus(); }
	};

	function onKey(event) {
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.target === input) {
			if (event.key === 'Escape') {
				input.value = '';
				search('');
				focus(current);
			}
			return;
		}
		if (event.target.id === 'reset' && (event.key === 'Enter' || event.key === ' '))
			zoom(0);
		else if (keys[event.key])
			keys[event.key]();
		else
			return;
		event.preventDefault();
	}

	function onClick(event) {
		const i = frameOf(event.target);

		if (event.target.id === 'reset')
			zoom(0);
		if (i < 0)
			return;
		focus(i);
		zoom(i);
	}

	function start() {
		Array.from(byId('frames').children).forEach(readFrame);
		linkFrames();
		letter = frames[0].label.getComputedTextLength() /
			Math.max(frames[0].label.textContent.length, 1) || letter;
		svg.setAttribute('width', '100%');
		svg.removeAttribute('viewBox');
		fit();
		window.addEventListener('resize', function () {
			if (svg.isConnected)
				fit();
		});
		svg.addEventListener('keydown', onKey);
		svg.addEventListener('click', onClick);
		svg.addEventListener('mouseover', function (event) {
			tell(frames[frameOf(event.target)]);
		});
		input.addEventListener('input', function () { search(input.value); });
	}

	start();
}
