package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	tracetext "artifice/format/text"
	"artifice/research/internal/browser"
	"artifice/view"
)

// pageOf writes the page of a trace in the text format to a file.
func pageOf(t *testing.T, text string) (url string) {
	t.Helper()
	rec, err := tracetext.NewReader(strings.NewReader(text), "small")
	if err != nil {
		t.Fatal(err)
	}
	r, err := view.Read(rec, "small", view.Options{})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "page.html")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&view.Page{Title: "small", Recordings: []*view.Recording{r}}).WriteHTML(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return "file://" + name
}

// small is a trace of two threads. One runs for 100 ms: it calls work from 10 to 40 and from 50 to
// 80 ms, and the second work calls leaf from 55 to 60 ms. The other calls leaf for 2 ms at 20 ms.
const small = "# artifice text trace\n" +
	"info\tclock\twall\n" +
	"thread\t1\tmain\n" +
	"thread\t2\tother\n" +
	"method\t0x0\ta.b.Main\trun\t()V\t\t0\n" +
	"method\t0x4\ta.b.Main\twork\t()V\t\t0\n" +
	"method\t0x8\ta.b.Deep\tleaf\t()V\t\t0\n" +
	"0 - 1 enter a.b.Main.run()V\n" +
	"10000000 - 1 enter a.b.Main.work()V\n" +
	"20000000 - 2 enter a.b.Deep.leaf()V\n" +
	"22000000 - 2 exit a.b.Deep.leaf()V\n" +
	"40000000 - 1 exit a.b.Main.work()V\n" +
	"50000000 - 1 enter a.b.Main.work()V\n" +
	"55000000 - 1 enter a.b.Deep.leaf()V\n" +
	"60000000 - 1 exit a.b.Deep.leaf()V\n" +
	"80000000 - 1 exit a.b.Main.work()V\n" +
	"100000000 - 1 exit a.b.Main.run()V\n"

// use contains a user's actions on the page of small; it returns the visible results.
const use = ready + `
const seen = {};
const view = () => tab.evaluate(() => [shown.from, shown.to].map(t => t * unitNS / 1e6));
const range = () => tab.evaluate(() => shown.range && [shown.range.from, shown.range.to].map(t => +(t * unitNS / 1e6).toFixed(2)));
const at = async (ms, row) => { // a point of the first thread's track, while everything is in view
	const box = await (await tab.$("#tracks")).boundingBox(), [from, to] = await view();
	return [box.x + box.width * (ms - from) / (to - from), box.y + 24 + row * 17 + 8];
};
seen.methods = await cells(0); seen.self = await cells(1);
for (const head of await tab.$$("#panel th button")) if (await head.evaluate(b => b.textContent) === "method") await head.click();
await frame(); seen.byName = await cells(0);

await tab.mouse.click(...await at(25, 1)); await frame(); seen.clicked = await text("#said");
await tab.mouse.click(...await at(25, 1), {count: 2}); await frame(); seen.doubled = await view();
await press("0"); seen.whole = await view();
await tab.keyboard.down("Shift");
await tab.mouse.move(...await at(20, 2)); await tab.mouse.down(); await tab.mouse.move(...await at(60, 2)); await tab.mouse.up();
await tab.keyboard.up("Shift"); await frame(); seen.dragged = (await range()).map(Math.round);
await press("Escape", "Escape"); seen.undone = [await range(), await text("#said")];

await press("/"); await tab.keyboard.type("leaf"); await new Promise(d => setTimeout(d, 300)); seen.found = await text("#found"); seen.filtered = await cells(0);
await press("Enter"); seen.first = await text("#said"); await press("Enter"); seen.second = await text("#said");
await press("Escape"); await tab.focus("#tracks"); await press("ArrowUp"); seen.parent = await text("#said");
await press("ArrowUp"); seen.root = await text("#said"); await press("ArrowDown", "ArrowRight"); seen.sibling = await text("#said");
await press("f"); seen.zoomed = await view(); await press("m"); seen.range = await range(); seen.facts = await text("#rangefacts");

await press("Escape", "Escape", "Escape"); seen.all = [await range(), await view()];
await tab.keyboard.press("a"); await tab.keyboard.press("w"); await frame(); seen.moved = (await view()).map(Math.round);
await press("0", "?"); seen.help = await tab.$eval("#help", d => d.open); await press("Escape"); seen.helped = await tab.$eval("#help", d => d.open);

const tabs = {};
await tab.evaluate(() => pickMethod(book.methods.findIndex(m => m.includes("work")))); await frame();
await tab.focus("[role=tab][aria-selected=true]");
for (let i = 0; i < 6; i++) { tabs[await text("[aria-selected=true][role=tab]")] = await tab.evaluate(() => panel.text()); await press("ArrowRight"); }
seen.tabs = tabs;
await click("#tab-down"); await tab.focus("#panel tbody tr"); await press("ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight"); seen.unfolded = await cells(0);
return seen;`

