// The pane of the selected call next to the lists, and the panel with the content of the page.

import { boundsOf } from "./bounds.js";
import { copyText, cut, element } from "./elements.js";
import { marks } from "./model.js";
import { nextCall } from "./search.js";
import { book, chooseRange, formatInstant, on, pickCall, shown, timesOf, zoomTo } from "./state.js";
import { timeline, tracksShown } from "./timeline.js";
import { missedOf } from "./trackparts.js";
import { counted, formatCount, formatTime, percent, unitNS } from "./units.js";
/** @import { Panel } from "./panels.js" */
/** @import { Picked } from "./state.js" */

/** Shows the pane while a call is selected. */
export function followDetails() {
	const pane = element("details", HTMLElement), box = element("details-box", HTMLDivElement);
	element("details-close", HTMLButtonElement).addEventListener("click", () => {
		pickCall(null);
		timeline.canvas.focus();
	});
	const draw = () => {
		const p = shown.picked;
		pane.hidden = !p;
		if (!p) return box.replaceChildren();
		const h = document.createElement("h3");
		h.textContent = cut(nameOf(p, p.call));
		box.replaceChildren(h, factList(callFacts(p)), callButtons(p), ...callList("Callers", callersOf(p)), ...callList("Callees", calleesOf(p)));
	};
	on(["picked", "axis", "observed"], draw);
	draw();
}

/** @param {HTMLElement} host @returns {Panel} */
export function aboutPanel(host) {
	const box = document.createElement("div"), h = document.createElement("h3"), facts = pageFacts();
	box.className = "scroll call";
	box.tabIndex = 0; // it can be scrolled with the keyboard
	box.setAttribute("role", "region");
	box.setAttribute("aria-label", "About");
	h.textContent = cut(book.header.title);
	box.append(h, factList(facts));
	host.append(box);
	return { draw() {}, text: () => [book.header.title, ...facts.map((f) => f.join("\t"))].join("\n") + "\n" };
}

/** @param {[string, string][]} facts */
function factList(facts) {
	const list = document.createElement("dl");
	for (const [name, value] of facts) {
		const dt = document.createElement("dt"), dd = document.createElement("dd");
		dt.textContent = name;
		dd.textContent = value;
		list.append(dt, dd);
	}
	return list;
}

/** @param {Picked} p @param {number} call of the same thread */
function nameOf(p, call) { return book.method(p.thread.calls.method[call]); }

/** @param {Picked} p @returns {[string, string][]} */
export function callFacts(p) {
	const { calls } = p.thread, i = p.call, { start, duration } = p.thread.on(shown.axis), step = Math.max(duration[i] / 1000, 1 / unitNS), wall = shown.axis === "wall";
	const inside = childrenOf(p).reduce((sum, k) => sum + duration[k], 0), bounds = wall ? boundsOf(p) : null;
	/** @type {[string, string][]} */
	const facts = [["thread", `${cut(p.thread.label)} (tid ${p.thread.tid})`], .../** @type {[string, string][]} */ (p.thread.process ? [["process", cut(p.thread.process)]] : []), ["start", formatInstant(start[i], step)], [book.header.quantity ?? (wall ? "wall time" : "CPU time"), formatTime(duration[i])]];
	if (bounds) facts.push(["bounds", `${formatTime(bounds.seen - bounds.start)} to ${formatTime(bounds.end - bounds.before)}: it started and ended between samples`]);
	if (wall && calls.cpuDuration) facts.push(["CPU time", `${formatTime(calls.cpuDuration[i])}${duration[i] ? `, ${percent(calls.cpuDuration[i], duration[i])} of the wall time` : ""}`]);
	facts.push(["self", formatTime(duration[i] - inside)], ["share", `${percent(duration[i], timeInCalls(p))} of the thread's ${book.header.quantity ?? "time in calls"}`], ["occurrence", occurrence(p)], ["depth", counted(calls.depth[i], "caller")]);
	if (calls.mark) facts.push(["compared with the truth", marks[calls.mark[i]] ?? ""]);
	const missed = missedOf(p.thread);
	if (missed?.order) facts.push(["in the recording", book.runtime.has(calls.method[i]) ? "never: a frame of the runtime" : missed.order.includes(i) ? "missed" : "recorded"]);
	return facts;
}

/** Returns the total time of the outermost calls on the thread of a call. @param {Picked} p */
function timeInCalls(p) {
	const { depth } = p.thread.calls, { duration } = p.thread.on(shown.axis);
	let sum = 0;
	for (let i = 0; i < depth.length; i++) if (depth[i] === 0) sum += duration[i];
	return sum;
}

