// The state of the page, and its listeners. A change of the state is published by topic. Listeners
// run once, before the next frame.

import { scales, unitNS } from "./units.js";
/** @import { Axis, Book, Recording, Thread } from "./model.js" */

/** @typedef {"window" | "layout" | "range" | "picked" | "found" | "axis" | "observed" | "tab" | "sort"} Topic */
/** @typedef {"select" | "pan" | "zoom" | "timing"} DragMode */
/** @typedef {{thread: Thread, recording: Recording, call: number}} Picked */

export const shown = {
	/** @type {Axis} */ axis: "wall",
	from: 0, to: 1, // the window of the timeline, in units
	/** @type {{from: number, to: number} | null} */ range: null,
	/** @type {Picked | null} */ picked: null, // the selected call
	method: -1, // the method whose calls are marked
	find: "", // the search text
	/** @type {Uint8Array | null} */ found: null, // by method
	/** @type {Set<string> | null} */ foundThreads: null, // labels
	observed: 0, // index in comparison.observed
	/** @type {Set<string>} */ collapsed: new Set(), // rows, by key
	/** @type {Set<string>} */ pinned: new Set(),
	order: "busy",
	chosen: 0, // index of the recording that panels show, if recordings are not compared
	/** @type {Set<string> | null} */ lists: null, // names of the threads in panels; null: all
	waiting: true, // lists include the time in which threads wait
	/** @type {"observed" | "truth"} */ side: "observed", // the side that panels show, in a comparison with a truth
	tab: "", // id of the panel
	/** @type {Record<string, string>} */ sorts: {}, // by table: name of the column, after "-" in descending order
	/** @type {number | null} */ grid: null, // the time from which the ruler counts; null: the start of the trace
	/** @type {DragMode} */ mode: "pan",
};

/** @type {Book} */
export let book;

/** @param {Book} opened */
export function openBook(opened) {
	book = opened;
	shown.lists = listsAtFirst();
	shown.waiting = !book.header.running;
}

/** Returns the threads that lists initially contain: null (all) if short calls are merged. */
export function listsAtFirst() {
	const first = book.recordings[0];
	if (!first?.header.lists || book.recordings.some((r) => r.header.short_calls_ns)) return null;
	return new Set(first.header.lists.map((i) => first.threads[i].label));
}

/** Reports whether lists exclude the time in which threads wait. CPU time has no such time. */
export function onlyRunning() { return !shown.waiting && shown.axis === "wall"; }

/** @type {Map<Topic, (() => void)[]>} */
const hearers = new Map();

/** @param {Topic[]} topics @param {() => void} hear */
export function on(topics, hear) {
	for (const t of topics) hearers.set(t, [...(hearers.get(t) ?? []), hear]);
}

/** @type {Set<() => void>} */
const due = new Set();

/** Publishes a change. The listeners of the topics run before the next frame. @param {...Topic} topics */
export function tell(...topics) {
	if (!due.size) requestAnimationFrame(work);
	for (const t of topics) for (const h of hearers.get(t) ?? []) due.add(h);
}

function work() {
	const now = [...due];
	due.clear();
	for (const h of now) h();
}

/** Returns the first and last time on the axis. */
function extent() {
	if (shown.axis === book.recordings[0]?.header.clocks[0]) return { from: 0, to: Math.max(1, book.header.span) };
	let to = 1;
	for (const r of book.recordings) for (const t of r.threads) {
		const { start, duration } = t.on(shown.axis);
		for (let i = 0; i < start.length; i++) if (start[i] + duration[i] > to) to = start[i] + duration[i];
	}
	return { from: 0, to };
}

/** Returns the start of the axis, in units since the start of the trace. */
export function axisOrigin() { return shown.axis === book.recordings[0]?.header.clocks[0] ? book.header.start_ns / unitNS : 0; }

/** Formats a time since the start of the trace, with enough digits to distinguish times that differ by step. @param {number} units @param {number} step */
export function formatInstant(units, step) {
	const ns = Math.round((units + axisOrigin()) * unitNS), stepNS = step * unitNS;
	const [name, scale] = scales.find(([, s]) => Math.max(Math.abs(ns), stepNS) >= s) ?? scales[scales.length - 1];
	const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(stepNS / scale) - 1e-9)));
	return `${(ns / scale).toFixed(digits)} ${name}`.trim();
}

