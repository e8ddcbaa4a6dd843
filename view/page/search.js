"use strict";
// One search for the timeline and all panels: methods with a text in their full
// name. A text without capitals finds capitals, too, as in Traceview.

/** @param {string} text */
function findMethods(text) {
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
function followSearch(t) {
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
