"use strict";
// The selected range in numbers, and fields to type one.

function showRangeBar() {
	const from = element("from", HTMLInputElement), to = element("to", HTMLInputElement);
	const typed = () => {
		const a = from.value.trim() ? parseTime(from.value) : whole().from, b = to.value.trim() ? parseTime(to.value) : whole().to;
		from.setAttribute("aria-invalid", String(a === null));
		to.setAttribute("aria-invalid", String(b === null || a !== null && b <= a));
		if (a !== null && b !== null && b > a) chooseRange({ from: a, to: b });
	};
	for (const field of [from, to]) field.addEventListener("change", typed);
	element("rangeview", HTMLButtonElement).addEventListener("click", () => chooseRange({ from: shown.from, to: shown.to }));
	element("rangeall", HTMLButtonElement).addEventListener("click", () => chooseRange(null));
	on(["range", "axis", "observed"], drawRangeBar);
	drawRangeBar();
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
