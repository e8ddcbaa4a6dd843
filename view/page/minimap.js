// The overview above the timeline: the calls of the first thread over the whole time, and the window
// that the timeline shows. A drag inside the window moves it; a drag outside selects a new window.

import { context, fitCanvas } from "./canvas.js";
import { colours } from "./colour.js";
import { element } from "./elements.js";
import { on, showWindow, shown, whole } from "./state.js";
import { drawBoxes, levelFor, shadeSpans } from "./track.js";
/** @import { Timeline } from "./timeline.js" */
/** @import { View } from "./track.js" */

const mapRow = 3, most = 12; // px of a row of calls, and maximum number of rows

/** @param {Timeline} t */
export function followMinimap(t) {
	const canvas = element("minimap", HTMLCanvasElement), calls = document.createElement("canvas");
	let drawn = "";
	const draw = () => {
		const { clientWidth: width, clientHeight: height } = element("overview", HTMLElement);
		if (!width || !height) return;
		fitCanvas(canvas, width, height);
		const w = { from: 0, to: whole().to, left: 0, right: width }, key = [width, height, devicePixelRatio, shown.axis, shown.observed, colours.ground, t.rows[0]?.key].join();
		if (key !== drawn) {
			fitCanvas(calls, width, height);
			drawCalls(t, context(calls), w, height);
			drawn = key;
		}
		const c = context(canvas);
		c.drawImage(calls, 0, 0, width, height);
		drawWindow(c, w, height);
	};
	on(["window", "layout", "axis", "observed"], draw);
	new ResizeObserver(draw).observe(element("overview", HTMLElement));
	followDrags(canvas);
}

/** @param {Timeline} t @param {CanvasRenderingContext2D} c @param {View} w @param {number} height */
function drawCalls(t, c, w, height) {
	c.fillStyle = colours.ground;
	c.fillRect(0, 0, w.right, height);
	const thread = t.rows[0]?.tracks.find((l) => l.thread)?.thread;
	if (!thread) return;
	const rows = Math.max(1, Math.min(thread.depth, most)), place = { y: 1, row: Math.min(mapRow, (height - 2) / rows), top: 1, bottom: height - 1 };
	drawBoxes(c, levelFor(thread.levels(shown.axis), (w.to - w.from) / w.right), w, place, () => {
		const gaps = shown.axis === "wall" ? thread.spans("gaps") : null;
		c.globalAlpha = .55;
		if (gaps) shadeSpans(c, gaps, w, place.top, place.bottom - place.top, colours.ground);
		c.globalAlpha = 1;
		return false;
	});
}

/** Dims the part outside of the timeline's window. @param {CanvasRenderingContext2D} c @param {View} w @param {number} height */
function drawWindow(c, w, height) {
	const at = (/** @type {number} */ t) => Math.max(0, Math.min(w.right, t / w.to * w.right)), left = at(shown.from), right = Math.max(left + 2, at(shown.to));
	c.fillStyle = colours.ground;
	c.globalAlpha = .6;
	c.fillRect(0, 0, left, height);
	c.fillRect(right, 0, w.right - right, height);
	c.globalAlpha = 1;
	c.strokeStyle = colours.accent;
	c.lineWidth = 2;
	c.strokeRect(left + 1, 1, Math.max(0, right - left - 2), height - 2);
}

/** @param {HTMLCanvasElement} canvas */
function followDrags(canvas) {
	/** @type {{time: number, from: number, to: number, moves: boolean} | null} */
	let drag = null;
	const timeAt = (/** @type {MouseEvent} */ e) => {
		const r = canvas.getBoundingClientRect();
		return Math.max(0, Math.min(1, (e.clientX - r.left) / r.width)) * whole().to;
	};
	const all = () => shown.to - shown.from >= whole().to * .98;
	canvas.addEventListener("pointerdown", (e) => {
		if (e.button !== 0) return;
		canvas.setPointerCapture(e.pointerId);
		const time = timeAt(e);
		drag = { time, from: shown.from, to: shown.to, moves: !all() && time > shown.from && time < shown.to };
	});
	canvas.addEventListener("pointermove", (e) => {
		if (!drag) return;
		const time = timeAt(e), by = time - drag.time, least = whole().to * 3 / Math.max(1, canvas.clientWidth);
		if (drag.moves) showWindow(drag.from + by, drag.to + by);
		else if (Math.abs(by) > least) showWindow(Math.min(time, drag.time), Math.max(time, drag.time));
	});
	canvas.addEventListener("pointerup", (e) => {
		const half = (shown.to - shown.from) / 2, time = timeAt(e);
		if (drag && !drag.moves && shown.from === drag.from && shown.to === drag.to && !all()) showWindow(time - half, time + half);
		drag = null;
	});
	canvas.addEventListener("pointercancel", () => drag = null);
	canvas.addEventListener("dblclick", () => showWindow(0, whole().to));
}
