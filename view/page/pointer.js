// Mouse, pen and touch input on the timeline, as in Perfetto. A drag pans; with Shift or on the
// ruler it selects a range. Two fingers zoom. The wheel scrolls; with Ctrl it zooms, with Shift it
// pans.

import { say } from "./elements.js";
import { marks } from "./model.js";
import { book, chooseRange, pickCall, showWindow, shown, tell, timesOf, whole, zoomTo } from "./state.js";
import { formatTime } from "./units.js";
/** @import { Picked } from "./state.js" */
/** @import { Timeline } from "./timeline.js" */

const clickDistance = 4; // maximum movement of a click in px

/** @param {Timeline} t */
export function followPointer(t) {
	/** @type {Map<number, {x: number, y: number}>} */
	const fingers = new Map();
	/** @type {{x: number, y: number, from: number, to: number, scroll: number, range: boolean, zoom: boolean, moved: boolean} | null} */
	let drag = null;
	const x = (/** @type {MouseEvent} */ e) => e.clientX - t.canvas.getBoundingClientRect().left;
	const y = (/** @type {MouseEvent} */ e) => e.clientY - t.canvas.getBoundingClientRect().top;

	/** @param {PointerEvent} e */
	const down = (e) => {
		if (e.button !== 0) return;
		const on = /** @type {HTMLElement} */ (e.currentTarget);
		on.setPointerCapture(e.pointerId);
		fingers.set(e.pointerId, { x: x(e), y: y(e) });
		drag = { x: x(e), y: y(e), from: shown.from, to: shown.to, scroll: t.scroller.scrollTop, range: e.shiftKey || on === t.ruler || shown.mode === "select" || shown.mode === "timing", zoom: shown.mode === "zoom" && !e.shiftKey && on !== t.ruler, moved: false };
	};
	/** @param {PointerEvent} e */
	const move = (e) => {
		const finger = fingers.get(e.pointerId);
		if (!finger || !drag) return;
		const before = [...fingers.values()].map((f) => f.x);
		[finger.x, finger.y] = [x(e), y(e)];
		if (fingers.size === 2) return pinch(t, before, [...fingers.values()].map((f) => f.x));
		if (!drag.moved && Math.hypot(finger.x - drag.x, finger.y - drag.y) < clickDistance) return;
		drag.moved = true;
		const perPixel = (drag.to - drag.from) / t.width;
		if (drag.range) {
			const snap = shown.mode === "timing" && e.currentTarget === t.canvas;
			const [a, b] = snap ? [edgeAt(t, drag.x, drag.y), edgeAt(t, finger.x, finger.y)] : [drag.from + drag.x * perPixel, t.timeAt(finger.x)];
			t.dragged = { from: Math.min(a, b), to: Math.max(a, b) };
			tell("window");
			return;
		}
		if (drag.zoom) {
			const factor = Math.exp((finger.y - drag.y) / 150), at = drag.from + drag.x * perPixel;
			return showWindow(at - (at - drag.from) * factor, at + (drag.to - at) * factor);
		}
		const by = (finger.x - drag.x) * perPixel;
		t.scroller.scrollTop = drag.scroll - (finger.y - drag.y);
		showWindow(drag.from - by, drag.to - by);
	};
	/** @param {PointerEvent} e */
	const up = (e) => {
		fingers.delete(e.pointerId);
		if (!drag) return;
		const { moved, range } = drag;
		drag = null;
		if (t.dragged) {
			chooseRange(t.dragged);
			say(`range of ${formatTime(t.dragged.to - t.dragged.from)}`);
		}
		t.dragged = null;
		if (!moved && range && e.currentTarget === t.ruler) chooseRange(null);
		else if (!moved && e.type === "pointerup") pickCall(t.at(x(e), y(e))?.picked ?? null);
	};
	for (const on of [t.canvas, t.ruler]) {
		on.addEventListener("pointerdown", down);
		on.addEventListener("pointermove", move);
		on.addEventListener("pointerup", up);
		on.addEventListener("pointercancel", up);
		on.addEventListener("wheel", (e) => wheel(t, e, x(e)), { passive: false });
	}
	t.canvas.addEventListener("dblclick", (e) => {
		const picked = t.at(x(e), y(e))?.picked;
		if (picked) zoomTo(picked);
	});
	t.ruler.addEventListener("dblclick", () => showWindow(0, whole().to));
	t.canvas.addEventListener("mouseleave", () => t.mouse = NaN);
	t.canvas.addEventListener("mousemove", (e) => {
		t.mouse = x(e);
		const there = t.at(x(e), y(e));
		t.canvas.title = !there || drag ? "" : there.late ? `display frame, late by ${formatTime(there.late)}` : there.picked ? hint(there.picked) : "";
	});
}

/** @param {Picked} p */
function hint(p) {
	const { from, to } = timesOf(p), mark = p.thread.calls.mark?.[p.call] ?? 0;
	return `${book.method(p.thread.calls.method[p.call]).slice(0, 500)}\n${formatTime(to - from)}${mark ? `, ${marks[mark]}` : ""}`;
}

/** Returns the start or end of the call at a point if it is within 8 px, else the time of the point. @param {Timeline} t @param {number} x @param {number} y */
function edgeAt(t, x, y) {
	const near = 8, picked = t.at(x, y)?.picked; // px
	if (!picked) return t.timeAt(x);
	const { from, to } = timesOf(picked), [a, b] = [Math.abs(t.xOf(from) - x), Math.abs(t.xOf(to) - x)];
	return Math.min(a, b) > near ? t.timeAt(x) : a <= b ? from : to;
}

/** Zooms and pans so that the times under two fingers stay under them. @param {Timeline} t @param {number[]} before @param {number[]} now */
function pinch(t, before, now) {
	const [a, b] = before.map((x) => t.timeAt(x)), width = now[1] - now[0];
	if (Math.abs(width) < 12) return;
	const perPixel = Math.abs((b - a) / width), from = Math.min(a, b) - Math.min(...now) * perPixel;
	showWindow(from, from + perPixel * t.width);
}

/** @param {Timeline} t @param {WheelEvent} e @param {number} x */
function wheel(t, e, x) {
	const unit = e.deltaMode === 1 ? 16 : 1, perPixel = (shown.to - shown.from) / t.width;
	if (e.ctrlKey || e.metaKey) {
		zoomAt(t.timeAt(x), Math.exp(e.deltaY * unit / 300));
	} else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
		const by = (e.deltaX || e.deltaY) * unit * perPixel;
		showWindow(shown.from + by, shown.to + by);
	} else if (e.currentTarget === t.ruler) {
		zoomAt(t.timeAt(x), Math.exp(e.deltaY * unit / 300));
	} else return; // the browser scrolls
	e.preventDefault();
}

/** @param {number} time that keeps its position @param {number} factor of the window's length */
export function zoomAt(time, factor) {
	showWindow(time - (time - shown.from) * factor, time + (shown.to - time) * factor);
}
