// The timeline: a row per thread, with a track for every shown recording. All rows are drawn on one
// canvas, which scrolls with the row headers. The headers are HTML elements.

import { context, fitCanvas } from "./canvas.js";
import { colours } from "./colour.js";
import { element } from "./elements.js";
import { placeHeads } from "./heads.js";
import { axisOrigin, book, formatInstant, on, isMainThread, showWindow, shown, tell, timesOf } from "./state.js";
import { callAt } from "./track.js";
import { boxesTop, drawTrack, headroom, labelHeight, lateAt, lateHeight, rowHeight, thinHeight, tickHeight, wrongHeight } from "./trackparts.js";
import { formatTime, tickStep, unitNS } from "./units.js";
/** @import { Recording, Thread } from "./model.js" */
/** @import { Picked } from "./state.js" */
/** @import { Place, View } from "./track.js" */

/** @typedef {{recording: Recording, thread: Thread | null}} Track */
/**
 * @typedef {object} ThreadRow
 * @property {string} key
 * @property {string} name
 * @property {string} label
 * @property {number} tid
 * @property {Track[]} tracks
 * @property {number} top y relative to the first row; for pinned rows, relative to the view
 * @property {number} height
 * @property {number} shift depth of the first visible row of boxes, in all tracks
 * @property {HTMLLIElement | null} head
 */

const headHeight = 24, rulerHeight = 24;

/** Returns the recordings that the timeline shows, one track each. */
export function tracksShown() {
	const b = book.header.comparison;
	return b ? [book.recordings[b.truth], book.recordings[b.observed[shown.observed]]] : book.recordings;
}

export class Timeline {
	constructor() {
		this.canvas = element("tracks", HTMLCanvasElement);
		this.ruler = element("ruler", HTMLCanvasElement);
		this.scroller = element("scroller", HTMLDivElement);
		this.space = element("space", HTMLDivElement);
		this.pinnedList = element("pinned", HTMLOListElement);
		this.list = element("threads", HTMLOListElement);
		/** @type {ThreadRow[]} */
		this.rows = [];
		this.width = this.height = 0;
		this.pinnedHeight = 0;
		/** @type {{from: number, to: number} | null} */
		this.dragged = null; // the range during its selection
		this.drawTime = 0; // time to draw the last frame, in ms
		this.tabbed = ""; // key of the row whose header key T goes to; "": the first row
		this.mouse = NaN; // x of the mouse on the canvas
		const draw = () => this.draw();
		on(["observed"], () => this.gather());
		on(["layout"], () => this.layout());
		on(["found", "range"], () => placeHeads(this));
		on(["window", "range", "picked", "found", "axis"], draw);
		this.scroller.addEventListener("scroll", () => tell("window"), { passive: true });
		new ResizeObserver(() => tell("layout")).observe(this.scroller);
	}

	/** Returns the row whose header is the tab stop. */
	headAt() { return this.rows.find((r) => r.key === this.tabbed) ?? this.rows[0]; }

	/** Scrolls to the first thread that matches the search. */
	revealFoundThread() {
		const row = this.rows.find((r) => r.tracks.some((l) => l.thread && shown.foundThreads?.has(l.thread.label)));
		if (!row) return;
		shown.collapsed.delete(row.key);
		this.layout();
		this.scroller.scrollTop = row.top;
	}

	/** Creates the rows of all threads. */
	gather() {
		/** @type {Map<string, ThreadRow>} */
		const rows = new Map(), recordings = tracksShown();
		recordings.forEach((recording, i) => {
			const seen = new Map();
			for (const thread of recording.threads) {
				const again = seen.get(thread.name) ?? 0, truth = thread.header.of ?? (i ? -1 : thread.index);
				const key = !book.header.comparison ? `${thread.name}\n${again}` : truth >= 0 ? `truth ${truth}` : `only ${thread.index}`;
				seen.set(thread.name, again + 1);
				let row = rows.get(key);
				if (!row) rows.set(key, row = { key, name: thread.name, label: thread.label, tid: thread.tid, tracks: recordings.map((r) => ({ recording: r, thread: null })), top: 0, height: 0, shift: 0, head: null });
				row.tracks[i].thread = thread;
			}
		});
		for (const old of this.rows) {
			const row = rows.get(old.key);
			if (row) [row.head, row.shift] = [old.head, old.shift];
			else old.head?.remove();
		}
		this.rows = [...rows.values()];
		this.layout();
	}

