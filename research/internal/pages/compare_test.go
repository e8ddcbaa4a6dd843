package pages

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/research/internal/browser"
)

// slide moves the slider from one end to the other and returns its text, and whether missed calls
// and wrong stacks are drawn.
const slide = ready + `
const say = () => tab.evaluate(() => ({Interval: document.getElementById("interval").value, ...comparisonFacts(), Shown: document.getElementById("comparisonfacts").textContent,
	Tracks: timeline.rows[0].tracks.length, Span: book.recordings[0].threads.reduce((m, t) => m + endOf(t), 0)}));
await tab.focus("#slider");
await press("Home"); const finest = await say();
await press("End"); const coarsest = await say();
await tab.evaluate(() => [...document.querySelectorAll("#side button")].find(b => b.textContent === "ground truth").click()); await frame();
await click("#help-open"); const signs = await tab.$$eval("#signs li", l => l.filter(e => e.offsetHeight).map(e => e.textContent)); await press("Escape");
return {Finest: finest, Coarsest: coarsest, Signs: signs, Calls: await tab.evaluate(() => sumsShown().methods.reduce((n, m) => n + m.calls, 0))};`

// testCompare: the slider goes from 0.1 to 20 ms over an app that calls a method 600 times in 10 s,
// for 1.67 ms each. At 0.1 ms no call is missed, and the stack is wrong for at most 0.1 ms at each
// end of a call, 0.12 s in all. At 20 ms there are 500 samples, so at least 100 of the calls are
// missed.
func testCompare(t *testing.T, b *browser.Browser) {
	p := build(t)
	p.Run(t, "record", "w2-frame-60hz", "--mode", "truth", "--duration", "10s", "-o", "truth.trace", "--quiet")
	p.Run(t, "view", "truth.trace", "--sample", "5ms", "--device", "ideal", "-o", "page.html", "--quiet")
	type facts struct {
		Interval             string
		Calls, Missed        int
		Wrong, Span          float64
		Shown                string
		Tracks, Merged, Long int
	}
	var got struct {
		Finest, Coarsest facts
		Calls            int // of the truth, in the lists
		Signs            []string
	}
	b.Run(t, "file://"+p.File("page.html"), browser.Desk, slide, &got)
	fine, coarse := got.Finest, got.Coarsest
	if fine.Interval != "100 µs" || coarse.Interval != "20 ms" || fine.Tracks != 2 {
		t.Errorf("the slider goes from %s to %s, over %d tracks", fine.Interval, coarse.Interval, fine.Tracks)
	}
	if diff := cmp.Diff([]string{"missed", "merged", "too long", "not running then", "stack wrong"}, got.Signs); diff != "" {
		t.Errorf("signs in the list of keys (-want +page)\n%s", diff)
	}
	if fine.Calls != got.Calls || fine.Calls != coarse.Calls {
		t.Errorf("%d and %d true calls, and %d in the lists", fine.Calls, coarse.Calls, got.Calls)
	}
	if fine.Missed != 0 || fine.Wrong <= 0 || fine.Wrong > fine.Span*.012 {
		t.Errorf("at %s: %d calls missed, stack wrong for %g of %g", fine.Interval, fine.Missed, fine.Wrong, fine.Span)
	}
	if coarse.Missed < 100 || coarse.Wrong <= fine.Wrong {
		t.Errorf("at %s: %d of %d calls missed, stack wrong for %g", coarse.Interval, coarse.Missed, coarse.Calls, coarse.Wrong)
	}
	if want := fmt.Sprintf("0.0 %% of %d true calls missed; ", fine.Calls); len(fine.Shown) < len(want) || fine.Shown[:len(want)] != want {
		t.Errorf("the page shows %q", fine.Shown)
	}
}

// frames pans and zooms, and returns the time to draw a frame in ms: the median and the maximum of
// twenty; and when the page was ready.
const frames = ready + `
return await tab.evaluate(async () => {
	const opened = performance.getEntriesByName("open")[0].startTime, ready = performance.now(), all = whole().to, seen = {};
	const run = async (name, from, to, step) => {
		showWindow(from * all, to * all);
		const times = [];
		for (let i = 0; i < 60; i++) {
			step(i);
			await new Promise(requestAnimationFrame);
			times.push(timeline.drawTime);
		}
		times.sort((a, b) => a - b);
		seen[name] = times[30].toFixed(1) + ", " + times[57].toFixed(1);
	};
	await run("pan over all", 0, 1, (i) => moveWindow(i % 2 ? .01 : -.01));
	await run("zoom in", 0, 1, () => zoomAt(all * .37, .85));
	await run("pan over a tenth", .3, .4, () => moveWindow(.01));
	await run("pan over a hundredth", .3, .31, () => moveWindow(.01));
	return {Opened: Math.round(opened), Ready: Math.round(ready), Frames: seen};
});`

// measureFrames prints the time to open a page of 5 million events, and the time of its frames. A
// screen shows 60 frames per second, one in 16.7 ms. It has no pass criterion.
func measureFrames(t *testing.T, b *browser.Browser) {
	p := build(t)
	p.Run(t, "record", "game-loop", "--mode", "truth", "--duration", "140s", "-o", "big.trace", "--quiet")
	p.Run(t, "view", "big.trace", "-o", "page.html", "--quiet")
	var got struct {
		Opened, Ready int // ms since the browser began to load the page
		Frames        map[string]string
	}
	b.Run(t, "file://"+p.File("page.html"), browser.Desk, frames, &got)
	t.Logf("5 million events: timeline after %d ms, lists after %d ms at most", got.Opened, got.Ready)
	for name, times := range got.Frames {
		t.Logf("%s: a frame is drawn in (middle, 19 of 20) %s ms", name, times)
	}
}
