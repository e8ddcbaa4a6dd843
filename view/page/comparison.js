// The comparison of a recording with its ground truth: the slider over the sampling interval, the
// measures at that interval, and whether the panels show the recording or the truth.

import { choice, cut, element } from "./elements.js";
import { book, on, pickMethod, shown, tell } from "./state.js";
import { missedBy, observedOf } from "./trackparts.js";
import { counted, formatCount, formatTime, percent, unitNS } from "./units.js";

export function showComparison() {
	const b = book.header.comparison;
	if (!b) return;
	shown.observed = Math.max(0, Math.min(b.observed.length - 1, b.start));
	const slider = element("slider", HTMLInputElement), bar = element("comparison", HTMLElement);
	bar.hidden = false;
	const signs = bar.querySelector(".legend")?.cloneNode(true); // small screens have the legend only in the list of keys
	if (signs) element("signs", HTMLElement).append(signs);
	element("signs-of", HTMLElement).hidden = false;
	slider.max = String(b.observed.length - 1);
	slider.value = String(shown.observed);
	element("slide", HTMLElement).hidden = b.observed.length < 2;
	slider.addEventListener("input", () => {
		shown.observed = Number(slider.value);
		if (shown.picked && shown.picked.recording.index !== b.truth) pickMethod(shown.method);
		tell("observed", "range");
	});
	const press = choice(element("side", HTMLElement), "Recording of the lists", ["recording", "ground truth"], (i) => {
		shown.side = i ? "truth" : "observed";
		tell("range");
	});
	on(["observed", "range"], () => {
		slider.value = String(shown.observed);
		press(shown.side === "truth" ? 1 : 0);
		showComparisonFacts();
	});
	showComparisonFacts();
}

/** Returns the time in the range in which at least one of the threads has a stack. A thread can be undefined. @param {(import("./model.js").Thread | undefined)[]} threads @param {number} from @param {number} to */
function stackTime(threads, from, to) {
	/** @type {[number, number][]} */
	const spans = [];
	for (const thread of threads) {
		if (!thread) continue;
		const { start, duration, depth } = thread.calls;
		for (let i = 0; i < start.length; i++) if (!depth[i]) spans.push([Math.max(start[i], from), Math.min(start[i] + duration[i], to)]);
	}
	spans.sort((a, b) => a[0] - b[0]);
	let time = 0, end = -Infinity;
	for (const [begin, stop] of spans) {
		time += Math.max(0, stop - Math.max(begin, end));
		end = Math.max(end, stop);
	}
	return time;
}

/** @typedef {{calls: number, missed: number, merged: number, long: number, never: number, wrong: number, time: number}} ComparisonFacts */

/** Counts the errors of the recording in the range. @returns {ComparisonFacts} */
function comparisonFacts() {
	const b = book.header.comparison, facts = { calls: 0, missed: 0, merged: 0, long: 0, never: 0, wrong: 0, time: 0 };
	if (!b) return facts;
	const { from, to } = shown.range ?? { from: -Infinity, to: Infinity }, observed = book.recordings[b.observed[shown.observed]];
	/** @param {number} s @param {number} d */
	const part = (s, d) => Math.max(0, Math.min(s + d, to) - Math.max(s, from));
	for (const thread of book.recordings[b.truth].threads) {
		const { start, duration, method } = thread.calls, missed = missedBy(thread, observedOf(thread));
		for (let i = 0; i < start.length; i++) {
			if (start[i] > to || start[i] + duration[i] < from || book.runtime.has(method[i])) continue;
			facts.calls++;
			if (missed(i)) facts.missed++;
		}
		facts.time += stackTime([thread, observedOf(thread)], from, to);
	}
	for (const thread of observed.threads) {
		const { start, duration, mark } = thread.calls, wrong = thread.spans("wrong");
		for (let i = 0; mark && i < start.length; i++) {
			if (start[i] > to || start[i] + duration[i] < from) continue;
			if (mark[i] === 1) facts.merged++;
			else if (mark[i] === 2) facts.long++;
			else if (mark[i] === 3) facts.never++;
		}
		if (thread.header.of === -1) facts.time += stackTime([thread], from, to);
		for (let i = 0; wrong && i < wrong.start.length; i++) facts.wrong += part(wrong.start[i], wrong.duration[i]);
	}
	return facts;
}

function showComparisonFacts() {
	const b = book.header.comparison;
	if (!b) return;
	const observed = book.recordings[b.observed[shown.observed]], f = comparisonFacts(), { interval_ns, name } = observed.header;
	const interval = interval_ns ? formatTime(interval_ns / unitNS) : cut(name);
	element("interval", HTMLOutputElement).value = interval;
	element("slider", HTMLInputElement).setAttribute("aria-valuetext", interval);
	element("comparisonfacts", HTMLParagraphElement).textContent =
		`${percent(f.missed, f.calls) || "0 %"} of ${counted(f.calls, "true call")} missed; recorded: ${formatCount(f.merged)} merged, ${formatCount(f.long)} too long, ${formatCount(f.never)} not running then; stack wrong for ${formatTime(f.wrong)} of ${formatTime(f.time)}`;
}
