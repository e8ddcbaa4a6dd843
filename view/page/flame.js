// A flame graph: a call tree with boxes as wide as their times, drawn like the calls of the
// timeline. A click on a box zooms in: the box gets the full width, and its callers stay above it.

import { context, fitCanvas } from "./canvas.js";
import { colours } from "./colour.js";
import { cut } from "./elements.js";
import { book, pickMethod, shown } from "./state.js";
import { drawBoxes, outlineBoxes } from "./track.js";
import { rowHeight } from "./trackparts.js";
import { formatTime, percent, unitNS } from "./units.js";
/** @import { TreeNode } from "./callforest.js" */
/** @import { Boxes } from "./model.js" */
/** @import { Place, View } from "./track.js" */

const leastWidth = .5; // px: narrower boxes are omitted, with their subtrees

/** @typedef {{node: TreeNode, start: number, depth: number, above: number}} FlameBox start: the time of all boxes to its left; above: index of its caller, -1: none */

export class Flame {
	/** @param {HTMLElement} host @param {string} label @param {((n: TreeNode) => string) | null} [colour] null: the colours of methods */
	constructor(host, label, colour = null) {
		this.colour = colour ?? ((/** @type {TreeNode} */ n) => n.method < 0 ? colours.faint : colours.boxes[book.colour[n.method]]);
		this.canvas = document.createElement("canvas");
		this.canvas.tabIndex = 0;
		this.canvas.setAttribute("role", "application");
		this.canvas.setAttribute("aria-label", `${label}. Arrows move between boxes, Enter zooms in, Backspace zooms out.`);
		this.facts = document.createElement("p");
		this.facts.className = "facts flamefacts";
		this.facts.setAttribute("role", "status");
		this.scroll = document.createElement("div");
		this.scroll.className = "scroll";
		this.space = document.createElement("div"); // has the height of all rows; the canvas has the height of the visible part
		this.space.className = "flamespace";
		this.space.append(this.canvas);
		this.scroll.append(this.space);
		host.append(this.facts, this.scroll);
		/** @type {TreeNode} */
		this.root = { name: "all", method: -1, total: 0, self: 0, calls: 0, below: [] };
		/** @type {FlameBox} */
		this.widened = { node: this.root, start: 0, depth: 0, above: -1 };
		/** @type {FlameBox[]} */
		this.boxes = []; // row by row
		/** @type {Boxes} */
		this.rows = { width: 0, first: Int32Array.of(0), order: null, start: new Float64Array(0), duration: new Float64Array(0), method: new Int32Array(0), calls: null };
		this.at = 0;
		this.laidOut = ""; // key of the layout of boxes
		/** @type {Uint8Array | null} */
		this.found = null; // the search whose first match was shown
		this.canvas.addEventListener("click", (e) => this.click(e));
		this.canvas.addEventListener("mousemove", (e) => this.hover(e));
		this.canvas.addEventListener("keydown", (e) => this.key(e));
		this.scroll.addEventListener("scroll", () => this.draw(), { passive: true });
		this.resized = new ResizeObserver(() => this.draw());
		this.resized.observe(this.scroll);
	}

	/** @param {TreeNode[]} trees */
	show(trees) {
		const total = trees.reduce((sum, n) => sum + n.total, 0);
		this.root = { name: "all", method: -1, total, self: 0, calls: 0, below: trees };
		this.widened = { node: this.root, start: 0, depth: 0, above: -1 };
		this.at = 0;
		this.laidOut = "";
		this.draw();
	}

	/** @returns {View} the time range of the zoomed box */
	get window() { return { from: this.widened.start, to: this.widened.start + Math.max(this.widened.node.total, 1e-9), left: 0, right: this.scroll.clientWidth }; }

	/** Lays out the boxes row by row, without those too narrow to be visible, unless the layout for this width exists. */
	layout() {
		const { from, to, right } = this.window, key = `${right} ${from} ${to} ${colours.dark}`;
		if (key === this.laidOut) return;
		this.laidOut = key;
		const least = leastWidth * (to - from) / right, at = this.boxes[this.at]?.node, first = [0];
		/** @type {FlameBox[]} */
		const boxes = [{ node: this.root, start: 0, depth: 0, above: -1 }];
		for (let i = 0, end = 1; i < boxes.length; end = boxes.length) {
			first.push(end);
			for (; i < end; i++) {
				let { start } = boxes[i];
				for (const node of [...boxes[i].node.below].sort((a, b) => b.total - a.total)) {
					if (node.total < least || start >= to) break;
					if (start + node.total > from) boxes.push({ node, start, depth: boxes[i].depth + 1, above: i });
					start += node.total;
				}
			}
		}
		this.boxes = boxes;
		this.at = Math.max(0, boxes.findIndex((b) => b.node === at));
		this.rows = {
			width: 0, first: Int32Array.from(first), order: null, start: Float64Array.from(boxes, (b) => b.start), duration: Float64Array.from(boxes, (b) => b.node.total),
			method: Int32Array.from(boxes, (b) => b.node.method), calls: null,
			fill: boxes.map((b) => this.colour(b.node)), names: boxes.map((b) => b.node.method >= 0 ? book.short[b.node.method] : b.node.name),
		};
	}

	/** Returns the wanted boxes. @param {(b: FlameBox, i: number) => boolean} wanted @returns {Boxes} */
	part(wanted) {
		const first = new Int32Array(this.rows.first.length), order = [];
		for (let i = 0; i < this.boxes.length; i++) {
			if (!wanted(this.boxes[i], i)) continue;
			order.push(i);
			first[this.boxes[i].depth + 1] = order.length;
		}
		for (let r = 1; r < first.length; r++) first[r] = Math.max(first[r], first[r - 1]);
		return { ...this.rows, first, order: Int32Array.from(order) };
	}

