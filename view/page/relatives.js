// Panel of the callers and callees of the selected method, like parents and children in Traceview,
// with separate lists for recursive calls.

import { cut } from "./elements.js";
import { sumsShown, timeColumn } from "./panels.js";
import { book, current, shown } from "./state.js";
import { Table } from "./table.js";
import { counted, formatCount, formatTime, percent } from "./units.js";
/** @import { Contexts, Sums } from "./contexts.js" */
/** @import { Panel } from "./panels.js" */

/** @typedef {{method: number, name: string, inclusive: number, calls: number, of: number}} Relative of: all calls of the callee */

/**
 * Returns the four lists of a method, as in dmtracedump: time inside several recursive calls counts
 * for each of them.
 * @param {Contexts} contexts @param {Sums} sums @param {number} method
 */
function relatives(contexts, sums, method) {
	/** @type {Map<number, Relative>[]} parents, children, parents and children while recursive */
	const lists = [new Map(), new Map(), new Map(), new Map()];
	const callsOf = new Map();
	/** @param {Map<number, Relative>} list @param {number} key @param {number} n */
	const add = (list, key, n) => {
		let r = list.get(key);
		if (!r) list.set(key, r = { method: key, name: key < 0 ? "(no caller)" : book.method(key), inclusive: 0, calls: 0, of: 0 });
		r.inclusive += sums.inclusive[n];
		r.calls += sums.calls[n];
	};
	for (let n = 0; n < contexts.parent.length; n++) {
		const m = contexts.method[n], above = contexts.parent[n];
		if (m < 0 || !sums.ran[n]) continue;
		callsOf.set(m, (callsOf.get(m) ?? 0) + sums.calls[n]);
		if (m === method) add(lists[contexts.outermost[n] ? 0 : 2], Math.max(-1, contexts.method[above]), n);
		if (contexts.method[above] === method) add(lists[contexts.outermost[above] ? 1 : 3], m, n);
	}
	return lists.map((list, i) => [...list.values()].map((r) => ({ ...r, of: callsOf.get(i % 2 ? r.method : method) ?? 0 })));
}

/** @param {HTMLElement} host @returns {Panel} */
export function relativesPanel(host) {
	const title = document.createElement("h3"), grid = document.createElement("div");
	grid.className = "relatives";
	host.append(title, grid);
	let inclusive = 0;
	const captions = ["Callers", "Callees", "Callers of recursive calls", "Callees of recursive calls"];
	const parts = captions.map((caption, i) => {
		const section = document.createElement("section"), h = document.createElement("h4");
		h.textContent = caption;
		section.append(h);
		grid.append(section);
		/** @type {Table<Relative>} */
		const table = new Table({
			label: caption, sorted: 1, method: (r) => r.method, keep: true, empty: "None.",
			columns: [
				{ name: i % 2 ? "callee" : "caller", text: true, show: (r) => r.name, sort: (r) => r.name },
				timeColumn("total", i % 2 ? "total time of the callee in these calls" : "total time of the method when called from there", (/** @type {Relative} */ r) => r.inclusive),
				{ name: "%", about: "share of the method's total time", show: (r) => percent(r.inclusive, inclusive), sort: (r) => r.inclusive },
				{ name: "calls", room: "medium", about: "these calls, of all calls of the callee", show: (r) => `${formatCount(r.calls)} / ${formatCount(r.of)}`, sort: (r) => r.calls },
			],
		}).mount(section);
		return { section, table };
	});
	return {
		draw() {
			const { sums, methods } = sumsShown(), { contexts } = current(), row = methods.find((r) => r.method === shown.method);
			grid.hidden = !row;
			title.textContent = row ? `${cut(book.method(row.method))}: total ${formatTime(row.inclusive)}, self ${formatTime(row.exclusive)}, ${counted(row.calls - row.recursive, "call")}${row.recursive ? ` and ${formatCount(row.recursive)} recursive` : ""}`
				: shown.method < 0 ? "Select a method in a list or on the timeline to see its callers and callees." : "The selected method did not run in the range.";
			inclusive = row?.inclusive ?? 0;
			relatives(contexts, sums, shown.method).forEach((list, i) => {
				parts[i].section.hidden = i > 1 && !list.length;
				parts[i].table.show(list);
			});
		},
		text: () => parts.map((p, i) => `${captions[i]}\n${p.table.text()}`).join("\n"),
	};
}
