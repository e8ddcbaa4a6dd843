// Recordings, threads and calls, as the panels and the timeline use them.

import { colourIndex } from "./colour.js";
import { Contexts } from "./contexts.js";
import { shown } from "./state.js";
import { countIn } from "./units.js";
/** @import { Column, Data, Strings } from "./decode.js" */
/** @import { DifferenceRow } from "./difference.js" */

/** @typedef {{start: Column, duration: Column}} SpanColumns */
/** @typedef {{value: Column, below: Column, above: Column}} TimeColumns ns */
/** @typedef {{wall?: TimeColumns, cpu?: TimeColumns, running?: TimeColumns, samples: Column, doubts: Column}} ShareColumns */
/**
 * @typedef {object} EstimateColumns what the trace tells of each method, of the whole recording
 * @property {Column} method
 * @property {ShareColumns} exclusive
 * @property {ShareColumns} inclusive
 * @property {Column} calls
 * @property {Column} recursive
 * @property {boolean} at_least
 */
/**
 * @typedef {object} ThreadHeader
 * @property {number} tid
 * @property {string} name
 * @property {string} [process] of a trace with several
 * @property {{method: Column, depth: Column, begin: Column, end: Column, begin_lag?: Column, end_lag?: Column, mark?: Column}} calls
 * @property {{width: number, rows: Column, start: Column, duration: Column, method: Column, calls: Column, filled: Column}[] | null} levels
 * @property {number} [before] the first calls, so many, began before the trace: it has their exits alone
 * @property {number} [last] time of the last event, where calls that are open at the end go on after it
 * @property {Column} [samples]
 * @property {SpanColumns} [gaps]
 * @property {SpanColumns} [late]
 * @property {SpanColumns} [wrong]
 * @property {Column} [seen]
 * @property {number} [of] beside a truth: index of the truth's thread, -1: none
 */
/**
 * @typedef {object} RecordingHeader
 * @property {string} name
 * @property {string} technique
 * @property {number} interval_ns
 * @property {number} [apart_ns] the longest that two samples which follow each other are apart
 * @property {string[]} clocks
 * @property {number} events
 * @property {string} running_by what decides which time is running time: names, cpu or samples
 * @property {string[] | null} notes
 * @property {number} [short_calls_ns]
 * @property {Column} [ticks] times of all samples, of all threads
 * @property {EstimateColumns | null} estimates
 * @property {ThreadHeader[]} threads
 * @property {number[]} [lists] indices of the threads with which lists begin; absent: all
 * @property {EstimateColumns} [main_estimates] of these threads alone
 */
/**
 * @typedef {object} Header
 * @property {string} title
 * @property {string} version
 * @property {number} unit_ns
 * @property {number} start_ns
 * @property {number} span
 * @property {string} [quantity] what values are in place of times
 * @property {string} [amounts] the unit of these values
 * @property {Strings} methods
 * @property {{from: Column, bytes: Column}} short
 * @property {Column} waits of each method: 1 where a thread waits in it
 * @property {boolean} [running] lists begin without the time in which threads wait
 * @property {RecordingHeader[]} recordings
 * @property {{truth: number, observed: number[], start: number} | null} beside
 * @property {DifferenceHeader | null} difference
 * @property {string} [range] path of the server
 */
/**
 * @typedef {object} DifferenceHeader
 * @property {string} old
 * @property {string} new
 * @property {{parent: Column, method: Column, old: Column, new: Column}} contexts
 * @property {DifferenceRow[]} rows
 * @property {string} [headline]
 */

/** @typedef {{start: Float64Array, duration: Float64Array}} Spans */
/** @typedef {"wall" | "cpu"} Axis */
/**
 * @typedef {object} Calls calls of a thread by start, callers before what they call
 * @property {Int32Array} method
 * @property {Int32Array} depth
 * @property {Int32Array} parent index of the caller, -1: none
 * @property {Float64Array} start
 * @property {Float64Array} duration
 * @property {Float64Array | null} cpuStart
 * @property {Float64Array | null} cpuDuration
 * @property {Int32Array | null} mark
 */
