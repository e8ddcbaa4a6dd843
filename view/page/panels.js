// The panels under the timeline. Each shows the selected range, or everything.

import { Forest } from "./callforest.js";
import { context, fitCanvas } from "./canvas.js";
import { colours } from "./colour.js";
import { methodSums } from "./contexts.js";
import { choice, cut } from "./elements.js";
import { Flame } from "./flame.js";
import { book, current, onlyRunning, pickCall, shown, whole } from "./state.js";
import { Table } from "./table.js";
import { callAt, drawBoxes, levelFor } from "./track.js";
import { drawPicked, rowHeight } from "./trackparts.js";
import { formatCount, formatTime, percent } from "./units.js";
/** @import { TreeNode } from "./callforest.js" */
/** @import { MethodSum, Sums } from "./contexts.js" */
/** @import { Recording, Thread } from "./model.js" */
/** @import { Topic } from "./state.js" */
/** @import { TableColumn } from "./table.js" */
/** @import { View } from "./track.js" */

/** @typedef {{draw: () => void, text: () => string}} Panel */
/** @typedef {{id: string, name: string, make: (host: HTMLElement) => Panel, useful?: () => boolean, topics?: Topic[]}} PanelKind */

/** What the range has; made once for a range. @type {{key: string, sums: Sums, forest: Forest, methods: MethodSum[]} | null} */
let rangeSums = null;

/** Returns the sums of the range, of the recording that panels are about. */
export function sumsShown() {
	const recording = current(), range = shown.range ?? { from: -Infinity, to: Infinity }, threads = recording.threadsOf(shown.lists);
	const key = `${recording.index} ${shown.axis} ${range.from} ${range.to} ${threads.join()} ${onlyRunning()}`;
	if (rangeSums?.key === key) return rangeSums;
	const { contexts } = recording, sums = contexts.sums(shown.axis, range.from, range.to, threads, onlyRunning() ? book.waits : null);
	return rangeSums = { key, sums, forest: new Forest(contexts, sums), methods: methodSums(contexts, sums) };
}

/** Returns columns of a time. @template R @param {string} name @param {string} about @param {(row: R) => number} value @returns {TableColumn<R>} */
export function timeColumn(name, about, value) {
	return { name, about, show: (r) => formatTime(value(r)), sort: value };
}

/** Draws a bar before a time, with its interval as a line. @param {HTMLTableCellElement} cell @param {string} text @param {number} value @param {number} most @param {[number, number] | null} interval */
export function drawBar(cell, text, value, most, interval) {
	const bar = document.createElement("span"), label = document.createElement("span"), fill = document.createElement("i");
	bar.className = "bar";
	const share = (/** @type {number} */ v) => `${Math.max(0, Math.min(100, 100 * v / (most || 1)))}%`;
	fill.style.width = share(value);
	bar.append(fill);
	if (interval) {
		const line = document.createElement("b");
		line.style.left = share(interval[0]);
		line.style.width = `${Math.max(0, Math.min(100, 100 * (interval[1] - interval[0]) / (most || 1)))}%`;
		bar.append(line);
	}
	label.textContent = text;
	cell.append(bar, label);
	cell.className = "measure";
}

/** @param {HTMLElement} host @returns {Panel} */
export function treePanel(host, /** @type {() => TreeNode[]} */ trees, /** @type {string} */ label) {
	const share = () => trees().reduce((sum, n) => sum + n.total, 0);
	/** @type {Table<TreeNode>} */
	const table = new Table({
		label, sorted: 1, below: (n) => n.below, method: (n) => n.method,
		columns: [
			{ name: "method", text: true, tree: true, show: (n) => n.name, sort: (n) => n.name },
			timeColumn("total", "total time: includes callees", (n) => n.total),
			{ name: "%", about: "share of all listed time", show: (n) => percent(n.total, share()), sort: (n) => n.total },
			timeColumn("self", "self time: excludes callees", (n) => n.self),
			{ name: "calls", show: (n) => n.calls ? formatCount(n.calls) : "", sort: (n) => n.calls },
		],
	}).mount(host);
	let drawn = "";
	return {
		draw() {
			const key = sumsShown().key;
			if (key === drawn) return table.draw();
			drawn = key;
			table.show(trees());
			if (table.visible.length && !table.open.has(table.visible[0].row)) {
				table.open.clear();
				table.unfold(0, true);
			}
		},
		text: () => table.text(),
	};
}

