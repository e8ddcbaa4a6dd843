package pages

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
)

// settled waits until the page's address contains its state.
const settled = ready + `
const settle = async () => { await frame(); await new Promise(d => setTimeout(d, 500)); await tab.waitForFunction(() => location.hash.replace(/^#/, "") === stateText(), {timeout: 0, polling: 50}); };
const opened = async () => { await tab.waitForFunction(() => document.body.dataset.state === "ready", {timeout: 0, polling: 50}); await frame(); };
const view = () => tab.evaluate(() => [shown.from, shown.to].map(t => +(t * unitNS / 1e6).toFixed(3)));
const range = () => tab.evaluate(() => shown.range && [shown.range.from, shown.range.to].map(t => +(t * unitNS / 1e6).toFixed(3)));
const find = async (text) => { await tab.$eval("#find", f => f.value = ""); await tab.focus("#find"); await tab.keyboard.type(text); await tab.waitForFunction(t => shown.find === t, {timeout: 0, polling: 20}, text); await frame(); await frame(); };
const picked = () => tab.evaluate(() => shown.picked && [shown.picked.thread.label, book.method(shown.picked.thread.calls.method[shown.picked.call])]);
`

// links changes every part of the view, one after another, and goes back, forward and to the copied
// link.
const links = settled + `
const seen = {};
seen.first = await tab.evaluate(() => location.hash);
await tab.focus("#tracks"); await press("Enter", "ArrowDown"); await settle(); seen.call = await tab.evaluate(() => location.hash);
await press("f"); await settle(); seen.zoomed = await view();
await press("m"); await settle();
await tab.select("#lists", "other"); await settle();
await click("#tab-up"); await settle();
await tab.evaluate(() => [...document.querySelectorAll("#panel th button")].find(b => b.textContent === "calls").click()); await settle();
await find("leaf"); await settle();
const state = () => tab.evaluate(() => ({hash: location.hash, tab: shown.tab, lists: shown.lists && [...shown.lists], find: shown.find, field: document.getElementById("find").value, sort: shown.sorts["Methods and their callers"] ?? "",
	selected: document.querySelector("[role=tab][aria-selected=true]").textContent, thread: document.getElementById("lists").value, head: document.querySelector("#threads li.listed .name")?.textContent ?? ""}));
seen.all = [await state(), await view(), await range(), await picked()];
const steps = []; // state after each step back
for (let i = 0; i < 7; i++) { await tab.goBack(); await frame(); const s = await state(); steps.push([s.find, s.sort, s.tab, s.lists ? s.lists.join() : "all", await range() !== null, (await view())[1], await picked() !== null].join(" ")); }
seen.steps = steps;
for (let i = 0; i < 7; i++) { await tab.goForward(); await frame(); }
seen.forward = [await state(), await view(), await range(), await picked()];
const link = await tab.evaluate(() => linkHere());
await tab.goto("about:blank"); await tab.goto(link); await opened();
seen.linked = [await state(), await view(), await range(), await picked()];
await tab.reload(); await opened();
seen.reloaded = [await state(), await view(), await range(), await picked()];
const base = link.split("#")[0]; // what no page has: a state as at first
await tab.goto("about:blank"); await tab.goto(base + "#t=9-3&range=x&thread=nobody&call=7.8.9&tab=none&clock=cpu&sort=&method=%00&interval=99&order=no&find=%2F("); await opened();
seen.hostile = [await view(), await range(), await picked(), await tab.evaluate(() => [shown.tab, shown.lists, shown.axis, shown.order, document.body.dataset.state])];
return seen;`