/**
 * @typedef {object} Boxes what is drawn of a thread: rows of boxes that do not overlap
 * @property {number} width boxes of this level are calls shorter than that, put together; 0: calls
 * @property {Int32Array} first of each row, and one more
 * @property {Int32Array | null} order box to call; null: the box has the same index
 * @property {Float64Array} start
 * @property {Float64Array} duration
 * @property {Int32Array} method
 * @property {Int32Array | null} calls how many are in the box
 * @property {Uint8Array | null} [filled] the share of the box in calls, from 0 to 255; absent: all of it
 * @property {string[]} [fill] colours #rrggbb; absent: those of methods
 * @property {string[]} [names] absent: those of methods
 */

/** What an observed call can be, by its mark. */
export const marks = ["right", "merged: several true calls in one", "too long", "not running then"];

/** Times of all samples, which a recording's threads share. @type {WeakMap<Column, Float64Array>} */
const ticksOf = new WeakMap();

/**
 * Adds up what stands as differences to the thread's event before, of the begin and of
 * the end of each call: the sum at its begin, and what it grows by until its end.
 * @param {Int32Array} depth @param {Float64Array} begin @param {Float64Array} end
 */
function replay(depth, begin, end) {
	const n = depth.length, start = new Float64Array(n), duration = new Float64Array(n);
	/** @type {number[]} */
	const open = [];
	let now = 0;
	for (let i = 0; i <= n; i++) {
		for (const keep = i < n ? depth[i] : 0; open.length > keep;) {
			const call = /** @type {number} */ (open.pop());
			now += end[call];
			duration[call] = now - start[call];
		}
		if (i === n) break;
		now += begin[i];
		start[i] = now;
		open.push(i);
	}
	return { start, duration };
}

/** Thread is one thread of a recording; its columns are read when they are asked for. */
export class Thread {
	/** @param {Data} data @param {ThreadHeader} header @param {RecordingHeader} recording @param {number} index */
	constructor(data, header, recording, index) {
		this.data = data;
		this.index = index; // in the recording
		this.header = header;
		this.recording = recording;
		this.tid = header.tid;
		this.name = header.name;
		this.label = header.name; // unique in the recording
		this.process = header.process ?? ""; // of a trace with several
		this.count = header.calls.begin.count;
		/** @type {Calls | null} */
		this.read = null;
		/** @type {Partial<Record<Axis, Boxes[]>>} */
		this.detail = {};
		/** @type {Map<string, Spans | Float64Array | null>} */
		this.extra = new Map();
		/** @type {{name: string, boxes: Boxes}[]} */
		this.subsets = [];
	}

	/** @returns {Calls} */
	get calls() {
		if (this.read) return this.read;
		const c = this.header.calls, data = this.data;
		const depth = data.numbers(c.depth, new Int32Array(c.depth.count), "signed difference");
		const { start, duration } = replay(depth, data.times(c.begin), data.times(c.end));
		/** @param {Column} column */
		const steps = (column) => data.numbers(column, new Float64Array(column.count), "signed");
		const lag = c.begin_lag && c.end_lag ? replay(depth, steps(c.begin_lag), steps(c.end_lag)) : null;
		return this.read = {
			method: data.whole(c.method), depth, parent: parentsOf(depth), start, duration,
			cpuStart: lag ? lag.start.map((v, i) => start[i] - v) : null,
			cpuDuration: lag ? lag.duration.map((v, i) => duration[i] - v) : null,
			mark: c.mark ? data.whole(c.mark) : null,
		};
	}

	/** Returns when calls start and how long they take. @param {Axis} axis @returns {Spans} */
	on(axis) {
		const c = this.calls;
		if (axis === "cpu" && c.cpuStart && c.cpuDuration) return { start: c.cpuStart, duration: c.cpuDuration };
		return c;
	}

	/** How many rows its boxes have. */
	get depth() { return this.levels(shown.axis)[0].first.length - 1; }