/** Keeps trees as long as the range is the same. @param {(f: Forest) => TreeNode[]} make */
export function kept(make) {
	let key = "", trees = /** @type {TreeNode[]} */ ([]);
	return () => {
		const now = sumsShown();
		if (now.key !== key) [key, trees] = [now.key, make(now.forest)];
		return trees;
	};
}

/** @param {HTMLElement} host @returns {Panel} */
export function flamePanel(host) {
	let which = 0, drawn = "";
	const trees = [kept((f) => f.topDown()), kept((f) => f.bottomUp())];
	choice(host, "Direction", ["callers on top", "callees on top"], (i) => {
		which = i;
		draw();
	});
	const flame = new Flame(host, "Flame graph");
	const draw = () => {
		const key = `${sumsShown().key} ${which}`;
		if (key === drawn) return flame.draw();
		drawn = key;
		flame.show(trees[which]());
	};
	return { draw, text: () => flame.text() };
}

/** @param {HTMLElement} host @returns {Panel} */
export function chartPanel(host) {
	const label = document.createElement("label"), select = document.createElement("select");
	const scroll = document.createElement("div"), canvas = document.createElement("canvas");
	label.append("thread ", select);
	scroll.className = "scroll";
	scroll.append(canvas);
	host.append(label, scroll);
	canvas.setAttribute("role", "img");
	/** @type {Recording | null} */
	let of = null;
	select.addEventListener("change", () => draw());
	const view = () => ({ ...(shown.range ?? whole()), left: 0, right: scroll.clientWidth });
	const draw = () => {
		const recording = current();
		if (of !== recording) {
			of = recording;
			const listed = (/** @type {Thread} */ t) => Number(shown.lists?.has(t.name) ?? false);
			const busy = recording.threads.map((t, i) => ({ t, i })).sort((a, b) => listed(b.t) - listed(a.t) || b.t.count - a.t.count);
			select.replaceChildren(...busy.map(({ t, i }) => new Option(`${cut(t.name)} (${t.tid})`, String(i))));
		}
		const thread = recording.threads[Number(select.value)];
		if (thread && scroll.clientWidth) drawChart(canvas, thread, view());
		canvas.setAttribute("aria-label", `Calls of ${thread?.name ?? "no thread"} in order of time; for the keyboard, use the timeline.`);
	};
	new ResizeObserver(draw).observe(scroll);
	canvas.addEventListener("click", (e) => {
		const thread = of?.threads[Number(select.value)], r = canvas.getBoundingClientRect(), w = view();
		if (!thread || !of) return;
		const time = w.from + (w.to - w.from) * (e.clientX - r.left) / w.right;
		const call = callAt(thread.levels(shown.axis)[0], Math.floor((e.clientY - r.top) / rowHeight), time, 2 * (w.to - w.from) / w.right);
		pickCall(call < 0 ? null : { thread, recording: of, call });
	});
	return { draw, text: () => chartText(of?.threads[Number(select.value)], view()) };
}

/** @param {HTMLCanvasElement} canvas @param {Thread} thread @param {View} w */
function drawChart(canvas, thread, w) {
	const levels = thread.levels(shown.axis), height = (levels[0].first.length - 1) * rowHeight + 2;
	fitCanvas(canvas, w.right, height);
	const c = context(canvas), place = { y: 0, row: rowHeight, top: 0, bottom: height }, found = shown.found;
	c.fillStyle = colours.ground;
	c.fillRect(0, 0, w.right, height);
	c.globalAlpha = found ? .3 : 1;
	drawBoxes(c, levelFor(levels, (w.to - w.from) / w.right), w, place);
	c.globalAlpha = 1;
	if (found) drawBoxes(c, thread.subset(shown.axis, `found ${shown.find}`, (i) => found[thread.calls.method[i]] === 1), w, place);
	drawPicked(c, thread, w, place);
}

/** Returns calls as lines: start, duration, name by depth. @param {Thread | undefined} thread @param {View} w */
function chartText(thread, w) {
	const lines = ["start\tduration\tmethod"];
	if (thread) {
		const { start, duration } = thread.on(shown.axis), { method, depth } = thread.calls;
		for (let i = 0; i < start.length && lines.length < 100000; i++) {
			if (start[i] >= w.to || start[i] + duration[i] < w.from) continue;
			lines.push(`${formatTime(start[i])}\t${formatTime(duration[i])}\t${"  ".repeat(depth[i])}${book.method(method[i])}`);
		}
	}
	return lines.join("\n") + "\n";
}
