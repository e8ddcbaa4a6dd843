// A track: rows of boxes on a canvas. The timeline, its overview and flame graphs use it.

import { colours, pixelOf } from "./colour.js";
import { book } from "./state.js";
import { strip, thin } from "./strip.js";
/** @import { Boxes, Spans } from "./model.js" */

/** @typedef {{from: number, to: number, left: number, right: number}} View maps the times from–to to the x coordinates left–right */
/** @typedef {{y: number, row: number, top: number, bottom: number}} Place y and height of the first row, and the visible part from top to bottom */
/** @typedef {(x: number, y: number, width: number, height: number, box: number, row: number) => void} Paint */

/** The widths of names, by text. @type {Map<string, number>} */
const widths = new Map();

const boxesInPixel = 8; // boxes that are examined per pixel; the rest of the pixel is extrapolated

const leastOpacity = .35; // minimum opacity of a pixel with calls, so that rare calls remain visible

const leastLetters = 4; // minimum number of letters of a shortened name

/** Returns as much of the end of a name as fits. The end is the most specific part. @param {CanvasRenderingContext2D} on @param {string} text @param {number} room */
export function fitted(on, text, room) {
	if (text.length > 400) text = "…" + text.slice(-400);
	const width = widthOf(on, text);
	if (width <= room) return text;
	for (let letters = Math.floor(room * text.length / width); letters >= leastLetters; letters--) {
		const end = "…" + text.slice(-letters);
		if (widthOf(on, end) <= room) return end;
	}
	return "";
}

/** Returns the width of a text in pixels. @param {CanvasRenderingContext2D} on @param {string} text */
function widthOf(on, text) {
	let width = widths.get(text);
	if (width === undefined) {
		if (widths.size > 20000) widths.clear();
		widths.set(text, width = on.measureText(text).width);
	}
	return width;
}

/** Returns the level of detail to draw: its merged boxes are at most two pixels wide. @param {Boxes[]} levels @param {number} pixel units */
export function levelFor(levels, pixel) {
	let best = levels[0];
	for (const l of levels) if (l.width <= 2 * pixel && l.width >= best.width) best = l;
	return best;
}