// testLink: every change is a step of the browser's history, and a link restores the view at the
// time of copying. Times are those of small.
func testLink(t *testing.T, b *browser.Browser) {
	var got struct {
		First, Call          string
		Zoomed               []float64
		All, Forward, Linked []any
		Reloaded             []any
		Steps                []string
		Hostile              []any
	}
	b.Run(t, pageOf(t, small), browser.Desk, links, &got)
	if got.First != "" || got.Call != "#call=0.0.1" {
		t.Errorf("fragments %q and %q", got.First, got.Call)
	}
	work := "a.b.Main.work"
	want := []any{
		map[string]any{
			"hash": "#thread=other&t=8500000-41500000&range=10000000-40000000&find=leaf&tab=up&sort=Methods+and+their+callers%3A-calls&call=0.0.1",
			"tab":  "up", "lists": []any{"other"}, "find": "leaf", "field": "leaf", "sort": "-calls",
			"selected": "Bottom-up", "thread": "other", "head": "other",
		},
		[]any{8.5, 41.5}, []any{10.0, 40.0}, []any{"main", work},
	}
	for name, got := range map[string][]any{"shown": got.All, "after going forward": got.Forward, "by the link": got.Linked, "reloaded": got.Reloaded} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +page)\n%s", name, diff)
		}
	}
	steps := []string{
		" -calls up other true 41.5 true", "  up other true 41.5 true", "  methods other true 41.5 true", "  methods all true 41.5 true",
		"  methods all false 41.5 true", "  methods all false 100 true", "  methods all false 100 false",
	}
	if diff := cmp.Diff(steps, got.Steps); diff != "" {
		t.Errorf("steps back (-want +page)\n%s", diff)
	}
	if diff := cmp.Diff([]any{[]any{0.0, 100.0}, nil, nil, []any{"methods", nil, "wall", "busy", "ready"}}, got.Hostile); diff != "" {
		t.Errorf("an address with unknown names (-want +page)\n%s", diff)
	}
}

// testDetails: the pane of a clicked call shows its times, occurrences, callers and callees.
func testDetails(t *testing.T, b *browser.Browser) {
	const instant = "# artifice text trace\ninfo\tclock\tdual\nthread\t1\tmain\nmethod\t0x0\ta.A\tf\t()V\t\t0\nmethod\t0x4\ta.A\tg\t()V\t\t0\n" +
		"0 0 1 enter a.A.f()V\n5000000 2000000 1 enter a.A.g()V\n5000000 2000000 1 exit a.A.g()V\n10000000 4000000 1 exit a.A.f()V\n"
	var got map[string]any
	b.Run(t, pageOf(t, small), browser.Desk, settled+`
const seen = {hidden: await tab.$eval("#details", e => e.hidden)};
const box = await (await tab.$("#tracks")).boundingBox();
await tab.mouse.click(box.x + box.width * .7, box.y + 24 + 17 + 8); await frame();
const facts = () => tab.$$eval("#details dt", d => Object.fromEntries(d.map(e => [e.textContent, e.nextSibling.textContent])));
const list = (label) => tab.$$eval("#details ol[aria-label=" + label + "] li", l => l.map(e => e.textContent));
seen.name = await text("#details h3"); seen.facts = await facts(); seen.callers = await list("Callers"); seen.callees = await list("Callees");
seen.stack = await tab.evaluate(() => stackText(shown.picked));
await click("#details ol[aria-label=Callees] button"); seen.callee = [await text("#details h3"), await list("Callers")];
await click("#details-close"); seen.closed = [await tab.$eval("#details", e => e.hidden), await picked()];
await tab.goto(`+strconv.Quote(pageOf(t, instant))+`); await opened(); await tab.focus("#tracks"); await press("Enter", "ArrowDown");
seen.instant = [await text("#details h3"), (await facts())["CPU time"], ...await view()];
return seen;`, &got)
	run, work, leaf := "a.b.Main.run", "a.b.Main.work", "a.b.Deep.leaf"
	want := map[string]any{
		"hidden": true, "name": work,
		"facts": map[string]any{
			"thread": "main (tid 1)", "start": "50.00 ms", "wall time": "30 ms", "self": "25 ms", "share": "30.0 % of the thread's time in calls",
			"occurrence": "2 of 2 calls of the method on this thread, 30 ms to 30 ms", "depth": "1 caller",
		},
		"callers": []any{run + " 100 ms"}, "callees": []any{leaf + " 5 ms, 16.7 %"}, "stack": work + "\n" + run + "\n",
		"callee": []any{leaf, []any{work + " 30 ms", run + " 100 ms"}}, "closed": []any{true, nil},
		"instant": []any{"a.A.g", "0 s", 0.0, 10.0}, // the CPU time of a call of 0 s has no share, and its selection does not zoom
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-small +page)\n%s", diff)
	}
}

