// The parts of a thread's track: its calls, pauses and samples, and the marks of selected, found,
// missed and wrong calls.

import { boundsBoxes, boundsOf } from "./bounds.js";
import { colours, pattern } from "./colour.js";
import { book, shown } from "./state.js";
import { drawBoxes, drawSpans, eachBox, fillBoxes, levelFor, outlineBoxes, shadeSpans, spanAt } from "./track.js";
/** @import { Boxes, Spans, Thread } from "./model.js" */
/** @import { Track } from "./timeline.js" */
/** @import { Place, View } from "./track.js" */

export const rowHeight = 17, thinHeight = 3, wrongHeight = 8, tickHeight = 6, lateHeight = 5, labelHeight = 15;

/** Returns the y of the first row of boxes of a track. @param {{tracks: Track[]}} row @param {Track} track @param {Place} at */
export function boxesTop(row, track, at) {
	if (at.row < rowHeight) return at.y;
	return at.y + (row.tracks.length > 1 ? labelHeight : 0) + headroom(track.thread);
}

/** Returns the height of a thread's parts above its calls: ticks of samples, and above them a bar of late frames. @param {Thread | null} thread */
export function headroom(thread) { return (thread?.samples ? tickHeight : 0) + (thread?.header.late ? lateHeight : 0); }

/** Returns the y of the bar of late frames. In a folded row it covers the calls. @param {{tracks: Track[]}} row @param {Track} track @param {Place} at */
function lateTop(row, track, at) {
	return at.row < rowHeight ? at.y : boxesTop(row, track, at) - headroom(track.thread);
}

/** Returns the delay of the late frame at a point of the bar, 0: none. @param {{tracks: Track[]}} row @param {Track} track @param {Place} at @param {number} y @param {number} time @param {number} tolerance */
export function lateAt(row, track, at, y, time, tolerance) {
	const late = shown.axis === "wall" && track.thread?.spans("late"), from = lateTop(row, track, at);
	if (!late || y < from || y >= from + lateHeight) return 0;
	const i = spanAt(late, time, tolerance);
	return i < 0 ? 0 : late.duration[i];
}

/** @param {CanvasRenderingContext2D} c @param {{tracks: Track[], shift: number}} row @param {Track} track @param {View} w @param {Place} at @param {number} rows number of visible rows */
export function drawTrack(c, row, track, w, at, rows) {
	const thread = track.thread, top = boxesTop(row, track, at), folded = at.row < rowHeight, shift = folded ? 0 : row.shift;
	if (!folded && row.tracks.length > 1) {
		c.fillStyle = colours.soft;
		c.fillText(trackLabel(track), 4, at.y + 11);
	}
	if (!thread) return;
	const levels = thread.levels(shown.axis);
	const bottom = Math.min(at.bottom, folded ? at.y + 8 * thinHeight : top + rows * at.row);
	const place = { y: top - shift * at.row, row: at.row, top: Math.max(at.top, top), bottom };
	if (bottom <= place.top && !thread.header.wrong) return;
	const dimmed = shown.found ? .3 : 1;
	c.globalAlpha = dimmed;
	drawBoxes(c, levelFor(levels, (w.to - w.from) / w.right), w, place, () => {
		if (shown.axis === "wall") drawPauses(c, thread, w, place);
		drawFaults(c, thread, w, place);
		c.globalAlpha = dimmed;
		return Boolean(thread.calls.mark);
	});
	c.globalAlpha = 1;
	const found = shown.found;
	if (found) drawBoxes(c, thread.subset(shown.axis, `found ${shown.find}`, (i) => found[thread.calls.method[i]] === 1), w, place);
	drawPicked(c, thread, w, place);
	if (!folded && shown.axis === "wall") drawSamples(c, thread, w, top - tickHeight);
	if (shown.axis === "wall") drawLate(c, thread, w, lateTop(row, track, at));
	drawWrong(c, thread, w, at.y - wrongHeight - 2);
}

/** @param {Track} track */
function trackLabel(track) {
	const b = book.header.comparison;
	if (!b) return track.recording.header.name;
	return track.recording.index === b.truth ? "ground truth" : `recording: ${track.recording.header.name}`;
}

/** Lightens the time in which a thread did not run. @param {CanvasRenderingContext2D} c @param {Thread} thread @param {View} w @param {Place} place */
function drawPauses(c, thread, w, place) {
	const gaps = thread.spans("gaps");
	if (!gaps) return;
	c.globalAlpha = .55;
	shadeSpans(c, gaps, w, place.top, place.bottom - place.top, colours.ground);
	c.globalAlpha = 1;
}

/** Marks missed calls of a truth, and wrong calls of an observed trace. @param {CanvasRenderingContext2D} c @param {Thread} thread @param {View} w @param {Place} place */
function drawFaults(c, thread, w, place) {
	const { mark } = thread.calls;
	if (mark) {
		c.globalAlpha = .7;
		fillBoxes(c, thread.subset(shown.axis, "merged", (i) => mark[i] === 1), w, place, pattern(c, "bars", colours.soft), "");
		fillBoxes(c, thread.subset(shown.axis, "long", (i) => mark[i] === 2), w, place, pattern(c, "slashes", colours.wrong), "");
		fillBoxes(c, thread.subset(shown.axis, "never", (i) => mark[i] === 3), w, place, pattern(c, "crosses", colours.wrong), colours.wrong);
	}
	c.globalAlpha = 1;
	const missed = missedOf(thread);
	if (!missed) return;
	c.globalAlpha = .8;
	fillBoxes(c, missed, w, place, colours.ground, colours.ground);
	c.globalAlpha = 1;
	if (place.row >= 8) outlineWide(c, missed, w, place);
}