/** Results of extent, by axis. @type {Partial<Record<Axis, {from: number, to: number}>>} */
const extents = {};

export function whole() { return extents[shown.axis] ??= extent(); }

/** Reports whether a thread is the main thread of an app: it is named main and has at least 1 % of the calls. @param {Recording} recording @param {Thread} thread */
export function isMainThread(recording, thread) { return thread.name === "main" && thread.count >= recording.calls / 100; }

/** Returns the initial window: from the first to the last event of main threads, or the whole time. */
export function firstWindow() { return firstWindows[shown.axis] ??= mainWindow(); }

/** Results of mainWindow, by axis. @type {Partial<Record<Axis, {from: number, to: number}>>} */
const firstWindows = {};

function mainWindow() {
	let from = Infinity, to = -Infinity;
	for (const r of book.recordings) for (const t of r.threads) {
		if (!t.count || !isMainThread(r, t)) continue;
		const { start, duration } = t.on(shown.axis), { depth } = t.calls, last = shown.axis === r.header.clocks[0] ? t.header.last ?? Infinity : Infinity;
		for (let i = 0; i < start.length; i++) if (!depth[i]) [from, to] = [Math.min(from, start[i]), Math.max(to, Math.min(last, start[i] + duration[i]))];
	}
	const all = whole();
	if (!(to > from) || to - from > .9 * all.to) return { from: 0, to: all.to };
	const room = (to - from) * .02;
	return { from: Math.max(0, from - room), to: Math.min(all.to, to + room) };
}

/** Shows a time window, limited to the extent of the axis. @param {number} from @param {number} to */
export function showWindow(from, to) {
	const all = whole(), least = Math.max(all.to * 1e-12, 4 / unitNS), most = all.to * 1.04;
	const length = Math.min(most, Math.max(least, to - from)), middle = (from + to) / 2;
	from = Math.min(Math.max(middle - length / 2, -all.to * .02), all.to * 1.02 - length);
	if (from === shown.from && from + length === shown.to) return;
	shown.from = from;
	shown.to = from + length;
	tell("window");
}

/** Changes the clock, and shows the whole time: a range of wall time corresponds to a different range of CPU time on each thread. @param {Axis} axis */
export function chooseAxis(axis) {
	if (axis === shown.axis) return;
	shown.axis = axis;
	shown.grid = null;
	[shown.from, shown.to] = [0, 1];
	showWindow(firstWindow().from, firstWindow().to);
	chooseRange(null);
	tell("axis", "layout", "picked");
}

/** @param {{from: number, to: number} | null} range null: the whole time */
export function chooseRange(range) {
	if (range) {
		const all = whole(), from = Math.max(all.from, Math.min(range.from, range.to)), to = Math.min(all.to, Math.max(range.from, range.to));
		range = to > from && (from > all.from || to < all.to) ? { from, to } : null;
	}
	shown.range = range;
	tell("range");
}

/** @param {Picked | null} picked */
export function pickCall(picked) {
	shown.picked = picked;
	shown.method = picked ? picked.thread.calls.method[picked.call] : -1;
	tell("picked");
}

/** @param {number} method -1: none */
export function pickMethod(method) {
	if (shown.picked && shown.picked.thread.calls.method[shown.picked.call] !== method) shown.picked = null;
	shown.method = method;
	tell("picked");
}

/** Returns a call's times on the axis. @param {Picked} p */
export function timesOf(p) {
	const { start, duration } = p.thread.on(shown.axis);
	return { from: start[p.call], to: start[p.call] + duration[p.call] };
}

/** Zooms to a call, with some space on both sides. @param {Picked} p */
export function zoomTo(p) {
	const { from, to } = timesOf(p), room = Math.max((to - from) * .05, 1 / unitNS);
	showWindow(from - room, to + room);
	tell("layout");
}

/** Returns the recording that panels show. */
export function current() {
	const b = book.header.comparison;
	return book.recordings[b ? comparedIndex() : shown.chosen];
}

function comparedIndex() {
	const b = book.header.comparison;
	if (!b) return 0;
	return shown.side === "truth" ? b.truth : b.observed[shown.observed];
}