/** Returns which of its method's calls a call is. @param {Picked} p */
function occurrence(p) {
	const { method } = p.thread.calls, { duration } = p.thread.on(shown.axis), m = method[p.call];
	let n = 0, before = 0, least = Infinity, most = 0;
	for (let i = 0; i < method.length; i++) {
		if (method[i] !== m) continue;
		n++;
		if (i <= p.call) before++;
		least = Math.min(least, duration[i]);
		most = Math.max(most, duration[i]);
	}
	return n === 1 ? "the only call of the method on this thread" : `${formatCount(before)} of ${formatCount(n)} calls of the method on this thread, ${formatTime(least)} to ${formatTime(most)}`;
}

/** @returns {[string, string][]} */
function pageFacts() {
	/** @type {[string, string][]} */
	const facts = [];
	for (const r of tracksShown()) {
		const { header } = r, technique = { sampled: header.interval_ns ? `sampled every ${formatTime(header.interval_ns / unitNS)}` : "sampled", truth: "ground truth", instrumented: "every call recorded", unknown: header.clocks.length && book.header.quantity ? `a profile of ${book.header.quantity}` : "unknown" }[header.technique] ?? header.technique;
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
		["Previous call (Shift+N)", () => nextCall(timeline, -1)],
		["Next call (N)", () => nextCall(timeline, 1)],
		["Copy stack", () => void copyText(stackText(p), "Stack copied.")],
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

/** Returns the stack of a call, innermost frame first. @param {Picked} p */
export function stackText(p) { return [p.call, ...parentsOfCall(p)].map((i) => `${nameOf(p, i)}\n`).join(""); }

/** @param {Picked} p @returns {number[]} the callers, nearest first */
function parentsOfCall(p) {
	const list = [];
	for (let i = p.thread.calls.parent[p.call]; i >= 0; i = p.thread.calls.parent[i]) list.push(i);
	return list;
}

/** @param {Picked} p @returns {number[]} the direct callees, in order */
function childrenOf(p) {
	const { depth } = p.thread.calls, list = [];
	for (let k = p.call + 1; k < depth.length && depth[k] > depth[p.call]; k++) if (depth[k] === depth[p.call] + 1) list.push(k);
	return list;
}

/** @typedef {{picked: Picked, text: string}} ListedCall */

/** @param {Picked} p @returns {ListedCall[]} the nearest first */
function callersOf(p) {
	const { duration } = p.thread.on(shown.axis);
	return parentsOfCall(p).map((call) => ({ picked: { ...p, call }, text: formatTime(duration[call]) }));
}

/** Returns the callees by method, in descending order of time. Each entry refers to the longest call of its method. @param {Picked} p @returns {ListedCall[]} */
function calleesOf(p) {
	const { method } = p.thread.calls, { duration } = p.thread.on(shown.axis);
	/** @type {Map<number, {calls: number, time: number, longest: number}>} */
	const of = new Map();
	for (const k of childrenOf(p)) {
		const m = of.get(method[k]);
		if (!m) of.set(method[k], { calls: 1, time: duration[k], longest: k });
		else [m.calls, m.time, m.longest] = [m.calls + 1, m.time + duration[k], duration[k] > duration[m.longest] ? k : m.longest];
	}
	return [...of.values()].sort((a, b) => b.time - a.time).map(({ calls, time, longest }) => ({
		picked: { ...p, call: longest }, text: `${formatTime(time)}, ${percent(time, duration[p.call])}${calls > 1 ? `, ${formatCount(calls)} calls` : ""}`,
	}));
}

/** @param {string} title @param {ListedCall[]} calls @returns {HTMLElement[]} */
function callList(title, calls) {
	const most = 200, h = document.createElement("h4"), list = document.createElement("ol");
	h.textContent = calls.length ? title : `${title}: none`;
	list.setAttribute("aria-label", title);
	for (const { picked, text } of calls.slice(0, most)) {
		const li = document.createElement("li"), button = document.createElement("button");
		button.type = "button";
		button.className = "link";
		button.textContent = cut(nameOf(picked, picked.call));
		button.addEventListener("click", () => {
			pickCall(picked);
			timeline.reveal(picked);
		});
		li.append(button, ` ${text}`);
		list.append(li);
	}
	if (calls.length > most) list.append(`${formatCount(calls.length - most)} more`);
	return calls.length ? [h, list] : [h];
}
