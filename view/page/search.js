// One search for the timeline and all panels: methods with a text in their full
// name. A text without capitals finds capitals, too, as in Traceview.

import { element } from "./elements.js";
import { book, pickCall, shown, tell } from "./state.js";
import { counted } from "./units.js";
/** @import { Timeline } from "./timeline.js" */

/** @param {string} text */
export function findMethods(text) {
	shown.find = text;
	shown.found = null;
	if (text) {
		const exact = text !== text.toLowerCase();
		shown.found = Uint8Array.from(book.methods, (m) => (exact ? m : m.toLowerCase()).includes(text) ? 1 : 0);
	}
	const count = shown.found?.reduce((a, b) => a + b, 0) ?? 0;
	element("found", HTMLOutputElement).value = text ? counted(count, "method") : "";
	element("find", HTMLInputElement).classList.toggle("none", text !== "" && count === 0);
	for (const id of ["previous", "next"]) element(id, HTMLButtonElement).disabled = count === 0;
	tell("found");
}

/** @param {Timeline} t */
export function followSearch(t) {
	const input = element("find", HTMLInputElement);
	let timer = 0;
	input.addEventListener("input", () => {
		clearTimeout(timer);
		timer = setTimeout(() => findMethods(input.value), 120);
	});
	element("search", HTMLFormElement).addEventListener("submit", (e) => {
		e.preventDefault();
		clearTimeout(timer);
		if (input.value !== shown.find) findMethods(input.value);
		nextCall(t, 1);
	});
	element("previous", HTMLButtonElement).addEventListener("click", () => nextCall(t, -1));
	element("next", HTMLButtonElement).addEventListener("click", () => nextCall(t, 1));
	findMethods("");
}

/** Goes to the next call of what is found, or of the selected method. @param {Timeline} t @param {1 | -1} by */
export function nextCall(t, by) {
	const found = shown.found, tracks = t.rows.flatMap((r) => r.tracks).filter((l) => l.thread);
	const wanted = (/** @type {number} */ m) => found ? found[m] === 1 : m === shown.method;
	if (!found && shown.method < 0 || !tracks.length) return false;
	let at = Math.max(0, tracks.findIndex((l) => l.thread === shown.picked?.thread));
	let i = shown.picked ? shown.picked.call + by : by > 0 ? 0 : (tracks[at].thread?.count ?? 0) - 1;
	for (let turn = 0; turn <= tracks.length; turn++) {
		const { thread, recording } = tracks[at];
		if (thread) for (const { method } = thread.calls; i >= 0 && i < method.length; i += by) {
			if (!wanted(method[i])) continue;
			const picked = { thread, recording, call: i };
			pickCall(picked);
			t.reveal(picked);
			return true;
		}
		at = (at + by + tracks.length) % tracks.length;
		i = by > 0 ? 0 : (tracks[at].thread?.count ?? 0) - 1;
	}
	return false;
}
