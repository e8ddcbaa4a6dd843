// The possible start and end of a sampled call: it began between the last sample without it and the first sample with
// it, and ended between the last sample with it and the next sample (package report).

import { unitNS } from "./units.js";
/** @import { Picked } from "./state.js" */
/** @import { Boxes } from "./model.js" */

/**
 * @typedef {object} Bounds in units of the page
 * @property {number} before the earliest start
 * @property {number} start the latest start, where the call is drawn
 * @property {number} seen the earliest end
 * @property {number} end the latest end
 */

/** Returns the bounds of a call, or null if the recording does not determine them. @param {Picked} p @returns {Bounds | null} */
export function boundsOf(p) {
	const { samples, recording, calls } = p.thread, apart = (recording.apart_ns ?? 0) / unitNS;
	if (!apart || !samples) return null;
	const start = calls.start[p.call], end = start + calls.duration[p.call];
	const first = samplesBefore(samples, start), after = samplesBefore(samples, end);
	// A call that began before the trace or is open at its end has no sample at that time.
	if (samples[first] !== start || samples[after] !== end || p.call < (p.thread.header.before ?? 0) || isOpen(p)) return null;
	const earlier = first > 0 ? samples[first - 1] : -Infinity, last = after > 0 ? samples[after - 1] : -Infinity;
	return { before: Math.max(earlier, start - apart), start, seen: Math.max(last, end - apart, start), end };
}

/** Reports whether a call is open at the last sample of its thread. @param {Picked} p */
function isOpen(p) {
	const { start, duration } = p.thread.calls, { samples } = p.thread;
	return Boolean(samples) && start[p.call] + duration[p.call] >= /** @type {Float64Array} */ (samples)[/** @type {Float64Array} */ (samples).length - 1];
}

/** Returns the number of samples before a time. @param {Float64Array} samples @param {number} time */
function samplesBefore(samples, time) {
	let low = 0, high = samples.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (samples[middle] < time) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Returns the ranges of the possible start and end of a call as boxes in its row. @param {Picked} p @param {Bounds} b @returns {Boxes} */
export function boundsBoxes(p, b) {
	const row = p.thread.calls.depth[p.call], first = new Int32Array(row + 2), method = p.thread.calls.method[p.call];
	first[row + 1] = 2;
	return { width: 0, first, order: null, start: Float64Array.of(b.before, b.seen), duration: Float64Array.of(b.start - b.before, b.end - b.seen), method: Int32Array.of(method, method), calls: null };
}