// testSearch: words in any order, regular expressions, threads, and suggestions for typing errors.
func testSearch(t *testing.T, b *browser.Browser) {
	var got map[string]any
	b.Run(t, pageOf(t, small), browser.Desk, settled+`
const seen = {};
for (const text of ["work main", "/^a.b.(deep|main).(leaf|run)$/", "/(/", "Work", "other"]) { await find(text); seen[text] = await tab.$eval("#found", e => e.textContent); }
seen.heads = await tab.$$eval("#threads li.found .name", l => l.map(e => e.textContent));
await find("othr"); seen.thread = await text("#suggestions"); await find("deep.lefa"); seen.typo = [await text("#found"), await text("#suggestions")];
await click("#suggestions button"); await frame(); seen.suggested = [await tab.$eval("#find", f => f.value), await text("#found")];
await find("work"); const places = []; for (let i = 0; i < 3; i++) { await press("Enter"); places.push(await text("#found")); } seen.places = places;
await click("#tab-down"); await find("leaf"); await frame(); seen.opened = await cells(0);
seen.marked = await tab.$$eval("#panel tr.found", l => l.map(e => e.cells[0].textContent));
return seen;`, &got)
	run, work, leaf := "a.b.Main.run", "a.b.Main.work", "a.b.Deep.leaf"
	want := map[string]any{
		"work main": "1 method", "/^a.b.(deep|main).(leaf|run)$/": "2 methods", "/(/": "not a regular expression", "Work": "0 methods", "other": "1 thread",
		"heads": []any{"other"}, "thread": "Did you mean other?", "typo": []any{"0 methods", "Did you mean Deep.leaf?"}, "suggested": []any{"Deep.leaf", "1 method"},
		"places": []any{"1 of 2 calls", "2 of 2 calls", "1 of 2 calls"},
		"opened": []any{"thread main", run, work, leaf, "thread other", leaf}, "marked": []any{leaf, leaf},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-small +page)\n%s", diff)
	}
	const depth = 3000
	var deep struct {
		Rows    int
		Last    string
		Said    string
		Visible []bool
	}
	b.Run(t, pageOf(t, deepCalls(depth)), browser.Desk, settled+`
await click("#tab-down"); await find("m2999"); await frame();
return {Rows: await tab.evaluate(() => panel.text().trim().split("\n").length), Last: await tab.evaluate(() => panel.text().trim().split("\n").at(-1).trim().split("\t")[0]), Said: await text("#panel .flamefacts"), Visible: [await tab.evaluate(() => {
	const r = document.querySelector("#panel tr.found").getBoundingClientRect(), box = document.querySelector("#panel .scroll").getBoundingClientRect();
	return r.top >= box.top && r.bottom <= box.bottom;
}), await (async () => {
	await click("#tab-flame"); await find("m2000"); await frame();
	const y = 2002 * 17; // the row of the match: below all, the thread and 2,000 callers
	return tab.evaluate(y => { const s = document.querySelector("#panel .scroll"); return s.scrollTop <= y && y + 17 <= s.scrollTop + s.clientHeight; }, y);
})()]};`, &deep)
	if len(deep.Visible) != 2 || !deep.Visible[0] || !deep.Visible[1] {
		t.Errorf("a match at depth %d is in view in the list and the flame graph: %v", depth, deep.Visible)
	}
	if deep.Rows != depth+2 || deep.Last != "a.b3.C.m2999" || deep.Said != "1 match in this list" { // with the head and the thread
		t.Errorf("a match at depth %d: %d rows, the last %q, %q", depth, deep.Rows, deep.Last, deep.Said)
	}
}

