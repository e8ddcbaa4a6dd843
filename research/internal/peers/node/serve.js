// Each line of the input is a request; its answer is a line {"result": ...} or
// {"error": text}. The output of the programs is ignored.
console.log = console.info = console.warn = console.error = console.time = console.timeEnd = () => {};
(async () => {
  for await (const line of require("readline").createInterface({ input: process.stdin })) {
    let reply;
    try {
      reply = { result: await answer(JSON.parse(line)) };
    } catch (e) {
      reply = { error: String((e && e.message) || e || "refused") };
    }
    await new Promise((done) => process.stdout.write(JSON.stringify(reply) + "\n", done));
  }
})();
