// Accuracy and slowdown of all sampling intervals.

import { element, say } from "../elements.js";
import { ask, stop } from "../engine.js";
import { intervalName } from "./names.js";
import { setInterval_ } from "./picture.js";
import { plot } from "./plot.js";
import { settings, writeAddress } from "./settings.js";

/** @typedef {{mode: string, interval_ns: number, slowdown: number | null, running: number | null, low: number | null, high: number | null, methods: number | null}} Way */
/** @typedef {{cut: boolean, length_ns: number, sampled: boolean, points: Way[], advice: string[] | null}} Sweep */

/** @type {Sweep | null} */
let measured = null;

/** @param {{name: string, about: string}[]} devices @param {(busy: string | null) => void} busy */
export function followSweep(devices, busy) {
	const device = element("device", HTMLSelectElement), go = element("sweep", HTMLButtonElement), end = element("stop", HTMLButtonElement);
	for (const d of devices) device.add(new Option(`${d.name}: ${d.about}`, d.name));
	device.value = settings.device;
	device.addEventListener("change", () => {
		settings.device = device.value;
		writeAddress();
	});
	end.addEventListener("click", stop);
	go.addEventListener("click", async () => {
		go.disabled = true;
		end.disabled = false;
		busy("Measuring every interval");
		try {
			measured = (await ask({ op: "sweep", device: settings.device })).value;
			drawSweep();
			busy(null);
		} catch (error) {
			busy(null);
			element("advice", HTMLElement).textContent = error instanceof Error ? error.message : String(error);
		}
		say(element("advice", HTMLElement).firstElementChild?.textContent ?? element("advice", HTMLElement).textContent ?? "");
		go.disabled = false;
		end.disabled = true;
	});
}

/** Discards the results of another source. */
export function clearSweep() {
	measured = null;
	for (const id of ["frontier", "advice"]) element(id, HTMLElement).replaceChildren();
	element("sweep-saves", HTMLElement).hidden = element("frontier-hint", HTMLElement).hidden = true;
}

/** Draws the results, if there are any. */
export function drawSweep() {
	if (!measured) return;
	const points = measured.points.filter((p) => p.slowdown !== null && p.running !== null);
	const cost = (/** @type {Way} */ p) => Math.max(.0001, (p.slowdown ?? 1) - 1);
	const lowest = 10 ** Math.floor(Math.log10(Math.min(...points.map(cost)))), highest = 10 ** Math.ceil(Math.log10(Math.max(...points.map(cost))));
	const ticks = [];
	for (let v = lowest; v <= Math.max(highest, 10 * lowest) * 1.001; v *= 10) ticks.push(v);
	const modes = [...new Set(points.map((p) => p.mode))];
	const series = modes.map((mode) => ({
		name: mode === "sample" ? "sampled" : mode, alone: mode !== "sample",
		points: points.filter((p) => p.mode === mode).map((p) => ({
			x: cost(p), y: p.running ?? 0, low: p.low ?? undefined, high: p.high ?? undefined,
			name: `${p.interval_ns ? "every " + intervalName(p.interval_ns) : "every call"}: ${(100 * (p.running ?? 0)).toFixed(1)} % correctly attributed, slowdown ${(1 + cost(p)).toPrecision(3)}`,
			choose: p.interval_ns ? () => {
				setInterval_(p.interval_ns / 1e6);
				element("picture-title", HTMLElement).scrollIntoView({ behavior: "smooth" });
			} : undefined,
		})),
	}));
	plot(element("frontier", HTMLElement), "Accuracy by slowdown", { label: "added run time", ticks, format: (v) => `${+(100 * v).toPrecision(2)} %`, log: true },
		{ label: "CPU time correctly attributed", ticks: [0, .2, .4, .6, .8, 1], format: (v) => `${Math.round(100 * v)} %` }, series);
	element("frontier-hint", HTMLElement).hidden = element("sweep-saves", HTMLElement).hidden = false;
	const lines = [...measured.cut ? [`Stopped: these figures cover the first ${(measured.length_ns / 1e6).toFixed(0)} ms.`] : [], ...measured.sampled ? ["The source is sampled itself: it lacks the calls that its sampler missed."] : [], ...measured.advice ?? []];
	element("advice", HTMLElement).replaceChildren(...lines.map((text) => {
		const p = document.createElement("p");
		p.textContent = text;
		return p;
	}));
}