// testRangeFields: the fields accept times in common notations. If a text is rejected, both fields
// remain, and the reason is shown.
func testRangeFields(t *testing.T, b *browser.Browser) {
	var got map[string]any
	b.Run(t, pageOf(t, small), browser.Desk, settled+`
const seen = {};
const type = async (id, text) => { await tab.click(id, {count: 3}); await tab.keyboard.type(text); await tab.keyboard.press("Tab"); await frame(); };
for (const text of ["24", "24 ms", "24,5 ms", "0:00.024", "24.04ms", "0,024 s", "24000us"]) { await press("Escape"); await tab.evaluate(() => chooseRange(null)); await frame(); await type("#from", text); seen[text] = await range(); }
await tab.evaluate(() => chooseRange(null)); await frame();
const both = () => tab.evaluate(() => ["from", "to"].map(id => document.getElementById(id).value).concat(document.getElementById("rangeerror").hidden ? "" : document.getElementById("rangeerror").textContent));
await type("#to", "30"); await type("#from", "60"); seen.after = await both();
await type("#to", "70"); seen.kept = [await range(), await both()];
await type("#from", "soon"); seen.soon = await both(); await type("#from", "200"); seen.late = await both();
return seen;`, &got)
	to := func(from float64) []any { return []any{from, 100.0} }
	want := map[string]any{
		"24": to(24), "24 ms": to(24), "24,5 ms": to(24.5), "0:00.024": to(24), "24.04ms": to(24.04), "0,024 s": to(24), "24000us": to(24),
		"after": []any{"60", "30.00 ms", "The range must end after its start."},
		"kept":  []any{[]any{60.0, 70.0}, []any{"60.00 ms", "70.00 ms", ""}},
		"soon":  []any{"soon", "70.00 ms", "“soon” is not a time. Write 24.5 s, 350 ms or 0:24.5; a number alone is in ms."},
		"late":  []any{"200", "70.00 ms", "The trace is from 0 s to 100.0 ms."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-small +page)\n%s", diff)
	}
}

// tabStops returns the stops of the Tab key from the start of the page to the lists.
const tabStops = `
const tabStops = async () => {
	const stops = [];
	while (stops.length < 30 && !await tab.evaluate(() => Boolean(document.activeElement.closest("#panels")))) { await tab.keyboard.press("Tab"); stops.push(await tab.evaluate(() => document.activeElement.id)); }
	return stops;
};
`

