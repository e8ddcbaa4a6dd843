// The interface to the program in its worker: requests, answers and progress.

import { fromBase64 } from "./decode.js";
import { element } from "./elements.js";

/** @import { Dropped } from "./worker.js" */

/** @typedef {{value: any, bytes: Uint8Array<ArrayBuffer>}} Answer */

/** @type {Worker} */
let worker;

/** @type {Map<number, {resolve: (a: Answer) => void, reject: (e: Error) => void}>} */
const waiting = new Map();

let lastID = 0;

/** @type {(step: string, share: number | null) => void} */
let onProgress = () => {};

/** Starts the program that the page contains. @param {string} version @param {(step: string, share: number | null) => void} progress receives the progress */
export function startEngine(version, progress) {
	onProgress = progress;
	const script = element("worker", HTMLScriptElement).textContent ?? "", program = element("program", HTMLScriptElement).textContent ?? "";
	worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
	return /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
		worker.onerror = (e) => reject(new Error(e.message));
		worker.onmessage = ({ data }) => {
			if (data.kind === "ready") resolve();
			else if (data.kind === "failed") reject(new Error(data.error));
			else receive(data);
		};
		const bytes = fromBase64(program.trim());
		worker.postMessage({ kind: "start", program: bytes, version }, [bytes.buffer]);
	}));
}

/** @param {any} data */
function receive(data) {
	if (data.kind === "progress") return onProgress(data.step, data.total > 0 ? Math.min(1, data.done / data.total) : null);
	if (data.kind === "ended") {
		for (const w of waiting.values()) w.reject(new Error("artifice has ended; reload the page"));
		return waiting.clear();
	}
	const w = waiting.get(data.id);
	waiting.delete(data.id);
	if (data.error !== undefined) w?.reject(new Error(data.error));
	else w?.resolve({ value: data.value, bytes: data.bytes });
}

/** Sends a request to the program. Requests are answered one after another. @param {string | {op: string, [more: string]: unknown}} request text, or an object that is sent as JSON @param {Dropped[]} [files] of the source that it opens @returns {Promise<Answer>} */
export function ask(request, files = []) {
	return new Promise((resolve, reject) => {
		waiting.set(++lastID, { resolve, reject });
		worker.postMessage({ kind: "ask", id: lastID, request: typeof request === "string" ? request : JSON.stringify(request), files }, files.map((f) => f.bytes.buffer));
	});
}

/** Stops the current request of the program. */
export function stop() { worker.postMessage({ kind: "stop" }); }

/** Returns a function that runs work. Calls during a run cause one further run, with the latest settings. @param {() => Promise<void>} work */
export function latest(work) {
	let running = false, again = false;
	return async () => {
		again = true;
		if (running) return;
		running = true;
		while (again) {
			again = false;
			await work();
		}
		running = false;
	};
}

/** Saves bytes as a file. @param {string} name @param {Uint8Array<ArrayBuffer>} bytes */
export function saveFile(name, bytes) {
	const a = document.createElement("a");
	a.href = URL.createObjectURL(new Blob([bytes]));
	a.download = name;
	a.click();
	setTimeout(() => URL.revokeObjectURL(a.href), 60_000);
}
