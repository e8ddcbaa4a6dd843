// The selected range in numbers, and fields to type one.

import { choice, cut, element } from "./elements.js";
import { sumsShown } from "./panels.js";
import { axisOrigin, book, chooseRange, formatInstant, on, shown, tell, whole } from "./state.js";
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
		which.append("panels show ");
		choice(which, "Panels show", book.recordings.map((r) => cut(r.header.name)), (i) => {
			shown.chosen = i;
			tell("range");
		});
	}
	on(["range", "axis", "observed"], drawRangeBar);
	drawRangeBar();
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
	const { sums, methods } = sumsShown(), calls = methods.reduce((n, m) => n + m.calls, 0), self = methods.reduce((n, m) => n + m.exclusive, 0);
	element("rangefacts", HTMLOutputElement).value =
		`${formatTime(part.to - part.from)}${range ? "" : " in all"}: ${counted(calls, "call")} of ${counted(methods.length, "method")} on ${counted(sums.threads, "thread")}, ${formatTime(self)} in calls`;
}
