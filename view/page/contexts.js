// Calling contexts: all calls of a method with the same callers share one context. The tree is
// built once. The times of a context in a time range are sums over the calls in the range.

import { unitNS } from "./units.js";
/** @import { Axis, Calls, Recording, Spans, Thread } from "./model.js" */

/**
 * @typedef {object} Sums sums over a range, by context
 * @property {Float64Array} inclusive
 * @property {Float64Array} exclusive
 * @property {Float64Array | null} cpu exclusive CPU time, if the axis is wall time and the trace has both clocks
 * @property {Float64Array | null} cpuInclusive
 * @property {Uint8Array} ran 1: at least partly in the range
 * @property {Float64Array} calls number of calls in the range, without those that the trace contains only the exits of
 * @property {number} threads number of threads with calls in the range
 * @property {number} waiting excluded time, in which threads waited
 */

export class Contexts {
	/** @param {Recording} recording */
	constructor(recording) {
		this.recording = recording;
		/** @type {number[]} */
		const parent = [];
		/** @type {number[]} */
		const method = []; // -1 - i for the root of thread i
		const known = new Map(), methods = recording.threads.reduce((m, t) => Math.max(m, 1 + t.calls.method.reduce((a, b) => Math.max(a, b), 0)), 1);
		this.of = recording.threads.map(({ calls }, t) => {
			const open = [parent.length], of = new Int32Array(calls.depth.length);
			parent.push(-1);
			method.push(-1 - t);
			for (let i = 0; i < of.length; i++) {
				const above = open[calls.depth[i]], key = above * methods + calls.method[i];
				let n = known.get(key);
				if (n === undefined) {
					known.set(key, n = parent.length);
					parent.push(above);
					method.push(calls.method[i]);
				}
				of[i] = open[calls.depth[i] + 1] = n;
			}
			return of;
		});
		this.parent = Int32Array.from(parent);
		this.method = Int32Array.from(method);
		this.outermost = this.parent.map((_, n) => this.above(n, this.method[n]) < 0 ? 1 : 0);
	}

	/** Returns the nearest caller of a context with the given method, -1: none. @param {number} n @param {number} m */
	above(n, m) {
		do n = this.parent[n]; while (n >= 0 && this.method[n] !== m);
		return n;
	}

	/**
	 * Computes the sums of a range on some threads. A call that crosses the edge of the range counts with the part inside.
	 * @param {Axis} axis @param {number} from @param {number} to @param {number[]} threads indices @param {Int32Array | null} waits by method: 1 if threads wait in it, and its time is excluded; null: nothing is excluded
	 * @returns {Sums}
	 */
	sums(axis, from, to, threads, waits) {
		const n = this.parent.length, both = axis === "wall" && this.recording.has("cpu") && this.recording.has("wall");
		/** @type {Sums} */
		const sums = {
			inclusive: new Float64Array(n), exclusive: new Float64Array(n), ran: new Uint8Array(n), calls: new Float64Array(n), threads: 0, waiting: 0,
			cpu: both ? new Float64Array(n) : null, cpuInclusive: both ? new Float64Array(n) : null,
		};
		for (const t of threads) if (this.addThread(sums, this.recording.threads[t], this.of[t], axis, from, to)) sums.threads++;
		for (let i = 0; i < n; i++) { // the sums of a root are those of its calls
			sums.exclusive[i] += sums.inclusive[i];
			if (sums.cpu && sums.cpuInclusive) sums.cpu[i] += sums.cpuInclusive[i];
		}
		if (waits) this.leaveWaits(sums, waits);
		return sums;
	}

	/** Replaces wall time by running time, as "artifice report" does. @param {Sums} sums @param {Int32Array} waits by method */
	leaveWaits(sums, waits) {
		const { inclusive, exclusive, ran } = sums, running = this.running(sums, waits);
		inclusive.fill(0);
		for (let n = this.parent.length - 1; n >= 0; n--) { // callers precede their callees
			const m = this.method[n], above = this.parent[n];
			if (m >= 0) {
				sums.waiting += exclusive[n] - running[n];
				exclusive[n] = running[n];
			}
			inclusive[n] += exclusive[n];
			if (above >= 0) inclusive[above] += inclusive[n];
			if (m >= 0 && waits[m] && !inclusive[n]) ran[n] = 0;
		}
		sums.waiting = Math.max(0, sums.waiting);
	}

	/**
	 * Returns the running time of contexts: their CPU time. In sampled traces, the CPU time of a
	 * thread is divided in proportion to the wall time of contexts that do not wait. Without a CPU
	 * clock, that wall time is the running time.
	 * @param {Sums} sums @param {Int32Array} waits by method
	 */
	running({ exclusive, cpu }, waits) {
		const by = this.recording.header.running_by, own = exclusive.map((time, n) => this.method[n] >= 0 && !waits[this.method[n]] ? time : 0);
		if (by === "names" || !cpu) return own;
		if (by === "cpu") return cpu;
		const thread = new Int32Array(own.length), wall = new Float64Array(own.length), used = new Float64Array(own.length);
		for (let n = 0; n < own.length; n++) {
			thread[n] = this.parent[n] < 0 ? n : thread[this.parent[n]];
			if (this.method[n] < 0) continue;
			wall[thread[n]] += own[n];
			used[thread[n]] += cpu[n];
		}
		const rounded = (/** @type {number} */ time) => Math.round(time * unitNS) / unitNS;
		return own.map((time, n) => wall[thread[n]] ? rounded(time / wall[thread[n]] * used[thread[n]]) : this.method[n] < 0 ? 0 : cpu[n]);
	}