// testKeys: systrace's keys, and the number of presses of Tab to the lists. What a key or a button
// did is shown for a moment.
func testKeys(t *testing.T, b *browser.Browser) {
	var got map[string]any
	b.Run(t, pageOf(t, small), browser.Desk, settled+tabStops+`
const seen = {};
const shownText = () => tab.$eval("#said", e => { const r = e.getBoundingClientRect(); return r.width > 50 && r.bottom <= innerHeight && getComputedStyle(e).clipPath === "none" ? e.textContent : ""; });
const box = await (await tab.$("#tracks")).boundingBox(), at = (ms, row) => [box.x + box.width * ms / 100, box.y + 24 + row * 17 + 8];
const drag = async (a, b) => { await tab.mouse.move(...a); await tab.mouse.down(); await tab.mouse.move(...b, {steps: 4}); await tab.mouse.up(); await frame(); };
await press("1"); seen.shown = [await shownText()]; await drag(at(20, 2), at(60, 2)); seen.select = (await range()).map(Math.round);
await press("4"); await drag(at(10.2, 1), at(79.8, 1)); seen.timing = await range();
await press("3"); await drag(at(50, 2), [at(50, 2)[0], at(50, 2)[1] - 60]); const zoomed = await view(); seen.zoom = zoomed[1] - zoomed[0] < 70 && Math.abs((zoomed[0] + zoomed[1]) / 2 - 50) < 1;
await press("0", "2"); await drag(at(50, 2), at(40, 2)); seen.pan = (await view()).map(Math.round);
await press("0"); await tab.evaluate(() => { showWindow(20e6 / unitNS, 40e6 / unitNS); }); await frame();
await tab.mouse.move(...at(75, 2)); await press("e"); seen.center = (await view()).map(Math.round); // the mouse is at 35 ms
await press("0"); await tab.mouse.click(...at(60, 1)); await press("g"); seen.grid = await tab.evaluate(() => shown.grid * unitNS / 1e6); await press("g"); seen.none = await tab.evaluate(() => shown.grid);
await tab.focus("#tracks"); await press("ArrowLeft"); seen.previous = await text("#said"); await press("ArrowRight"); seen.next = await text("#said");
await press("Escape", "Escape"); await tab.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
await click("#link"); seen.shown.push(await shownText());
await tab.reload(); await opened(); seen.tabs = await tabStops();
await tab.focus("#tracks"); await press("t"); seen.thread = await tab.evaluate(() => document.activeElement.querySelector(".name").textContent);
await tab.focus("#order"); const inHeader = []; for (let i = 0; i < 3; i++) { inHeader.push(await tab.evaluate(() => document.activeElement.id)); await press("ArrowRight"); }
await press("ArrowLeft"); await press("Tab"); await tab.keyboard.down("Shift"); await press("Tab"); await tab.keyboard.up("Shift");
seen.header = inHeader; seen["header again"] = await tab.evaluate(() => document.activeElement.id);
await tab.reload(); await opened(); await tab.keyboard.press("Tab"); await tab.keyboard.press("Enter"); seen.skipped = await tab.evaluate(() => document.activeElement.id);
return seen;`, &got)
	want := map[string]any{
		"select": []any{20.0, 60.0}, "timing": []any{10.0, 80.0}, "zoom": true, "pan": []any{2.0, 102.0}, "center": []any{25.0, 45.0}, "grid": 50.0, "none": nil,
		"previous": "a.b.Main.work, 30 ms, at 10.0 ms, thread main", "next": "a.b.Main.work, 30 ms, at 50.0 ms, thread main",
		"shown": []any{"A drag selects a range.", "Link copied."},
		"tabs":  []any{"skip", "find", "order", "tracks", "from"}, "thread": "main", "header": []any{"order", "link", "help-open"}, "header again": "link", "skipped": "tab-methods",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-small +page)\n%s", diff)
	}
}

// screens returns the state of the first screen at each of the sizes, in CSS pixels.
const screens = settled + `
const seen = [];
for (const [width, height] of sizes) {
	await tab.setViewport({width, height}); await tab.reload(); await opened();
	seen.push(await tab.evaluate(() => ({
		Size: innerWidth + "×" + innerHeight, Rows: [...document.querySelectorAll("#panel tbody tr")].filter(r => r.getBoundingClientRect().bottom <= innerHeight).length,
		Timeline: document.getElementById("scroller").clientHeight, Scrolled: scrollY, Header: document.getElementById("title").getBoundingClientRect().top >= 0, Clock: document.getElementById("axis").offsetHeight,
		Wide: ["html", "#top", "#comparison", "#rangebar", "#panel .scroll"].filter(s => document.querySelector(s).scrollWidth > document.querySelector(s).clientWidth),
	})));
}
return seen;`

