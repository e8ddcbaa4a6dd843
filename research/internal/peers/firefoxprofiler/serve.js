// Requests are {"load": url}, and for the profile loaded last {"functions": thread},
// {"stacks": true} or {"save": file}.
let loaded;
async function answer(request) {
  if (request.load) {
    loaded = undefined;
    loaded = await Querier.load(request.load, { skipSymbolication: true });
    return (await loaded.threadList({})).threads;
  }
  if (request.stacks) return stacks(loaded._store.getState().profileView.profile);
  if (request.save) {
    // Like serializeProfile of the profiler: columns of numbers can be typed arrays.
    const plain = (_, v) => (ArrayBuffer.isView(v) ? Array.from(v) : v);
    require("fs").writeFileSync(request.save, JSON.stringify(loaded._store.getState().profileView.profile, plain));
    return true;
  }
  return (await loaded.threadFunctions(request.functions, { limit: 1000000 }, true)).functions;
}

// stacks returns for each thread the weight of each distinct stack, and for each name of markers
// with a duration their number and their total duration.
function stacks(profile) {
  const shared = profile.shared || {};
  return profile.threads.map((t) => {
    const stack = t.stackTable || shared.stackTable, frame = t.frameTable || shared.frameTable;
    const func = t.funcTable || shared.funcTable, strings = t.stringArray || shared.stringArray;
    const prefix = (i) => (stack.prefixOffset ? (stack.prefixOffset[i] ? i - stack.prefixOffset[i] : null) : stack.prefix[i]);
    const frames = (i) => {
      const names = [];
      for (; i !== null && i !== undefined; i = prefix(i)) names.push(strings[func.name[frame.func[stack.frame[i]]]]);
      return names.reverse();
    };
    const weights = new Map();
    for (let i = 0; i < t.samples.length; i++) {
      const s = t.samples.stack[i] ?? null;
      const of = weights.get(s) || { weight: 0, count: 0 };
      of.weight += t.samples.weight ? t.samples.weight[i] : 1;
      of.count++;
      weights.set(s, of);
    }
    const marked = new Map(), m = t.markers || { length: 0 };
    for (let i = 0; i < m.length; i++) {
      const name = strings[m.name[i]], of = marked.get(name) || { name, n: 0, total: 0 };
      of.n++;
      of.total += (m.endTime[i] ?? NaN) - (m.startTime[i] ?? NaN) || 0;
      marked.set(name, of);
    }
    return {
      name: t.name, tid: String(t.tid), marked: [...marked.values()],
      stacks: [...weights].map(([s, of]) => ({ frames: s === null ? [] : frames(s), ...of })),
    };
  });
}
