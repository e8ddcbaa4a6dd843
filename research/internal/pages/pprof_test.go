package pages

import (
	"maps"
	"os"
	"slices"
	"testing"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
)

// example is a trace of two methods.
const example = "# artifice text trace\n" +
	"info\tclock\tdual\n" +
	"thread\t21491\tmain\n" +
	"method\t0x4\ta.b.Main\trun\t()V\tMain.java\t10\n" +
	"method\t0x8\ta.b.Main\tdraw\t()V\tMain.java\t20\n" +
	"0 0 21491 enter a.b.Main.run()V\n" +
	"2000 1000 21491 enter a.b.Main.draw()V\n" +
	"7000 5000 21491 exit a.b.Main.draw()V\n" +
	"9000 6000 21491 exit a.b.Main.run()V\n"

// TestPprofPages: in a browser, pprof's pages have no errors under our policy, and draw the
// methods.
func TestPprofPages(t *testing.T) {
	b := browser.Install(t)
	p := build(t)
	if err := os.WriteFile(p.File("example.txt"), []byte(example), 0o666); err != nil {
		t.Fatal(err)
	}
	url := p.serve(t, []string{"HOME=" + p.Dir, "XDG_CONFIG_HOME=" + p.Dir}, "view", "example.txt", "--pprof", "--no-browser")
	pages := map[string]string{
		"flamegraph": `document.querySelectorAll("#stack-chart .boxtext").length`,
		"top":        `document.querySelectorAll("#rows tr").length`,
		"graph":      `document.querySelectorAll("#graph0 .node").length`,
		"peek?f=run": `+document.body.innerText.includes("Main.run")`,
	}
	for _, page := range testdata.Some(t, slices.Sorted(maps.Keys(pages)), 1) {
		var seen struct {
			Count  int
			Hidden bool
		}
		b.Run(t, url+page, browser.Desk, `
			return await tab.evaluate(() => ({Count: `+pages[page]+`,
				Hidden: ["list", "disasm", "config"].every(id => getComputedStyle(document.getElementById(id)).display === "none")}));`, &seen)
		if seen.Count == 0 || !seen.Hidden {
			t.Errorf("%s: %+v", page, seen)
		}
	}
}
