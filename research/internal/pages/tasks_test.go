package pages

import (
	"encoding/json"
	"math"
	"testing"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
)

// tasks performs ten tasks of reading a trace, by mouse and keyboard.
const tasks = settled + `
const seen = {};
const box = await (await tab.$("#tracks")).boundingBox(), facts = () => tab.$$eval("#details dt", d => Object.fromEntries(d.map(e => [e.textContent, e.nextSibling.textContent])));
seen.Hottest = (await cells(0))[0];
await find(seen.Hottest); await press("Enter"); seen.Call = await text("#details h3"); seen.Duration = Object.values(await facts())[2]; seen.Start = (await facts()).start;
seen.Parents = await tab.$$eval("#details ol[aria-label=Callers] button", l => l.map(e => e.textContent));
await click("#details ol[aria-label=Callers] button"); seen.Parent = await text("#details h3"); seen.Children = await tab.$$eval("#details ol[aria-label=Callees] button", l => l.map(e => e.textContent));
await press("Escape", "Escape", "Escape"); await press("0");
await tab.keyboard.down("Control"); await tab.mouse.move(box.x + box.width / 2, box.y + 60);
for (let i = 0; i < 60 && (await view())[1] - (await view())[0] > 40; i++) { await tab.mouse.wheel({deltaY: -80}); await frame(); }
await tab.keyboard.up("Control"); seen.Zoomed = await view(); await new Promise(d => setTimeout(d, 600));
const before = await tab.evaluate(() => history.length); await press("0"); await new Promise(d => setTimeout(d, 600)); await tab.goBack(); await frame(); await frame(); seen.Back = await view();
await press("r"); seen.Range = await range(); await press("0");
await find("nativeDecodeAsett"); seen.Misspelled = await tab.$$eval("#suggestions button", l => l.map(e => e.textContent)); await press("Escape");
seen.Thread = await tab.$$eval("#lists option", l => l[1].value); await tab.select("#lists", seen.Thread); await frame(); seen.Lists = await tab.evaluate(() => [...shown.lists]);
await new Promise(d => setTimeout(d, 600)); await click("#link"); seen.Link = await tab.evaluate(() => location.hash);
const all = [await range(), await tab.evaluate(() => [...shown.lists])], address = await tab.evaluate(() => location.href);
await tab.goto("about:blank"); await tab.goto(address); await opened(); seen.Shared = JSON.stringify([await range(), await tab.evaluate(() => [...shown.lists])]) === JSON.stringify(all);
return seen;`

// compareTask is the tenth task: a comparison of a sampled recording with its truth.
const compareTask = settled + `
const seen = {}, missed = async () => parseFloat(await text("#comparisonfacts"));
await tab.focus("#slider");
await press("Home"); await frame(); [seen.Finest, seen.MissedAtFinest] = [await text("#interval"), await missed()];
await press("End"); await frame(); [seen.Coarsest, seen.MissedAtCoarsest] = [await text("#interval"), await missed()];
for (const b of await tab.$$("#side button")) if (await b.evaluate(e => e.textContent) === "ground truth") await b.click();
await frame(); seen.Hottest = (await cells(0))[0];
return seen;`

// testTasks checks the results of ten tasks on a real trace of every call; the last one samples the
// trace. The hottest method, BitmapFactory.nativeDecodeAsset, follows from the rows of "artifice
// report --thread main --json".
func testTasks(t *testing.T, b *browser.Browser) {
	p := build(t)
	file := testdata.Path(t, "traces", "instrumented-art-file.trace")
	p.Run(t, "view", file, "-o", "page.html", "--quiet")
	var rows []struct {
		Method string
		Self   *float64 `json:"self_running_ns"`
	}
	if err := json.Unmarshal([]byte(p.Run(t, "report", file, "--thread", "main", "--json")), &rows); err != nil {
		t.Fatal(err)
	}
	hottest, most := "", 0.
	for _, r := range rows {
		if r.Self != nil && *r.Self > most {
			hottest, most = r.Method, *r.Self
		}
	}
	var got struct {
		Hottest, Call, Duration, Start, Parent, Thread, Link string
		Parents, Children, Misspelled, Lists                 []string
		Zoomed, Back, Range                                  []float64
		Shared                                               bool
	}
	b.Run(t, "file://"+p.File("page.html"), browser.Desk, tasks, &got)
	if got.Hottest != hottest || got.Call != hottest || got.Duration == "" || got.Start == "" {
		t.Errorf("hottest %q, its call %q (%s at %s); report has %q", got.Hottest, got.Call, got.Duration, got.Start, hottest)
	}
	has := func(list []string, want string) bool {
		for _, v := range list {
			if v == want {
				return true
			}
		}
		return false
	}
	if len(got.Parents) < 2 || got.Parent != got.Parents[0] || !has(got.Children, hottest) {
		t.Errorf("callers %q; of the first, %q, callees %q", got.Parents, got.Parent, got.Children)
	}
	if w := got.Zoomed[1] - got.Zoomed[0]; w > 40 || w < 25 {
		t.Errorf("zoomed to %v ms", got.Zoomed)
	}
	for i := range 2 {
		if math.Abs(got.Back[i]-got.Zoomed[i]) > .01 || math.Abs(got.Range[i]-got.Zoomed[i]) > .01 {
			t.Errorf("zoomed to %v, back %v, range %v", got.Zoomed, got.Back, got.Range)
			break
		}
	}
	if !has(got.Misspelled, "nativeDecodeAsset") || len(got.Lists) != 1 || got.Lists[0] != got.Thread || got.Thread == "main" || !got.Shared || got.Link == "" {
		t.Errorf("suggestions %q, thread %q, lists of %q, link %q opens the same: %v", got.Misspelled, got.Thread, got.Lists, got.Link, got.Shared)
	}
	p.Run(t, "view", file, "--sample", "5ms", "-o", "page.html", "--quiet")
	var compared struct {
		Finest, Coarsest, Hottest        string
		MissedAtFinest, MissedAtCoarsest float64
	}
	b.Run(t, "file://"+p.File("page.html"), browser.Desk, compareTask, &compared)
	if compared.Finest != "100 µs" || compared.Coarsest != "20 ms" || compared.MissedAtFinest >= compared.MissedAtCoarsest || compared.MissedAtCoarsest > 100 || compared.Hottest != hottest {
		t.Errorf("comparison with the truth: %+v; report has %q", compared, hottest)
	}
}