	/** Folds all rows except the busiest ones, if there are many. */
	foldQuietRows() {
		const many = 4;
		this.rows.slice(many).forEach((r) => shown.collapsed.add(r.key));
	}

	/** Sorts and positions the rows. */
	layout() {
		const time = (/** @type {ThreadRow} */ r) => r.tracks.reduce((sum, l) => sum + (l.thread?.count ?? 0), 0);
		const isMain = (/** @type {ThreadRow} */ r) => r.tracks.some((l) => l.thread && isMainThread(l.recording, l.thread));
		/** @type {Record<string, (a: ThreadRow, b: ThreadRow) => number>} */
		const orders = {
			busy: (a, b) => Number(isMain(b)) - Number(isMain(a)) || time(b) - time(a),
			name: (a, b) => a.name.localeCompare(b.name),
			tid: (a, b) => a.tid - b.tid,
			first: (a, b) => startOf(a) - startOf(b),
		};
		this.rows.sort((a, b) => Number(shown.pinned.has(b.key)) - Number(shown.pinned.has(a.key)) || orders[shown.order](a, b) || a.tid - b.tid);
		this.measure();
		let y = 0, pinned = 0;
		for (const row of this.rows) {
			row.height = this.heightOf(row);
			if (shown.pinned.has(row.key)) {
				row.top = pinned;
				pinned += row.height;
			} else {
				row.top = y;
				y += row.height;
			}
		}
		this.pinnedHeight = Math.min(pinned, Math.max(headHeight, this.height * .6));
		this.space.style.height = `${Math.max(this.height, y + this.pinnedHeight)}px`;
		this.pinnedList.style.height = `${this.pinnedHeight}px`;
		placeHeads(this);
		this.draw();
	}

	/** Resizes the canvases to their containers. */
	measure() {
		this.width = this.scroller.clientWidth;
		this.height = this.scroller.clientHeight;
		fitCanvas(this.canvas, this.width, this.height);
		fitCanvas(this.ruler, this.width, rulerHeight);
	}

	/** @param {ThreadRow} row */
	heightOf(row) {
		const folded = shown.collapsed.has(row.key);
		return headHeight + row.tracks.reduce((sum, l) => sum + this.trackHeight(row, l, folded), 0) + (folded ? 3 : 8) + (row.tracks.some((l) => l.thread?.header.wrong) ? wrongHeight + 4 : 0);
	}

	/** @param {ThreadRow} row @param {Track} track @param {boolean} folded */
	trackHeight(row, track, folded) {
		const depth = this.rowsShown(row, track);
		const label = row.tracks.length > 1 && !folded ? labelHeight : 0;
		if (folded) return Math.min(depth, 8) * thinHeight + (row.tracks.length > 1 ? 2 : 0);
		return label + depth * rowHeight + headroom(track.thread);
	}

	/** Returns the maximum depth of a thread's calls. @param {ThreadRow} row */
	depthOf(row) { return row.tracks.reduce((m, l) => Math.max(m, l.thread?.depth ?? 0), 0); }

	/** Returns the number of visible rows of boxes of a track. Several tracks share the available height. @param {ThreadRow} row @param {Track} track */
	rowsShown(row, track) {
		const depth = track.thread?.depth ?? 0, tracks = row.tracks.length;
		if (tracks < 2 || shown.collapsed.has(row.key)) return depth;
		const room = this.height - headHeight - tracks * (labelHeight + tickHeight + lateHeight) - wrongHeight - 12;
		return Math.min(depth, Math.max(4, Math.floor(room / tracks / rowHeight)));
	}

