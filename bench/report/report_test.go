package report

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"artifice/bench"
	"artifice/internal/testdata"
	"artifice/tracer/device"
	"artifice/workload"
)

// result is a small sweep with all parts of a report.
func result(t testing.TB) *bench.Result {
	t.Helper()
	truth, err := workload.Must(workload.ByName("w5-zipf-50")).Truth(workload.Config{Seed: 1, Duration: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	a, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	r, err := bench.Run(context.Background(), truth, bench.Config{
		Intervals: []time.Duration{500 * time.Microsecond, time.Millisecond, 5 * time.Millisecond},
		Devices:   []device.Device{a}, Phases: 4, LadderAt: time.Millisecond,
		Modes: []bench.Mode{bench.ARTSampling, bench.PoissonSampling, bench.InstrumentedDual},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFigures: every figure exists, is well-formed, scales with its container, and has the colors
// of the preferred scheme. Elements also have color attributes, for programs without CSS.
func TestFigures(t *testing.T) {
	var names []string
	for _, f := range Figures(result(t)) {
		names = append(names, f.Name)
		var b bytes.Buffer
		if err := f.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		checkXML(t, f.Name, b.Bytes())
		svg := b.String()
		if !strings.HasPrefix(svg, `<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="100%" viewBox="0 0 340 `) {
			t.Errorf("%s begins %.120q", f.Name, svg)
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s has a coordinate that is not a number", f.Name)
		}
		for _, part := range []string{"prefers-color-scheme:dark", "--s0:#0072b2", "--s0:#4ba3e3", `class="s0" color="#0072b2"`, `class="ground" color="#ffffff"`} {
			if !strings.Contains(svg, part) {
				t.Errorf("%s does not contain %s", f.Name, part)
			}
		}
	}
	if got, want := strings.Join(names, " "), "overview accuracy calls frontier shares universal ladder"; got != want {
		t.Errorf("figures %s, want %s", got, want)
	}
}

// TestFrontierWithoutCPUClock: if the truth has a CPU clock, the chart of CPU time omits modes
// without one, and a second chart, of wall time, has all modes.
func TestFrontierWithoutCPUClock(t *testing.T) {
	all := result(t)
	all.Truth.Running.ByCPU = true
	for i := range all.Rows {
		all.Rows[i].ByCPU = true
	}
	clocked := *all
	clocked.Rows = slices.Clone(all.Rows)
	var wall bench.Row
	for _, row := range all.Rows {
		if row.Mode == bench.InstrumentedDual.Name {
			wall = row
		}
	}
	wall.Mode, wall.ByCPU = bench.InstrumentedWall.Name, false
	wall.Mean[bench.Overlap], wall.Low[bench.Overlap], wall.High[bench.Overlap] = 0.123, 0.123, 0.123
	all.Rows = append(all.Rows, wall)
	const tip = ": 12.3 %"
	for _, c := range []struct {
		r     *bench.Result
		names string
	}{{&clocked, "frontier"}, {all, "frontier frontier-wall"}} {
		var names []string
		for _, f := range Figures(c.r) {
			if !strings.HasPrefix(f.Name, "frontier") {
				continue
			}
			names = append(names, f.Name)
			var b bytes.Buffer
			if err := f.WriteSVG(&b); err != nil {
				t.Fatal(err)
			}
			if got, want := strings.Contains(b.String(), tip), f.Name == "frontier-wall"; got != want {
				t.Errorf("%s has a mark of the mode without a CPU clock: %t", f.Name, got)
			}
		}
		if got := strings.Join(names, " "); got != c.names {
			t.Errorf("figures %s, want %s", got, c.names)
		}
	}
}

// TestFiguresOfSparseResults: a result without sampling or with a single interval has the figures
// for which it has data.
func TestFiguresOfSparseResults(t *testing.T) {
	r := result(t)
	var only []bench.Row
	for _, row := range r.Rows {
		if row.Mode == bench.InstrumentedDual.Name {
			only = append(only, row)
		}
	}
	r.Rows = only
	for _, f := range Figures(r) {
		if err := f.WriteSVG(io.Discard); err != nil {
			t.Error(err)
		}
	}
	if err := WriteHTML(io.Discard, Page{Source: "x", Result: r}); err != nil {
		t.Error(err)
	}
	if figures := Figures(&bench.Result{}); len(figures) != 0 {
		t.Errorf("an empty result has %d figures", len(figures))
	}
}

// TestNames: for all names of methods and devices, figures are valid XML and CSV cells are not
// formulas.
func TestNames(t *testing.T) {
	r := result(t)
	const evil = "=1+1\x01\"<script>\xff"
	for i := range r.Methods {
		r.Methods[i].Name = evil
	}
	for i := range r.Rows {
		r.Rows[i].Device = evil
	}
	for _, f := range Figures(r) {
		var b bytes.Buffer
		if err := f.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		checkXML(t, f.Name, b.Bytes())
	}
	if n := strings.Count(pageOf(t, r), "<script>"); n != 1 {
		t.Errorf("the page has %d scripts, want 1", n)
	}
	for _, s := range sections(r) {
		records, err := csv.NewReader(strings.NewReader(s.CSV)).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", s.ID, err)
		}
		for _, cell := range slices.Concat(records[1:]...) {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("%s has the formula %q", s.ID, cell)
			}
		}
	}
}

func checkXML(t *testing.T, name string, text []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// pageOf returns the report of a result.
func pageOf(t testing.TB, r *bench.Result) string {
	t.Helper()
	var b strings.Builder
	if err := WriteHTML(&b, Page{Source: "app <one>.trace", Result: r, Version: "1.2.3", Command: "artifice bench 'app <one>.trace'", Dated: "was recorded on 2011-04-05"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPage: the page is self-contained, escapes names, and contains every row, every figure once,
// and the definition of every measure.
func TestPage(t *testing.T) {
	r := result(t)
	text := pageOf(t, r)
	if m := regexp.MustCompile(`(src|href)\s*=|@import|url\(`).FindString(text); m != "" {
		t.Errorf("the page loads another file: %q", m)
	}
	if strings.Contains(text, "<one>") || !strings.Contains(text, "app &lt;one&gt;.trace") {
		t.Error("the source's name is not escaped")
	}
	if n := strings.Count(text, "<svg "); n != len(Figures(r)) {
		t.Errorf("%d plots for %d figures", n, len(Figures(r)))
	}
	for _, advice := range r.Advise() {
		for _, sentence := range append(advice.Sentences(), advice.Answer(), advice.ToDo()) {
			if !strings.Contains(text, ">"+sentence+"</") {
				t.Errorf("advice is missing: %s", sentence)
			}
		}
	}
	if n, all := len(r.Measures()), len(bench.Measures()); n != all-6 {
		t.Errorf("%d of %d measures apply, want all but the three of CPU time, the two of frames and that of named methods", n, all)
	}
	for _, m := range r.Measures() {
		if m.Description() == "" || !strings.Contains(text, "><button type=\"button\">"+m.Header()+"</button></th>") {
			t.Errorf("no column %s", m.Header())
		}
		if !strings.Contains(text, "<dt>"+m.Header()+"</dt><dd>"+html.EscapeString(m.Description())+"</dd>") {
			t.Errorf("%s is not defined", m.Header())
		}
	}
	for _, part := range []string{"artifice 1.2.3.", "Means of 4 phases, seed 0.", "was recorded on 2011-04-05.", "<code>artifice bench &#39;app &lt;one&gt;.trace&#39;</code>"} {
		if !strings.Contains(text, part) {
			t.Errorf("the footer does not contain %s", part)
		}
	}
	if again := pageOf(t, r); again != text {
		t.Error("a second page of the same result differs")
	}
}

// TestPageOfAPart: the header of a page states that the run was interrupted, if it was.
func TestPageOfAPart(t *testing.T) {
	r := result(t)
	for _, cut := range []bool{false, true} {
		r.Cut = cut
		if got := strings.Contains(pageOf(t, r), "The run was interrupted"); got != cut {
			t.Errorf("interrupted: %t, stated on the page: %t", cut, got)
		}
	}
}

// TestCSV: the data of every section is valid CSV and equals the result in all digits.
func TestCSV(t *testing.T) {
	r := result(t)
	for _, s := range sections(r) {
		records, err := csv.NewReader(strings.NewReader(s.CSV)).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", s.ID, err)
		}
		if s.ID != "measures" {
			if len(records) != 1+len(s.Tables[0].Rows) {
				t.Errorf("%s: %d records for %d rows", s.ID, len(records), len(s.Tables[0].Rows))
			}
			continue
		}
		if len(records) != 1+len(r.Rows) {
			t.Fatalf("%d records for %d rows", len(records), len(r.Rows))
		}
		column := slices.Index(records[0], "wall_correct")
		for i, row := range r.Rows {
			for k, v := range []float64{row.Mean[bench.Overlap], row.StdDev[bench.Overlap], row.Low[bench.Overlap], row.High[bench.Overlap]} {
				if got, err := strconv.ParseFloat(records[i+1][column+k], 64); err != nil || got != v {
					t.Errorf("row %d: overlap %s, want %v", i, records[i+1][column+k], v)
				}
			}
		}
	}
}

// browse opens a file in headless Chromium and returns its output or its screenshot.
func browse(t *testing.T, name, text string, args ...string) []byte {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("chromium is not installed")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--user-data-dir=" + filepath.Join(dir, "profile")}, append(args, "file://"+file)...)
	cmd := exec.CommandContext(t.Context(), browser, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	if shot, err := os.ReadFile(filepath.Join(dir, "screenshot.png")); err == nil {
		return shot
	}
	return out
}

// TestInBrowser renders the page on a narrow screen. It fits, its tables sort and keep the key
// columns in view, and it has the colors of the light or dark scheme.
func TestInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	testdata.Seldom(t, 6)
	r := result(t)
	page := pageOf(t, r)
	probe := strings.Replace(page, "</body>", `<script>
document.querySelector(".advice p").append(" com.example.catalogue." + "ALongName".repeat(20)); // as of a class in one package
document.title = document.documentElement.scrollWidth <= innerWidth ? "fits" : "too wide: " + document.documentElement.scrollWidth + " in " + innerWidth;
document.querySelectorAll("thead button")[3].click();
var scroll = document.querySelector(".scroll"), keys = scroll.querySelectorAll("tbody tr:first-child .key");
var before = keys[2].getBoundingClientRect().left;
scroll.scrollLeft = 100;
document.body.dataset.frozen = scroll.scrollLeft > 50 && keys.length === 3 && Math.abs(keys[2].getBoundingClientRect().left - before) < 2;
</script></body>`, 1)
	dom := string(browse(t, "report.html", probe, "--window-size=500,900", "--dump-dom"))
	if !strings.Contains(dom, "<title>fits</title>") {
		t.Errorf("title %q", regexp.MustCompile("<title>[^<]*").FindString(dom))
	}
	if !strings.Contains(dom, `aria-sort="ascending"`) {
		t.Error("a click on a column's header does not sort")
	}
	if !strings.Contains(dom, `data-frozen="true"`) {
		t.Error("columns that name a row move out of view")
	}
	_, first := figure(t, r, "overview")
	drawn(t, "the page", first, screenshot(t, "report.html", page, "light", 500, 1600))
	if got := hex(screenshot(t, "report.html", page, "dark", 500, 900).At(2, 2)); got != black {
		t.Errorf("the background of the dark page is %s, want %s", got, black)
	}
}