	/** Returns the levels of detail, calls first. @param {Axis} axis */
	levels(axis) {
		const known = this.detail[axis];
		if (known) return known;
		const list = [boxesOf(this, axis, null)];
		if (axis === this.recording.clocks[0]) {
			for (const l of this.header.levels ?? []) list.push(levelOf(this.data, l));
		}
		return this.detail[axis] = list;
	}

	/**
	 * Returns the boxes of some calls. The last few answers are kept.
	 * @param {Axis} axis @param {string} name of the subset @param {(call: number) => boolean} wanted
	 */
	subset(axis, name, wanted) {
		const key = `${axis} ${name}`, known = this.subsets.find((s) => s.name === key);
		if (known) return known.boxes;
		const boxes = boxesOf(this, axis, wanted);
		this.subsets = [{ name: key, boxes }, ...this.subsets.slice(0, 4)];
		return boxes;
	}

	/** @param {"gaps" | "late" | "wrong"} which @returns {Spans | null} */
	spans(which) {
		if (!this.extra.has(which)) {
			const h = this.header[which];
			this.extra.set(which, h ? { start: this.data.rising(h.start), duration: this.data.times(h.duration) } : null);
		}
		return /** @type {Spans | null} */ (this.extra.get(which));
	}

	/** The times of the samples that are known. */
	get samples() {
		const { ticks } = this.recording;
		if (!ticks) return this.list("samples");
		if (!ticksOf.has(ticks)) ticksOf.set(ticks, this.data.rising(ticks));
		return ticksOf.get(ticks) ?? null;
	}

	/** @param {"samples" | "seen"} which @returns {Float64Array | null} */
	list(which) {
		if (!this.extra.has(which)) {
			const h = this.header[which];
			this.extra.set(which, h ? this.data.rising(h) : null);
		}
		return /** @type {Float64Array | null} */ (this.extra.get(which));
	}
}

/** Returns each call's caller. @param {Int32Array} depth */
function parentsOf(depth) {
	const parents = new Int32Array(depth.length), open = [-1];
	for (let i = 0; i < depth.length; i++) {
		parents[i] = open[depth[i]];
		open[depth[i] + 1] = i;
	}
	return parents;
}

/** Returns calls as boxes, row after row. @param {Thread} thread @param {Axis} axis @param {((call: number) => boolean) | null} wanted null: all @returns {Boxes} */
function boxesOf(thread, axis, wanted) {
	const { depth, method } = thread.calls, { start, duration } = thread.on(axis);
	let rows = 0;
	for (let i = 0; i < depth.length; i++) if (depth[i] >= rows) rows = depth[i] + 1;
	const first = new Int32Array(rows + 1), passed = wanted && new Uint8Array(depth.length);
	for (let i = 0; i < depth.length; i++) {
		if (wanted && passed && !(passed[i] = wanted(i) ? 1 : 0)) continue;
		first[depth[i] + 1]++;
	}
	for (let r = 0; r < rows; r++) first[r + 1] += first[r];
	const next = first.slice(), order = new Int32Array(first[rows]);
	for (let i = 0; i < depth.length; i++) if (!passed || passed[i]) order[next[depth[i]]++] = i;
	return { width: 0, first, order, start, duration, method, calls: null };
}

/** @param {Data} data @param {NonNullable<ThreadHeader["levels"]>[0]} level @returns {Boxes} */
function levelOf(data, level) {
	const rows = data.whole(level.rows), first = new Int32Array(rows.length + 1);
	for (let r = 0; r < rows.length; r++) first[r + 1] = first[r] + rows[r];
	const start = data.times(level.start);
	for (let r = 0; r < rows.length; r++) for (let i = first[r] + 1; i < first[r + 1]; i++) start[i] += start[i - 1];
	return { width: level.width, first, order: null, start, duration: data.times(level.duration), method: data.whole(level.method), calls: data.whole(level.calls), filled: data.numbers(level.filled, new Uint8Array(level.filled.count), "plain") };
}

