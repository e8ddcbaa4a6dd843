// A flame graph: a tree of calls as boxes as wide as their times. A click on a box
// makes it as wide as all; the callers of it stay above.

import { context, fitCanvas } from "./canvas.js";
import { colourOf, colours } from "./colour.js";
import { cut } from "./elements.js";
import { book, pickMethod, shown } from "./state.js";
import { fitted } from "./track.js";
import { formatTime, percent, unitNS } from "./units.js";
/** @import { TreeNode } from "./callforest.js" */

const flameRow = 19;

/** @typedef {{node: TreeNode, x: number, width: number, depth: number, above: number}} FlameBox above: index of its caller */

export class Flame {
	/** @param {HTMLElement} host @param {string} label @param {(n: TreeNode) => string} [colour] */
	constructor(host, label, colour = (n) => n.method < 0 ? colours.faint : colourOf(n.method)) {
		this.colour = colour;
		this.canvas = document.createElement("canvas");
		this.canvas.tabIndex = 0;
		this.canvas.setAttribute("role", "application");
		this.canvas.setAttribute("aria-label", `${label}. Arrows go from box to box, Enter widens one, Backspace takes that back.`);
		this.facts = document.createElement("p");
		this.facts.className = "facts flamefacts";
		this.facts.setAttribute("role", "status");
		this.scroll = document.createElement("div");
		this.scroll.className = "scroll";
		this.scroll.append(this.canvas);
		host.append(this.facts, this.scroll);
		/** @type {TreeNode} */
		this.root = { name: "all", method: -1, total: 0, self: 0, calls: 0, below: [] };
		/** @type {TreeNode[]} */
		this.path = []; // what was widened, the root first
		/** @type {FlameBox[]} */
		this.boxes = [];
		this.at = 0;
		this.canvas.addEventListener("click", (e) => this.click(e));
		this.canvas.addEventListener("mousemove", (e) => this.hover(e));
		this.canvas.addEventListener("keydown", (e) => this.key(e));
		this.resized = new ResizeObserver(() => this.draw());
		this.resized.observe(this.scroll);
	}

	/** @param {TreeNode[]} trees */
	show(trees) {
		const total = trees.reduce((sum, n) => sum + n.total, 0);
		this.root = { name: "all", method: -1, total, self: 0, calls: 0, below: trees };
		this.path = [this.root];
		this.at = 0;
		this.draw();
	}

	/** Lays boxes out that are at least half a pixel wide. @param {number} width */
	layout(width) {
		this.boxes = [];
		/** @param {TreeNode} node @param {number} x @param {number} w @param {number} depth @param {number} above */
		const put = (node, x, w, depth, above) => {
			const i = this.boxes.push({ node, x, width: w, depth, above }) - 1;
			if (depth > 400) return;
			const scale = node.total > 0 ? w / node.total : 0;
			for (const k of [...node.below].sort((a, b) => b.total - a.total)) {
				if (k.total * scale < .5) break;
				put(k, x, k.total * scale, depth + 1, i);
				x += k.total * scale;
			}
		};
		const last = this.path.length - 1;
		this.path.forEach((node, depth) => {
			if (depth < last) this.boxes.push({ node, x: 0, width, depth, above: depth - 1 });
			else put(node, 0, width, depth, depth - 1);
		});
		this.at = Math.min(this.at, this.boxes.length - 1);
	}

	draw() {
		const width = this.scroll.clientWidth;
		if (!width) return;
		this.layout(width);
		const rows = this.boxes.reduce((m, b) => Math.max(m, b.depth), 0) + 1;
		fitCanvas(this.canvas, width, Math.max(rows * flameRow + 4, 40));
		const c = context(this.canvas);
		c.fillStyle = colours.ground;
		c.fillRect(0, 0, width, rows * flameRow + 40);
		for (const b of this.boxes) this.drawBox(c, b);
		this.tellFacts(this.boxes[this.at]);
	}

	/** @param {CanvasRenderingContext2D} c @param {FlameBox} b */
	drawBox(c, b) {
		const y = b.depth * flameRow, lost = shown.found && !(b.node.method >= 0 && shown.found[b.node.method]);
		c.globalAlpha = lost ? .3 : 1;
		c.fillStyle = this.colour(b.node);
		const x = Math.round(b.x), width = Math.max(1, Math.round(b.x + b.width) - x);
		c.fillRect(x, y, width > 3 ? width - 1 : width, flameRow - 1);
		c.globalAlpha = 1;
		c.lineWidth = 2;
		if (b.node.method >= 0 && b.node.method === shown.method) {
			c.strokeStyle = colours.accent;
			c.strokeRect(x + 1, y + 1, Math.max(1, width - 3), flameRow - 3);
		}
		if (b === this.boxes[this.at] && document.activeElement === this.canvas) {
			c.strokeStyle = colours.ink;
			c.strokeRect(x + 1, y + 1, Math.max(1, width - 3), flameRow - 3);
		}
		if (width < 26) return;
		c.fillStyle = lost ? colours.soft : colours.ink;
		c.fillText(fitted(c, b.node.method >= 0 ? book.short[b.node.method] : b.node.name, width - 8), x + 4, y + 13);
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
		const r = this.canvas.getBoundingClientRect(), x = e.clientX - r.left, depth = Math.floor((e.clientY - r.top) / flameRow);
		return this.boxes.findIndex((b) => b.depth === depth && x >= b.x && x < b.x + Math.max(1, b.width));
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

	/** Makes a box as wide as all. @param {number} i */
	widen(i) {
		const path = [];
		for (let k = i; k >= 0; k = this.boxes[k].above) path.unshift(this.boxes[k].node);
		this.path = path;
		this.at = path.length - 1;
		if (path[this.at].method >= 0) pickMethod(path[this.at].method);
		this.draw();
	}

	/** @param {KeyboardEvent} e */
	key(e) {
		const b = this.boxes[this.at];
		if (!b || e.ctrlKey || e.metaKey || e.altKey) return;
		/** @type {Record<string, () => number>} */
		const to = {
			ArrowUp: () => b.above,
			ArrowDown: () => this.boxes.findIndex((k) => k.above === this.at),
			ArrowRight: () => this.boxes.findIndex((k, i) => i > this.at && k.depth === b.depth),
			ArrowLeft: () => this.boxes.findLastIndex((k, i) => i < this.at && k.depth === b.depth),
		};
		if (e.key === "Enter") this.widen(this.at);
		else if (e.key === "Backspace" && this.path.length > 1) this.widen(this.path.length - 2);
		else if (to[e.key]) {
			const i = to[e.key]();
			if (i >= 0) this.at = i;
			this.draw();
		} else return;
		e.preventDefault();
		e.stopPropagation();
	}

	/** Returns the tree as text: folded stacks, as flamegraph.pl reads them. */
	text() {
		/** @type {string[]} */
		const lines = [];
		/** @param {TreeNode} n @param {string} above @param {number} depth */
		const walk = (n, above, depth) => {
			const stack = above ? `${above};${n.name.replace(/[;\n]/g, "_")}` : n.name;
			if (n.self > 0) lines.push(`${stack} ${Math.round(n.self * unitNS)}`);
			if (depth < 400) for (const k of n.below) walk(k, stack, depth + 1);
		};
		for (const n of this.path[this.path.length - 1].below) walk(n, "", 0);
		return lines.join("\n") + "\n";
	}
}