/** Returns the first box of a row from low to high that ends after a time, by binary search. @param {Boxes} b @param {number} low @param {number} high @param {number} time */
export function firstAfter(b, low, high, time) {
	while (low < high) {
		const middle = (low + high) >> 1, i = b.order ? b.order[middle] : middle;
		if (b.start[i] + b.duration[i] <= time) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Returns the first box of a row from k that ends after a time, by exponential search for a near time. @param {Boxes} b @param {number} k @param {number} end @param {number} time */
function skipTo(b, k, end, time) {
	for (let step = 1; k < end; step *= 2) {
		const j = Math.min(end, k + step) - 1, i = b.order ? b.order[j] : j;
		if (b.start[i] + b.duration[i] > time) return firstAfter(b, k, j + 1, time);
		k = j + 1;
	}
	return k;
}

/**
 * Calls paint for every visible box; of several boxes in one pixel, only for the first. With colour,
 * thin boxes are added to the strip instead.
 * @param {Boxes} boxes @param {View} w @param {Place} place @param {Paint} paint @param {((box: number) => number) | null} [colour] of a thin box, as pixelOf gives it
 */
export function eachBox(boxes, w, place, paint, colour = null) {
	const rows = boxes.first.length - 1, scale = (w.right - w.left) / (w.to - w.from);
	const firstRow = Math.max(0, Math.floor((place.top - place.y) / place.row));
	const lastRow = Math.min(rows - 1, Math.ceil((place.bottom - place.y) / place.row) - 1);
	const { start, duration, order, filled } = boxes;
	for (let r = firstRow; r <= lastRow; r++) {
		const end = boxes.first[r + 1], y = place.y + r * place.row;
		let pixel = -Infinity, inPixel = 0;
		for (let k = firstAfter(boxes, boxes.first[r], end, w.from); k < end;) {
			const i = order ? order[k] : k;
			if (start[i] >= w.to) break;
			const x = Math.max(w.left - 2, w.left + (start[i] - w.from) * scale), x2 = Math.min(w.right + 2, w.left + (start[i] + duration[i] - w.from) * scale);
			if (colour && x2 - x < thin) {
				strip.add(r, x, x2, colour(i), filled ? filled[i] / 255 : 1);
				if (Math.floor(x) !== pixel) [pixel, inPixel] = [Math.floor(x), 0];
				k++;
				if (++inPixel < boxesInPixel || x2 >= pixel + 1) continue;
				strip.spread(r, pixel, x2 - pixel);
				k = skipTo(boxes, k, end, w.from + (pixel + 1 - w.left) / scale);
				continue;
			}
			const left = Math.floor(x), right = Math.max(left + 1, Math.floor(x2));
			paint(left, y, right - left, place.row, i, r);
			k++;
			if (x2 - x < 1) k = skipTo(boxes, k, end, w.from + (right - w.left) / scale);
		}
	}
}

/**
 * Draws boxes with names.
 * @param {CanvasRenderingContext2D} on @param {Boxes} boxes @param {View} w @param {Place} place @param {() => boolean} [between] draws between boxes and names; true: it drew patterns, so names need a background
 */
export function drawBoxes(on, boxes, w, place, between) {
	const gap = place.row >= 8 ? 1 : 0;
	/** @type {[string, number, number, string][]} */
	const names = [], { fill, method } = boxes, pixel = (/** @type {number} */ i) => fill ? pixelOf(fill[i]) : colours.pixels[book.colour[method[i]]];
	strip.begin(w, place, boxes.first.length - 1, leastOpacity);
	eachBox(boxes, w, place, (x, y, width, height, i) => {
		const colour = fill ? fill[i] : colours.boxes[book.colour[method[i]]];
		on.fillStyle = colour;
		on.fillRect(x, y, width - gap, height - gap);
		if (width < 26 || height < 12) return;
		const left = Math.max(x, w.left), room = Math.min(x + width, w.right) - left - 7;
		const many = boxes.calls?.[i] ?? 1, name = boxes.names?.[i] ?? book.short[method[i]] ?? "";
		const text = fitted(on, many > 1 ? `${many} × ${name}` : name, room);
		if (text) names.push([text, left + 4, y + height / 2 + 3.5, colour]);
	}, pixel);
	strip.flush(on, place, gap);
	const patterned = between?.();
	on.lineWidth = 4;
	on.lineJoin = "round";
	if (patterned) for (const [text, x, y, colour] of names) {
		on.strokeStyle = colour;
		on.strokeText(text, x, y);
	}
	on.fillStyle = colours.ink;
	for (const [text, x, y] of names) on.fillText(text, x, y);
}

/** Draws outlines of boxes. Narrow boxes are drawn as bars. @param {CanvasRenderingContext2D} on @param {Boxes} boxes @param {View} w @param {Place} place @param {string} colour @param {number} line */
export function outlineBoxes(on, boxes, w, place, colour, line) {
	const pixel = pixelOf(colour);
	on.strokeStyle = colour;
	on.lineWidth = line;
	strip.begin(w, place, boxes.first.length - 1);
	eachBox(boxes, w, place, (x, y, width, height, _, row) => {
		if (width <= 2 * line + 1 || height < 8) strip.set(row, x, Math.max(line, width), pixel);
		else on.strokeRect(x + line / 2, y + line / 2, width - 1 - line, height - 1 - line);
	});
	strip.flush(on, place, 0);
}

/** Fills boxes with a pattern, narrow ones with a colour. @param {CanvasRenderingContext2D} on @param {Boxes} boxes @param {View} w @param {Place} place @param {CanvasPattern | string} fill @param {string} narrow #rrggbb; "": narrow boxes are not drawn */
export function fillBoxes(on, boxes, w, place, fill, narrow) {
	const gap = place.row >= 8 ? 1 : 0, pixel = narrow && pixelOf(narrow);
	on.fillStyle = fill;
	strip.begin(w, place, boxes.first.length - 1);
	eachBox(boxes, w, place, (x, y, width, height, _, row) => {
		if (width > thin) on.fillRect(x, y, width - 1, height - gap);
		else if (pixel) strip.set(row, x, width, pixel);
	});
	strip.flush(on, place, gap);
}

/** Draws spans of time as one bar. @param {CanvasRenderingContext2D} on @param {Spans} spans @param {View} w @param {number} y @param {number} height */
export function drawSpans(on, spans, w, y, height) {
	const row = rowOf(spans);
	eachBox(row, w, { y, row: height, top: y, bottom: y + height }, (x, _, width) => on.fillRect(x, y, width, height));
}

/** Overlays spans of time with a colour. The opacity of a pixel is the share that spans cover. @param {CanvasRenderingContext2D} on @param {Spans} spans @param {View} w @param {number} y @param {number} height @param {string} colour #rrggbb */
export function shadeSpans(on, spans, w, y, height, colour) {
	const row = rowOf(spans), place = { y, row: height, top: y, bottom: y + height }, pixel = pixelOf(colour);
	on.fillStyle = colour;
	strip.begin(w, place, 1);
	eachBox(row, w, place, (x, _, width) => on.fillRect(x, y, width, height), () => pixel);
	strip.flush(on, place, 0);
}

/** Spans as a row of boxes. @type {WeakMap<Spans, Boxes>} */
const rowsOfSpans = new WeakMap();

/** @param {Spans} spans @returns {Boxes} */
function rowOf(spans) {
	let row = rowsOfSpans.get(spans);
	if (!row) rowsOfSpans.set(spans, row = { width: 0, first: Int32Array.of(0, spans.start.length), order: null, ...spans, method: new Int32Array(0), calls: null });
	return row;
}

/** Returns the call of a row at a time, within a tolerance; -1: none. @param {Boxes} b @param {number} row @param {number} time @param {number} tolerance */
export function callAt(b, row, time, tolerance) {
	if (row < 0 || row >= b.first.length - 1) return -1;
	const end = b.first[row + 1], k = firstAfter(b, b.first[row], end, time);
	let best = -1, near = tolerance;
	for (const j of [k - 1, k]) {
		if (j < b.first[row] || j >= end) continue;
		const i = b.order ? b.order[j] : j, away = Math.max(b.start[i] - time, time - b.start[i] - b.duration[i], 0);
		if (away <= near) [best, near] = [i, away];
	}
	return best;
}

/** Returns the span at a time, within a tolerance, -1: none. @param {Spans} spans @param {number} time @param {number} tolerance */
export function spanAt(spans, time, tolerance) { return callAt(rowOf(spans), 0, time, tolerance); }