	/** Scrolls all tracks of a thread to deeper calls, or back. @param {ThreadRow} row @param {number} by */
	shiftRows(row, by) {
		const most = Math.max(0, ...row.tracks.map((l) => (l.thread?.depth ?? 0) - this.rowsShown(row, l)));
		row.shift = Math.max(0, Math.min(most, row.shift + by));
		tell("layout");
	}

	/** Returns the visible part of a row on the canvas, and its y. @param {ThreadRow} row */
	placeOf(row) {
		const pinned = shown.pinned.has(row.key);
		return {
			y: pinned ? row.top : this.pinnedHeight + row.top - this.scroller.scrollTop,
			top: pinned ? 0 : this.pinnedHeight,
			bottom: pinned ? this.pinnedHeight : this.height,
		};
	}

	/** @returns {View} */
	get window() { return { from: shown.from, to: shown.to, left: 0, right: this.width }; }

	/** @param {number} x */
	timeAt(x) { return shown.from + (shown.to - shown.from) * x / Math.max(1, this.width); }

	/** @param {number} time */
	xOf(time) { return (time - shown.from) / (shown.to - shown.from) * this.width; }

	draw() {
		const began = performance.now(), c = context(this.canvas);
		this.list.style.clipPath = this.pinnedHeight ? `inset(${this.scroller.scrollTop + this.pinnedHeight}px 0 0 0)` : "none";
		c.fillStyle = colours.ground;
		c.fillRect(0, 0, this.width, this.height);
		this.drawGrid(c);
		for (const row of this.rows) {
			const place = this.placeOf(row);
			if (place.y > place.bottom || place.y + row.height < place.top) continue;
			c.save();
			c.beginPath();
			c.rect(0, place.top, this.width, place.bottom - place.top);
			c.clip();
			this.eachTrack(row, place, (track, at) => drawTrack(c, row, track, this.window, at, this.rowsShown(row, track)));
			c.restore();
		}
		this.drawRange(c, this.height);
		drawRuler(this);
		this.drawTime = performance.now() - began;
	}

	/** Calls use for each track of a row. @param {ThreadRow} row @param {{y: number, top: number, bottom: number}} place @param {(track: Track, at: Place) => void} use */
	eachTrack(row, place, use) {
		const folded = shown.collapsed.has(row.key);
		let y = place.y + headHeight;
		row.tracks.forEach((track, i) => {
			if (i > 0 && row.tracks[i].thread?.header.wrong) y += wrongHeight + 4;
			use(track, { y, row: folded ? thinHeight : rowHeight, top: place.top, bottom: place.bottom });
			y += this.trackHeight(row, track, folded);
		});
	}

	/** @param {CanvasRenderingContext2D} c */
	drawGrid(c) {
		const step = tickStep((shown.to - shown.from) * 100 / Math.max(1, this.width));
		c.fillStyle = colours.faint;
		for (let t = firstTick(step); t < shown.to; t += step) c.fillRect(Math.round(this.xOf(t)), 0, 1, this.height);
	}

	/** Dims the time outside of the range. @param {CanvasRenderingContext2D} c @param {number} height */
	drawRange(c, height) {
		const range = this.dragged ?? shown.range;
		if (!range) return;
		const from = this.xOf(range.from), to = this.xOf(range.to);
		c.save();
		c.globalAlpha = .45;
		c.fillStyle = colours.ground;
		if (from > 0) c.fillRect(0, 0, from, height);
		if (to < this.width) c.fillRect(to, 0, this.width - to, height);
		c.restore();
		c.fillStyle = colours.accent;
		for (const x of [from, to]) c.fillRect(Math.round(x) - 1, 0, 2, height);
	}

