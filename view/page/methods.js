// Panel of the methods that take the most time, with the intervals of a sampled trace.

import { drawBar, shareColumn, sumsShown, timeColumn } from "./panels.js";
import { computesRanges, rangeEstimates } from "./rangeestimates.js";
import { book, current, onlyRunning, shown } from "./state.js";
import { small, Table } from "./table.js";
import { formatCount, formatInterval, formatTime, unitNS } from "./units.js";
/** @import { MethodSum } from "./contexts.js" */
/** @import { Axis, EstimateColumns, Recording, ShareColumns } from "./model.js" */
/** @import { Panel } from "./panels.js" */
/** @import { TableColumn } from "./table.js" */

/** @typedef {{value: number, interval: [number, number] | null, bounds: boolean, inStep: boolean}} EstimatedTime in units; bounds: the interval is not a 95 % CI, but bounds of the CPU time that the thread can have used */
/** @typedef {{self: EstimatedTime | null, total: EstimatedTime | null, running: EstimatedTime | null}} Estimated */

const noPeriod = 1, noCPUInterval = 2, inStepWithSampler = 4; // bits of ShareColumns.doubts

/** The decoded columns of methods, by axis. @type {WeakMap<EstimateColumns, Partial<Record<Axis, Map<number, Estimated>>>>} */
const estimatesOf = new WeakMap();

/** Returns the estimates of methods. Methods without an estimate have no entry. @param {Recording} recording @returns {Map<number, Estimated>} */
function estimates(recording) {
	const e = recording.estimatesOf(shown.lists), { axis } = shown;
	if (!e) return new Map();
	const known = estimatesOf.get(e) ?? {};
	estimatesOf.set(e, known);
	if (known[axis]) return known[axis];
	const self = estimatedTimes(e.exclusive, axis), total = estimatedTimes(e.inclusive, axis), running = estimatedTimes(e.exclusive, "running");
	return known[axis] = new Map(Array.from(book.data.whole(e.method), (m, i) => [m, { self: self?.[i] ?? null, total: total?.[i] ?? null, running: running?.[i] ?? null }]));
}

/** @param {ShareColumns} share @param {Axis | "running"} axis @returns {EstimatedTime[] | null} */
function estimatedTimes(share, axis) {
	const columns = share[axis], { data } = book;
	if (!columns) return null;
	const value = data.times(columns.value), below = data.times(columns.below), above = data.times(columns.above), doubts = data.whole(share.doubts);
	return Array.from(value, (v, i) => {
		const has = (/** @type {number} */ doubt) => (doubts[i] & doubt) > 0;
		return { value: v / unitNS, bounds: axis === "cpu" && has(noCPUInterval), inStep: has(inStepWithSampler), interval: has(noPeriod) ? null : [(v - below[i]) / unitNS, (v + above[i]) / unitNS] };
	});
}

/** Formats an interval. @param {EstimatedTime | null | undefined} t */
function intervalText(t) {
	if (!t?.interval || !t.value) return "";
	return `${formatInterval(...t.interval)}${t.bounds ? " †" : ""}${t.inStep ? " *" : ""}`;
}

