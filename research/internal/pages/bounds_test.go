package pages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/research/internal/browser"
)

// everyTenth returns a trace with samples every 10 ms from 10 to 1000 ms. All but the last contain
// Main.run and a different leaf. Samples at 310, 320 and 330 ms have Main.work in between, and the
// one at 500 ms has Main.once. The last sample is after the end of Main.run.
func everyTenth() string {
	var b strings.Builder
	b.WriteString("# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\n")
	for i, name := range []string{"run", "work", "once", "leaf0", "leaf1"} {
		fmt.Fprintf(&b, "method\t0x%x\ta.b.Main\t%s\t()V\t\t0\n", 4*i, name)
	}
	between := func(k int) string {
		switch {
		case k >= 31 && k <= 33:
			return "work"
		case k == 50:
			return "once"
		}
		return ""
	}
	for k := 1; k <= 100; k++ {
		event := func(action, name string) { fmt.Fprintf(&b, "%d - 1 %s a.b.Main.%s()V\n", k*10_000_000, action, name) }
		if k == 1 {
			event("enter", "run")
		} else {
			event("exit", fmt.Sprintf("leaf%d", (k-1)%2))
		}
		if was := between(k - 1); was != "" && was != between(k) {
			event("exit", was)
		}
		if k == 100 {
			event("exit", "run")
			break
		}
		if is := between(k); is != "" && is != between(k-1) {
			event("enter", is)
		}
		event("enter", fmt.Sprintf("leaf%d", k%2))
	}
	return b.String()
}

// testBounds checks bounds computed by hand. Main.work is drawn from 310 to 340 ms. It is missing
// in the samples at 300 and 340 ms, and present at 310 and 330 ms, so it took 20 to 40 ms.
// Main.once has one sample, so it took at most 20 ms. Main.run ends with the trace, so its end is
// unknown.
func testBounds(t *testing.T, b *browser.Browser) {
	got := map[string]any{}
	b.Run(t, pageOf(t, everyTenth()), browser.Desk, ready+`
const seen = {};
for (const name of ["work", "once", "run"]) {
	await tab.evaluate(n => pickMethod(book.methods.indexOf("a.b.Main." + n)), name); await press("n"); await frame();
	const bounds = await tab.evaluate(() => { const b = boundsOf(shown.picked); return b && [b.before, b.start, b.seen, b.end].map(t => Math.round(t * unitNS / 1e6)); });
	seen[name] = [bounds, await tab.evaluate(() => callFacts(shown.picked).find(([name]) => name === "bounds")?.[1] ?? "")];
}
return seen;`, &got)
	took := func(times string) string { return times + ": it started and ended between samples" }
	want := map[string]any{ // from the start of the trace, at 10 ms
		"work": []any{[]any{290.0, 300.0, 320.0, 330.0}, took("20 ms to 40 ms")},
		"once": []any{[]any{480.0, 490.0, 490.0, 500.0}, took("0 s to 20 ms")},
		"run":  []any{nil, ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +page)\n%s", diff)
	}
}
