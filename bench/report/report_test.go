package report

import (
	"bytes"
	"context"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"artifice/bench"
	"artifice/device"
	"artifice/workload"
)

// result is a small sweep with everything a report shows.
func result(t testing.TB) *bench.Result {
	t.Helper()
	truth, err := workload.ByName("w5-zipf-50").Truth(workload.Config{Seed: 1, Duration: 500 * time.Millisecond})
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

// TestFigures: every figure is there, well-formed, as wide as its place, in the
// palette's colours and without a font of its own.
func TestFigures(t *testing.T) {
	figures := Figures(result(t))
	var names []string
	for _, f := range figures {
		names = append(names, f.Name)
		for palette, c := range palettes {
			var b bytes.Buffer
			if err := f.WriteSVG(&b, palette); err != nil {
				t.Fatal(err)
			}
			checkXML(t, f.Name, b.Bytes())
			svg := b.String()
			if !strings.HasPrefix(svg, `<svg width="100%" role="img"`) || !strings.Contains(svg, "viewBox") || strings.Contains(svg, "Liberation") {
				t.Errorf("%s begins %.120q", f.Name, svg)
			}
			b.Reset()
			if err := f.WritePNG(&b, palette); err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(&b)
			if err != nil {
				t.Fatal(err)
			}
			if corner := color.RGBAModel.Convert(img.At(0, 0)); corner != c.ground {
				t.Errorf("%s: ground is %v, want %v", f.Name, corner, c.ground)
			}
			drawn(t, f.Name, svg, img)
		}
	}
	if got, want := strings.Join(names, " "), "accuracy calls frontier shares universal ladder"; got != want {
		t.Errorf("figures %s, want %s", got, want)
	}
}

// TestFiguresOfLittle: a result without sampling, or with one interval, has the
// figures it has data for.
func TestFiguresOfLittle(t *testing.T) {
	r := result(t)
	var only []bench.Row
	for _, row := range r.Rows {
		if row.Mode == bench.InstrumentedDual.Name {
			only = append(only, row)
		}
	}
	r.Rows = only
	for _, f := range Figures(r) {
		if err := f.WriteSVG(io.Discard, Light); err != nil {
			t.Error(err)
		}
	}
	if err := WriteHTML(io.Discard, Page{"x", r}); err != nil {
		t.Error(err)
	}
	if figures := Figures(&bench.Result{}); len(figures) != 0 {
		t.Errorf("an empty result has %d figures", len(figures))
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

// pageOf is the report of a result.
func pageOf(t testing.TB, r *bench.Result) string {
	t.Helper()
	var b strings.Builder
	if err := WriteHTML(&b, Page{"app <one>.trace", r}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPage: the page needs no other file, escapes names, and has every row and
// both palettes of every figure.
func TestPage(t *testing.T) {
	r := result(t)
	text := pageOf(t, r)
	if m := regexp.MustCompile(`(src|href)\s*=|@import|url\(`).FindString(text); m != "" {
		t.Errorf("the page refers to another file: %q", m)
	}
	if strings.Contains(text, "<one>") || !strings.Contains(text, "app &lt;one&gt;.trace") {
		t.Error("the source's name is not escaped")
	}
	if n := strings.Count(text, "<svg "); n != 2*len(Figures(r)) {
		t.Errorf("%d plots for %d figures", n, len(Figures(r)))
	}
	for _, advice := range r.Advise() {
		if !strings.Contains(text, "<p class=\"advice\">"+advice.String()) {
			t.Errorf("advice is missing: %s", advice)
		}
	}
	if n, all := len(r.Measures()), len(bench.Measures()); n != all-3 {
		t.Errorf("%d of %d measures apply, want all but the three of CPU time", n, all)
	}
	for _, m := range r.Measures() {
		if !strings.Contains(text, ">"+m.Header()+"</th>") {
			t.Errorf("no column %s", m.Header())
		}
	}
	if again := pageOf(t, r); again != text {
		t.Error("the same result gives another page")
	}
}

// browse opens a page in headless Chromium and returns what it prints or draws.
func browse(t *testing.T, page string, args ...string) []byte {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("chromium is not installed")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "report.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Second)
	defer cancel()
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + filepath.Join(dir, "profile")}, append(args, "file://"+file)...)
	cmd := exec.CommandContext(ctx, browser, args...)
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

// TestInBrowser draws the page on a narrow screen: it is not wider than that,
// and not empty.
func TestInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	page := strings.Replace(pageOf(t, result(t)), "</body>", `<script>
document.title = document.documentElement.scrollWidth <= innerWidth ? "fits" : "too wide: " + document.documentElement.scrollWidth + " in " + innerWidth;
document.querySelectorAll("th")[3].click();
</script></body>`, 1)
	dom := string(browse(t, page, "--window-size=500,900", "--dump-dom"))
	if !strings.Contains(dom, "<title>fits</title>") {
		t.Errorf("title %q", regexp.MustCompile("<title>[^<]*").FindString(dom))
	}
	if !strings.Contains(dom, `aria-sort="ascending"`) {
		t.Error("a click on a column's head does not sort")
	}
	shot, err := png.Decode(bytes.NewReader(browse(t, page, "--window-size=500,900", "--screenshot")))
	if err != nil {
		t.Fatal(err)
	}
	var first bytes.Buffer
	if err := Figures(result(t))[0].WriteSVG(&first, Light); err != nil {
		t.Fatal(err)
	}
	drawn(t, "the screenshot", first.String(), shot)
}