// testScreens: small and zoomed screens show the timeline and eight rows of methods without
// scrolling, and nothing is wider than the screen or its own box: of a sampled trace, of one with
// overloaded methods, and of a comparison. A browser at 200 % of a screen of 1366 × 768 has a page
// of at most 683 × 384.
func testScreens(t *testing.T, b *browser.Browser) {
	p := build(t)
	p.Run(t, "record", "cold-start", "--interval", "5ms", "--device", "A", "-o", "app.trace", "-q")
	const small, all = "[[360, 740], [740, 360], [683, 384], [640, 360]]", "[[360, 740], [740, 360], [683, 384], [640, 360], [800, 600], [1600, 900]]"
	for _, c := range []struct {
		args  []string
		sizes string
	}{
		{[]string{"app.trace"}, all},
		{[]string{testdata.Path(t, "traces", "instrumented-art-file.trace")}, small},
		{[]string{"cold-start", "--sample", "5ms", "--device", "A"}, small},
	} {
		p.Run(t, append(append([]string{"view"}, c.args...), "-o", "page.html", "--quiet")...)
		var got []struct {
			Size                            string
			Rows, Timeline, Scrolled, Clock int
			Header                          bool
			Wide                            []string
		}
		b.Run(t, "file://"+p.File("page.html"), browser.Desk, "const sizes = "+c.sizes+";"+screens, &got)
		if len(got) < 4 {
			t.Errorf("%s: %d sizes", c.args[0], len(got))
		}
		for _, s := range got {
			if s.Rows < 8 || s.Timeline < 40 || s.Scrolled != 0 || s.Clock > 30 || !s.Header || len(s.Wide) > 0 {
				t.Errorf("%s, %+v, want 8 rows, a timeline of 40 px, a header in view, the names of clocks in one line, and nothing wider than its box", c.args[0], s)
			}
		}
	}
}

// testThreads: labels distinguish threads of one name, and a click on a thread's header selects its
// lists.
func testThreads(t *testing.T, b *browser.Browser) {
	var got map[string]any
	const two = "# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\nthread\t2\tmain\nmethod\t0x0\ta.A\tf\t()V\t\t0\nmethod\t0x4\ta.A\tg\t()V\t\t0\n" +
		"0 - 1 enter a.A.f()V\n1000000 - 2 enter a.A.g()V\n2000000 - 2 exit a.A.g()V\n9000000 - 1 exit a.A.f()V\n"
	b.Run(t, pageOf(t, two), browser.Desk, settled+`
const seen = {names: await tab.$$eval("#threads .name", l => l.map(e => e.textContent)), choices: await tab.$$eval("#lists option", l => l.map(e => e.value))};
await tab.evaluate(() => [...document.querySelectorAll("#threads li")].find(l => l.textContent.includes("main (2)")).querySelectorAll("button")[3].click()); await frame();
seen.methods = await cells(0); seen.chosen = await tab.$eval("#lists", s => s.value);
return seen;`, &got)
	want := map[string]any{"names": []any{"main", "main (2)"}, "choices": []any{"main", "main (2)", "all threads"}, "methods": []any{"a.A.g"}, "chosen": "main (2)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +page)\n%s", diff)
	}
	p := build(t)
	p.Run(t, "view", testdata.Path(t, "field", "twoproc.json"), "-o", "page.html", "--quiet")
	got = nil
	b.Run(t, "file://"+p.File("page.html"), browser.Desk, settled+`
const seen = {names: await tab.$$eval("#threads .name", l => l.map(e => e.textContent)), facts: await tab.$$eval("#threads li .facts", l => l.map(e => e.textContent))};
seen.choices = await tab.$$eval("#lists option", l => l.map(e => e.value));
await find("app.two"); seen.found = await tab.$$eval("#threads li.found .name", l => l.map(e => e.textContent));
await find("a.A.m"); await press("Enter"); await press("Enter");
seen.details = await tab.$$eval("#details dt", l => l.slice(0, 2).map(e => e.nextSibling.textContent));
return seen;`, &got)
	names := []any{"main", "main (app.two)", "worker-100", "worker-200"}
	want = map[string]any{
		"names": names, "facts": []any{"tid 1, app.one, 2 calls", "tid 200, app.two, 2 calls", "tid 102, app.one, 1 call", "tid 202, app.two, 1 call"},
		"choices": append(slices.Clone(names), "all threads"), "found": []any{"main (app.two)", "worker-200"}, "details": []any{"main (app.two) (tid 200)", "app.two"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("processes (-want +page)\n%s", diff)
	}
}

