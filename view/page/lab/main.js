// Opens the laboratory: starts the program, opens a source, and shows the first picture.

import { element } from "../elements.js";
import { ask, saveFile, startEngine } from "../engine.js";
import { followPicture, intervalAt, look, setInterval_ } from "./picture.js";
import { drawPlan, followPlan, offerMethods, replan } from "./plan.js";
import { showReport } from "./report.js";
import { readAddress, settings, writeAddress } from "./settings.js";
import { clearSweep, drawSweep, followSweep } from "./sweep.js";
/** @import { Dropped } from "../worker.js" */

/** @type {{name: string, app: boolean, sampled: boolean, cpu: boolean, length_ns: number, threads: number, methods: number, period_ns: number, warnings: string[], hottest: string[]} | null} */
let source = null;

const tabs = [{ id: "sweep", name: "Every interval" }, { id: "report", name: "Report" }, { id: "view", name: "Timeline" }, { id: "plan", name: "Plan" }];

/** Tabs whose content is of the source that is open. @type {Set<string>} */
const made = new Set();

/** Says what the program is at; null: nothing. @param {string | null} text */
function busy(text) {
	element("state", HTMLParagraphElement).textContent = text ? `${text} …` : sourceText();
	element("progress", HTMLProgressElement).hidden = !text;
	if (!text) document.body.dataset.state = "ready";
}

function sourceText() {
	if (!source) return "";
	const how = source.sampled ? `sampled about every ${(source.period_ns / 1e6).toPrecision(2)} ms; it lacks the calls that its sampler missed, so it is not a ground truth` : source.app ? "a built-in app" : "a trace of every call";
	return [`${source.name}: ${(source.length_ns / 1e9).toPrecision(3)} s, ${source.threads} threads, ${source.methods} methods, ${how}.`, ...source.warnings].join(" ");
}

/** @param {unknown} error */
function fail(error) {
	const failed = element("failed", HTMLParagraphElement);
	failed.hidden = false;
	failed.textContent = error instanceof Error ? error.message : String(error);
	document.body.dataset.state = "failed";
}

/** Opens a built-in app, or a file. @param {string} name @param {Dropped} [file] */
async function openSource(name, file) {
	element("failed", HTMLParagraphElement).hidden = true;
	document.body.dataset.state = "busy";
	busy(`Reading ${name}`);
	try {
		source = (await ask({ op: "open", name }, file)).value;
	} catch (error) {
		busy(null);
		return fail(error);
	}
	made.clear();
	clearSweep();
	offerMethods(source?.hottest ?? []);
	element("all", HTMLElement).hidden = false;
	busy(null);
	look();
	showTab();
}

/** Shows the tab of the settings, and makes what is in it. */
function showTab() {
	for (const t of tabs) {
		const button = element(`tab-${t.id}`, HTMLButtonElement), chosen = t.id === settings.tab;
		button.setAttribute("aria-selected", String(chosen));
		button.tabIndex = chosen ? 0 : -1;
		element(`panel-${t.id}`, HTMLElement).hidden = !chosen;
	}
	writeAddress();
	const first = !made.has(settings.tab);
	made.add(settings.tab);
	if (settings.tab === "sweep") drawSweep();
	else if (settings.tab === "report" && first) showReport(source?.name ?? "", source?.sampled ?? false).catch(fail);
	else if (settings.tab === "view" && first) showTimeline().catch(fail);
	else if (settings.tab === "plan") first ? void replan() : drawPlan();
}

/** Shows the page that artifice view writes. */
async function showTimeline() {
	busy("Making the timeline");
	const { bytes } = await ask({ op: "save", file: "view.html" });
	const frame = element("view", HTMLIFrameElement);
	URL.revokeObjectURL(frame.src);
	frame.src = URL.createObjectURL(new Blob([bytes], { type: "text/html" }));
	busy(null);
}

function makeTabs() {
	const list = element("tabs", HTMLElement);
	tabs.forEach((t, i) => {
		const button = document.createElement("button");
		button.type = "button";
		button.id = `tab-${t.id}`;
		button.textContent = t.name;
		button.setAttribute("role", "tab");
		button.setAttribute("aria-controls", `panel-${t.id}`);
		button.addEventListener("click", () => {
			settings.tab = t.id;
			showTab();
		});
		button.addEventListener("keydown", (e) => {
			const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
			if (!by) return;
			settings.tab = tabs[(i + by + tabs.length) % tabs.length].id;
			showTab();
			element(`tab-${settings.tab}`, HTMLButtonElement).focus();
		});
		list.append(button);
	});
	if (!tabs.some((t) => t.id === settings.tab)) settings.tab = "sweep";
}

/** Files are dropped, or chosen. @param {string[]} apps names that are taken */
function followFiles(apps) {
	const take = async (/** @type {File | null | undefined} */ file) => {
		if (!file) return;
		const plain = file.name.replaceAll("/", "_"), name = apps.includes(plain) ? `./${plain}` : plain;
		await openSource(name, { name, bytes: new Uint8Array(await file.arrayBuffer()), changed: file.lastModified });
	};
	const input = element("file", HTMLInputElement);
	input.addEventListener("change", () => take(input.files?.[0]));
	addEventListener("dragover", (e) => {
		e.preventDefault();
		document.body.classList.add("over");
	});
	addEventListener("dragleave", () => document.body.classList.remove("over"));
	addEventListener("drop", (e) => {
		e.preventDefault();
		document.body.classList.remove("over");
		void take(e.dataTransfer?.files[0]);
	});
}

function followSaves() {
	for (const button of document.querySelectorAll("[data-save]")) {
		if (!(button instanceof HTMLButtonElement)) continue;
		const name = button.dataset.save ?? "";
		button.addEventListener("click", () => ask({ op: "save", file: name }).then(({ bytes }) => saveFile(name, bytes), fail));
	}
}

/** The picture moves by itself until somebody touches it. */
function play() {
	let place = 0, playing = !matchMedia("(prefers-reduced-motion: reduce)").matches && !location.hash.includes("every=");
	const step = () => {
		if (!playing) return;
		place = (place + 2) % 200;
		setInterval_(intervalAt(place < 100 ? place : 200 - place));
		setTimeout(step, 250);
	};
	if (playing) setTimeout(step, 1000);
	const end = () => { playing = false; };
	for (const event of ["pointerdown", "keydown", "drop"]) addEventListener(event, end);
	return end;
}

async function open_() {
	readAddress();
	const version = element("version", HTMLElement).textContent ?? "";
	element("state", HTMLParagraphElement).textContent = "Starting artifice …";
	const bar = element("progress", HTMLProgressElement);
	bar.hidden = false;
	await startEngine(version, (_, share) => {
		if (share === null) bar.removeAttribute("value");
		else bar.value = share;
	});
	const { apps, devices } = (await ask({ op: "apps" })).value, select = element("app", HTMLSelectElement);
	for (const a of apps) select.add(new Option(`${a.name}: ${a.about}`, a.name));
	if (!apps.some((/** @type {{name: string}} */ a) => a.name === settings.app)) settings.app = apps[0].name;
	select.value = settings.app;
	select.addEventListener("change", () => {
		settings.app = select.value;
		void openSource(select.value);
	});
	makeTabs();
	followPicture(play());
	followSweep(devices, busy);
	followPlan(busy);
	followFiles(apps.map((/** @type {{name: string}} */ a) => a.name));
	followSaves();
	addEventListener("resize", () => {
		drawSweep();
		drawPlan();
	});
	await openSource(settings.app);
}

open_().catch(fail);
