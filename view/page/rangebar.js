// The selected range in numbers, and fields to enter one.

import { choice, cut, element } from "./elements.js";
import { sumsShown } from "./panels.js";
import { axisOrigin, book, chooseRange, current, formatInstant, listsAtFirst, on, onlyRunning, shown, tell, whole } from "./state.js";
import { counted, formatTime, parseTime, unitNS } from "./units.js";

/** The texts that the page wrote into the fields. Other text was typed. @type {Record<string, string>} */
const drawnTexts = { from: "", to: "" };

/** Returns the time of a field: exact if the text was not edited. @param {"from" | "to"} end @returns {number | null} null: the text is not a time */
function timeIn(end) {
	const text = element(end, HTMLInputElement).value, now = shown.range ?? whole();
	if (text === drawnTexts[end]) return now[end];
	if (!text.trim()) return whole()[end];
	const since = parseTime(text, bareUnit());
	return since === null ? null : since - axisOrigin();
}

/** Returns the unit for numbers without a unit: the unit of the trace's length. */
function bareUnit() { return formatTime(whole().to).split(" ")[1]; }

/** Selects the range in the fields, or states why it is invalid. The text of the other field is kept. */
function typedRange() {
	const all = whole(), from = timeIn("from"), to = timeIn("to");
	for (const [id, time] of /** @type {[string, number | null][]} */ ([["from", from], ["to", to]])) {
		if (time === null) return reject(id, `“${element(id, HTMLInputElement).value.trim().slice(0, 40)}” is not a time. Write 24.5 s, 350 ms or 0:24.5; a number alone is in ${bareUnit()}.`);
	}
	if (from === null || to === null) return;
	for (const [id, time] of /** @type {[string, number][]} */ ([["from", from], ["to", to]])) {
		if (id === "from" ? time >= all.to : time <= all.from) return reject(id, `The trace is from ${instantText(all.from)} to ${instantText(all.to)}.`);
	}
	if (from >= to) return reject("to", "The range must end after its start.");
	chooseRange({ from, to });
	drawRangeBar();
}

/** @param {number} units */
function instantText(units) { return units + axisOrigin() === 0 ? formatTime(0) : formatInstant(units, Math.max((whole().to - whole().from) / 1000, 1 / unitNS)); }

/** @param {string} id of the field @param {string} why */
function reject(id, why) {
	element(id, HTMLInputElement).setAttribute("aria-invalid", "true");
	element("rangeerror", HTMLParagraphElement).textContent = why;
	element("rangeerror", HTMLParagraphElement).hidden = false;
}

export function showRangeBar() {
	for (const id of ["from", "to"]) element(id, HTMLInputElement).addEventListener("change", typedRange);
	element("rangeview", HTMLButtonElement).addEventListener("click", () => chooseRange({ from: shown.from, to: shown.to }));
	element("rangeall", HTMLButtonElement).addEventListener("click", () => chooseRange(null));
	if (book.recordings.length > 1 && !book.header.comparison) {
		const which = element("which", HTMLElement);
		which.append("lists of ");
		const press = choice(which, "Recording of the lists", book.recordings.map((r) => cut(r.header.name)), (i) => {
			shown.chosen = i;
			tell("range");
		});
		on(["range"], () => press(shown.chosen));
	}
	chooseLists();
	on(["range", "axis", "observed"], drawRangeBar);
	drawRangeBar();
}

/** Offers the choice of the threads in lists, and whether their waiting time counts. */
function chooseLists() {
	const select = element("lists", HTMLSelectElement), wait = element("waiting", HTMLInputElement), first = listsAtFirst();
	/** @type {Map<string, Set<string> | null>} */
	const choices = new Map();
	if (first && first.size > 1) choices.set([...first].map(cut).join(", "), first);
	const calls = new Map();
	for (const r of book.recordings) for (const t of r.threads) calls.set(t.label, (calls.get(t.label) ?? 0) + t.count);
	const mine = (/** @type {string} */ name) => Number(first?.has(name) ?? false);
	const names = [...calls.keys()].sort((a, b) => mine(b) - mine(a) || calls.get(b) - calls.get(a));
	for (const name of names) choices.set(cut(name) || "(no name)", new Set([name]));
	choices.set("all threads", null);
	select.replaceChildren(...[...choices.keys()].map((name) => new Option(name)));
	select.disabled = book.recordings.some((r) => r.header.short_calls_ns);
	select.addEventListener("change", () => {
		shown.lists = choices.get(select.value) ?? null;
		tell("range");
	});
	const draw = () => {
		const now = shown.lists && [...shown.lists], chosen = [...choices].find(([, set]) => set && now ? set.size === now.length && now.every((n) => set.has(n)) : set === now);
		if (!chosen && now) { // from the URL of another page
			select.add(new Option(now.map(cut).join(", ")));
			choices.set(now.map(cut).join(", "), shown.lists);
			select.selectedIndex = select.options.length - 1;
		} else select.value = chosen?.[0] ?? "";
		wait.checked = shown.waiting;
	};
	on(["range"], draw);
	draw();
	wait.addEventListener("change", () => {
		shown.waiting = wait.checked;
		tell("range");
	});
}

function drawRangeBar() {
	const { range } = shown, all = whole(), part = range ?? all, step = Math.max((part.to - part.from) / 1000, 1 / unitNS);
	for (const end of /** @type {const} */ (["from", "to"])) {
		const field = element(end, HTMLInputElement);
		field.value = drawnTexts[end] = range ? formatInstant(range[end], step) : "";
		field.removeAttribute("aria-invalid");
	}
	element("rangeerror", HTMLParagraphElement).hidden = true;
	element("rangeall", HTMLButtonElement).disabled = !range;
	element("waits", HTMLLabelElement).hidden = shown.axis !== "wall" || current().header.running_by === "names" && !book.waits.some((w) => w);
	const { sums, methods } = sumsShown(), calls = methods.reduce((n, m) => n + m.calls, 0), self = methods.reduce((n, m) => n + m.exclusive, 0);
	const times = onlyRunning() ? `${current().header.running_by === "names" ? "running" : "CPU"} ${formatTime(self)}${sums.waiting ? `, waiting ${formatTime(sums.waiting)} (excluded)` : ""}` : book.header.quantity ? `${book.header.quantity} ${formatTime(self)}` : `${formatTime(self)} in calls`;
	element("rangefacts", HTMLOutputElement).value =
		`${formatTime(part.to - part.from)}${range ? "" : " in all"}: ${counted(calls, "call")} of ${counted(methods.length, "method")} on ${counted(sums.threads, "thread")}, ${times}`;
}