/** Numbers threads of one name, such as the main threads of several processes: main, main (2). @param {Thread[]} threads */
function labelThreads(threads) {
	/** @type {Set<string>} */
	const taken = new Set(threads.map((t) => t.name)), seen = new Set();
	for (const t of threads) {
		for (let n = 2; seen.has(t.label) || t.label !== t.name && taken.has(t.label); n++) t.label = `${t.name} (${n})`;
		seen.add(t.label);
	}
}

/** Recording is one trace. */
export class Recording {
	/** @param {Data} data @param {RecordingHeader} header @param {number} index */
	constructor(data, header, index) {
		this.header = header;
		this.index = index;
		this.threads = header.threads.map((t, i) => new Thread(data, t, header, i));
		this.calls = this.threads.reduce((sum, t) => sum + t.count, 0);
		this.sampled = header.technique === "sampled";
		labelThreads(this.threads);
		/** @type {Contexts | null} */
		this.known = null;
	}

	get contexts() { return this.known ??= new Contexts(this); }

	/** Returns the indices of the threads that lists are of. @param {Set<string> | null} names null: all */
	threadsOf(names) { return this.threads.flatMap((t, i) => !names || names.has(t.label) ? [i] : []); }

	/** Returns what the trace tells of methods on threads: on all, or on those with which lists begin; null of others, and where every call was recorded. @param {Set<string> | null} names null: all */
	estimatesOf(names) {
		const { lists, estimates, main_estimates: main } = this.header, threads = this.threadsOf(names);
		if (threads.length === this.threads.length) return estimates;
		return lists && lists.join() === threads.join() ? main ?? null : null;
	}

	/** @param {Axis} axis */
	has(axis) { return this.header.clocks.includes(axis); }
}

const primitives = new Map(Object.entries({ B: "byte", C: "char", D: "double", F: "float", I: "int", J: "long", S: "short", Z: "boolean" }));

/** Returns the parameters of a descriptor as Java has them: (long, String[]) for (J[Ljava/lang/String;)V; what is no descriptor as it is. @param {string} descriptor */
export function javaParameters(descriptor) {
	const inside = /^\(((?:\[*(?:[BCDFIJSZ]|L[^;]+;))*)\)/.exec(descriptor);
	if (!inside) return descriptor;
	const types = [...inside[1].matchAll(/(\[*)(?:([BCDFIJSZ])|L([^;]+);)/g)];
	return `(${types.map(([, arrays, letter, name]) => (letter ? primitives.get(letter) : name.slice(name.lastIndexOf("/") + 1)) + "[]".repeat(arrays.length)).join(", ")})`;
}

/** Returns methods' names as Java has them, with parameters where these tell overloads apart. @param {string[]} full with signatures @param {string[]} signatures */
function javaNames(full, signatures) {
	const plain = full.map((name, i) => dotted(name.slice(0, name.length - signatures[i].length))), count = new Map();
	for (const name of plain) count.set(name, (count.get(name) ?? 0) + 1);
	return plain.map((name, i) => count.get(name) > 1 ? name + javaParameters(signatures[i]) : name);
}

/** Returns the name of a class and method with dots, as Dalvik has slashes in it. @param {string} name */
function dotted(name) { return /^[\w$]+(\/[\w$]+)+\.[^./]+$/.test(name) ? name.replaceAll("/", ".") : name; }

/** Book is everything on the page. */
export class Book {
	/** @param {Data} data */
	constructor(data) {
		this.data = data;
		this.header = data.header;
		const names = data.strings(data.header.methods, data.header.short);
		this.methods = javaNames(names.full, names.behind);
		this.identities = names.full; // with signatures as ART has them
		this.short = names.short; // what is drawn in boxes
		this.colour = Uint8Array.from(names.short, (short, i) => colourIndex(names.full[i].slice(0, Math.max(0, names.full[i].length - short.length - names.behind[i].length)), short));
		this.waits = data.whole(data.header.waits);
		this.recordings = (data.header.recordings ?? []).map((r, i) => new Recording(data, r, i));
		countIn(data.header.unit_ns, data.header.amounts);
	}

	/** Returns a method's full name. @param {number} m */
	method(m) { return this.methods[m] ?? "(unknown)"; }
}
