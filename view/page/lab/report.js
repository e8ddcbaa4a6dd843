// The report of the trace: the rows of artifice report.

import { element } from "../elements.js";
import { ask } from "../engine.js";

/** @typedef {Record<string, number | string | null>} Row as printed by artifice report --json */

const shownRows = 200;

/** Shows the report of the open source. @param {string} name @param {boolean} sampled */
export async function showReport(name, sampled) {
	const { bytes } = await ask({ op: "report" });
	/** @type {Row[]} */
	const rows = JSON.parse(new TextDecoder().decode(bytes));
	const wall = rows.some((r) => r.self_running_ns !== null), key = wall ? "self_running" : "self_cpu", total = wall ? "total_running_ns" : "total_cpu_ns";
	element("report-about", HTMLParagraphElement).textContent = `${name}: ${wall ? "running time, without waiting" : "CPU time"} of all threads${sampled ? ", with 95 % confidence intervals" : ""}; times in ms.`;
	const table = element("rows", HTMLTableElement), head = document.createElement("thead"), body = document.createElement("tbody"), tr = document.createElement("tr");
	for (const text of ["method", "self", ...sampled ? ["95 % CI from", "to"] : [], "total", "calls"]) {
		const th = document.createElement("th");
		th.scope = "col";
		th.textContent = text;
		if (text !== "method") th.className = "number";
		tr.append(th);
	}
	head.append(tr);
	for (const r of rows.slice(0, shownRows)) {
		if (!r[`${key}_ns`] && !r[total]) continue;
		const line = document.createElement("tr"), name_ = document.createElement("th");
		name_.scope = "row";
		name_.textContent = String(r.method);
		line.append(name_);
		const ns = (/** @type {string} */ k) => r[k] === null ? "" : (Number(r[k]) / 1e6).toFixed(3);
		for (const text of [`${ns(`${key}_ns`)}`, ...sampled ? [ns(`${key}_low_ns`), ns(`${key}_high_ns`)] : [], ns(total), `${sampled ? "≥" : ""}${r.calls}`]) {
			const td = document.createElement("td");
			td.className = "number";
			td.textContent = text;
			line.append(td);
		}
		body.append(line);
	}
	table.replaceChildren(head, body);
}