	/** @param {Sums} sums @param {Thread} thread @param {Int32Array} of @param {Axis} axis @param {number} from @param {number} to */
	addThread(sums, thread, of, axis, from, to) {
		const { start, duration } = thread.on(axis), { parent } = thread.calls, before = thread.header.before ?? 0;
		const cpu = sums.cpu && thread.calls.cpuStart && { from: cpuAt(thread, from), to: cpuAt(thread, to) };
		let any = false;
		/** @param {number} i */
		const add = (i) => {
			const begin = start[i], end = begin + duration[i];
			if (end < from || begin >= to) return;
			const time = Math.min(end, to) - Math.max(begin, from), n = of[i], above = this.parent[n];
			any = true;
			if (i >= before) sums.calls[n]++;
			sums.ran[n] = 1;
			sums.inclusive[n] += time;
			if (this.parent[above] < 0) sums.inclusive[above] += time;
			sums.exclusive[above] -= time;
			if (cpu) this.addCPU(sums, thread.calls, i, n, cpu.from, cpu.to);
		};
		const first = lastBefore({ start, duration }, from), ancestors = [];
		for (let i = first; i >= 0; i = parent[i]) ancestors.push(i);
		while (ancestors.length) add(/** @type {number} */ (ancestors.pop()));
		for (let i = first + 1; i < start.length && start[i] < to; i++) add(i);
		return any;
	}

	/** @param {Sums} sums @param {Calls} calls @param {number} i @param {number} n @param {number} from @param {number} to */
	addCPU(sums, calls, i, n, from, to) {
		if (!sums.cpu || !sums.cpuInclusive || !calls.cpuStart || !calls.cpuDuration) return;
		const begin = calls.cpuStart[i], time = Math.max(0, Math.min(begin + calls.cpuDuration[i], to) - Math.max(begin, from));
		const above = this.parent[n];
		sums.cpuInclusive[n] += time;
		if (this.parent[above] < 0) sums.cpuInclusive[above] += time;
		sums.cpu[above] -= time;
	}
}

/**
 * Returns the CPU time of a thread at a wall time, as "artifice convert --from" does: the CPU time
 * of the last event before that time. In a ground truth, threads either run or wait between two
 * events, so the CPU time is interpolated.
 * @param {Thread} thread @param {number} time
 */
function cpuAt(thread, time) {
	const { start, duration, cpuStart, cpuDuration, parent } = thread.calls;
	if (!cpuStart || !cpuDuration) return 0;
	const last = lastBefore(thread.calls, Math.ceil(time) - .5); // times are whole units
	let wall = -Infinity, cpu = cpuStart[0] ?? 0, nextWall = Infinity, nextCPU = Infinity;
	/** @param {number} w @param {number} c */
	const event = (w, c) => {
		if (w < time && w >= wall) [wall, cpu] = [w, Math.max(c, w === wall ? cpu : c)];
		else if (w >= time && w < nextWall) [nextWall, nextCPU] = [w, c];
	};
	if (last >= 0) event(start[last], cpuStart[last]);
	for (let i = last; i >= 0; i = parent[i]) event(start[i] + duration[i], cpuStart[i] + cpuDuration[i]);
	if (last + 1 < start.length) event(start[last + 1], cpuStart[last + 1]);
	if (thread.recording.technique === "truth" && isFinite(wall) && isFinite(nextCPU)) cpu += Math.min(time - wall, nextCPU - cpu);
	return cpu;
}

/**
 * @typedef {object} MethodSum
 * @property {number} method
 * @property {number} exclusive
 * @property {number} inclusive total time: of outermost activations
 * @property {number} cpu exclusive
 * @property {number} calls
 * @property {number} recursive calls made while the method was on the stack
 */

/** Sums contexts by method. @param {Contexts} contexts @param {Sums} sums @returns {MethodSum[]} */
export function methodSums(contexts, sums) {
	/** @type {Map<number, MethodSum>} */
	const rows = new Map();
	for (let n = 0; n < contexts.parent.length; n++) {
		const method = contexts.method[n];
		if (method < 0 || !sums.ran[n]) continue;
		let row = rows.get(method);
		if (!row) rows.set(method, row = { method, exclusive: 0, inclusive: 0, cpu: 0, calls: 0, recursive: 0 });
		row.exclusive += sums.exclusive[n];
		row.cpu += sums.cpu?.[n] ?? 0;
		row.calls += sums.calls[n];
		if (contexts.outermost[n]) row.inclusive += sums.inclusive[n];
		else row.recursive += sums.calls[n];
	}
	return [...rows.values()];
}

/** Returns the index of the last call of a thread that starts at or before a time, -1: none. @param {Spans} calls @param {number} time */
function lastBefore(calls, time) {
	let low = 0, high = calls.start.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (calls.start[middle] <= time) low = middle + 1;
		else high = middle;
	}
	return low - 1;
}
