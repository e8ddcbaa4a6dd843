package pages

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
)

// method contains the times of a method in a page or a report, in ns. CPU is exclusive.
type method struct{ Exclusive, Inclusive, CPU, Calls int64 }

// lists selects a range and returns the panel of methods for it: as shown initially, and with
// waiting time, for all threads. It merges methods that differ only in their signatures.
const lists = ready + `
await value("#from", %q);
await value("#to", %q);
await frame();
const sums = () => tab.evaluate(() => {
	const sums = {}, ns = (units) => Math.round(units * unitNS);
	for (const r of sumsShown().methods) {
		if (onlyRunning() && !r.inclusive) continue;
		const s = sums[book.method(r.method).replace(/\(.*/, "")] ??= {Exclusive: 0, Inclusive: 0, CPU: 0, Calls: 0};
		s.Exclusive += ns(r.exclusive); s.Inclusive += ns(r.inclusive); s.CPU += ns(r.cpu); s.Calls += r.calls;
	}
	return sums;
});
const First = await sums();
await tab.evaluate(() => { document.getElementById("waits").hidden || document.getElementById("waiting").click(); });
await tab.select("#lists", "all threads"); await frame();
return {First, All: await sums()};`

// reported reads the output of "artifice report --json" in the same form; with running, without the
// threads' waiting time.
func reported(t *testing.T, text string, running bool) map[string]method {
	t.Helper()
	var rows []struct {
		Method    string
		Exclusive int64 `json:"self_wall_ns"`
		Inclusive int64 `json:"total_wall_ns"`
		Running   int64 `json:"self_running_ns"`
		Runs      int64 `json:"total_running_ns"`
		CPU       int64 `json:"self_cpu_ns"`
		Calls     int64
	}
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		t.Fatal(err)
	}
	all := map[string]method{}
	for _, r := range rows {
		if running {
			if r.Exclusive, r.Inclusive = r.Running, r.Runs; r.Inclusive == 0 {
				continue
			}
		}
		name, _, _ := strings.Cut(r.Method, "(")
		m := all[name]
		m.Exclusive += r.Exclusive
		m.Inclusive += r.Inclusive
		m.CPU += r.CPU
		m.Calls += r.Calls
		all[name] = m
	}
	return all
}

// testNumbers: for a range, the panels show the values that "artifice report" prints for the same
// part of the trace: initially the running time of the first thread in the report, and on request
// all time of all threads. Real traces are compared as a whole, because a part has less information
// about calls without an enter or an exit.
func testNumbers(t *testing.T, b *browser.Browser) {
	p := build(t)
	for _, c := range []struct {
		source, mode string
		from, to     string // "": the whole trace
	}{
		{"cold-start", "truth", "", ""},
		{"cold-start", "truth", "300001ns", "900000003ns"},
		{"w6-random-tree", "truth", "1.2345ms", "55.5ms"},                       // recursive
		{"w6-random-tree", "sample", "1.2345ms", "55.5ms"},                      // in microseconds
		{"network-client", "truth", "400ms", "450ms"},                           // waits at the edges
		{testdata.Path(t, "traces", "instrumented-art-file.trace"), "", "", ""}, // exits without enters, frames open at the end
		{testdata.Path(t, "traces", "sampled-art-file.trace"), "", "", ""},
	} {
		t.Run(filepath.Base(c.source)+c.mode+c.from, func(t *testing.T) {
			file := c.source
			if c.mode != "" {
				file = p.File("recording.txt")
				p.Run(t, "record", c.source, "--mode", c.mode, "-o", file, "--quiet")
			}
			part, page := file, p.File("page.html")
			if c.from != "" {
				part = p.File("part.txt")
				p.Run(t, "convert", file, "--from", c.from, "--to", c.to, "-o", part, "--quiet")
			}
			p.Run(t, "view", file, "-o", page, "--quiet")
			thread := "main"
			if c.source == "w6-random-tree" {
				thread = "all" // it has no main thread
			}
			type seen struct{ First, All map[string]method }
			want := seen{
				reported(t, p.Run(t, "report", part, "--json", "--quiet", "--thread", thread), true),
				reported(t, p.Run(t, "report", part, "--json", "--quiet"), false),
			}
			var got seen
			b.Run(t, "file://"+page, browser.Desk, fmt.Sprintf(lists, c.from, c.to), &got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-report +page)\n%.3000s", diff)
			}
		})
	}
}