/** Draws dashed outlines of missed calls, if they are wide enough. @param {CanvasRenderingContext2D} c @param {Boxes} boxes @param {View} w @param {Place} place */
function outlineWide(c, boxes, w, place) {
	c.strokeStyle = colours.soft;
	c.lineWidth = 1;
	c.setLineDash([3, 2]);
	eachBox(boxes, w, place, (x, y, width, height) => {
		if (width > 5) c.strokeRect(x + .5, y + .5, width - 2, height - 2);
	});
	c.setLineDash([]);
}

/** Returns the calls of a truth that the shown recording misses. @param {Thread} thread @returns {Boxes | null} */
export function missedOf(thread) {
	const b = book.header.comparison;
	if (!b || thread.recording !== book.recordings[b.truth].header) return null;
	return thread.subset(shown.axis, `missed ${shown.observed}`, missedBy(thread, observedOf(thread)));
}

/** Returns the thread of the shown recording that matches a thread of the truth. @param {Thread} truth */
export function observedOf(truth) {
	const b = book.header.comparison;
	return b ? book.recordings[b.observed[shown.observed]].threads.find((t) => t.header.of === truth.index) : undefined;
}

/** Returns whether a call of a truth's thread is missed by the observed thread. @param {Thread} truth @param {Thread | undefined} observed @returns {(call: number) => boolean} */
export function missedBy(truth, observed) {
	const seen = new Uint8Array(truth.count), list = observed?.list("seen");
	if (list) for (let i = 0; i < list.length; i++) seen[list[i]] = 1;
	return (i) => !seen[i] && !book.runtime.has(truth.calls.method[i]);
}

/** Marks all calls of the selected method, and the selected call. @param {CanvasRenderingContext2D} c @param {Thread} thread @param {View} w @param {Place} place */
export function drawPicked(c, thread, w, place) {
	const m = shown.method;
	if (m < 0) return;
	const of = thread.subset(shown.axis, `method ${m}`, (i) => thread.calls.method[i] === m);
	outlineBoxes(c, of, w, place, colours.accent, 2);
	const p = shown.picked;
	if (p?.thread !== thread) return;
	const one = thread.subset(shown.axis, `call ${p.call}`, (i) => i === p.call);
	outlineBoxes(c, one, w, place, colours.ink, 3);
	const bounds = shown.axis === "wall" ? boundsOf(p) : null;
	if (bounds) fillBoxes(c, boundsBoxes(p, bounds), w, place, pattern(c, "slashes", colours.ink), colours.ink);
}

/** @param {CanvasRenderingContext2D} c @param {Thread} thread @param {View} w @param {number} y */
function drawSamples(c, thread, w, y) {
	const { samples } = thread;
	if (!samples) return;
	let spans = spansOfSamples.get(samples);
	if (!spans) spansOfSamples.set(samples, spans = { start: samples, duration: new Float64Array(samples.length) });
	c.fillStyle = colours.soft;
	drawSpans(c, spans, w, y, tickHeight - 2);
}

/** @type {WeakMap<Float64Array, Spans>} */
const spansOfSamples = new WeakMap();

/** Draws a bar for each late display frame. @param {CanvasRenderingContext2D} c @param {Thread} thread @param {View} w @param {number} y */
function drawLate(c, thread, w, y) {
	const late = thread.spans("late");
	if (!late) return;
	c.fillStyle = colours.wrong;
	drawSpans(c, late, w, y, lateHeight - 1);
}

/** Draws the strip that marks times with a wrong stack. @param {CanvasRenderingContext2D} c @param {Thread} thread @param {View} w @param {number} y */
function drawWrong(c, thread, w, y) {
	const wrong = thread.spans("wrong");
	if (!wrong || shown.axis !== "wall") return;
	const { start, duration } = thread.calls, last = start.length ? start[0] + duration[0] : 0;
	c.fillStyle = colours.line;
	const x = (/** @type {number} */ t) => (t - w.from) / (w.to - w.from) * w.right;
	c.fillRect(Math.max(0, x(start[0] ?? 0)), y + wrongHeight / 2 - 1, Math.max(0, Math.min(w.right, x(Math.max(last, endOf(thread)))) - Math.max(0, x(start[0] ?? 0))), 2);
	c.fillStyle = colours.wrong;
	drawSpans(c, wrong, w, y, wrongHeight);
}

/** Returns the end of the last outermost call of a thread. @param {Thread} thread */
function endOf(thread) {
	const b = thread.levels(shown.axis)[0];
	if (b.first.length < 2 || !b.order) return 0;
	const i = b.order[b.first[1] - 1];
	return b.start[i] + b.duration[i];
}
