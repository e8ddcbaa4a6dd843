// The state of the page in the fragment of its URL, so that a view can be linked, reloaded and left
// with the browser's back button. Fields with their initial values are omitted.

import { element } from "./elements.js";
import { findMethods } from "./search.js";
import { book, chooseAxis, chooseRange, firstWindow, listsAtFirst, on, pickCall, pickMethod, showWindow, shown, tell } from "./state.js";
import { unitNS } from "./units.js";
/** @import { Axis } from "./model.js" */

/** @typedef {{key: string, get: () => string[], set: (values: string[]) => void}} Field an empty list is the initial value */

/** @param {{from: number, to: number}} t @returns {string} in ns */
function spanText(t) { return `${Math.round(t.from * unitNS)}-${Math.round(t.to * unitNS)}`; }

/** @param {string | undefined} text @returns {{from: number, to: number} | null} */
function spanOf(text) {
	const m = /^(-?\d{1,18})-(-?\d{1,18})$/.exec(text ?? "");
	return m && Number(m[1]) < Number(m[2]) ? { from: Number(m[1]) / unitNS, to: Number(m[2]) / unitNS } : null;
}

/** @param {number} value @param {number} first @returns {string[]} */
function changed(value, first) { return value === first ? [] : [String(value)]; }

/** @param {string | undefined} text @param {number} first @param {number} end @returns {number} an index below end; first if text is not one */
function indexOf(text, first, end) { return /^\d{1,9}$/.test(text ?? "") && Number(text) < end ? Number(text) : first; }

/** @type {Axis} */
let axisAtFirst = "wall";

let tabAtFirst = "", orderAtFirst = "", waitingAtFirst = true;

/** @type {Field[]} in the order in which they are set */
const fields = [
	{ key: "clock", get: () => shown.axis === axisAtFirst ? [] : [shown.axis], set: ([v]) => {
		if (book.recordings.every((r) => r.has("wall") && r.has("cpu"))) chooseAxis(v === "wall" || v === "cpu" ? v : axisAtFirst);
	} },
	{ key: "interval", get: () => changed(shown.observed, book.header.comparison?.start ?? 0), set: ([v]) => {
		shown.observed = indexOf(v, book.header.comparison?.start ?? 0, book.header.comparison?.observed.length ?? 1);
		tell("observed");
	} },
	{ key: "side", get: () => shown.side === "observed" ? [] : [shown.side], set: ([v]) => shown.side = v === "truth" ? "truth" : "observed" },
	{ key: "recording", get: () => changed(shown.chosen, 0), set: ([v]) => shown.chosen = indexOf(v, 0, book.recordings.length) },
	{ key: "thread", get: threadsInAddress, set: chooseThreads },
	{ key: "waiting", get: () => shown.waiting === waitingAtFirst ? [] : [String(Number(shown.waiting))], set: ([v]) => shown.waiting = v === undefined ? waitingAtFirst : v === "1" },
	{ key: "order", get: () => shown.order === orderAtFirst ? [] : [shown.order], set: ([v]) => {
		shown.order = [...element("order", HTMLSelectElement).options].some((o) => o.value === v) ? v : orderAtFirst;
		tell("layout");
	} },
	{ key: "t", get: () => spanText(shown) === spanText(firstWindow()) ? [] : [spanText(shown)], set: ([v]) => {
		const window = spanOf(v) ?? firstWindow();
		showWindow(window.from, window.to);
	} },
	{ key: "range", get: () => shown.range ? [spanText(shown.range)] : [], set: ([v]) => chooseRange(spanOf(v)) },
	{ key: "find", get: () => shown.find ? [shown.find.slice(0, 500)] : [], set: ([v]) => {
		element("find", HTMLInputElement).value = v ?? "";
		if (shown.find !== (v ?? "")) findMethods(v ?? "");
	} },
	{ key: "tab", get: () => shown.tab === tabAtFirst ? [] : [shown.tab], set: ([v]) => {
		shown.tab = document.getElementById(`tab-${v}`) ? v : tabAtFirst;
		tell("tab");
	} },
	{ key: "sort", get: () => Object.entries(shown.sorts).map(([table, order]) => `${table}:${order}`), set: (values) => {
		shown.sorts = Object.fromEntries(values.map((v) => [v.slice(0, v.lastIndexOf(":")), v.slice(v.lastIndexOf(":") + 1)]));
		tell("sort");
	} },
	{ key: "method", get: () => shown.method >= 0 && !shown.picked ? [book.identities[shown.method].slice(0, 1000)] : [], set: ([v]) => pickMethod(v === undefined ? -1 : book.identities.findIndex((m) => m.slice(0, 1000) === v)) },
	{ key: "call", get: callInAddress, set: ([v]) => pickCallAt(v) },
];

/** @returns {string[]} */
function threadsInAddress() {
	const first = listsAtFirst(), now = shown.lists;
	if (now && first && now.size === first.size && [...now].every((n) => first.has(n)) || !now && !first) return [];
	return now ? [...now].map((n) => n.slice(0, 300)) : [""];
}

/** @param {string[]} names an empty name: all threads */
function chooseThreads(names) {
	const known = new Set(book.recordings.flatMap((r) => r.threads.map((t) => t.label)).filter((l) => names.includes(l.slice(0, 300))));
	shown.lists = known.size ? known : names.length && names[0] === "" ? null : listsAtFirst();
	tell("range");
}

/** @returns {string[]} recording.thread.call */
function callInAddress() {
	const p = shown.picked;
	return p ? [`${p.recording.index}.${p.thread.index}.${p.call}`] : [];
}

/** @param {string | undefined} text */
function pickCallAt(text) {
	const [r, t, call] = (text ?? "").split(".").map(Number), recording = book.recordings[r], thread = recording?.threads[t];
	if (thread && Number.isInteger(call) && call >= 0 && call < thread.count) pickCall({ recording, thread, call });
	else if (shown.picked) pickMethod(shown.method);
}

/** Returns the state as a URL fragment, without #. */
export function stateText() {
	const text = new URLSearchParams();
	for (const f of fields) for (const v of f.get()) text.append(f.key, v);
	return text.toString();
}

/** Shows a state. Missing fields and values unknown to this page get their initial values. @param {string} text as stateText returns it */
export function showState(text) {
	const state = new URLSearchParams(text);
	for (const f of fields) f.set(state.getAll(f.key));
}

/** Returns the URL of the current view. */
export function linkHere() {
	keepState();
	return location.href;
}

let addressState = ""; // the state in the URL

/** Adds the state to the history if it has changed. */
function keepState() {
	const now = stateText();
	if (now === addressState) return;
	addressState = now;
	try {
		history.pushState(null, "", `#${now}`);
	} catch { // called too often, or not allowed in this frame
	}
}

/** Shows the state of the URL, and updates the URL. A drag or a turn of the wheel is one history entry. */
export function followAddress() {
	[axisAtFirst, tabAtFirst, orderAtFirst, waitingAtFirst] = [shown.axis, shown.tab, shown.order, shown.waiting];
	const show = () => {
		addressState = location.hash.replace(/^#/, "");
		showState(addressState);
		addressState = stateText(); // normalized
	};
	if (location.hash.length > 1) show();
	addEventListener("popstate", show);
	let timer = 0;
	on(["window", "range", "picked", "found", "axis", "observed", "tab", "sort", "layout"], () => {
		clearTimeout(timer);
		timer = setTimeout(keepState, 350);
	});
}
