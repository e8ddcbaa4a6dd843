// The worker runs the program, and passes requests and answers between the page and the program.
// Go's support script for browsers (wasm_exec.js) is appended to this script.

import { drop, fileSystem, put } from "./files.js";

/** @typedef {{kind: "start", program: Uint8Array<ArrayBuffer>, version: string}} Start */
/** @typedef {{name: string, bytes: Uint8Array<ArrayBuffer>, changed?: number}} Dropped a file; changed: modification time, in ms since 1970 */
/** @typedef {{kind: "ask", id: number, request: string, files: Dropped[]}} Ask files: the files of the source that the request opens */
/** @typedef {{kind: "stop"}} Stop */

const scope = /** @type {any} */ (globalThis);

scope.fs = fileSystem();
scope.process = { pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], umask: () => 0, cwd: () => "/", chdir() {} };
scope.artificeProgress = (/** @type {string} */ step, /** @type {number} */ done, /** @type {number} */ total) => scope.postMessage({ kind: "progress", step, done, total });

/** The files of the open source. @type {Dropped[]} */
let kept = [];

/** Replaces files in the file system by others. @param {Dropped[]} before @param {Dropped[]} files */
function replace(before, files) {
	for (const f of before) drop(f.name.replace(/^\.\//, "").split("/")[0]); // the file, or its topmost folder
	for (const f of files) put(f.name, f.bytes, f.changed ?? 0);
}

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
	const { files } = m;
	for (const f of files) put(f.name, f.bytes, f.changed ?? 0);
	scope.artificeAsk(m.request, (/** @type {string | null} */ error, /** @type {string} */ value, /** @type {Uint8Array} */ bytes) => {
		if (files.length && (error === null || !kept.length)) replace(kept, kept = files);
		else if (files.length) replace(files, kept); // the request failed: restore the files of the open source
		if (error !== null) scope.postMessage({ kind: "answer", id: m.id, error });
		else scope.postMessage({ kind: "answer", id: m.id, value: JSON.parse(value), bytes }, [bytes.buffer]);
	});
}

scope.onmessage = (/** @type {{data: Start | Ask | Stop}} */ { data }) => {
	if (data.kind === "start") start(data).catch((error) => scope.postMessage({ kind: "failed", error: String(error) }));
	else if (data.kind === "ask") ask(data);
	else scope.artificeStop();
};
