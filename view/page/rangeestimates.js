// Confidence intervals for a range of a sampled trace. The program computes them: the server of the
// page, which reads the trace again, or the program in the page, if it is a file that contains one.
// Other pages have no confidence intervals for ranges.

import { sumsShown } from "./panels.js";
import { fromBase64 } from "./decode.js";
import { element } from "./elements.js";
import { ask, startEngine } from "./engine.js";
import { axisOrigin, book, current, on, shown, tell } from "./state.js";
import { unitNS } from "./units.js";
/** @import { Estimated, EstimatedTime } from "./methods.js" */
/** @import { Recording } from "./model.js" */

/** @type {{key: string, of: Map<number, Estimated>, failed: string} | null} */
export let rangeEstimates = null;

let rangeTimer = 0;

/** @type {AbortController | null} */
let rangeAsked = null;

/** Reports whether there is a program that computes intervals. */
export function computesRanges() { return Boolean(book.header.range || document.getElementById("recording")); }

/** Requests the intervals of the range when it has not changed for a moment. Then it publishes "found", so that lists are redrawn. */
export function followRange() {
	const path = book.header.range;
	if (!computesRanges()) return;
	on(["range", "axis", "observed"], () => {
		clearTimeout(rangeTimer);
		rangeAsked?.abort();
		const recording = current();
		const first = recording.header.clocks[0]; // the program's ranges are on this axis only
		if (!shown.range && recording.estimatesOf(shown.lists) || shown.axis !== first || !recording.sampled || sumsShown().key === rangeEstimates?.key) return;
		rangeTimer = setTimeout(() => void askRange(path, recording), 400);
	});
}

/** @param {string | undefined} path of the server, if one serves the page @param {Recording} recording */
async function askRange(path, recording) {
	const { range } = shown, { key } = sumsShown();
	const threads = shown.lists ? recording.threadsOf(shown.lists).map((i) => `&thread=${recording.threads[i].tid}`).join("") : "";
	const moment = (/** @type {number} */ t) => Math.max(0, Math.round((t + axisOrigin()) * unitNS));
	const { signal } = rangeAsked = new AbortController();
	const part = range ? `from=${moment(range.from)}&to=${moment(range.to)}&` : ""; // no range: also the time after the last event
	const query = `${part}recording=${recording.index}${threads}`;
	try {
		const rows = await (path ? askServer(`${path}?${query}`, signal) : askProgram(query));
		signal.throwIfAborted();
		rangeEstimates = { key, of: estimatesFrom(rows), failed: "" };
	} catch (error) {
		if (error instanceof DOMException && error.name === "AbortError") return;
		rangeEstimates = { key, of: new Map(), failed: error instanceof Error ? error.message : String(error) };
	}
	tell("found");
}

/** @param {string} address @param {AbortSignal} signal */
async function askServer(address, signal) {
	const answer = await fetch(address, { signal });
	if (!answer.ok) throw new Error((await answer.text()).trim() || `the program answers ${answer.status}`);
	return answer.json();
}

/** Starts the program that the page contains. The promise resolves when it has the recording, which the first request transfers. @type {Promise<void> | null} */
let rangeProgram = null;

/** @param {string} query */
async function askProgram(query) {
	const recording = element("recording", HTMLScriptElement), first = !rangeProgram;
	await (rangeProgram ??= startEngine(book.header.version, () => {}));
	const file = first ? { name: "recording", bytes: fromBase64(recording.textContent?.trim() ?? "") } : null;
	return (await ask(`${recording.dataset.until}?${query}`, file ? [file] : [])).value;
}

/** @param {Record<string, string>[]} rows as printed by "artifice report --json" @returns {Map<number, Estimated>} */
function estimatesFrom(rows) {
	/** @type {Map<string, number>} */
	const index = new Map();
	book.identities.forEach((m, i) => index.set(m, i).set(m.replace(/\(.*/, ""), i));
	/** @type {Map<number, Estimated>} */
	const of = new Map();
	for (const r of rows) {
		/** @param {string} kind @returns {EstimatedTime | null} */
		const time = (kind, axis = /** @type {string} */ (shown.axis)) => {
			const name = `${kind}_${axis}`, value = r[`${name}_ns`], low = r[`${name}_low_ns`];
			if (!value) return null;
			const known = low !== null && low !== undefined;
			return {
				value: Number(value) / unitNS, interval: known ? [Number(low) / unitNS, Number(r[`${name}_high_ns`]) / unitNS] : null,
				bounds: false, inStep: Boolean(r.cycle_samples),
			};
		};
		const m = index.get(r.method);
		if (m !== undefined) of.set(m, { self: time("self"), total: time("total"), running: time("self", "running") });
	}
	return of;
}
