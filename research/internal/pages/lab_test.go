package pages

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
)

// labPage runs the session in the help of lab, which writes the page, and returns its address. The
// page's program is built from sources in a clone, so the folder is a workspace that contains the
// clone.
func labPage(t *testing.T, p *program) string {
	t.Helper()
	workspace := "go 1.26.0\nuse " + testdata.Root() + "\n"
	if err := os.WriteFile(p.File("go.work"), []byte(workspace), 0o666); err != nil {
		t.Fatal(err)
	}
	sessions := testdata.HelpSessions(p.Run(t, "help", "lab"))
	if len(sessions) != 1 {
		t.Fatalf("the help of lab has %d sessions", len(sessions))
	}
	if got := sessions[0].Run(t, p.Dir, "artifice", p.Path); !sessions[0].Prints(got) {
		t.Fatalf("the help of lab contains %q, but the commands print %q", sessions[0].Output, got)
	}
	file := p.File("lab.html")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	const most = 7_000_000 // 5 MB of program in base64, plus the page's code
	if info.Size() > most {
		t.Errorf("the page has %d bytes, want at most %d", info.Size(), most)
	}
	return "file://" + file
}

// labReady waits until the page has drawn its first picture. It polls without waitForFunction,
// which creates a function from a text; Firefox rejects this on a page with this policy.
const labReady = `
const until = async (place, holds, ...args) => { while (!await place.evaluate(holds, ...args)) await new Promise((done) => setTimeout(done, 50)); };
await until(tab, () => document.body.dataset.state === "failed" || document.body.dataset.state === "ready" && document.body.dataset.looked);
const upload = async (file) => {
	const before = await tab.evaluate(() => document.body.dataset.looked);
	await (await tab.$("#file")).uploadFile(file);
	await until(tab, (before) => document.body.dataset.state === "failed" || document.body.dataset.state === "ready" && document.body.dataset.looked !== before, before);
};
const saved = (file) => tab.evaluate(async (file) => {
	const {bytes} = await ask({op: "save", file});
	let text = "";
	for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
	return btoa(text);
}, file);
`

// TestLabPage uses the laboratory's page in a browser, opened from a file: it saves the same files
// as the program, and reports a broken file with the program's own message.
func TestLabPage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	tried := testdata.SomeUnlessNamed(t, []string{"saves", "broken", "use", "dumps", "sources", "motion", "firefox"}, 1)
	try := func(part string, f func(*testing.T)) {
		if slices.Contains(tried, part) {
			t.Run(part, f)
		}
	}
	b := browser.Install(t)
	p := build(t)
	page := labPage(t, p)
	sources := testdata.LabSources(t, &p.Program)
	if err := os.WriteFile(p.File("broken.trace"), []byte("*version\n3\ndata-file-overflow=perhaps\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	try("saves", func(t *testing.T) {
		for _, source := range testdata.Some(t, sources, 1) {
			script := labReady
			if !strings.Contains(source, "60hz") {
				script += fmt.Sprintf("await upload(%q);\n", p.File(source))
			}
			script += `
await tab.click("#sweep");
await until(tab, () => !document.getElementById("sweep").disabled && document.querySelector("#frontier svg"));
const files = {};
for (const f of ["report.json", "report.csv", "view.html", "bench.html", "bench.csv", "frontier.svg"]) files[f] = await saved(f);
return files;`
			var got map[string]string
			b.Run(t, page+"#app=scroll-60hz", browser.Desk, script, &got)
			for _, f := range testdata.LabFiles {
				data, err := base64.StdEncoding.DecodeString(got[f.Name])
				if err != nil {
					t.Fatal(err)
				}
				want := f.Written(t, &p.Program, source)
				if !bytes.Equal(data, want) {
					t.Errorf("%s: %s differs from the program's:\n%.2000s", source, f.Name, cmp.Diff(string(want), string(data)))
				}
			}
		}
	})
	try("broken", func(t *testing.T) {
		var got string
		b.Run(t, page, browser.Desk, labReady+fmt.Sprintf("await upload(%q);\nawait until(tab, () => document.getElementById(\"failed\").textContent);\nreturn tab.$eval(\"#failed\", e => e.textContent);", p.File("broken.trace")), &got)
		var messages bytes.Buffer
		report := p.Command("report", "broken.trace")
		report.Stderr = &messages
		if err := report.Run(); err == nil {
			t.Error("report accepts broken.trace")
		}
		want, _, _ := strings.Cut(strings.TrimPrefix(messages.String(), "artifice: "), "\n") // what follows names a flag of the program
		if got != want || got == "" {
			t.Errorf("the page shows %q, the program prints %q", got, want)
		}
	})
	try("use", func(t *testing.T) { testLabUse(t, b, page) })
	try("dumps", func(t *testing.T) { testLabDumps(t, b, p, page) })
	try("sources", func(t *testing.T) { testLabSources(t, b, p, page) })
	try("motion", func(t *testing.T) { testLabMotion(t, b, page) })
	try("firefox", func(t *testing.T) { testLabFirefox(t, page) })
}

