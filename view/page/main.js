// Opens the page: reads the data, shows the timeline, then the panels.

import { showComparison } from "./comparison.js";
import { aboutPanel, followDetails } from "./call.js";
import { chooseColours, darkness } from "./colour.js";
import { Data, packedData, unpack } from "./decode.js";
import { differenceFlame, differenceTable } from "./difference.js";
import { choice, copyText, cut, element, oneStop, say } from "./elements.js";
import { followKeys } from "./keys.js";
import { followAddress, linkHere } from "./link.js";
import { methodsPanel } from "./methods.js";
import { Book } from "./model.js";
import { followMinimap } from "./minimap.js";
import { flamePanel, kept, treePanel } from "./panels.js";
import { followPointer } from "./pointer.js";
import { showRangeBar } from "./rangebar.js";
import { followRange } from "./rangeestimates.js";
import { relativesPanel } from "./relatives.js";
import { followSearch } from "./search.js";
import { book, chooseAxis, firstWindow, formatInstant, on, openBook, shown, tell, timesOf } from "./state.js";
import { openTimeline, timeline } from "./timeline.js";
import { formatTime, unitNS } from "./units.js";
/** @import { Panel, PanelKind } from "./panels.js" */

/** @type {PanelKind[]} */
const panelKinds = [
	{ id: "methods", name: "Methods", make: methodsPanel },
	{ id: "relatives", name: "Callers and callees", make: relativesPanel },
	{ id: "flame", name: "Flame graph", make: flamePanel },
	{ id: "down", name: "Top-down", make: (host) => treePanel(host, kept((f) => f.topDown()), "Call tree, callers first") },
	{ id: "up", name: "Bottom-up", make: (host) => treePanel(host, kept((f) => f.bottomUp()), "Methods and their callers") },
	{ id: "diffflame", name: "Difference: flame graph", make: differenceFlame, useful: () => Boolean(book.header.difference) },
	{ id: "difftable", name: "Difference: table", make: differenceTable, useful: () => Boolean(book.header.difference) },
	{ id: "about", name: "About", make: aboutPanel },
];

/** @type {Panel | null} */
let panel = null;

async function open_() {
	const data = new Data(await unpack(await packedData()));
	openBook(new Book(data));
	document.title = `${book.header.title} – artifice`;
	element("title", HTMLHeadingElement).textContent = element("title", HTMLHeadingElement).title = cut(book.header.title);
	if (book.recordings[0] && !book.recordings[0].has("wall")) shown.axis = "cpu";
	showComparison();
	openTimeline();
	[shown.from, shown.to] = [firstWindow().from, firstWindow().to];
	showAxis();
	oneStop(element("controls", HTMLElement));
	timeline.gather();
	timeline.foldQuietRows();
	timeline.layout();
	followMinimap(timeline);
	followPointer(timeline);
	followKeys(timeline);
	followSearch(timeline);
	followSplitter();
	element("skip", HTMLButtonElement).addEventListener("click", () => element(`tab-${shown.tab}`, HTMLButtonElement).focus());
	const order = element("order", HTMLSelectElement);
	order.addEventListener("change", () => {
		shown.order = order.value;
		tell("layout");
	});
	on(["layout"], () => order.value = shown.order);
	followColours();
	document.body.dataset.state = "open";
	performance.mark("open");
	await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
	showRangeBar();
	showTabs();
	followDetails();
	followRange();
	followAddress();
	document.body.dataset.state = "ready";
}

/** Offers the choice between wall and CPU time, if the page has both. */
function showAxis() {
	const first = book.recordings[0], both = book.recordings.every((r) => r.has("wall") && r.has("cpu"));
	element("axis", HTMLElement).hidden = !both || !first;
	const press = choice(element("axis", HTMLElement), "Clock", ["wall time", "CPU time"], (i) => chooseAxis(i ? "cpu" : "wall"));
	on(["axis"], () => press(shown.axis === "cpu" ? 1 : 0));
}

/** @param {string} id */
function chooseTab(id) {
	shown.tab = id;
	tell("tab");
}