	/** Returns the row and the call at a point of the canvas; late is the delay of a late frame at this point, 0: none. @param {number} x @param {number} y @returns {{row: ThreadRow, picked: Picked | null, late: number} | null} */
	at(x, y) {
		for (const row of this.rows) {
			const place = this.placeOf(row);
			if (y < Math.max(place.top, place.y) || y >= Math.min(place.bottom, place.y + row.height)) continue;
			/** @type {Picked | null} */
			let picked = null, late = 0;
			const time = this.timeAt(x), tolerance = 2 * (shown.to - shown.from) / this.width;
			this.eachTrack(row, place, (track, at) => {
				if (!track.thread) return;
				late ||= lateAt(row, track, at, y, time, tolerance);
				const boxes = track.thread.levels(shown.axis)[0], r = Math.floor((y - boxesTop(row, track, at)) / at.row);
				if (r < 0 || r >= this.rowsShown(row, track)) return;
				const call = callAt(boxes, r + row.shift, time, tolerance);
				if (call >= 0) picked = { thread: track.thread, recording: track.recording, call };
			});
			return { row, picked, late };
		}
		return null;
	}

	/** Scrolls a call into view. @param {Picked} p */
	reveal(p) {
		const row = this.rows.find((r) => r.tracks.some((l) => l.thread === p.thread));
		if (!row) return;
		if (shown.collapsed.delete(row.key)) this.layout();
		const depth = p.thread.calls.depth[p.call], rows = this.rowsShown(row, { thread: p.thread, recording: p.recording });
		if (depth < row.shift) this.shiftRows(row, depth - row.shift);
		else if (depth >= row.shift + rows) this.shiftRows(row, depth - row.shift - rows + 1);
		this.eachTrack(row, this.placeOf(row), (track, at) => {
			if (track.thread !== p.thread) return;
			const y = boxesTop(row, track, at) + (depth - row.shift) * at.row;
			if (y < at.top + headHeight) this.scroller.scrollTop += y - at.top - headHeight;
			else if (y > at.bottom - 2 * at.row) this.scroller.scrollTop += y - at.bottom + 3 * at.row;
		});
		const { from, to } = timesOf(p), length = shown.to - shown.from;
		if (to < shown.from || from > shown.to || to > from && to - from < length / 2000) { // no zoom makes a call of 0 s wider
			const room = to > from ? Math.min(length, Math.max((to - from) * 20, 40 / unitNS)) : length;
			showWindow((from + to - room) / 2, (from + to + room) / 2);
		}
	}
}

/** @type {Timeline} */
export let timeline;

export function openTimeline() { timeline = new Timeline(); }

/** @param {ThreadRow} row */
function startOf(row) {
	return Math.min(...row.tracks.map((l) => l.thread?.on(shown.axis).start[0] ?? Infinity));
}

/** Returns the first time in the window that is a multiple of step on the ruler. @param {number} step */
function firstTick(step) { return Math.ceil((shown.from - gridOrigin()) / step) * step + gridOrigin(); }

/** Returns the origin of the ruler. */
function gridOrigin() { return shown.grid ?? -axisOrigin(); }

/** Formats a distance from the origin of the ruler. @param {number} units @param {number} step */
function offsetText(units, step) {
	if (Math.abs(units) < step / 2) return "0";
	return `${units < 0 ? "−" : "+"}${formatTime(Math.abs(units))}`;
}

/** @param {Timeline} t */
function drawRuler(t) {
	const c = context(t.ruler), step = tickStep((shown.to - shown.from) * 100 / Math.max(1, t.width));
	c.fillStyle = colours.ground;
	c.fillRect(0, 0, t.width, rulerHeight);
	for (let time = firstTick(step); time < shown.to; time += step) {
		const x = Math.round(t.xOf(time));
		c.fillStyle = colours.line;
		c.fillRect(x, 6, 1, rulerHeight);
		c.fillStyle = colours.soft;
		c.fillText(shown.grid === null ? formatInstant(time, step) : offsetText(time - shown.grid, step), x + 4, 17);
	}
	c.fillStyle = colours.line;
	for (let time = firstTick(step / 5); time < shown.to; time += step / 5) c.fillRect(Math.round(t.xOf(time)), rulerHeight - 4, 1, 4);
	if (shown.grid !== null) {
		c.fillStyle = colours.accent;
		c.fillRect(Math.round(t.xOf(shown.grid)) - 1, 0, 2, rulerHeight);
	}
	t.drawRange(c, rulerHeight);
}
