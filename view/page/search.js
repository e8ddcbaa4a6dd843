// The search of the timeline and all panels, for methods and threads whose names contain all words.
// A word in lower case ignores case. /text/ is a regular expression.

import { element } from "./elements.js";
import { book, pickCall, shown, tell } from "./state.js";
import { counted, formatCount } from "./units.js";
/** @import { Timeline } from "./timeline.js" */

/** Returns a function that tests names, or an error message. @param {string} text @returns {((name: string) => boolean) | string} */
export function matcherOf(text) {
	const expression = /^\/(.+)\/(i?)$/.exec(text);
	if (!expression) {
		const words = text.split(/\s+/).filter((w) => w).map((word) => ({ word, exact: word !== word.toLowerCase() }));
		return (name) => {
			const lower = name.toLowerCase();
			return words.every((w) => (w.exact ? name : lower).includes(w.word));
		};
	}
	try {
		const e = new RegExp(expression[1], expression[2] || (/[A-Z]/.test(expression[1]) ? "" : "i"));
		return (name) => e.test(name);
	} catch {
		return "not a regular expression";
	}
}

/** Returns the edit distance of two words (substitutions, insertions, deletions and transpositions), at most most + 1. @param {string} a @param {string} b @param {number} most */
export function editDistance(a, b, most) {
	if (Math.abs(a.length - b.length) > most) return most + 1;
	let before = /** @type {number[]} */ ([]), row = Array.from({ length: b.length + 1 }, (_, j) => j);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
		}
		if (Math.min(...next) > most) return most + 1;
		[before, row] = [row, next];
	}
	return row[b.length];
}

/** Returns parts of names that are similar to a text without matches, most similar first. @param {string} text @param {string[]} names */
export function similarTo(text, names) {
	const wanted = text.trim().toLowerCase(), most = wanted.length < 4 ? 0 : wanted.length < 8 ? 1 : 2;
	if (!most || wanted.length > 60) return [];
	/** @type {Map<string, {part: string, d: number}>} by lower case */
	const close = new Map();
	for (const name of names) {
		for (const part of [name.slice(0, 60), ...name.slice(0, 300).split(/[^\w]+/), name.slice(0, 300).split(/\(/)[0].split(".").slice(-2).join(".")]) {
			const key = part.toLowerCase();
			if (close.has(key)) continue;
			const d = editDistance(wanted, key, most);
			if (d <= most) close.set(key, { part, d });
		}
	}
	return [...close.values()].sort((a, b) => a.d - b.d || a.part.localeCompare(b.part)).slice(0, 3).map(({ part }) => part);
}

function threadNames() { return book.recordings.flatMap((r) => r.threads.map((t) => t.label)); }

/** @param {string} text */
export function findMethods(text) {
	const matches = text.trim() ? matcherOf(text.trim()) : null, wrong = typeof matches === "string";
	shown.find = text;
	shown.found = shown.foundThreads = null;
	if (matches && !wrong) {
		shown.found = Uint8Array.from(book.methods, (m) => matches(m) ? 1 : 0);
		shown.foundThreads = new Set(book.recordings.flatMap((r) => r.threads.flatMap((t) => matches(`${t.label} ${t.process}`) ? [t.label] : [])));
	}
	const count = shown.found?.reduce((a, b) => a + b, 0) ?? 0, threads = shown.foundThreads?.size ?? 0, none = Boolean(matches) && !count && !threads;
	element("found", HTMLOutputElement).value = wrong ? matches : !matches ? "" : [count || !threads ? counted(count, "method") : "", threads ? counted(threads, "thread") : ""].filter((s) => s).join(", ");
	element("find", HTMLInputElement).classList.toggle("none", none || wrong);
	for (const id of ["previous", "next"]) element(id, HTMLButtonElement).disabled = count === 0;
	suggest(none && !wrong ? similarTo(text, [...threadNames(), ...book.methods]) : []);
	tell("found");
}

/** Suggests other search texts. @param {string[]} texts */
function suggest(texts) {
	const host = element("suggestions", HTMLParagraphElement);
	host.hidden = !texts.length;
	host.replaceChildren("Did you mean ", ...texts.flatMap((text, i) => {
		const button = document.createElement("button");
		button.type = "button";
		button.className = "link";
		button.textContent = text;
		button.addEventListener("click", () => {
			const input = element("find", HTMLInputElement);
			input.value = text;
			findMethods(text);
			input.focus();
		});
		return [i ? ", " : "", button];
	}), "?");
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
		if (!nextCall(t, 1)) t.revealFoundThread();
	});
	element("previous", HTMLButtonElement).addEventListener("click", () => nextCall(t, -1));
	element("next", HTMLButtonElement).addEventListener("click", () => nextCall(t, 1));
	findMethods("");
}

/** Selects the next call of the methods found, or of the selected method. @param {Timeline} t @param {1 | -1} by */
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
			if (found) element("found", HTMLOutputElement).value = placeAmong(tracks.map((l) => l.thread?.calls.method ?? new Int32Array(0)), at, i, wanted);
			return true;
		}
		at = (at + by + tracks.length) % tracks.length;
		i = by > 0 ? 0 : (tracks[at].thread?.count ?? 0) - 1;
	}
	return false;
}

/** Returns the position of a call among all matching calls, in the order of nextCall. @param {Int32Array[]} methods by track @param {number} track @param {number} call @param {(method: number) => boolean} wanted */
function placeAmong(methods, track, call, wanted) {
	let all = 0, before = 0;
	methods.forEach((list, k) => {
		for (let i = 0; i < list.length; i++) {
			if (!wanted(list[i])) continue;
			all++;
			if (k < track || k === track && i <= call) before++;
		}
	});
	return `${formatCount(before)} of ${counted(all, "call")}`;
}
