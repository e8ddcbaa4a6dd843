// The first picture: the calls of the main thread, and below them the calls in the sampled trace. It
// is redrawn when the interval or the pause changes.

import { context, fitCanvas } from "../canvas.js";
import { chooseColours, colours, darkness } from "../colour.js";
import { Data } from "../decode.js";
import { element, say } from "../elements.js";
import { Book } from "../model.js";
import { book, openBook, shown } from "../state.js";
import { drawTrack } from "../trackparts.js";
import { formatTime, unitNS } from "../units.js";
import { ask, latest } from "../engine.js";
import { settings, writeAddress } from "./settings.js";
/** @import { Recording, Thread } from "../model.js" */

/** @typedef {{name: string, true: number, seen: boolean, mean: number, low: number, high: number}} Bar */
/** @typedef {{length_ns: number, whole: boolean, slowdown: number | null, period_s: number | null, running: number | null, methods: number | null, calls: number | null, called: number, missed: string[], rows: Bar[]}} Glance */

const row = 17, most = 14; // height of a row of calls, and maximum number of rows

/** A slider's place, from 0 to 100, is a time from 0.1 to 50 ms. @param {number} place */
export function intervalAt(place) { return Number((.1 * 500 ** (place / 100)).toPrecision(2)); }

/** @param {number} ms */
function placeOfInterval(ms) { return Math.round(100 * Math.log(ms / .1) / Math.log(500)); }

/** A slider's place is a pause from 0 to 5 ms, finer at its beginning. @param {number} place */
function pauseAt(place) { return Number((5 * (place / 100) ** 2).toPrecision(2)); }

/** @param {number} ms */
function placeOfPause(ms) { return Math.round(100 * Math.sqrt(ms / 5)); }

/** Follows the picture's controls. @param {() => void} touched is called on user input */
export function followPicture(touched) {
	const every = element("every", HTMLInputElement), pause = element("pause", HTMLInputElement);
	every.addEventListener("input", () => {
		touched();
		settings.every = intervalAt(Number(every.value));
		look();
	});
	pause.addEventListener("input", () => {
		touched();
		settings.pause = pauseAt(Number(pause.value));
		look();
	});
	const from = element("from", HTMLInputElement), window_ = element("window", HTMLSelectElement);
	from.addEventListener("input", () => {
		touched();
		settings.from = Number(from.value);
		writeAddress();
		draw();
	});
	window_.value = String(settings.window);
	from.value = String(settings.from);
	window_.addEventListener("change", () => {
		settings.window = Number(window_.value);
		writeAddress();
		draw();
	});
	new ResizeObserver(() => { if (book) draw(); }).observe(element("all", HTMLElement));
	darkness.addEventListener("change", () => {
		chooseColours(false);
		if (book) draw();
	});
}

/** Animates the interval while the picture is visible, until the first user input. @returns {() => void} a function that ends the animation */
export function animate() {
	const button = element("animation", HTMLButtonElement), frame = 250; // ms
	let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches && !location.hash.includes("every="), seen = false, timer = 0, by = 2;
	const step = () => {
		timer = 0;
		if (!playing || !seen || document.hidden) return;
		const place = placeOfInterval(settings.every) + by;
		if (place <= 0 || place >= 100) by = -by;
		settings.every = intervalAt(Math.max(0, Math.min(100, place)));
		look(false);
		timer = setTimeout(step, frame);
	};
	const go = () => {
		button.textContent = playing ? "Pause animation" : "Play animation";
		if (!timer) timer = setTimeout(step, frame);
	};
	const end = (/** @type {Event} */ e) => {
		if (e.target === button) return;
		playing = false;
		go();
	};
	button.addEventListener("click", () => {
		playing = !playing;
		go();
	});
	for (const event of ["pointerdown", "keydown", "drop"]) addEventListener(event, end);
	document.addEventListener("visibilitychange", go);
	new IntersectionObserver((list) => {
		seen = list[list.length - 1].isIntersecting;
		go();
	}).observe(element("picture", HTMLCanvasElement));
	return () => {
		playing = false;
		go();
	};
}

/** Sets the interval like the slider. @param {number} ms */
export function setInterval_(ms) {
	settings.every = ms;
	look();
}

let announced = true; // whether the numbers of the next picture are announced

/** Requests the picture for the settings. During a request, only the latest one waits. @param {boolean} [announce] announce its numbers to screen readers */
export function look(announce = true) {
	announced = announce;
	showSliders();
	void follow();
}

const follow = latest(async () => {
	const began = performance.now();
	try {
		const { value, bytes } = await ask({ op: "look", every_ms: settings.every, pause_ms: settings.pause });
		openBook(new Book(new Data(bytes)));
		span = Math.max(1, value.length_ns / unitNS);
		draw();
		showFigures(value);
		if (announced) say(element("facts", HTMLParagraphElement).textContent ?? "");
		writeAddress();
	} catch (error) {
		element("facts", HTMLParagraphElement).textContent = error instanceof Error ? error.message : String(error);
	}
	element("all", HTMLElement).classList.remove("opening");
	document.body.dataset.took = String(performance.now() - began);
	document.body.dataset.looked = String(Number(document.body.dataset.looked ?? 0) + 1);
});