	draw() {
		const width = this.scroll.clientWidth, height = this.scroll.clientHeight;
		if (!width) return;
		this.layout();
		this.space.style.height = `${Math.max(height, (this.rows.first.length - 1) * rowHeight + 4)}px`;
		fitCanvas(this.canvas, width, height);
		const c = context(this.canvas), w = this.window, found = shown.found;
		/** @type {Place} */
		const place = { y: -this.scroll.scrollTop, row: rowHeight, top: 0, bottom: height };
		c.fillStyle = colours.ground;
		c.fillRect(0, 0, width, height);
		c.globalAlpha = found ? .3 : 1;
		drawBoxes(c, this.rows, w, place);
		c.globalAlpha = 1;
		if (found) drawBoxes(c, this.part(({ node }) => node.method >= 0 && found[node.method] === 1), w, place);
		if (shown.method >= 0) outlineBoxes(c, this.part(({ node }) => node.method === shown.method), w, place, colours.accent, 2);
		if (document.activeElement === this.canvas) outlineBoxes(c, this.part((_, i) => i === this.at), w, place, colours.ink, 2);
		this.tellFacts(this.boxes[this.at]);
		if (found !== this.found) this.showFound(found);
	}

	/** Scrolls to the outermost match of a new search. @param {Uint8Array | null} found */
	showFound(found) {
		this.found = found;
		const first = found && this.boxes.find(({ node }) => node.method >= 0 && found[node.method] === 1);
		if (first) this.revealRow(first.depth);
	}

	/** @param {FlameBox | undefined} b */
	tellFacts(b) {
		if (!b || !this.root.total) {
			this.facts.textContent = "No calls here.";
			return;
		}
		const { node } = b, change = node.change === undefined ? "" : `, ${node.change < 0 ? "−" : "+"}${formatTime(Math.abs(node.change))}`;
		this.facts.textContent = `${cut(node.name)}: ${formatTime(node.total)}, ${percent(node.total, this.root.total)} of all; self ${formatTime(node.self)}${change}`;
	}

	/** @param {MouseEvent} e */
	boxAt(e) {
		const r = this.canvas.getBoundingClientRect(), { from, to } = this.window, perPixel = (to - from) / r.width;
		const depth = Math.floor((e.clientY - r.top + this.scroll.scrollTop) / rowHeight), time = from + (e.clientX - r.left) * perPixel;
		return this.boxes.findIndex((b) => b.depth === depth && time >= b.start && time < b.start + Math.max(perPixel, b.node.total));
	}

	/** @param {MouseEvent} e */
	hover(e) {
		const i = this.boxAt(e);
		this.canvas.title = i < 0 ? "" : this.boxes[i].node.name.slice(0, 500);
		this.tellFacts(this.boxes[i < 0 ? this.at : i]);
	}

	/** @param {MouseEvent} e */
	click(e) {
		const i = this.boxAt(e);
		if (i >= 0) this.widen(i);
	}

	/** Zooms to a box. @param {number} i */
	widen(i) {
		this.widened = this.boxes[i];
		this.at = i;
		if (this.widened.node.method >= 0) pickMethod(this.widened.node.method);
		this.draw();
	}

	/** Zooms out: the caller gets the full width. */
	narrow() {
		const i = this.boxes.findIndex((b) => b.node === this.widened.node);
		if (i > 0) this.widen(this.boxes[i].above);
	}

	/** Scrolls a row into view. @param {number} depth */
	revealRow(depth) {
		const y = depth * rowHeight, { scrollTop, clientHeight } = this.scroll;
		if (y < scrollTop) this.scroll.scrollTop = y;
		else if (y + rowHeight > scrollTop + clientHeight) this.scroll.scrollTop = y + rowHeight - clientHeight;
	}

	/** @param {KeyboardEvent} e */
	key(e) {
		const b = this.boxes[this.at];
		if (!b || e.ctrlKey || e.metaKey || e.altKey) return;
		/** @type {Record<string, () => number>} */
		const to = {
			ArrowUp: () => b.above,
			ArrowDown: () => this.boxes.findIndex((k) => k.above === this.at),
			ArrowRight: () => this.boxes[this.at + 1]?.depth === b.depth ? this.at + 1 : -1,
			ArrowLeft: () => this.boxes[this.at - 1]?.depth === b.depth ? this.at - 1 : -1,
		};
		if (e.key === "Enter") this.widen(this.at);
		else if (e.key === "Backspace") this.narrow();
		else if (to[e.key]) {
			const i = to[e.key]();
			if (i >= 0) this.at = i;
			this.revealRow(this.boxes[this.at].depth);
			this.draw();
		} else return;
		e.preventDefault();
		e.stopPropagation();
	}

	/** Returns the tree below the zoomed box as folded stacks, the input format of flamegraph.pl. */
	text() {
		/** @type {string[]} */
		const lines = [];
		/** @type {{node: TreeNode, stack: string}[]} */
		const open = [];
		/** @param {TreeNode[]} below @param {string} above */
		const put = (below, above) => {
			for (let i = below.length - 1; i >= 0; i--) open.push({ node: below[i], stack: above ? `${above};${below[i].name.replace(/[;\n]/g, "_")}` : below[i].name });
		};
		for (put(this.widened.node.below, ""); open.length;) {
			const { node, stack } = /** @type {{node: TreeNode, stack: string}} */ (open.pop());
			if (node.self > 0) lines.push(`${stack} ${Math.round(node.self * unitNS)}`);
			put(node.below, stack);
		}
		return lines.join("\n") + "\n";
	}
}
