package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/research/internal/browser"
)

// dropping drops files on the page, and returns the visible state of its source.
const dropping = labReady + `
const cdp = await tab.createCDPSession();
const drop = async (path) => {
	const data = {items: [], files: [path], dragOperationsMask: 1}, at = {x: 300, y: 60, data};
	for (const type of ["dragEnter", "dragOver", "drop"]) await cdp.send("Input.dispatchDragEvent", {type, ...at});
};
const state = () => tab.evaluate(() => ({
	app: document.getElementById("app").selectedOptions[0].textContent.split(":").slice(0, 2).join(":"), file: new URLSearchParams(location.hash.slice(1)).get("file"),
	failed: document.getElementById("failed").hidden ? "" : document.getElementById("failed").textContent, state: document.getElementById("state").textContent, rows: document.querySelectorAll("#bars tbody tr").length > 0,
}));
const shows = (text) => until(tab, (text) => document.getElementById("state").textContent.startsWith(text) && document.body.dataset.state !== "busy", text);
`

// testLabSources: the list and the link name a dropped file. An unreadable file does not replace
// it. The color scheme changes the picture, but not the source. A folder of dumps is one source.
func testLabSources(t *testing.T, b *browser.Browser, p *program, page string) {
	folder := p.File("dumps")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]string{"1.txt": "00:00:02", "2.txt": "00:00:04", ".hidden": "00:00:06"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(strings.Replace(blockedDump, "00:00:02", at, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var got struct {
		Dropped, Broken, Dark, Reopened, Folder, Linked map[string]any
		Report                                          int
		Light, Night                                    [3]int
	}
	b.Run(t, page+"#app=scroll-60hz&every=5", browser.Desk, dropping+`
const seen = {}, pixel = () => tab.evaluate(() => [...document.getElementById("picture").getContext("2d").getImageData(1, 1, 1, 1).data].slice(0, 3));
await drop("`+p.File("sampled.trace")+`"); await shows("sampled.trace"); seen.Dropped = await state();
const looked = await tab.evaluate(() => document.body.dataset.looked);
await drop("`+p.File("broken.trace")+`"); await until(tab, () => !document.getElementById("failed").hidden); seen.Broken = await state();
seen.Report = await tab.evaluate(async () => JSON.parse(new TextDecoder().decode((await ask({op: "report"})).bytes)).length);
seen.Light = await pixel();
await tab.emulateMediaFeatures([{name: "prefers-color-scheme", value: "dark"}]); await until(tab, () => document.getElementById("picture").getContext("2d").getImageData(1, 1, 1, 1).data[0] !== 255); seen.Night = await pixel(); seen.Dark = await state();
await tab.select("#app", "scroll-60hz"); await shows("scroll-60hz");
await tab.select("#app", "sampled.trace"); await shows("sampled.trace"); seen.Reopened = await state();
await drop("`+folder+`"); await shows("dumps"); seen.Folder = await state();
await tab.goto("about:blank"); await tab.goto("`+page+`#app=scroll-60hz&file=mine.trace&every=5");
await until(tab, () => document.body.dataset.state === "ready" && document.body.dataset.looked); seen.Linked = await state();
return seen;`, &got)
	if got.Report == 0 {
		t.Error("after a broken file the open one has no report")
	}
	if got.Light != [3]int{255, 255, 255} || got.Night != [3]int{22, 24, 28} {
		t.Errorf("the picture's background is %v, in the dark scheme %v", got.Light, got.Night)
	}
	one := got.Dropped["state"]
	open := func(failed string) map[string]any {
		return map[string]any{"app": "file: sampled.trace", "file": "sampled.trace", "failed": failed, "state": one, "rows": true}
	}
	broken, _ := got.Broken["failed"].(string)
	if !strings.HasPrefix(broken, "broken.trace: ") {
		t.Errorf("a broken file shows %q", broken)
	}
	for name, c := range map[string][2]map[string]any{"dropped": {open(""), got.Dropped}, "after a broken file": {open(broken), got.Broken}, "in the dark": {open(broken), got.Dark}, "opened again": {open(""), got.Reopened}} {
		if diff := cmp.Diff(c[0], c[1]); diff != "" {
			t.Errorf("%s (-want +page)\n%s", name, diff)
		}
	}
	if got.Folder["app"] != "file: dumps" || got.Folder["state"] != "dumps: 2 thread dumps, 2 threads." {
		t.Errorf("a folder of two dumps: %v", got.Folder)
	}
	if s, _ := got.Linked["state"].(string); got.Linked["file"] != "mine.trace" || !strings.HasPrefix(s, "This link is about mine.trace: open or drop that file") {
		t.Errorf("a link to a file that is not on the page: %v", got.Linked)
	}
}

// testLabMotion: the animation has a button, and stops while the picture is not visible. The layout
// shift (the browser's measure) is at most 0.05 while the page opens. Each change of a slider
// updates one live region once; the animation updates none.
func testLabMotion(t *testing.T, b *browser.Browser, page string) {
	var got struct {
		Paused, Hidden int
		Texts          []string
		Shift          float64
		Shifted        []string
		Live           []string
	}
	b.Run(t, "about:blank", browser.Desk, `
await tab.evaluateOnNewDocument(() => {
	globalThis.shift = 0; globalThis.shifted = [];
	new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) { shift += e.value; shifted.push(e.value.toFixed(3) + " " + e.sources.map(s => s.node?.id || s.node?.nodeName).join()); } }).observe({type: "layout-shift", buffered: true});
});
await tab.goto("`+page+`#app=scroll-60hz");`+labReady+`
const looked = () => tab.evaluate(() => Number(document.body.dataset.looked)), wait = (ms) => new Promise(d => setTimeout(d, ms));
const more = async (n) => { const wanted = await looked() + n; await until(tab, (wanted) => Number(document.body.dataset.looked) >= wanted, wanted); };
// stopped returns 0 as soon as no picture is drawn for 1.5 s. If the animation continues for 30 s,
// it returns the last number of pictures.
const stopped = async () => { let n = 1; for (let i = 0; i < 20 && n > 0; i++) { const before = await looked(); await wait(1500); n = await looked() - before; } return n; };
const seen = {}, label = () => tab.$eval("#animation", e => e.textContent);
await tab.evaluate(() => { globalThis.said = []; for (const e of document.querySelectorAll("[aria-live]:not([aria-live=off]), [role=status], [role=alert]")) new MutationObserver(() => said.push(e.id)).observe(e, {childList: true, characterData: true, subtree: true}); });
await more(3); const silent = await tab.evaluate(() => said.length);
await tab.click("#animation"); seen.Paused = await stopped(); seen.Texts = [await label()];
await tab.click("#animation"); await more(3); seen.Texts.push(await label());
seen.Shift = await tab.evaluate(() => shift); seen.Shifted = await tab.evaluate(() => shifted);
await tab.evaluate(() => scrollTo(0, document.body.scrollHeight)); seen.Hidden = await stopped();
await tab.evaluate(() => scrollTo(0, 0)); await tab.click("#animation"); await wait(700);
await tab.evaluate(() => { said.length = 0; }); await tab.focus("#every");
for (let i = 0; i < 2; i++) { const before = await looked(); await tab.keyboard.press("ArrowRight"); await until(tab, (before) => Number(document.body.dataset.looked) > before, before); }
seen.Live = (await tab.evaluate(() => said)).concat(String(silent));
return seen;`, &got)
	if got.Paused != 0 || got.Hidden != 0 {
		t.Errorf("pictures: %d while paused, %d while hidden", got.Paused, got.Hidden)
	}
	if diff := cmp.Diff([]string{"Play animation", "Pause animation"}, got.Texts); diff != "" {
		t.Errorf("button (-want +page)\n%s", diff)
	}
	if got.Shift >= .05 {
		t.Errorf("layout shifts add up to %.3f: %q", got.Shift, got.Shifted)
	}
	if diff := cmp.Diff([]string{"said", "said", "0"}, got.Live); diff != "" {
		t.Errorf("live regions (-want +page)\n%s", diff)
	}
}