function showSliders() {
	const every = element("every", HTMLInputElement), pause = element("pause", HTMLInputElement);
	every.value = String(placeOfInterval(settings.every));
	pause.value = String(placeOfPause(settings.pause));
	const texts = { every: `${settings.every} ms`, pause: `${settings.pause} ms` };
	element("every-text", HTMLOutputElement).value = texts.every;
	element("pause-text", HTMLOutputElement).value = texts.pause;
	every.setAttribute("aria-valuetext", texts.every);
	pause.setAttribute("aria-valuetext", texts.pause);
}

/** Returns the thread that the picture shows: main, or else the one with the most calls. @param {Recording} r */
function mainOf(r) { return r.threads.find((t) => t.name === "main") ?? r.threads.reduce((a, b) => a.count > b.count ? a : b); }

/** Returns the number of outermost rows in which no call starts or ends in the window: they carry no information. @param {Thread} t @param {number} from @param {number} to */
function quietRows(t, from, to) {
	const { start, duration, depth } = t.calls;
	let least = Infinity;
	for (let i = 0; i < start.length; i++) {
		const inside = start[i] > from && start[i] < to || start[i] + duration[i] > from && start[i] + duration[i] < to;
		if (inside && depth[i] < least) least = depth[i];
	}
	return Number.isFinite(least) ? Math.max(0, least - 1) : 0;
}

/** The length of the picture, in units. Threads may end later. */
let span = 1;

/** Returns the visible time range, in units. */
function windowOf() {
	const length = settings.window ? Math.min(span, settings.window * 1e6 / unitNS) : span;
	const from = (span - length) * settings.from / 1000;
	return { from, to: from + length };
}

function draw() {
	const canvas = element("picture", HTMLCanvasElement), width = element("all", HTMLElement).clientWidth;
	const { from, to } = windowOf(), truth = book.recordings[0], observed = book.recordings[1];
	const thread = mainOf(truth), seen = observed.threads.find((t) => t.header.of === thread.index);
	const shift = quietRows(thread, from, to), rows = Math.min(most, Math.max(1, thread.depth - shift));
	const height = rows * row + 34, total = 2 * height + 12;
	fitCanvas(canvas, width, total);
	shown.observed = 0;
	const c = context(canvas);
	c.fillStyle = colours.ground;
	c.fillRect(0, 0, width, total);
	const view = { from, to, left: 0, right: width };
	[{ thread, recording: truth }, { thread: seen ?? null, recording: observed }].forEach((track, i) => {
		const y = i * (height + 12) + 12;
		drawTrack(c, { tracks: [track, track], shift }, track, view, { y, row, top: y, bottom: y + height }, rows);
	});
	element("from-text", HTMLOutputElement).value = `${formatTime(from)} of ${formatTime(span)}`;
	element("from", HTMLInputElement).disabled = to - from >= span;
}

/** @param {number | null} v */
function shareText(v) { return v === null ? "–" : `${(100 * v).toFixed(v > .9995 || v < .0005 ? 0 : 1)} %`; }

/** @param {Glance} g */
function showFigures(g) {
	const slower = g.slowdown === null ? "" : `Slowdown: ${g.slowdown.toFixed(3)}. `;
	const part = g.whole ? "" : ` Picture and figures cover the first ${(g.length_ns / 1e6).toFixed(0)} ms of the source (12,000 events).`;
	element("facts", HTMLParagraphElement).textContent = `${slower}${shareText(g.running)} of the CPU time is correctly attributed; the trace contains ${shareText(g.calls)} of the calls and ${shareText(g.methods)} of the methods.${part}`;
	const missed = element("missed", HTMLParagraphElement), names = g.missed.slice(0, 12).join(", ");
	missed.textContent = g.missed.length ? `Missed: ${g.missed.length} of ${g.called} methods: ${names}${g.missed.length > 12 ? " and others" : ""}.` : `The trace contains all ${g.called} methods.`;
	const body = element("bars", HTMLTableElement).tBodies[0], widest = Math.max(.01, ...g.rows.map((r) => Math.max(r.true, r.high)));
	body.replaceChildren(...g.rows.map((r) => barRow(r, widest)));
}

/** @param {Bar} r @param {number} widest */
function barRow(r, widest) {
	const tr = document.createElement("tr"), name = document.createElement("th");
	name.scope = "row";
	name.textContent = r.name;
	name.title = r.name;
	tr.append(name);
	for (const text of [shareText(r.true), r.seen ? `${shareText(r.mean)} (${shareText(r.low)} to ${shareText(r.high)})` : "missed"]) {
		const td = document.createElement("td");
		td.textContent = text;
		td.className = "number";
		tr.append(td);
	}
	const td = document.createElement("td"), place = (/** @type {number} */ v) => `${100 * v / widest}%`;
	td.className = "bar";
	const part = (/** @type {string} */ kind, /** @type {number} */ from, /** @type {number} */ to) => {
		const s = document.createElement("span");
		s.className = kind;
		s.style.left = place(from);
		s.style.width = place(to - from);
		td.append(s);
	};
	if (r.seen) {
		part("value", 0, r.mean);
		part(r.low <= r.true && r.true <= r.high ? "whisker" : "whisker off", r.low, r.high);
	}
	part("truth", r.true, r.true);
	tr.append(td);
	return tr;
}
