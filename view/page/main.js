"use strict";
(async () => {
  const meta = document.querySelector('meta[name="data"]');
  const text = meta ? "" : document.getElementById("data").textContent;
  const packed = meta ? (await fetch(meta.content)).body : new Blob([Uint8Array.from(atob(text), c => c.charCodeAt(0))]).stream();
  const bytes = new Uint8Array(await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + length)));
  const list = document.createElement("ul");
  for (const recording of header.recordings) for (const thread of recording.threads) {
    const item = document.createElement("li");
    item.textContent = `${recording.name}: ${thread.name}, ${thread.calls.method.count} calls`;
    list.append(item);
  }
  document.body.append(list);
})();
