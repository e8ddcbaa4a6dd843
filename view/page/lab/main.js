// Opens the laboratory: starts the program, opens a source, and shows the first picture.

import { element, say } from "../elements.js";
import { ask, saveFile, startEngine } from "../engine.js";
import { animate, followPicture, look } from "./picture.js";
import { drawPlan, followPlan, offerMethods, replan } from "./plan.js";
import { showReport } from "./report.js";
import { filesIn } from "./drop.js";
import { readAddress, settings, writeAddress } from "./settings.js";
import { clearSweep, drawSweep, followSweep } from "./sweep.js";
/** @import { Dropped } from "../worker.js" */

/** @type {{name: string, app: boolean, sampled: boolean, cpu: boolean, length_ns: number, dumps: number, threads: number, methods: number, period_ns: number, warnings: string[], hottest: string[]} | null} */
let source = null;

const tabs = [{ id: "sweep", name: "Every interval" }, { id: "report", name: "Report" }, { id: "view", name: "Timeline" }, { id: "plan", name: "Plan" }];

/** Tabs whose content belongs to the open source. @type {Set<string>} */
const made = new Set();

/** Shows what the program is doing; null: nothing. @param {string | null} text */
function busy(text) {
	element("state", HTMLParagraphElement).textContent = text ? `${text} …` : sourceText();
	element("progress", HTMLProgressElement).hidden = !text;
	showWarnings(text ? [] : (source?.warnings ?? []));
	if (!text) document.body.dataset.state = "ready";
}

/** Lists what reading the source noticed, folded on a narrow screen. @param {string[]} list */
function showWarnings(list) {
	const box = element("warnings", HTMLDetailsElement);
	box.hidden = !list.length;
	box.open = list.length === 1 || matchMedia("(min-width: 600px)").matches;
	element("warnings", HTMLElement).querySelector("summary")?.replaceChildren(`${list.length} ${list.length === 1 ? "warning" : "warnings"}`);
	element("warnings", HTMLElement).querySelector("ul")?.replaceChildren(...list.map((text) => Object.assign(document.createElement("li"), { textContent: `${text}.` })));
}

function sourceText() {
	if (!source) return "";
	if (settings.file && source.app) return `This link is about ${settings.file}: open or drop that file to see the same. Until then: ${source.name}.`;
	if (source.dumps) return `${source.name}: ${source.dumps} thread dump${source.dumps === 1 ? "" : "s"}, ${source.threads} thread${source.threads === 1 ? "" : "s"}.`;
	const how = source.sampled ? `sampled about every ${(source.period_ns / 1e6).toPrecision(2)} ms; it lacks the calls that its sampler missed, so it is not a ground truth` : source.app ? "a built-in app" : "a trace of every call";
	return `${source.name}: ${(source.length_ns / 1e9).toPrecision(3)} s, ${source.threads} threads, ${source.methods} methods, ${how}.`;
}

/** @param {unknown} error */
function fail(error) {
	const failed = element("failed", HTMLParagraphElement);
	failed.hidden = false;
	failed.textContent = error instanceof Error ? error.message : String(error);
	document.body.dataset.state = "failed";
}

/** Shows the open source in the URL and in the list of apps. */
function nameSource() {
	const select = element("app", HTMLSelectElement);
	if (!source) return;
	if (!source.app) {
		select.querySelector("[data-file]")?.remove();
		const option = new Option(`file: ${source.name}`, openName);
		option.dataset.file = "";
		select.add(option, 0);
	}
	select.value = openName;
}

let openName = ""; // name of the open source for requests to the program

/** Opens a built-in app, or a file; files is empty if the program already has the file. If that fails, the open source remains. @param {string} name @param {Dropped[]} [files] */
async function openSource(name, files = []) {
	element("failed", HTMLParagraphElement).hidden = true;
	document.body.dataset.state = "busy";
	busy(`Reading ${name}`);
	try {
		source = (await ask({ op: "open", name }, files)).value;
	} catch (error) {
		busy(null);
		nameSource();
		return fail(error);
	}
	if (source?.app) settings.app = name;
	if (source && (!source.app || openName)) settings.file = source.app ? "" : source.name; // the first app is a substitute for the file of a link
	openName = name;
	nameSource();
	made.clear();
	clearSweep();
	offerMethods(source?.hottest ?? []);
	element("all", HTMLElement).hidden = false;
	document.body.classList.toggle("dumps", Boolean(source?.dumps)); // dumps have their own page and no times
	busy(null);
	say(sourceText());
	if (source?.dumps) element("all", HTMLElement).classList.remove("opening");
	else look(false);
	showTab();
}

/** Shows the tab of the settings, and creates its content. */
function showTab() {
	const tab = source?.dumps ? "view" : settings.tab;
	for (const t of tabs) {
		const button = element(`tab-${t.id}`, HTMLButtonElement), chosen = t.id === tab;
		button.setAttribute("aria-selected", String(chosen));
		button.tabIndex = chosen ? 0 : -1;
		element(`panel-${t.id}`, HTMLElement).hidden = !chosen;
	}
	writeAddress();
	const first = !made.has(tab);
	made.add(tab);
	if (tab === "sweep") drawSweep();
	else if (tab === "report" && first) showReport(source?.name ?? "", source?.sampled ?? false).catch(fail);
	else if (tab === "view" && first) showTimeline().catch(fail);
	else if (tab === "plan") first ? void replan() : drawPlan();
}

/** Shows the page that artifice view writes. */
async function showTimeline() {
	busy(source?.dumps ? "Making the page of the dumps" : "Making the timeline");
	const { bytes } = await ask({ op: "save", file: "view.html" });
	const frame = element("view", HTMLIFrameElement);
	frame.title = source?.dumps ? "Thread dumps" : "Timeline";
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

/** Handles dropped and selected files and folders. @param {string[]} apps names that are taken */
function followFiles(apps) {
	/** @param {Promise<{path: string, file: File}[]>} chosen */
	const take = async (chosen) => {
		const files = await chosen, root = files[0]?.path.split("/")[0];
		if (!root) return;
		const name = files.length > 1 ? root : files[0].path, prefix = apps.includes(root) ? "./" : "";
		await openSource(prefix + name, await Promise.all(files.map(async ({ path, file }) => ({ name: prefix + path, bytes: new Uint8Array(await file.arrayBuffer()), changed: file.lastModified }))));
	};
	const input = element("file", HTMLInputElement);
	input.addEventListener("change", () => {
		const file = input.files?.[0];
		if (file) void take(Promise.resolve([{ path: file.name.replaceAll("/", "_"), file }]));
		input.value = ""; // so that the same file can be selected again
	});
	addEventListener("dragover", (e) => {
		e.preventDefault();
		document.body.classList.add("over");
	});
	addEventListener("dragleave", () => document.body.classList.remove("over"));
	addEventListener("drop", (e) => {
		e.preventDefault();
		document.body.classList.remove("over");
		if (e.dataTransfer) take(filesIn(e.dataTransfer)).catch(fail);
	});
}

function followSaves() {
	for (const button of document.querySelectorAll("[data-save]")) {
		if (!(button instanceof HTMLButtonElement)) continue;
		const name = button.dataset.save ?? "";
		button.addEventListener("click", () => ask({ op: "save", file: name }).then(({ bytes }) => saveFile(name, bytes), fail));
	}
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
		void openSource(select.value);
	});
	makeTabs();
	followPicture(animate());
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
