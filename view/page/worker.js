// The worker: it runs the program, and hands requests to it and answers back.
// Go's own support for browsers stands behind this script.

import { drop, fileSystem, put } from "./files.js";

/** @typedef {{kind: "start", program: Uint8Array<ArrayBuffer>, version: string}} Start */
/** @typedef {{name: string, bytes: Uint8Array<ArrayBuffer>, changed?: number}} Dropped a file; changed: when, in ms since 1970 */
/** @typedef {{kind: "ask", id: number, request: string, file?: Dropped}} Ask */
/** @typedef {{kind: "stop"}} Stop */

const scope = /** @type {any} */ (globalThis);

scope.fs = fileSystem();
scope.process = { pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], umask: () => 0, cwd: () => "/", chdir() {} };
scope.artificeTold = (/** @type {string} */ step, /** @type {number} */ done, /** @type {number} */ total) => scope.postMessage({ kind: "told", step, done, total });

let file = ""; // the one that was dropped

/** @param {Start} m */
async function start(m) {
	scope.artificeVersion = m.version;
	const unpacked = new Blob([m.program]).stream().pipeThrough(new DecompressionStream("gzip"));
	const bytes = await new Response(unpacked).arrayBuffer();
	const go = new scope.Go();
	go.env = { TMPDIR: "/tmp" };
	const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
	scope.artificeReady = () => scope.postMessage({ kind: "ready" });
	go.run(instance).then(() => scope.postMessage({ kind: "ended" }));
}

/** @param {Ask} m */
function ask(m) {
	if (m.file) {
		drop(file);
		put(file = m.file.name, m.file.bytes, m.file.changed ?? 0);
	}
	scope.artificeAsk(m.request, (/** @type {string | null} */ error, /** @type {string} */ value, /** @type {Uint8Array} */ bytes) => {
		if (error !== null) scope.postMessage({ kind: "answer", id: m.id, error });
		else scope.postMessage({ kind: "answer", id: m.id, value: JSON.parse(value), bytes }, [bytes.buffer]);
	});
}

scope.onmessage = (/** @type {{data: Start | Ask | Stop}} */ { data }) => {
	if (data.kind === "start") start(data).catch((error) => scope.postMessage({ kind: "failed", error: String(error) }));
	else if (data.kind === "ask") ask(data);
	else scope.artificeStop();
};