// testDifference: the flame graph of a comparison colors exactly the methods with a significant
// change in "artifice diff --json". No title contains an absolute path, and long names of files are
// cut off on a phone.
func testDifference(t *testing.T, b *browser.Browser) {
	p := build(t)
	for _, folder := range []string{"old", "new"} { // the names of both files are the same
		if err := os.Mkdir(p.File(folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	const name = "a-recording-of-the-app-with-a-long-name.trace"
	before, after := p.File("old/"+name), p.File("new/"+name)
	p.Run(t, "record", "scroll-60hz", "--duration", "5s", "--seed", "1", "--interval", "5ms", "--device", "A", "-o", before, "-q")
	p.Run(t, "record", "scroll-60hz", "--duration", "5s", "--seed", "11", "--interval", "5ms", "--device", "B", "-o", after, "-q")
	p.Run(t, "view", before, "--diff", after, "-o", "page.html")
	var rows []struct {
		Method string
		Self   *float64 `json:"self_q"`
		Total  *float64 `json:"total_q"`
	}
	if err := json.Unmarshal([]byte(p.Run(t, "diff", before, "--to", after, "--json")), &rows); err != nil {
		t.Fatal(err)
	}
	var want []string
	tested := 0
	significant := func(q *float64) bool { return q != nil && *q <= .05 }
	for _, r := range rows {
		if r.Self != nil || r.Total != nil {
			tested++
		}
		if significant(r.Self) || significant(r.Total) {
			want = append(want, r.Method)
		}
	}
	var got struct {
		Title, Heading string
		Paths          bool     // the page contains the folder of the files
		Wide           []string // elements wider than their boxes on a phone
		Colored        []string
		Tested         int
	}
	b.Run(t, "file://"+p.File("page.html"), browser.View{Width: 360, Height: 740, Scale: 1}, ready+`
return tab.evaluate(() => {
	const Wide = ["html", "#rangebar", "#which", "#panel .own"].filter(s => document.querySelector(s).scrollWidth > document.querySelector(s).clientWidth);
	const significant = significantChanges(book.header.difference.rows), colored = new Set();
	const walk = (n) => { if (changeColour(n, significant) !== colours.faint) colored.add(book.method(n.method)); for (const k of n.below) walk(k); };
	for (const n of differenceForest(book.header.difference, book.data, "new")) walk(n);
	return {Title: document.title, Heading: document.getElementById("title").textContent, Paths: (document.documentElement.textContent + JSON.stringify(book.header)).includes(`+strconv.Quote(p.Dir)+`), Colored: [...colored], Tested: significant.size, Wide};
});`, &got)
	slices.Sort(want)
	slices.Sort(got.Colored)
	if len(want) == 0 || len(want) == tested || got.Tested != tested {
		t.Fatalf("%d of %d tested methods changed, want some, but not all; the page has %d tested methods", len(want), tested, got.Tested)
	}
	if diff := cmp.Diff(want, got.Colored); diff != "" {
		t.Errorf("colored (-diff +page)\n%s", diff)
	}
	if want := "old/" + name + " → new/" + name; got.Title != want+" – artifice" || got.Heading != want || got.Paths || len(got.Wide) > 0 {
		t.Errorf("title %q, heading %q, path of the files on the page: %v, too wide: %q", got.Title, got.Heading, got.Paths, got.Wide)
	}
}
