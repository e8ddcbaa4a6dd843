// The body of a function that puppeteer runs in the page. It imports /trace from the server.
await tab.waitForFunction("window.tr && tr.importer && tr.importer.Import && tr.e && tr.e.importer && tr.e.importer.linux_perf && tr.e.importer.linux_perf.FTraceImporter", { timeout: 0 });
return await tab.evaluate(async () => {
  const text = await (await fetch("/trace")).text();
  const options = new tr.importer.ImportOptions();
  options.shiftWorldToZero = options.pruneEmptyContainers = options.showImportWarnings = false;
  const model = new tr.Model();
  new tr.importer.Import(model, options).importTraces([text]);
  const threads = [], states = [];
  for (const thread of model.getAllThreads()) {
    const calls = new Map(), sums = new Map();
    for (const slice of thread.sliceGroup.slices) {
      let depth = 0;
      for (let s = slice; s.parentSlice; s = s.parentSlice) depth++;
      const key = depth + " " + slice.title;
      const of = calls.get(key) || { depth, name: slice.title, n: 0, total: 0, cpu: 0 };
      of.n++;
      of.total += slice.duration;
      calls.set(key, of);
    }
    for (const slice of thread.timeSlices || []) {
      const of = sums.get(slice.title) || { tid: thread.tid, name: slice.title, n: 0, total: 0 };
      of.n++;
      of.total += slice.duration;
      sums.set(slice.title, of);
    }
    threads.push({ pid: thread.parent.pid || 0, tid: thread.tid, name: thread.name || "", calls: [...calls.values()] });
    states.push(...[...sums.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }
  states.sort((a, b) => a.tid - b.tid);
  return { threads, states, warnings: model.importWarnings.map((w) => w.type + ": " + w.message) };
});
