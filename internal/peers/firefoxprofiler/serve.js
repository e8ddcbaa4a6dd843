// Each line of the input is a request, {"load": url} or {"functions": thread} of what
// was loaded last; its answer is a line {"result": ...} or {"error": text}.
console.log = console.info = console.warn = console.error;
let loaded;
async function answer(request) {
  if (request.load) {
    loaded = undefined;
    loaded = await Querier.load(request.load, { skipSymbolication: true });
    return (await loaded.threadList({})).threads;
  }
  return (await loaded.threadFunctions(request.functions, { limit: 1000000 }, true)).functions;
}
(async () => {
  for await (const line of require("readline").createInterface({ input: process.stdin })) {
    let reply;
    try {
      reply = { result: await answer(JSON.parse(line)) };
    } catch (e) {
      reply = { error: String(e) };
    }
    process.stdout.write(JSON.stringify(reply) + "\n");
  }
})();
