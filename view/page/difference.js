// Panels of a difference: a flame graph coloured by change, and the table of "artifice diff".

import { differenceForest } from "./callforest.js";
import { colours, mixed } from "./colour.js";
import { choice, cut } from "./elements.js";
import { Flame } from "./flame.js";
import { book } from "./state.js";
import { Table } from "./table.js";
import { formatTime, unitNS } from "./units.js";
/** @import { TreeNode } from "./callforest.js" */
/** @import { Panel } from "./panels.js" */
/** @import { TableColumn } from "./table.js" */

/** Returns the colour of a change: vermilion is slower, blue is faster. @param {TreeNode} n @param {Map<number, boolean>} significant by method; empty: no change was tested */
function changeColour(n, significant) {
	if (n.method < 0 || !n.change || significant.size && !significant.get(n.method)) return colours.faint;
	const share = Math.min(1, Math.abs(n.change) / Math.max(n.total, Math.abs(n.change)) * 1.5);
	return mixed(colours.faint, n.change > 0 ? colours.dark ? "#a85000" : "#ff9a57" : colours.dark ? "#0b6aa8" : "#7cc4f0", .25 + .75 * share);
}

/** Returns a function that finds the method of a row. Rows have no signatures, so methods are compared without them. */
function methodsOfRows() {
	const index = new Map(book.methods.map((m, i) => [m.replace(/\(.*/, ""), i]));
	return (/** @type {DifferenceRow} */ r) => index.get(String(r.method).replace(/\(.*/, "")) ?? -1;
}

/** Returns for each tested method whether its self or total time changed significantly (q ≤ 0.05). @param {DifferenceRow[]} rows */
export function significantChanges(rows) {
	/** @type {Map<number, boolean>} */
	const of = new Map(), find = methodsOfRows();
	for (const r of rows) {
		const q = [numberIn(r, "self_q"), numberIn(r, "total_q")].filter((v) => !isNaN(v)), m = find(r);
		if (q.length && m >= 0) of.set(m, Boolean(of.get(m)) || Math.min(...q) <= .05);
	}
	return of;
}

/** @param {HTMLElement} host @returns {Panel} */
export function differenceFlame(host) {
	const d = book.header.difference, widths = /** @type {const} */ (["new", "old"]);
	if (!d) throw new Error("this page shows no difference");
	let which = 0, drawn = -1;
	choice(host, "Width of boxes", [`width: time in ${cut(d.new)} (new)`, `time in ${cut(d.old)} (old)`], (i) => {
		which = i;
		draw();
	});
	const legend = document.createElement("p");
	legend.className = "facts";
	const significant = significantChanges(d.rows ?? []);
	for (const [name, mark] of [["slower", "longer"], ["faster", "shorter"], [significant.size ? "no significant change (q > 0.05)" : "unchanged (changes are not tested)", "same"]]) {
		const key = document.createElement("span");
		key.className = `key ${mark}`;
		legend.append(key, `${name} `);
	}
	host.append(legend);
	const flame = new Flame(host, "Differential flame graph", (n) => changeColour(n, significant));
	const draw = () => {
		if (drawn === which) return flame.draw();
		drawn = which;
		flame.show(differenceForest(d, book.data, widths[which]));
	};
	return { draw, text: () => flame.text() };
}

/** @typedef {Record<string, string | number | null>} DifferenceRow as printed by "artifice diff --json" */

/** Returns a cell of a row as a number, NaN if it is empty. @param {DifferenceRow} r @param {string} key */
function numberIn(r, key) { return r[key] == null || r[key] === "" ? NaN : Number(r[key]); }

/** Formats a time with its sign. @param {number} ns */
function signed(ns) { return isNaN(ns) ? "" : `${ns < 0 ? "−" : ns > 0 ? "+" : ""}${formatTime(Math.abs(ns) / unitNS)}`; }

/** @param {string} name @param {string} about @param {string} key @param {(n: number) => string} show @returns {TableColumn<DifferenceRow>} */
function numberColumn(name, about, key, show) {
	return { name, about, room: "wide", show: (r) => isNaN(numberIn(r, key)) ? "" : show(numberIn(r, key)), sort: (r) => numberIn(r, key) || 0 };
}

/** @param {HTMLElement} host @returns {Panel} */
export function differenceTable(host) {
	const d = book.header.difference, find = methodsOfRows();
	const name = (/** @type {DifferenceRow} */ r) => find(r) < 0 ? String(r.method) : book.method(find(r));
	const time = (/** @type {number} */ ns) => formatTime(ns / unitNS), plain = (/** @type {number} */ n) => String(+n.toPrecision(3));
	const note = document.createElement("p");
	note.className = "facts";
	note.textContent = d?.headline ?? "";
	host.append(note);
	/** @type {Table<DifferenceRow>} */
	const table = new Table({
		label: "Difference", sorted: 1, method: find, empty: "Neither recording has calls.",
		columns: [
			{ name: "method", text: true, show: name, sort: name },
			{ name: "self change", about: "new minus old self time", show: (r) => signed(numberIn(r, "self_change_ns")), sort: (r) => Math.abs(numberIn(r, "self_change_ns")) || 0 },
			{ name: "95 % CI", room: "medium", about: "95 % confidence interval of the change", show: (r) => isNaN(numberIn(r, "self_low_ns")) ? "" : `${signed(numberIn(r, "self_low_ns"))} to ${signed(numberIn(r, "self_high_ns"))}`, sort: (r) => numberIn(r, "self_high_ns") - numberIn(r, "self_low_ns") || 0 },
			{ name: "q", about: "false discovery rate: of the changes with q ≤ 0.05, one in twenty is chance", show: (r) => isNaN(numberIn(r, "self_q")) ? "" : plain(numberIn(r, "self_q")), sort: (r) => isNaN(numberIn(r, "self_q")) ? 2 : numberIn(r, "self_q") },
			numberColumn("old self", "self time before", "self_old_ns", time),
			numberColumn("new self", "self time after", "self_new_ns", time),
			{ name: "total change", room: "medium", about: "new minus old total time", show: (r) => signed(numberIn(r, "total_change_ns")), sort: (r) => Math.abs(numberIn(r, "total_change_ns")) || 0 },
			numberColumn("old calls", "", "old_calls", plain),
			numberColumn("new calls", "", "new_calls", plain),
			{ name: "in", room: "wide", about: "the recordings that contain the method", show: (r) => String(r.side ?? ""), sort: (r) => String(r.side ?? "") },
		],
	}).mount(host);
	table.rows = d?.rows ?? [];
	return { draw: () => table.draw(), text: () => table.text() };
}