/** Creates the tabs. The panel of one tab is visible. */
function showTabs() {
	const list = element("tabs", HTMLElement), host = element("panel", HTMLElement);
	const kinds = panelKinds.filter((k) => k.useful?.() ?? true);
	const tabs = kinds.map((kind) => {
		const tab = document.createElement("button");
		tab.type = "button";
		tab.id = `tab-${kind.id}`;
		tab.textContent = kind.name;
		tab.setAttribute("role", "tab");
		tab.setAttribute("aria-controls", "panel");
		tab.addEventListener("click", () => chooseTab(kind.id));
		list.append(tab);
		return tab;
	});
	/** @type {Map<number, {host: HTMLElement, panel: Panel}>} */
	const made = new Map();
	/** @param {number} i */
	const choose = (i) => {
		tabs.forEach((t, k) => {
			t.setAttribute("aria-selected", String(k === i));
			t.tabIndex = k === i ? 0 : -1;
		});
		host.setAttribute("aria-labelledby", tabs[i].id);
		tabs[i].scrollIntoView({ block: "nearest", inline: "nearest" });
		let m = made.get(i);
		const own = m?.host ?? document.createElement("div");
		own.className = "own";
		host.replaceChildren(own);
		if (!m) made.set(i, m = { host: own, panel: kinds[i].make(own) });
		panel = m.panel;
		panel.draw();
	};
	list.addEventListener("keydown", (e) => {
		const now = tabs.findIndex((t) => t.tabIndex === 0), by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
		if (!by) return;
		const to = (now + by + tabs.length) % tabs.length;
		chooseTab(kinds[to].id);
		choose(to);
		tabs[to].focus();
		e.preventDefault();
		e.stopPropagation();
	});
	element("copy", HTMLButtonElement).addEventListener("click", () => void copyText(panel?.text() ?? ""));
	element("link", HTMLButtonElement).addEventListener("click", () => void copyText(linkHere(), "Link copied."));
	on(["range", "picked", "found", "axis", "observed", "sort"], () => panel?.draw());
	on(["tab"], () => choose(Math.max(0, kinds.findIndex((k) => k.id === shown.tab))));
	on(["picked"], sayPicked);
	shown.tab = book.header.difference ? "diffflame" : kinds[0].id;
	choose(kinds.findIndex((k) => k.id === shown.tab));
}

/** Announces the selected call to screen readers. */
function sayPicked() {
	const p = shown.picked;
	if (p) {
		const { from, to } = timesOf(p);
		say(`${cut(book.method(p.thread.calls.method[p.call]))}, ${formatTime(to - from)}, at ${formatInstant(from, Math.max(1 / unitNS, (to - from) / 100))}, thread ${cut(p.thread.label)}`);
	} else if (shown.method >= 0) say(`All calls of ${cut(book.method(shown.method))} are outlined.`);
	else say("");
}

/** Makes the divider between timeline and panels movable, by mouse and arrow keys. */
function followSplitter() {
	const bar = element("splitter", HTMLElement), top = element("timeline", HTMLElement);
	/** @param {number} share */
	const set = (share) => {
		share = Math.max(.1, Math.min(.85, share));
		top.style.flexBasis = `${share * 100}%`;
		bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
		tell("layout");
	};
	const room = () => top.parentElement?.getBoundingClientRect() ?? top.getBoundingClientRect();
	bar.addEventListener("pointerdown", (e) => bar.setPointerCapture(e.pointerId));
	bar.addEventListener("pointermove", (e) => {
		if (bar.hasPointerCapture(e.pointerId)) set((e.clientY - room().top) / room().height);
	});
	bar.addEventListener("keydown", (e) => {
		const by = { ArrowUp: -.05, ArrowDown: .05 }[e.key];
		if (!by) return;
		set(Number(bar.getAttribute("aria-valuenow")) / 100 + by);
		e.preventDefault();
	});
}

/** Follows the system's light or dark mode. Print is light. */
function followColours() {
	/** @param {boolean} paper */
	const redraw = (paper) => {
		chooseColours(paper);
		const top = element("timeline", HTMLElement); // in print it has the height that it has on the screen
		top.style.height = paper ? `${top.clientHeight}px` : "";
		timeline.draw();
		panel?.draw();
	};
	darkness.addEventListener("change", () => redraw(false));
	addEventListener("beforeprint", () => redraw(true));
	addEventListener("afterprint", () => redraw(false));
}

open_().catch((/** @type {unknown} */ error) => {
	document.body.dataset.state = "failed";
	const failed = element("failed", HTMLParagraphElement);
	failed.hidden = false;
	failed.textContent = `The page cannot show this trace: ${error instanceof Error ? error.message : String(error)}`;
});
