// Runs trace_processor, which is built for a browser's worker, in Node. A channel replaces the
// messages between the worker and its page. Requests are {"load": file} and {"query": sql}.
const fs = require("fs"), path = require("path"), url = require("url"), vm = require("vm");
const dir = process.argv[2];

// The worker's program, with emulations of the browser's interfaces: the bytes of the WebAssembly
// module, and the object that receives messages.
function program() {
  let source = fs.readFileSync(path.join(dir, "engine_bundle.node.js"), "utf8");
  for (const [from, to] of [
    ["this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;"],
    ["locateFile: (s) => s,", "locateFile: (s) => s, wasmBinary: globalThis.wasmBytes,"],
    ["const wasmBridge = new wasm_bridge_1.WasmBridge();", "const wasmBridge = new wasm_bridge_1.WasmBridge(); globalThis.wasmBridge = wasmBridge;"],
  ]) {
    if (!source.includes(from)) throw new Error("the package is not as it was: no " + from);
    source = source.replace(from, to);
  }
  return source;
}

async function start() {
  const { EngineBase } = await import(url.pathToFileURL(path.join(dir, "engine.mjs")).href);
  Object.defineProperty(globalThis, "self", { value: globalThis, writable: true, configurable: true });
  globalThis.WorkerGlobalScope = function () {};
  globalThis.location = { href: url.pathToFileURL(dir).href + "/" };
  globalThis.wasmBytes = new Uint8Array(fs.readFileSync(path.join(dir, "trace_processor.wasm")));
  vm.runInThisContext(program());
  const channel = new MessageChannel();
  globalThis.wasmBridge.initialize(channel.port1);
  class Engine extends EngineBase {
    mode = "WASM";
    id = "tests";
    constructor(port) {
      super();
      this.port = port;
      port.onmessage = (m) => m.data instanceof Uint8Array && this.onRpcResponseBytes(m.data);
    }
    rpcSendRequestBytes(data) {
      this.port.postMessage(data);
    }
  }
  return new Engine(channel.port2);
}

const engine = start();

async function answer(request) {
  const e = await engine;
  if (request.load) {
    await e.resetTraceProcessor({ cropTrackEvents: false, ingestFtraceInRawTable: false, analyzeTraceProtoContent: false, ftraceDropUntilAllCpusValid: false });
    const bytes = new Uint8Array(fs.readFileSync(request.load));
    const step = 1 << 25;
    for (let at = 0; at < bytes.length; at += step) await e.parse(bytes.subarray(at, at + step));
    await e.notifyEof();
    return true;
  }
  const result = await e.query(request.query), columns = result.columns(), rows = [];
  for (const it = result.iter({}); it.valid(); it.next()) {
    const row = {};
    for (const c of columns) {
      const value = it.get(c);
      row[c] = typeof value === "bigint" ? Number(value) : value; // all integers of the test files are below 2^53
    }
    rows.push(row);
  }
  return rows;
}
// An exception outside of a request ends the process.
process.on("unhandledRejection", () => process.exit(1));
