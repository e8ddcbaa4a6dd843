// The row headers of the timeline: a button that folds the thread, and one that pins it.

import { cut } from "./elements.js";
import { book, listsAtFirst, shown, tell } from "./state.js";
import { counted } from "./units.js";
/** @import { ThreadRow, Timeline } from "./timeline.js" */

/** Positions the header of every row. @param {Timeline} timeline */
export function placeHeads(timeline) {
	for (const row of timeline.rows) {
		row.head ??= headOf(timeline, row);
		const pinned = shown.pinned.has(row.key), folded = shown.collapsed.has(row.key);
		const list = pinned ? timeline.pinnedList : timeline.list;
		if (row.head.parentNode !== list) list.append(row.head);
		row.head.style.top = `${row.top + (pinned ? 0 : timeline.pinnedHeight)}px`;
		const [fold, up, deep, only, pin] = row.head.querySelectorAll("button");
		const labels = row.tracks.flatMap((l) => l.thread?.label ?? []), listed = Boolean(shown.lists) && labels.some((l) => shown.lists?.has(l));
		only.setAttribute("aria-pressed", String(listed && shown.lists?.size === 1));
		only.disabled = book.recordings.some((r) => r.header.short_calls_ns);
		row.head.classList.toggle("listed", listed);
		row.head.classList.toggle("found", labels.some((l) => shown.foundThreads?.has(l)));
		const most = timeline.depthOf(row), rows = Math.max(...row.tracks.map((l) => timeline.rowsShown(row, l)));
		up.hidden = deep.hidden = folded || rows >= most;
		up.disabled = row.shift === 0;
		deep.disabled = row.shift + rows >= most;
		deep.title = `depth ${row.shift + 1} to ${row.shift + rows} of ${most}`;
		fold.setAttribute("aria-expanded", String(!folded));
		pin.setAttribute("aria-pressed", String(pinned));
	}
	for (const list of [timeline.list, timeline.pinnedList]) sortHeads(list, timeline.rows);
}

/** Sorts the headers like the rows. @param {HTMLOListElement} list @param {ThreadRow[]} rows */
function sortHeads(list, rows) {
	let next = list.firstChild;
	for (const row of rows) {
		if (row.head?.parentNode !== list) continue;
		if (row.head === next) next = next.nextSibling;
		else list.insertBefore(row.head, next);
	}
}

/** @param {Timeline} timeline @param {ThreadRow} row */
function headOf(timeline, row) {
	const li = document.createElement("li"), fold = document.createElement("button"), pin = document.createElement("button");
	const name = document.createElement("span"), facts = document.createElement("span");
	name.textContent = row.label.slice(0, 300) || "(no name)";
	name.className = "name";
	const process = row.tracks.map((l) => l.thread?.process).find((s) => s);
	facts.textContent = `tid ${row.tid}, ${process ? `${cut(process)}, ` : ""}${row.tracks.map((l) => counted(l.thread?.count ?? 0, "call")).join(" / ")}`;
	facts.className = "facts";
	const only = document.createElement("button");
	fold.type = only.type = pin.type = "button";
	only.className = "pin";
	only.textContent = "list";
	only.setAttribute("aria-label", `lists of thread ${name.textContent} only`);
	only.addEventListener("click", () => {
		const one = only.getAttribute("aria-pressed") === "true";
		shown.lists = one ? listsAtFirst() : new Set(row.tracks.flatMap((l) => l.thread?.label ?? []));
		tell("range", "layout");
	});
	fold.className = "fold";
	fold.append(name, facts);
	pin.className = "pin";
	pin.textContent = "pin";
	pin.setAttribute("aria-label", `pin thread ${name.textContent} to the top`);
	fold.addEventListener("click", () => toggle(shown.collapsed, row.key));
	pin.addEventListener("click", () => toggle(shown.pinned, row.key));
	const [up, deep] = /** @type {[string, number][]} */ ([["up", -5], ["deeper", 5]]).map(([text, by]) => {
		const button = document.createElement("button");
		button.type = "button";
		button.className = "pin";
		button.textContent = text;
		button.addEventListener("click", () => timeline.shiftRows(row, by));
		return button;
	});
	for (const b of [fold, up, deep, only, pin]) b.tabIndex = -1; // key T goes to them
	li.append(fold, up, deep, only, pin);
	li.addEventListener("keydown", (e) => walkHeads(timeline, row, e));
	return li;
}

/** Arrow keys move between headers and between the buttons of a header. @param {Timeline} timeline @param {ThreadRow} row @param {KeyboardEvent} e */
function walkHeads(timeline, row, e) {
	const along = { ArrowLeft: -1, ArrowRight: 1 }[e.key], buttons = [...row.head?.querySelectorAll("button") ?? []].filter((b) => !b.hidden && !b.disabled);
	if (along && !e.ctrlKey && !e.metaKey && !e.altKey) {
		e.preventDefault();
		e.stopPropagation();
		return buttons[buttons.findIndex((b) => b === e.target) + along]?.focus();
	}
	const by = { ArrowUp: -1, ArrowDown: 1 }[e.key], to = timeline.rows[timeline.rows.indexOf(row) + (by ?? 0)];
	if (!by || e.ctrlKey || e.metaKey || e.altKey) return;
	e.preventDefault();
	e.stopPropagation();
	if (!to) return;
	timeline.tabbed = to.key;
	to.head?.querySelector("button")?.focus();
}

/** @param {Set<string>} set @param {string} key */
function toggle(set, key) {
	if (!set.delete(key)) set.add(key);
	tell("layout");
}
