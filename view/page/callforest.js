// Call trees of a range, built lazily: top-down trees, in which the children of a node are its
// callees, and bottom-up trees, in which they are its callers.

import { book } from "./state.js";
/** @import { Contexts, Sums } from "./contexts.js" */
/** @import { Data } from "./decode.js" */
/** @import { DifferenceHeader, Thread } from "./model.js" */

/**
 * @typedef {object} TreeNode
 * @property {string} name
 * @property {number} method -1: a thread or the root
 * @property {number} total
 * @property {number} self
 * @property {number} calls
 * @property {TreeNode[]} below
 * @property {number} [change] in a difference: new minus old time
 */

/** Forest builds the call trees of a range. */
export class Forest {
	/** @param {Contexts} contexts @param {Sums} sums */
	constructor(contexts, sums) {
		this.contexts = contexts;
		this.sums = sums;
		/** @type {number[][]} */
		this.below = contexts.parent.length ? Array.from({ length: contexts.parent.length }) : [];
		/** @type {number[]} */
		this.roots = [];
		for (let n = 0; n < contexts.parent.length; n++) {
			const above = contexts.parent[n];
			if (above < 0) this.roots.push(n);
			else if (sums.ran[n]) (this.below[above] ??= []).push(n);
		}
	}

	/** Returns the top-down trees, one per thread. @returns {TreeNode[]} */
	topDown() { return this.roots.filter((n) => this.below[n]).map((n) => this.down(n)); }

	/** @param {number} n @returns {TreeNode} */
	down(n) {
		const { contexts, sums } = this, method = contexts.method[n], below = this.below[n] ?? [];
		return lazily({
			name: method < 0 ? threadName(contexts.recording.threads[-1 - method]) : book.method(method),
			method: Math.max(-1, method), total: sums.inclusive[n], self: sums.exclusive[n], calls: sums.calls[n],
		}, () => below.map((k) => this.down(k)));
	}

	/** Returns the bottom-up trees, one per method, with self times. @returns {TreeNode[]} */
	bottomUp() {
		/** @type {[number, number][]} */
		const all = [];
		for (let n = 0; n < this.contexts.parent.length; n++) if (this.contexts.method[n] >= 0 && this.sums.ran[n]) all.push([n, n]);
		return this.callers(all);
	}

	/**
	 * Groups contexts by method. In each pair, at is the context and of is the context whose times count.
	 * @param {[at: number, of: number][]} contexts @returns {TreeNode[]}
	 */
	callers(contexts) {
		/** @type {Map<number, [number, number][]>} */
		const groups = new Map();
		for (const pair of contexts) {
			const m = this.contexts.method[pair[0]], group = groups.get(m);
			if (group) group.push(pair);
			else groups.set(m, [pair]);
		}
		return [...groups].map(([m, pairs]) => {
			const self = pairs.reduce((sum, [, of]) => sum + this.sums.exclusive[of], 0), calls = pairs.reduce((sum, [, of]) => sum + this.sums.calls[of], 0);
			const above = /** @type {[number, number][]} */ (pairs.map(([at, of]) => [this.contexts.parent[at], of]));
			return lazily({ name: m < 0 ? threadName(this.contexts.recording.threads[-1 - m]) : book.method(m), method: Math.max(-1, m), total: self, self, calls },
				() => this.callers(above.filter(([at]) => at >= 0)));
		});
	}
}

/** Returns a node whose children are created on first access. @param {Omit<TreeNode, "below">} node @param {() => TreeNode[]} below @returns {TreeNode} */
function lazily(node, below) {
	/** @type {TreeNode[] | undefined} */
	let made;
	return { ...node, get below() { return made ??= below(); } };
}

/** @param {Thread} t */
function threadName(t) { return `thread ${t.label || t.tid}`; }

/**
 * Returns the tree of a difference. It contains the contexts of both sides, with the times of one
 * side (width).
 * @param {DifferenceHeader} d @param {Data} data @param {"old" | "new"} width @returns {TreeNode[]}
 */
export function differenceForest(d, data, width) {
	const back = data.whole(d.contexts.parent), method = data.whole(d.contexts.method);
	const before = data.times(d.contexts.old), after = data.times(d.contexts.new);
	/** @type {number[][]} */
	const below = [[]];
	for (let n = back.length - 1; n >= 0; n--) {
		const above = n - back[n];
		if (back[n] === 0) continue;
		before[above] += before[n];
		after[above] += after[n];
	}
	/** @type {number[]} */
	const roots = [];
	for (let n = 0; n < back.length; n++) {
		if (back[n] === 0) roots.push(n);
		else (below[n - back[n]] ??= []).push(n);
	}
	const times = width === "new" ? after : before;
	/** @param {number} n @returns {TreeNode} */
	const node = (n) => lazily({
		name: book.method(method[n]), method: method[n], total: times[n], calls: 0, change: after[n] - before[n],
		self: times[n] - (below[n] ?? []).reduce((sum, k) => sum + times[k], 0),
	}, () => (below[n] ?? []).map(node));
	return roots.map(node);
}
