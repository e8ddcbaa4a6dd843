"use strict";
// Panels of a difference: a flame graph whose colours are what changed, and the table
// of "artifice diff".

/** Returns the colour of a change: vermilion is slower, blue is faster. @param {TreeNode} n */
function changeColour(n) {
	if (n.method < 0 || !n.change) return colours.faint;
	const share = Math.min(1, Math.abs(n.change) / Math.max(n.total, Math.abs(n.change)) * 1.5);
	return mixed(colours.faint, n.change > 0 ? colours.dark ? "#a85000" : "#ff9a57" : colours.dark ? "#0b6aa8" : "#7cc4f0", .25 + .75 * share);
}

/** @param {HTMLElement} host @returns {Panel} */
function differenceFlame(host) {
	const d = book.header.difference, widths = /** @type {const} */ (["new", "old"]);
	if (!d) throw new Error("this page has no difference");
	let which = 0, drawn = -1;
	choice(host, "Boxes are as wide as", [`as wide as in ${cut(d.new)} (new)`, `as in ${cut(d.old)} (old)`], (i) => {
		which = i;
		draw();
	});
	const legend = document.createElement("p");
	legend.className = "facts";
	for (const [name, mark] of [["longer than before", "longer"], ["shorter", "shorter"], ["as before", "same"]]) {
		const key = document.createElement("span");
		key.className = `key ${mark}`;
		legend.append(key, `${name} `);
	}
	host.append(legend);
	const flame = new Flame(host, "Differential flame graph", changeColour);
	const draw = () => {
		if (drawn === which) return flame.draw();
		drawn = which;
		flame.show(differenceForest(d, book.data, widths[which]));
	};
	return { draw, text: () => flame.text() };
}

/** @param {HTMLElement} host @returns {Panel} */
function differenceTable(host) {
	/** @typedef {Record<string, string | number>} Row */
	const rows = book.header.difference?.rows ?? [], keys = Object.keys(rows[0] ?? { method: "" });
	const index = new Map(book.methods.map((m, i) => [m, i]));
	/** @type {Table<Row>} */
	const table = new Table({
		label: "Difference", sorted: Math.max(0, keys.findIndex((k) => /change/.test(k))), method: (r) => index.get(String(r.method)) ?? -1,
		empty: "Neither has a call.",
		columns: keys.map((key) => {
			const text = rows.length > 0 && rows.every((r) => typeof r[key] !== "number" && (r[key] === "" || isNaN(Number(r[key])))), time = key.endsWith("_ns");
			const number = (/** @type {Row} */ r) => r[key] === "" ? -Infinity : Number(r[key]);
			return {
				name: key.replace(/_ns$/, "").replaceAll("_", " "), text,
				show: (/** @type {Row} */ r) => time && r[key] !== "" ? formatTime(number(r) / unitNS) : String(r[key]),
				sort: text ? (/** @type {Row} */ r) => String(r[key]) : number,
			};
		}),
	}).mount(host);
	table.rows = rows;
	return { draw: () => table.draw(), text: () => table.text() };
}