// testLabFirefox opens the page in Firefox, and the timeline in it; then a page of the viewer, which
// has the same stops of the Tab key as in Chromium.
func testLabFirefox(t *testing.T, page string) {
	var got struct {
		Facts, Title, State string
		Tabs                []string
	}
	browser.InstallFirefox(t).Run(t, page+"#tab=view", browser.Desk, labReady+`
await tab.evaluate(() => document.getElementById("view").scrollIntoView());
await until(tab, () => document.getElementById("view").src);
let frame;
while (!frame) frame = await new Promise(done => setTimeout(() => done(tab.frames().find(f => f.url().startsWith("blob:"))), 50));
await until(frame, () => ["ready", "failed"].includes(document.body.dataset.state));
const seen = {Facts: await tab.$eval("#facts", e => e.textContent), Title: await frame.title(), State: await frame.evaluate(() => document.body.dataset.state)};
await tab.goto("`+pageOf(t, small)+`"); await until(tab, () => document.body.dataset.state === "ready");`+tabStops+`
return {...seen, Tabs: await tabStops()};`, &got)
	if diff := cmp.Diff([]string{"skip", "find", "order", "tracks", "from"}, got.Tabs); diff != "" {
		t.Errorf("stops of the Tab key (-want +page)\n%s", diff)
	}
	if !strings.Contains(got.Facts, "of the CPU time is correctly attributed") || got.State != "ready" || !strings.HasPrefix(got.Title, "cold-start") {
		t.Errorf("%+v", got)
	}
}

// testLabUse drags, stops a sweep, goes through the tabs with the keyboard, and opens the page on a
// phone.
func testLabUse(t *testing.T, b *browser.Browser, page string) {
	var got struct {
		Looks   int
		Median  float64 // ms
		Stopped string
		Tab     string
		Unnamed []string
		Width   int
		Hash    string
	}
	b.Run(t, page+"#app=cold-start&every=5", browser.View{Width: 360, Height: 740, Scale: 1}, labReady+`
const times = await tab.evaluate(async () => {
	const slider = document.getElementById("every"), times = [];
	for (let i = 0; i < 50; i++) {
		const before = document.body.dataset.looked;
		slider.value = String(40 + i);
		slider.dispatchEvent(new Event("input"));
		while (document.body.dataset.looked === before) await new Promise(done => setTimeout(done, 1));
		times.push(Number(document.body.dataset.took));
	}
	return times;
});
await tab.click("#sweep");
await new Promise(done => setTimeout(done, 300));
await tab.click("#stop");
await until(tab, () => !document.getElementById("sweep").disabled);
const stopped = await tab.$eval("#advice", e => e.textContent);
await tab.focus("#tab-sweep");
await tab.keyboard.press("ArrowRight");
const tabName = await tab.evaluate(() => document.activeElement.textContent);
const unnamed = await tab.evaluate(() => [...document.querySelectorAll("input, select, button, iframe, progress, [role=img], [tabindex='0']")]
	.filter(e => !(e.labels?.length || e.getAttribute("aria-label") || e.getAttribute("aria-describedby") || e.title || e.textContent.trim())).map(e => e.outerHTML.slice(0, 80)));
times.sort((a, b) => a - b);
return {Looks: times.length, Median: times[25], Stopped: stopped, Tab: tabName, Unnamed: unnamed,
	Width: await tab.evaluate(() => document.documentElement.scrollWidth), Hash: await tab.evaluate(() => location.hash)};`, &got)
	t.Logf("%d drag events; the median time of a picture is %.0f ms", got.Looks, got.Median)
	if !strings.HasPrefix(strings.ToLower(got.Stopped), "stopped") {
		t.Errorf("a stopped sweep shows %q", got.Stopped)
	}
	if got.Tab != "Report" {
		t.Errorf("→ on the first tab selects %q", got.Tab)
	}
	if len(got.Unnamed) > 0 {
		t.Errorf("without a name: %q", got.Unnamed)
	}
	if got.Width > 360 {
		t.Errorf("the page is %d pixels wide on a screen of 360", got.Width)
	}
	if !strings.Contains(got.Hash, "app=cold-start") || !strings.Contains(got.Hash, "tab=report") {
		t.Errorf("the address has the settings %q", got.Hash)
	}
}
