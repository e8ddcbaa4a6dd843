package pages

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
)

// rangesOf selects parts of the first recording, as shares of its time, on the listed threads and
// on all, and returns the intervals of the methods in them.
const rangesOf = ready + `
return tab.evaluate(async () => {
	const found = [], all = whole(), first = shown.lists;
	shown.lists = null;
	tell("range");
	for (const [lists, from, to] of [[null], [first, 0, .1], [first, .3, .35], [first, .2, 1], [null, 0, .1], [null, .2, 1]]) {
		shown.lists = lists;
		if (to) chooseRange({from: all.to * from, to: all.to * to});
		const {key} = sumsShown();
		while (rangeEstimates?.key !== key) await new Promise(done => setTimeout(done, 20));
		found.push({failed: rangeEstimates.failed, of: [...rangeEstimates.of].map(([m, e]) => [book.identities[m], e])});
	}
	return JSON.stringify(found);
});`

// testRanges: a page in a file shows the same values for a part of a sampled trace as a page served
// by the program.
func testRanges(t *testing.T, b *browser.Browser) {
	p := build(t)
	p.Run(t, "record", "cold-start", "--interval", "5ms", "--device", "A", "-o", "app.trace")
	page := p.Command("view", p.File("app.trace"), "--ranges", "-o", p.File("page.html"))
	page.Dir = testdata.Root() // the program for ranges is built from sources
	if out, err := page.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	address := p.serve(t, nil, "view", "app.trace", "--no-browser")
	var saved, served string
	b.Run(t, "file://"+p.File("page.html"), browser.Desk, rangesOf, &saved)
	b.Run(t, address, browser.Desk, rangesOf, &served)
	if d := cmp.Diff(served, saved); d != "" {
		t.Errorf("the page in a file differs from the served one: %s", d)
	}
	var found []struct {
		Failed string
		Of     []any
	}
	if err := json.Unmarshal([]byte(saved), &found); err != nil {
		t.Fatal(err)
	}
	for i, f := range found {
		if f.Failed != "" || len(f.Of) == 0 {
			t.Errorf("range %d: %q, %d methods", i, f.Failed, len(f.Of))
		}
	}
	if len(found) != 6 {
		t.Fatalf("%d ranges, want 6", len(found))
	}
	p.Run(t, "view", "app.trace", "--ranges=false", "-o", "page.html")
	var known string
	b.Run(t, "file://"+p.File("page.html"), browser.Desk, ready+`
return tab.evaluate(() => {
	shown.lists = null;
	const some = (t) => t?.value ? t : null; // methods without samples have no time
	return JSON.stringify([...estimates(current())].map(([m, e]) => [book.identities[m], {self: some(e.self), total: some(e.total), running: some(e.running)}]));
});`, &known)
	var all []any
	if err := json.Unmarshal([]byte(known), &all); err != nil {
		t.Fatal(err)
	}
	byName := cmpopts.SortSlices(func(a, b any) bool { return fmt.Sprint(a) < fmt.Sprint(b) })
	bounds := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == `["bounds"]` }, cmp.Ignore()) // of CPU time alone
	if d := cmp.Diff(all, found[0].Of, byName, bounds); d != "" {
		t.Errorf("for all threads, the program's results differ from the data of a page without it: %s", d)
	}
}
