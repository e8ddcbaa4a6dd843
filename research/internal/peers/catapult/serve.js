// A request is a file name. The answer contains the content of each thread of the file.
const fs = require("fs"), path = require("path");
globalThis.window = globalThis;
globalThis.JSZip = globalThis.mannwhitneyu = {};
globalThis.HTMLImportsLoader = { hrefToAbsolutePath: () => path.join(process.argv[2], "stub.js") };
// Catapult's module for Node requires a matrix library that the importer does not use.
for (const name of ["vec2", "vec3", "vec4", "mat2", "mat2d", "mat3", "mat4", "quat"])
  globalThis[name] = new Proxy({}, { get: (of, key) => of[key] || (() => []) });
fs.writeFileSync(path.join(process.argv[2], "stub.js"), "");
require(process.argv[2]);

async function answer(file) {
  const options = new tr.importer.ImportOptions();
  options.shiftWorldToZero = options.pruneEmptyContainers = options.showImportWarnings = false;
  const model = new tr.Model();
  new tr.importer.Import(model, options).importTraces([fs.readFileSync(file, "utf8")]);
  const threads = [];
  for (const process of Object.values(model.processes)) {
    for (const thread of Object.values(process.threads)) {
      const calls = new Map();
      for (const slice of thread.sliceGroup.slices) {
        let depth = 0;
        for (let s = slice; s.parentSlice; s = s.parentSlice) depth++;
        const key = depth + " " + slice.title;
        const of = calls.get(key) || { depth, name: slice.title, n: 0, total: 0, cpu: 0 };
        of.n++;
        of.total += slice.duration;
        of.cpu += slice.cpuDuration || 0;
        calls.set(key, of);
      }
      threads.push({ pid: process.pid, tid: thread.tid, name: thread.name || "", calls: [...calls.values()] });
    }
  }
  return { threads, warnings: model.importWarnings.map((w) => w.type + ": " + w.message) };
}
