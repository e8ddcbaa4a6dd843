// The number of traces needed to detect that a method got slower.

import { element, say } from "../elements.js";
import { ask, latest } from "../engine.js";
import { intervalName } from "./names.js";
import { plot } from "./plot.js";
import { settings, writeAddress } from "./settings.js";

/** @typedef {{interval_ns: number, slowdown: number, power: number[]}} Curve power: from 2 traces on */

/** @type {{plan: any, curves: Curve[]} | null} */
let planned = null;

const sliders = /** @type {const} */ (["change", "budget", "traces"]);

/** @type {(text: string | null) => void} */
let setBusy = () => {};

/** Follows the plan's controls. @param {(text: string | null) => void} busy shows what the program is doing */
export function followPlan(busy) {
	setBusy = busy;
	for (const id of sliders) {
		const slider = element(id, HTMLInputElement);
		slider.value = String(settings[id]);
		slider.addEventListener("input", () => {
			settings[id] = Number(slider.value);
			showPlanControls();
			if (id === "traces") drawPlan();
			else void replan();
		});
	}
	const method = element("method", HTMLSelectElement);
	method.addEventListener("change", () => {
		settings.method = method.value;
		void replan();
	});
	showPlanControls();
}

function showPlanControls() {
	element("change-text", HTMLOutputElement).value = `${settings.change} %`;
	element("budget-text", HTMLOutputElement).value = `${settings.budget} %`;
	element("traces-text", HTMLOutputElement).value = String(settings.traces);
}

/** Lists the methods of the opened source. @param {string[]} methods */
export function offerMethods(methods) {
	planned = null;
	const select = element("method", HTMLSelectElement);
	select.replaceChildren(...methods.map((m) => new Option(m, m)));
	if (!methods.includes(settings.method)) settings.method = methods[0] ?? "";
	select.value = settings.method;
}

/** Requests the plan for the settings, and draws it. */
export const replan = latest(async () => {
	writeAddress();
	if (!planned || planned.plan.method !== settings.method) setBusy("Reading traces for the plan");
	try {
		planned = (await ask({ op: "plan", method: settings.method, change: settings.change / 100, budget: settings.budget / 100, device: settings.device })).value;
		drawPlan();
	} catch (error) {
		planned = null;
		element("power", HTMLElement).replaceChildren();
		element("plan-says", HTMLParagraphElement).textContent = error instanceof Error ? error.message : String(error);
	}
	say(element("plan-says", HTMLParagraphElement).textContent ?? "");
	setBusy(null);
});

/** Draws the plan, if there is one. */
export function drawPlan() {
	if (!planned) return;
	writeAddress();
	const says = element("plan-says", HTMLParagraphElement), n = settings.traces, curves = planned.curves.slice(-5);
	if (!curves.length) {
		element("power", HTMLElement).replaceChildren();
		says.textContent = "No tracer meets this maximum slowdown: allow a larger one.";
		return;
	}
	const name = (/** @type {Curve} */ c) => c.interval_ns ? `every ${intervalName(c.interval_ns)}` : "every call";
	plot(element("power", HTMLElement), "Power: probability of detecting the change", { label: "traces of each build", ticks: [2, 5, 10, 15, 20, 25, 30], format: String },
		{ label: "power", ticks: [0, .2, .4, .6, .8, 1], format: (v) => `${Math.round(100 * v)} %` },
		curves.map((c) => ({ name: name(c), points: c.power.map((y, i) => ({ x: i + 2, y, name: "" })) })), n);
	const found = curves.map((c) => `${name(c)} ${(100 * c.power[n - 2]).toFixed(0)} %`).join(", ");
	const { advised } = planned.plan;
	says.textContent = `Power with ${n} traces of each build to detect +${settings.change} % in ${settings.method}: ${found}. ` +
		(advised ? `Enough: ${advised.needed} traces of each build, ${advised.interval_ns ? "sampled every " + intervalName(advised.interval_ns) : "every call recorded"} (power 80 %). ${planned.plan.record}` : "1,000 traces of each build do not detect it:  record for longer, or choose a larger change.");
}
