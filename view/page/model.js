// Recordings, threads and calls: the data model of the panels and the timeline.

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
 * @typedef {object} EstimateColumns estimates for each method over the whole recording
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
 * @property {string} [process] in a trace of several processes
 * @property {{method: Column, depth: Column, begin: Column, end: Column, begin_lag?: Column, end_lag?: Column, mark?: Column}} calls
 * @property {{width: number, rows: Column, start: Column, duration: Column, method: Column, calls: Column, filled: Column}[] | null} levels
 * @property {number} [before] number of calls that began before the trace, which contains only their exits; they are the first calls
 * @property {number} [last] time of the last event, if calls that are open at the end continue after it
 * @property {Column} [samples]
 * @property {SpanColumns} [gaps]
 * @property {SpanColumns} [late]
 * @property {SpanColumns} [wrong]
 * @property {Column} [seen]
 * @property {number} [of] in a comparison with a truth: index of the truth's thread, -1: none
 */
/**
 * @typedef {object} RecordingHeader
 * @property {string} name
 * @property {string} technique
 * @property {number} interval_ns
 * @property {number} [apart_ns] maximum distance of two consecutive samples
 * @property {string[]} clocks
 * @property {number} events
 * @property {string} running_by the criterion for running time: names, cpu or samples
 * @property {string[] | null} notes
 * @property {number} [short_calls_ns]
 * @property {Column} [ticks] times of all samples of all threads
 * @property {EstimateColumns | null} estimates
 * @property {ThreadHeader[]} threads
 * @property {number[]} [lists] indices of the threads that lists initially contain; absent: all
 * @property {EstimateColumns} [main_estimates] estimates for these threads only
 */
/**
 * @typedef {object} Header
 * @property {string} title
 * @property {string} version
 * @property {number} unit_ns
 * @property {number} start_ns
 * @property {number} span
 * @property {string} [quantity] what the values are, if they are not times
 * @property {string} [amounts] the unit of these values
 * @property {Strings} methods
 * @property {{from: Column, bytes: Column}} short
 * @property {Column} waits for each method: 1 if a thread waits in it
 * @property {boolean} [running] lists initially exclude the time in which threads wait
 * @property {RecordingHeader[]} recordings
 * @property {{truth: number, observed: number[], start: number, runtime?: number[]} | null} comparison runtime: methods of the runtime itself, which no tracer records
 * @property {DifferenceHeader | null} difference
 * @property {string} [range] path of the server's answers about ranges
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
 * @typedef {object} Calls calls of a thread in the order of their starts; callers precede callees
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
 * @typedef {object} Boxes rows of boxes that do not overlap, as drawn for a thread
 * @property {number} width boxes of this level merge calls that are shorter than this; 0: one box per call
 * @property {Int32Array} first index of the first box of each row, and the number of boxes
 * @property {Int32Array | null} order index of the call of each box; null: the same index
 * @property {Float64Array} start
 * @property {Float64Array} duration
 * @property {Int32Array} method
 * @property {Int32Array | null} calls number of calls in the box
 * @property {Uint8Array | null} [filled] the share of the box that calls cover, from 0 to 255; absent: all of it
 * @property {string[]} [fill] colours #rrggbb; absent: the colours of methods
 * @property {string[]} [names] absent: the names of methods
 */

/** Names of the marks of observed calls. */
export const marks = ["right", "merged: several true calls in one", "too long", "not running then"];

/** Times of all samples, shared by the threads of a recording. @type {WeakMap<Column, Float64Array>} */
const ticksOf = new WeakMap();

/**
 * Decodes the starts and ends of calls, which are stored as differences to the previous event of
 * the thread. Returns starts and durations.
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

/** Thread is one thread of a recording; its columns are decoded on first use. */
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

	/** Returns starts and durations of calls. @param {Axis} axis @returns {Spans} */
	on(axis) {
		const c = this.calls;
		if (axis === "cpu" && c.cpuStart && c.cpuDuration) return { start: c.cpuStart, duration: c.cpuDuration };
		return c;
	}

	/** The number of rows of boxes. */
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
	 * Returns the boxes of the wanted calls. The last 5 results are cached.
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

	/** The known times of samples. */
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

/** Returns the caller of each call. @param {Int32Array} depth */
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

/** Numbers threads with equal names, such as the main threads of several processes: main, main (2). @param {Thread[]} threads */
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

	/** Returns the indices of the threads in lists. @param {Set<string> | null} names null: all */
	threadsOf(names) { return this.threads.flatMap((t, i) => !names || names.has(t.label) ? [i] : []); }

	/** Returns the estimates of methods for all threads, or for those that lists initially contain; null for other threads, and if every call was recorded. @param {Set<string> | null} names null: all */
	estimatesOf(names) {
		const { lists, estimates, main_estimates: main } = this.header, threads = this.threadsOf(names);
		if (threads.length === this.threads.length) return estimates;
		return lists && lists.join() === threads.join() ? main ?? null : null;
	}

	/** @param {Axis} axis */
	has(axis) { return this.header.clocks.includes(axis); }
}

const primitives = new Map(Object.entries({ B: "byte", C: "char", D: "double", F: "float", I: "int", J: "long", S: "short", Z: "boolean" }));

/** Returns the parameters of a descriptor in Java's notation: (long, String[]) for (J[Ljava/lang/String;)V. Other text is returned unchanged. @param {string} descriptor */
export function javaParameters(descriptor) {
	const inside = /^\(((?:\[*(?:[BCDFIJSZ]|L[^;]+;))*)\)/.exec(descriptor);
	if (!inside) return descriptor;
	const types = [...inside[1].matchAll(/(\[*)(?:([BCDFIJSZ])|L([^;]+);)/g)];
	return `(${types.map(([, arrays, letter, name]) => (letter ? primitives.get(letter) : name.slice(name.lastIndexOf("/") + 1)) + "[]".repeat(arrays.length)).join(", ")})`;
}

/** Returns names of methods in Java's notation. Overloads have their parameters. @param {string[]} full with signatures @param {string[]} signatures */
function javaNames(full, signatures) {
	const plain = full.map((name, i) => dotted(name.slice(0, name.length - signatures[i].length))), count = new Map();
	for (const name of plain) count.set(name, (count.get(name) ?? 0) + 1);
	return plain.map((name, i) => count.get(name) > 1 ? name + javaParameters(signatures[i]) : name);
}

/** Returns the name of a class and method with dots instead of Dalvik's slashes. @param {string} name */
function dotted(name) { return /^[\w$]+(\/[\w$]+)+\.[^./]+$/.test(name) ? name.replaceAll("/", ".") : name; }

/** Book is the content of the page. */
export class Book {
	/** @param {Data} data */
	constructor(data) {
		this.data = data;
		this.header = data.header;
		const names = data.strings(data.header.methods, data.header.short);
		this.methods = javaNames(names.full, names.behind);
		this.identities = names.full; // with signatures in ART's notation
		this.short = names.short; // names in boxes
		this.colour = Uint8Array.from(names.short, (short, i) => colourIndex(names.full[i].slice(0, Math.max(0, names.full[i].length - short.length - names.behind[i].length)), short));
		this.waits = data.whole(data.header.waits);
		this.runtime = new Set(data.header.comparison?.runtime);
		this.recordings = (data.header.recordings ?? []).map((r, i) => new Recording(data, r, i));
		countIn(data.header.unit_ns, data.header.amounts);
	}

	/** Returns a method's full name. @param {number} m */
	method(m) { return this.methods[m] ?? "(unknown)"; }
}
