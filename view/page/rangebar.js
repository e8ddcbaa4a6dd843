// The selected range in numbers, and fields to type one.

import { choice, cut, element } from "./elements.js";
import { sumsShown } from "./panels.js";
import { axisOrigin, book, chooseRange, current, formatInstant, listsAtFirst, on, onlyRunning, shown, tell, whole } from "./state.js";
import { counted, formatTime, parseTime, unitNS } from "./units.js";

export function showRangeBar() {
	const from = element("from", HTMLInputElement), to = element("to", HTMLInputElement);
	/** @param {HTMLInputElement} field that was typed in; the other end stays as it is, to the last digit */
	const typed = (field) => {
		const now = shown.range ?? whole(), time = field.value.trim() ? momentOf(field.value) : whole()[field === from ? "from" : "to"];
		const range = field === from ? { from: time ?? NaN, to: now.to } : { from: now.from, to: time ?? NaN };
		if (range.from < range.to) return chooseRange(range);
		field.setAttribute("aria-invalid", "true");
	};
	for (const field of [from, to]) field.addEventListener("change", () => typed(field));
	element("rangeview", HTMLButtonElement).addEventListener("click", () => chooseRange({ from: shown.from, to: shown.to }));
	element("rangeall", HTMLButtonElement).addEventListener("click", () => chooseRange(null));
	if (book.recordings.length > 1 && !book.header.beside) {
		const which = element("which", HTMLElement);
		which.append("lists of ");
		choice(which, "Recording of the lists", book.recordings.map((r) => cut(r.header.name)), (i) => {
			shown.chosen = i;
			tell("range");
		});
	}
	chooseLists();
	on(["range", "axis", "observed"], drawRangeBar);
	drawRangeBar();
}

/** The choice of the threads that lists are of, and whether the time in which they wait counts. */
function chooseLists() {
	const select = element("lists", HTMLSelectElement), wait = element("waiting", HTMLInputElement), first = listsAtFirst();
	/** @type {Map<string, Set<string> | null>} */
	const choices = new Map();
	if (first && first.size > 1) choices.set([...first].map(cut).join(", "), first);
	const calls = new Map();
	for (const r of book.recordings) for (const t of r.threads) calls.set(t.name, (calls.get(t.name) ?? 0) + t.count);
	const mine = (/** @type {string} */ name) => Number(first?.has(name) ?? false);
	const names = [...calls.keys()].sort((a, b) => mine(b) - mine(a) || calls.get(b) - calls.get(a));
	for (const name of names) choices.set(cut(name) || "(no name)", new Set([name]));
	choices.set("all threads", null);
	select.replaceChildren(...[...choices.keys()].map((name) => new Option(name)));
	select.value = first ? [...choices.keys()][0] : "all threads";
	select.disabled = book.recordings.some((r) => r.header.short_calls_ns);
	select.addEventListener("change", () => {
		shown.lists = choices.get(select.value) ?? null;
		tell("range");
	});
	wait.checked = shown.waiting;
	wait.addEventListener("change", () => {
		shown.waiting = wait.checked;
		tell("range");
	});
}

/** Returns the moment that a text stands for, null if it is none. @param {string} text */
function momentOf(text) {
	const since = parseTime(text);
	return since === null ? null : since - axisOrigin();
}

function drawRangeBar() {
	const { range } = shown, all = whole(), part = range ?? all, step = Math.max((part.to - part.from) / 1000, 1 / unitNS);
	element("from", HTMLInputElement).value = range ? formatInstant(range.from, step) : "";
	element("to", HTMLInputElement).value = range ? formatInstant(range.to, step) : "";
	for (const id of ["from", "to"]) element(id, HTMLInputElement).removeAttribute("aria-invalid");
	element("rangeall", HTMLButtonElement).disabled = !range;
	element("waits", HTMLLabelElement).hidden = shown.axis !== "wall" || !book.waits.some((w) => w);
	const { sums, methods } = sumsShown(), calls = methods.reduce((n, m) => n + m.calls, 0), self = methods.reduce((n, m) => n + m.exclusive, 0);
	const times = onlyRunning() ? `${current().header.running_by === "names" ? "running" : "CPU"} ${formatTime(self)}${sums.waiting ? `, waiting ${formatTime(sums.waiting)} (excluded)` : ""}` : `${formatTime(self)} in calls`;
	element("rangefacts", HTMLOutputElement).value =
		`${formatTime(part.to - part.from)}${range ? "" : " in all"}: ${counted(calls, "call")} of ${counted(methods.length, "method")} on ${counted(sums.threads, "thread")}, ${times}`;
}