/** @param {HTMLElement} host @returns {Panel} */
export function methodsPanel(host) {
	const note = document.createElement("p");
	note.className = "facts";
	host.append(note);
	/** @type {Table<MethodSum> | undefined} */
	let table;
	let made = "", drawn = "", most = 0, listed = 0; // time of all rows
	let selfOf = (/** @type {MethodSum} */ r) => r.exclusive;
	const make = () => {
		const recording = current(), running = onlyRunning();
		const both = shown.axis === "wall" && recording.has("cpu"), of = estimatesShown(), whole = recording.sampled && of.size > 0;
		const key = `${recording.index} ${whole} ${both} ${shown.axis} ${running} ${whole ? sumsShown().key : ""}`;
		if (key === made) return;
		drawn = "";
		host.querySelector(".scroll")?.remove();
		const self = (/** @type {MethodSum} */ r) => running ? of.get(r.method)?.running : of.get(r.method)?.self, total = (/** @type {MethodSum} */ r) => of.get(r.method)?.total;
		const selfTime = (/** @type {MethodSum} */ r) => self(r)?.value ?? r.exclusive, totalTime = (/** @type {MethodSum} */ r) => running ? r.inclusive : total(r)?.value ?? r.inclusive;
		selfOf = selfTime;
		/** @type {TableColumn<MethodSum>[]} */
		const columns = [
			{ name: "method", text: true, show: (r) => book.method(r.method), sort: (r) => book.method(r.method) },
			{
				...timeColumn("self", running ? "self time without waiting" : "self time: excludes callees", selfTime),
				draw: (r, cell) => drawBar(cell, formatTime(selfTime(r)), selfTime(r), most, self(r)?.interval ?? null),
			},
			...whole ? [{ name: "95 % CI", about: "95 % confidence interval of the self time", show: (/** @type {MethodSum} */ r) => intervalText(self(r)), sort: (/** @type {MethodSum} */ r) => width(self(r)) }] : [],
			{ ...shareColumn("self %", "self time as a share of all time listed", selfTime, () => listed), room: whole ? "medium" : undefined },
			{ ...timeColumn("total", "total time: includes callees; recursive calls count once", totalTime), room: whole ? "medium" : undefined },
			...whole && !running ? [{ name: "total 95 % CI", room: /** @type {const} */ ("wide"), about: "95 % confidence interval of the total time", show: (/** @type {MethodSum} */ r) => intervalText(total(r)), sort: (/** @type {MethodSum} */ r) => width(total(r)) }] : [],
			{ ...shareColumn("total %", "total time as a share of all time listed", totalTime, () => listed), room: "medium" },
			...both ? [{ ...timeColumn("self CPU", "self CPU time: excludes callees", (/** @type {MethodSum} */ r) => r.cpu), room: /** @type {const} */ ("wide") }] : [],
			...book.header.quantity ? [] : [{ name: "calls", room: /** @type {const} */ ("wide"), about: "includes recursive calls; a lower bound in a sampled trace", show: (/** @type {MethodSum} */ r) => (recording.sampled ? "≥ " : "") + formatCount(r.calls), sort: (/** @type {MethodSum} */ r) => r.calls },
			{ name: "recursive", room: /** @type {const} */ ("wide"), about: "calls made while the method was already on the stack", show: (/** @type {MethodSum} */ r) => formatCount(r.recursive), sort: (/** @type {MethodSum} */ r) => r.recursive }],
		];
		made = key;
		table = new Table({ label: "Methods", sorted: 1, columns, method: (r) => r.method }).mount(host);
	};
	return {
		draw() {
			make();
			const { key, methods } = sumsShown();
			note.textContent = intervalNote();
			if (!table || drawn === key) return table?.draw();
			drawn = key;
			most = scaleOf(methods);
			listed = methods.reduce((sum, r) => sum + selfOf(r), 0);
			table.show(methods);
		},
		text: () => table?.text() ?? "",
	};
}

/** Returns the time of the longest bar. Much wider intervals are cut off. @param {MethodSum[]} methods */
function scaleOf(methods) {
	const longest = methods.reduce((m, r) => Math.max(m, r.exclusive), 0), of = estimatesShown();
	return methods.reduce((m, r) => Math.max(m, Math.min(1.6 * longest, of.get(r.method)?.self?.interval?.[1] ?? 0)), longest);
}

/** @param {EstimatedTime | null | undefined} t */
function width(t) { return t?.interval ? t.interval[1] - t.interval[0] : -1; }

/** Returns the estimates of methods in the range, as far as they are known. @returns {Map<number, Estimated>} */
function estimatesShown() {
	if (!shown.range && current().estimatesOf(shown.lists)) return estimates(current());
	return rangeEstimates?.key === sumsShown().key ? rangeEstimates.of : new Map();
}

function intervalNote() {
	const recording = current(), known = !shown.range && recording.estimatesOf(shown.lists);
	if (recording.sampled && recording.threadsOf(shown.lists).every((i) => recording.threads[i].calls.duration.every((d) => d === 0))) return "These threads have a single sample, so there are no times. artifice report shows their stacks and the locks that they wait for.";
	if (!recording.sampled || !recording.header.estimates && !recording.header.main_estimates) return "";
	if (!known && shown.axis !== recording.header.clocks[0]) return "Times come from the samples. Confidence intervals of a range need wall time, because a range of CPU time differs by thread.";
	if (!known && rangeEstimates?.key !== sumsShown().key) return computesRanges() ? "Times come from the samples; their confidence intervals are being computed." : "Times come from the samples. This page has confidence intervals only for the whole trace, for all threads or those listed first. For others use artifice view without -o, or with --ranges.";
	if (!known && rangeEstimates?.failed) return `No confidence intervals: ${rangeEstimates.failed}`;
	const times = [...estimatesShown().values()].flatMap((e) => e.self ?? []), notes = small.matches ? [] : ["The lines across the bars are 95 % confidence intervals."];
	if (times.some((t) => t.bounds)) notes.push("†: bounds, because the thread waits between samples and the trace does not record which method used the CPU.");
	if (times.some((t) => t.inStep)) notes.push("*: aliased with the sampling interval.");
	return notes.join(" ");
}
