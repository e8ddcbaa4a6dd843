// A request is a file name. The answer contains the content of each profile in the file.
const fs = require("fs"), path = require("path");
async function answer(file) {
  const bytes = fs.readFileSync(file);
  const group = await globalThis.importFile(path.basename(file), bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  if (!group) throw new Error("Unrecognized format");
  return group.profiles.map((p) => {
    const calls = new Map(), stacks = new Map();
    const sum = (map, key, first) => map.get(key) || (map.set(key, first), first);
    // The time-ordered tree has a node for each call, including calls of duration 0.
    const visit = (node, depth) => {
      for (const child of node.children) {
        const of = sum(calls, depth + " " + child.frame.name, { depth, name: child.frame.name, n: 0, total: 0 });
        of.n++;
        of.total += child.getTotalWeight();
        visit(child, depth + 1);
      }
    };
    visit(p.getAppendOrderCalltreeRoot(), 0);
    const weight = (node, w) => {
      const frames = [];
      for (; node && node.parent; node = node.parent) frames.push(node.frame.name);
      frames.reverse();
      const of = sum(stacks, JSON.stringify(frames), { frames, weight: 0, n: 0 });
      of.weight += w;
      of.n++;
    };
    p.samples.forEach((node, i) => weight(node, p.weights[i]));
    return {
      name: p.getName(), unit: p.getWeightUnit(), total: p.getTotalWeight(),
      calls: [...calls.values()], stack: [...stacks.values()],
    };
  });
}