// testUse checks the effects of keys, clicks and drags. Times are those of small.
func testUse(t *testing.T, b *browser.Browser) {
	got := map[string]any{}
	b.Run(t, pageOf(t, small), browser.Desk, use, &got)
	run, work, leaf := "a.b.Main.run", "a.b.Main.work", "a.b.Deep.leaf"
	want := map[string]any{
		"methods": []any{work, run, leaf}, "self": []any{"55 ms", "40 ms", "7 ms"}, // 30 + 30 - 5, 100 - 60, 5 + 2
		"byName":  []any{leaf, run, work},
		"clicked": work + ", 30 ms, at 10.0 ms, thread main",
		"doubled": []any{8.5, 41.5}, "whole": []any{0.0, 100.0},
		"dragged": []any{20.0, 60.0}, "undone": []any{nil, ""},
		"found": "1 method", "filtered": []any{leaf},
		"first":   leaf + ", 5 ms, at 55.00 ms, thread main",
		"second":  leaf + ", 2 ms, at 20.00 ms, thread other",
		"parent":  leaf + ", 2 ms, at 20.00 ms, thread other", // it has no caller
		"root":    leaf + ", 2 ms, at 20.00 ms, thread other",
		"sibling": leaf + ", 2 ms, at 20.00 ms, thread other",
		"zoomed":  []any{19.9, 22.1}, "range": []any{20.0, 22.0},
		"facts": "2 ms: 3 calls of 3 methods on 2 threads, 4 ms in calls", // run and work continue
		"all":   []any{nil, []any{0.0, 100.0}},
		"moved": []any{15.0, 81.0}, // 2 ms to the left, as far as there is room; then a third less around 48 ms
		"help":  true, "helped": false,
		"unfolded": []any{"thread main", run, work, leaf, "thread other"},
	}
	tabs, _ := got["tabs"].(map[string]any)
	delete(got, "tabs")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-small +page)\n%s", diff)
	}
	wantTabs := map[string]any{
		"Methods": "method\tself\tself %\ttotal\ttotal %\tcalls\trecursive\n" + leaf + "\t7 ms\t6.9 %\t7 ms\t6.9 %\t2\t0\n" + run + "\t40 ms\t39.2 %\t100 ms\t98.0 %\t1\t0\n" + work + "\t55 ms\t53.9 %\t60 ms\t58.8 %\t2\t0\n",
		"Callers and callees": "Callers\ncaller\ttotal\t%\tcalls\n" + run + "\t60 ms\t100 %\t2 / 2\n\n" +
			"Callees\ncallee\ttotal\t%\tcalls\n" + leaf + "\t5 ms\t8.3 %\t1 / 2\n\n" +
			"Callers of recursive calls\ncaller\ttotal\t%\tcalls\n\nCallees of recursive calls\ncallee\ttotal\t%\tcalls\n",
		"Flame graph": "thread main;" + run + " 40000000\nthread main;" + run + ";" + work + " 55000000\n" +
			"thread main;" + run + ";" + work + ";" + leaf + " 5000000\nthread other;" + leaf + " 2000000\n",
		"Top-down":  "method\ttotal\ttotal %\tself\tself %\tcalls\nthread main\t100 ms\t98.0 %\t0 s\t0.0 %\t\n  " + run + "\t100 ms\t98.0 %\t40 ms\t39.2 %\t1\nthread other\t2 ms\t2.0 %\t0 s\t0.0 %\t\n",
		"Bottom-up": "method\ttotal\ttotal %\tself\tself %\tcalls\n" + work + "\t55 ms\t53.9 %\t55 ms\t53.9 %\t2\n  " + run + "\t55 ms\t53.9 %\t55 ms\t53.9 %\t2\n" + run + "\t40 ms\t39.2 %\t40 ms\t39.2 %\t1\n" + leaf + "\t7 ms\t6.9 %\t7 ms\t6.9 %\t2\n",
	}
	delete(tabs, "About")
	if diff := cmp.Diff(wantTabs, tabs); diff != "" {
		t.Errorf("as text (-small +page)\n%s", diff)
	}
}

