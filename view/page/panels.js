// The panels below the timeline. Each shows the selected range, or the whole time.

import { Forest } from "./callforest.js";
import { methodSums } from "./contexts.js";
import { choice } from "./elements.js";
import { Flame } from "./flame.js";
import { book, current, onlyRunning, shown } from "./state.js";
import { Table } from "./table.js";
import { counted, formatCount, formatTime, percent } from "./units.js";
/** @import { TreeNode } from "./callforest.js" */
/** @import { MethodSum, Sums } from "./contexts.js" */
/** @import { Topic } from "./state.js" */
/** @import { TableColumn } from "./table.js" */

/** @typedef {{draw: () => void, text: () => string}} Panel */
/** @typedef {{id: string, name: string, make: (host: HTMLElement) => Panel, useful?: () => boolean, topics?: Topic[]}} PanelKind */

/** The sums of the range, computed once per range. @type {{key: string, sums: Sums, forest: Forest, methods: MethodSum[]} | null} */
let rangeSums = null;

/** Returns the sums of the range for the recording that panels show. */
export function sumsShown() {
	const recording = current(), range = shown.range ?? { from: -Infinity, to: Infinity }, threads = recording.threadsOf(shown.lists);
	const key = `${recording.index} ${shown.axis} ${range.from} ${range.to} ${threads.join()} ${onlyRunning()}`;
	if (rangeSums?.key === key) return rangeSums;
	const { contexts } = recording, sums = contexts.sums(shown.axis, range.from, range.to, threads, onlyRunning() ? book.waits : null);
	return rangeSums = { key, sums, forest: new Forest(contexts, sums), methods: methodSums(contexts, sums) };
}

/** Returns a column of times. @template R @param {string} name @param {string} about @param {(row: R) => number} value @returns {TableColumn<R>} */
export function timeColumn(name, about, value) {
	return { name, about, show: (r) => formatTime(value(r)), sort: value };
}

/** Returns a column with the share of a time. @template R @param {string} name @param {string} about @param {(row: R) => number} value @param {() => number} all @returns {TableColumn<R>} */
export function shareColumn(name, about, value, all) {
	return { name, about, show: (r) => percent(value(r), all()), sort: value };
}

/** Draws a bar before a time, and its interval as a line on the bar. @param {HTMLTableCellElement} cell @param {string} text @param {number} value @param {number} most @param {[number, number] | null} interval */
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
			{ ...shareColumn("total %", "total time as a share of all time listed", (n) => n.total, share), room: "medium" },
			timeColumn("self", "self time: excludes callees", (n) => n.self),
			{ ...shareColumn("self %", "self time as a share of all time listed", (n) => n.self, share), room: "medium" },
			{ name: "calls", room: "medium", show: (n) => n.calls ? formatCount(n.calls) : "", sort: (n) => n.calls },
		],
	});
	const matches = document.createElement("p");
	matches.className = "facts flamefacts";
	matches.setAttribute("role", "status");
	host.append(matches);
	table.mount(host);
	let drawn = "", searched = "";
	return {
		draw() {
			const key = sumsShown().key;
			const due = Boolean(shown.found) && searched !== `${key} ${shown.find}`;
			if (due) {
				searched = `${key} ${shown.find}`;
				const { matches: n, more } = openMatches(trees(), table.open);
				matches.textContent = more ? `at least ${counted(n, "match", "matches")} in this list, which is too large to search further` : `${counted(n, "match", "matches")} in this list`;
			}
			matches.hidden = !shown.found;
			if (key === drawn) {
				table.draw();
				return due ? table.showFound() : undefined;
			}
			drawn = key;
			table.show(trees());
			if (due) table.showFound();
			if (table.visible.length && !table.open.has(table.visible[0].row)) {
				if (!shown.found) table.open.clear();
				table.unfold(0, true);
			}
		},
		text: () => table.text(),
	};
}

/** Unfolds the ancestors of matches of the search, at any depth. Returns the number of matches, and whether the tree is too large to be searched completely. @param {TreeNode[]} trees @param {Set<TreeNode>} open */
export function openMatches(trees, open) {
	const found = shown.found, /** @type {{node: TreeNode | null, below: TreeNode[], next: number, any: boolean}[]} */ path = [{ node: null, below: trees, next: 0, any: false }];
	let left = 300000, matches = 0;
	while (path.length) {
		const at = path[path.length - 1];
		if (at.next < at.below.length && left > 0) {
			const node = at.below[at.next++], match = Boolean(found && node.method >= 0 && found[node.method]);
			left--;
			matches += Number(match);
			at.any ||= match;
			path.push({ node, below: node.below, next: 0, any: false });
			continue;
		}
		path.pop();
		if (!at.any || !at.node) continue;
		open.add(at.node);
		path[path.length - 1].any = true;
	}
	return { matches, more: left === 0 };
}

/** Caches trees until the range changes. @param {(f: Forest) => TreeNode[]} make */
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
