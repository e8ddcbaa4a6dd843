// Panel of the selected call, and of the page when there is none.

import { cut } from "./elements.js";
import { boundsOf } from "./bounds.js";
import { marks } from "./model.js";
import { nextCall } from "./search.js";
import { book, chooseRange, formatInstant, pickCall, shown, timesOf, zoomTo } from "./state.js";
import { timeline, tracksShown } from "./timeline.js";
import { missedOf } from "./trackparts.js";
import { counted, formatTime, percent, unitNS } from "./units.js";
/** @import { Panel } from "./panels.js" */
/** @import { Picked } from "./state.js" */

/** @param {HTMLElement} host @returns {Panel} */
export function callPanel(host) {
	const box = document.createElement("div");
	box.className = "scroll call";
	host.append(box);
	let text = "";
	return {
		draw() {
			const facts = shown.picked ? callFacts(shown.picked) : pageFacts();
			box.replaceChildren();
			const h = document.createElement("h3");
			h.textContent = cut(shown.picked ? book.method(shown.picked.thread.calls.method[shown.picked.call]) : book.header.title);
			const list = document.createElement("dl");
			for (const [name, value] of facts) {
				const dt = document.createElement("dt"), dd = document.createElement("dd");
				dt.textContent = name;
				dd.textContent = value;
				list.append(dt, dd);
			}
			box.append(h, list);
			if (shown.picked) box.append(callButtons(shown.picked), parentList(shown.picked));
			text = [h.textContent, ...facts.map((f) => f.join("\t")), ...shown.picked ? parentsOfCall(shown.picked).map((i) => `called by\t${book.method(shown.picked?.thread.calls.method[i] ?? -1)}`) : []].join("\n") + "\n";
		},
		text: () => text,
	};
}

/** @param {Picked} p @returns {[string, string][]} */
function callFacts(p) {
	const { calls } = p.thread, i = p.call, { start, duration } = p.thread.on(shown.axis), step = Math.max(duration[i] / 1000, 1 / unitNS);
	let inside = 0;
	for (let k = i + 1; k < calls.depth.length && calls.depth[k] > calls.depth[i]; k++) if (calls.depth[k] === calls.depth[i] + 1) inside += duration[k];
	/** @type {[string, string][]} */
	const facts = [
		["start", formatInstant(start[i], step)],
		["duration", formatTime(duration[i])],
		["self", formatTime(duration[i] - inside)],
	];
	const bounds = shown.axis === "wall" ? boundsOf(p) : null;
	if (bounds) facts.splice(2, 0, ["took", `${formatTime(bounds.seen - bounds.start)} to ${formatTime(bounds.end - bounds.before)}: it started and ended between samples`]);
	if (shown.axis === "wall" && calls.cpuDuration) facts.push(["cpu", `${formatTime(calls.cpuDuration[i])}, ${percent(calls.cpuDuration[i], duration[i])} of the duration`]);
	facts.push(["thread", `${cut(p.thread.name)} (${p.thread.tid})`], ["depth", counted(calls.depth[i], "caller")]);
	if (calls.mark) facts.push(["compared with the truth", marks[calls.mark[i]] ?? ""]);
	const missed = missedOf(p.thread);
	if (missed?.order) facts.push(["in the recording", missed.order.includes(i) ? "missed" : "recorded"]);
	return facts;
}

/** @returns {[string, string][]} */
function pageFacts() {
	/** @type {[string, string][]} */
	const facts = [];
	for (const r of tracksShown()) {
		const { header } = r, technique = { sampled: header.interval_ns ? `sampled every ${formatTime(header.interval_ns / unitNS)}` : "sampled", truth: "ground truth", instrumented: "every call recorded" }[header.technique] ?? header.technique;
		facts.push([cut(header.name), `${technique}; ${counted(header.events, "event")} on ${counted(r.threads.length, "thread")}; clock ${header.clocks.join(" and ")}`]);
		for (const note of header.notes ?? []) facts.push(["", note]);
	}
	facts.push(["length", formatTime(book.header.span)], ["made by", book.header.version]);
	return facts;
}

/** @param {Picked} p */
function callButtons(p) {
	const bar = document.createElement("p");
	bar.className = "buttons";
	/** @type {[string, () => void][]} */
	const actions = [
		["Zoom to call (F)", () => zoomTo(p)],
		["Select its range (M)", () => chooseRange(timesOf(p))],
		["Next call (N)", () => nextCall(timeline, 1)],
		["Previous call (Shift+N)", () => nextCall(timeline, -1)],
	];
	for (const [name, act] of actions) {
		const button = document.createElement("button");
		button.type = "button";
		button.textContent = name;
		button.addEventListener("click", act);
		bar.append(button);
	}
	return bar;
}

/** @param {Picked} p */
function parentsOfCall(p) {
	const list = [];
	for (let i = p.thread.calls.parent[p.call]; i >= 0; i = p.thread.calls.parent[i]) list.push(i);
	return list;
}

/** @param {Picked} p */
function parentList(p) {
	const list = document.createElement("ol"), { duration } = p.thread.on(shown.axis);
	list.setAttribute("aria-label", "Callers, nearest first");
	for (const i of parentsOfCall(p).slice(0, 200)) {
		const li = document.createElement("li"), button = document.createElement("button");
		button.type = "button";
		button.className = "link";
		button.textContent = cut(book.method(p.thread.calls.method[i]));
		button.addEventListener("click", () => {
			pickCall({ ...p, call: i });
			timeline.reveal({ ...p, call: i });
		});
		li.append(button, ` ${formatTime(duration[i])}`);
		list.append(li);
	}
	return list;
}