// testNames: names that are markup, very long or invalid UTF-8 are shown unchanged, without side
// effects. The page's policy forbids foreign scripts. The browser reports a violation as an error,
// which fails the test.
func testNames(t *testing.T, b *browser.Browser) {
	long := strings.Repeat("x", 64<<10)
	names := []string{`<script>document.title="done"</script>`, `"><img src=x onerror=alert(1)>`, "a'\"&amp;`${1}`", long, "\xff\xfe\x80", "\u202egnp.", "</script><script>alert(2)</script>"}
	var methods, events strings.Builder
	for i, name := range names {
		methods.WriteString("method\t0x" + string("048c"[i%4]) + strings.Repeat("0", 1+i/4) + "\ta.B\t" + name + "\t()V\t\t0\n")
		events.WriteString("0 - 1 enter a.B." + name + "()V\n")
	}
	for i := range names {
		events.WriteString("9000000 - 1 exit a.B." + names[len(names)-1-i] + "()V\n")
	}
	url := pageOf(t, "# artifice text trace\ninfo\tclock\twall\nthread\t1\t<b onclick=alert(3)>main</b>\n"+methods.String()+events.String())
	var got struct {
		Title            string
		Scripts, Foreign int
		Overflow         bool
		Names            []string
	}
	b.Run(t, url, browser.View{Width: 360, Height: 740, Scale: 2}, ready+`
for (const t of await tab.$$("[role=tab]")) { await t.click(); await frame(); }
await tab.focus("#tracks"); await press("Enter", "ArrowDown", "ArrowDown");
await tab.type("#find", "<script>"); await new Promise(d => setTimeout(d, 300)); await press("Enter", "Escape"); await click("#tab-methods");
return {Title: await tab.title(), Scripts: await tab.$$eval("script", s => s.length), Foreign: await tab.$$eval("img, b[onclick], iframe, object", s => s.length),
	Overflow: await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth), Names: await tab.evaluate(() => book.methods)};`, &got)
	if got.Title != "small – artifice" || got.Scripts != 2 || got.Foreign != 0 || got.Overflow {
		t.Errorf("title %q, %d scripts, %d foreign elements, wider than the screen: %v", got.Title, got.Scripts, got.Foreign, got.Overflow)
	}
	shown := map[string]bool{}
	for _, n := range got.Names {
		shown[n] = true
	}
	for _, n := range names {
		if want := "a.B." + strings.ToValidUTF8(n, "�"); n == "\xff\xfe\x80" {
			if !shown["a.B.���"] { // one for each byte, as the Encoding standard states
				t.Error("the name that is no UTF-8 is not there")
			}
		} else if !shown[want] {
			t.Errorf("name %.60q is not there", want)
		}
	}
}

// janky is a frame of the display that takes 40 ms, of a budget of 16.67 ms.
const janky = "# artifice text trace\n" +
	"info\tclock\twall\n" +
	"info\ttechnique\ttruth\n" +
	"thread\t1\tmain\n" +
	"method\t0x0\tandroid.view.Choreographer\tdoFrame\t()V\t\t0\n" +
	"0 - 1 enter android.view.Choreographer.doFrame()V\n" +
	"40000000 - 1 exit android.view.Choreographer.doFrame()V\n" +
	"50000000 - 1 enter android.view.Choreographer.doFrame()V\n" +
	"60000000 - 1 exit android.view.Choreographer.doFrame()V\n"

// testLateFrames: the bar above a late frame shows its lateness, and there is none without a frame;
// the call beneath is identified.
func testLateFrames(t *testing.T, b *browser.Browser) {
	var got []string
	b.Run(t, pageOf(t, janky), browser.Desk, ready+`
const box = await (await tab.$("#tracks")).boundingBox(), seen = [];
for (const [ms, y] of [[30, 26], [10, 26], [55, 26], [30, 40]]) {
	const x = await tab.evaluate(ms => timeline.xOf(ms * 1e6 / unitNS), ms);
	await tab.mouse.move(box.x + x, box.y + y); await frame();
	seen.push(await tab.$eval("#tracks", c => c.title));
}
return seen;`, &got)
	call := "android.view.Choreographer.doFrame\n40 ms"
	if diff := cmp.Diff([]string{"display frame, late by 23.33 ms", "", "", call}, got); diff != "" {
		t.Errorf("(-janky +page)\n%s", diff)
	}
}
