// Keyboard shortcuts, like those of systrace. Everywhere: / searches, ? lists the keys, Esc goes
// back. On the timeline: W A S D zoom and pan. Arrow keys select the next call, or pan if no call
// is selected.

import { element, say } from "./elements.js";
import { zoomAt } from "./pointer.js";
import { findMethods, nextCall } from "./search.js";
import { chooseRange, pickCall, showWindow, shown, tell, timesOf, whole, zoomTo } from "./state.js";
import { firstAfter } from "./track.js";
import { rowHeight } from "./trackparts.js";
/** @import { DragMode, Picked } from "./state.js" */
/** @import { Timeline } from "./timeline.js" */

/** @param {Timeline} t */
export function followKeys(t) {
	const help = element("help", HTMLDialogElement);
	element("help-open", HTMLButtonElement).addEventListener("click", () => help.showModal());
	element("help-close", HTMLButtonElement).addEventListener("click", () => help.close());
	document.addEventListener("keydown", (e) => {
		if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
		const at = e.target instanceof HTMLElement ? e.target : document.body;
		if (e.key === "Escape") return escape_(at);
		if (at.matches("input, select, textarea")) return;
		if (e.key === "/") element("find", HTMLInputElement).focus();
		else if (e.key === "?") help.showModal();
		else if (!(timelineKeys[e.key.toLowerCase()]?.(t, e)) && !(at === t.canvas && arrow(t, e))) return;
		e.preventDefault();
	});
}

/** Clears the first of these that is set: the search, the selected call or method, the range, the zoom. @param {HTMLElement} at */
function escape_(at) {
	if (at.id === "find" || shown.find) {
		element("find", HTMLInputElement).value = "";
		findMethods("");
		element("tracks", HTMLCanvasElement).focus();
	} else if (shown.method >= 0) pickCall(null);
	else if (shown.range) chooseRange(null);
	else showWindow(0, whole().to);
}

/** @param {number} share of the window */
function moveWindow(share) {
	const by = (shown.to - shown.from) * share;
	showWindow(shown.from + by, shown.to + by);
	return true;
}

/** @param {number} factor */
function zoomMiddle(factor) {
	const p = shown.picked, middle = (shown.from + shown.to) / 2, at = p ? (timesOf(p).from + timesOf(p).to) / 2 : middle;
	zoomAt(at > shown.from && at < shown.to ? at : middle, factor);
	return true;
}

/** Centers the window on the mouse, or else on the selected call. @param {Timeline} t */
function centerAt(t) {
	const p = shown.picked, at = isNaN(t.mouse) ? p ? (timesOf(p).from + timesOf(p).to) / 2 : null : t.timeAt(t.mouse);
	if (at === null) return false;
	const half = (shown.to - shown.from) / 2;
	showWindow(at - half, at + half);
	return true;
}

/** Sets the origin of the ruler to the start of the selected call, or else of the range. A second time, or without either, it is the start of the trace. */
function gridAtSelection() {
	const from = shown.picked ? timesOf(shown.picked).from : shown.range?.from ?? null;
	shown.grid = from === shown.grid ? null : from;
	tell("window");
	return true;
}

/** @param {DragMode} mode */
function dragBy(mode) {
	shown.mode = mode;
	element("tracks", HTMLCanvasElement).dataset.mode = mode;
	say({ select: "A drag selects a range.", pan: "A drag moves the timeline.", zoom: "A drag up or down zooms.", timing: "A drag measures between starts and ends of calls." }[mode], true);
	return true;
}

/** Keys that work everywhere except in text fields. @type {Record<string, (t: Timeline, e: KeyboardEvent) => boolean>} */
const timelineKeys = {
	w: () => zoomMiddle(1 / 1.5),
	s: () => zoomMiddle(1.5),
	a: () => moveWindow(-.2),
	d: () => moveWindow(.2),
	f: () => shown.picked ? (zoomTo(shown.picked), true) : false,
	m: () => shown.picked ? (chooseRange(timesOf(shown.picked)), true) : false,
	r: () => (chooseRange({ from: shown.from, to: shown.to }), true),
	n: (t, e) => nextCall(t, e.shiftKey ? -1 : 1),
	e: (t) => centerAt(t),
	g: () => gridAtSelection(),
	t: (t) => (t.headAt()?.head?.querySelector("button")?.focus(), true),
	1: () => dragBy("select"),
	2: () => dragBy("pan"),
	3: () => dragBy("zoom"),
	4: () => dragBy("timing"),
	0: () => (showWindow(0, whole().to), true),
};

/** @param {Timeline} t @param {KeyboardEvent} e */
function arrow(t, e) {
	if (e.key === "Enter" && shown.picked) return timelineKeys.f(t, e);
	if (e.key === "Enter") return pickFirst(t);
	const p = shown.picked;
	if (!p) {
		const by = { ArrowLeft: -.1, ArrowRight: .1 }[e.key];
		if (by) return moveWindow(by);
		const down = { ArrowUp: -3, ArrowDown: 3, PageUp: -20, PageDown: 20 }[e.key];
		if (down) t.scroller.scrollTop += down * rowHeight;
		return Boolean(down);
	}
	const to = neighbour(p, e.key);
	if (to === null) return false;
	if (to >= 0) {
		pickCall({ ...p, call: to });
		t.reveal({ ...p, call: to });
	}
	return true;
}

/** Returns the call that an arrow key selects; -1: none; null: not an arrow key. @param {Picked} p @param {string} key */
function neighbour(p, key) {
	const { depth, parent } = p.thread.calls, i = p.call;
	if (key === "ArrowUp") return parent[i];
	if (key === "ArrowDown") return depth[i + 1] > depth[i] ? i + 1 : -1;
	const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
	if (!by) return null;
	for (let k = i + by; k >= 0 && k < depth.length; k += by) if (depth[k] === depth[i]) return k;
	return -1;
}

/** Selects the first visible call. @param {Timeline} t */
function pickFirst(t) {
	for (const row of t.rows) for (const track of row.tracks) {
		if (!track.thread?.count) continue;
		const levels = track.thread.levels(shown.axis)[0], end = levels.first[1], k = firstAfter(levels, 0, end, shown.from);
		if (k >= end || !levels.order) continue;
		const picked = { thread: track.thread, recording: track.recording, call: levels.order[k] };
		pickCall(picked);
		t.reveal(picked);
		return true;
	}
	return false;
}
