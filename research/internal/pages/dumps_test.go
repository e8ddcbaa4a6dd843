package pages

import (
	"os"
	"strings"
	"testing"

	"artifice/research/internal/browser"
)

// blockedDump is an ANR file in which main waits for a thread that sleeps.
const blockedDump = `----- pid 7 at 2024-01-01 00:00:02 -----
Cmd line: com.example.app
"main" prio=5 tid=1 Blocked
  | sysTid=7 nice=0
  at com.example.LongNameOfAClass$$ExternalSyntheticLambda0.aMethodWithALongName(LongNameOfAClass.java:1)
  - waiting to lock <0x0a> (a java.lang.Object) held by thread 2
"worker" prio=5 tid=2 Sleeping
  | sysTid=8 nice=0
  at java.lang.Thread.sleep(Native method)
  at com.example.Worker.run(Worker.java:5)
  - locked <0x0a> (a java.lang.Object)
----- end 7 -----
`

// dumpsState returns the content of the page of thread dumps. Contrast is the minimum contrast of a
// text and its background, by the formula of WCAG 2.1.
const dumpsState = `
return await tab.evaluate(() => {
	const light = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map((v) => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
	const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (c !== "rgba(0, 0, 0, 0)") return c; } return "rgb(255, 255, 255)"; };
	let contrast = 21;
	for (const e of document.querySelectorAll("h1, h2, h3, h4, p, li, td, th, span, summary")) {
		const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
		contrast = Math.min(contrast, (a + .05) / (b + .05));
	}
	const fold = document.querySelector("#states details");
	fold.querySelector("summary").click();
	return {Lock: document.querySelector(".lock h3").textContent, Holder: document.querySelector(".pair ol").textContent, Open: fold.open,
		Overflow: document.documentElement.scrollWidth - innerWidth, Contrast: contrast};
});`

// TestDumpsPage: the page of thread dumps fits each screen, its texts have a contrast of at least
// 4.5 in both color schemes, and its stacks open without a script.
func TestDumpsPage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b, p := browser.Install(t), build(t)
	text := blockedDump + strings.Replace(strings.Replace(blockedDump, "00:00:02", "00:00:04", 1), "tid=1 Blocked", "tid=1 Native", 1)
	if err := os.WriteFile(p.File("anr.txt"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p.Run(t, "view", "anr.txt", "-o", "page.html", "--quiet")
	for _, view := range []browser.View{{Width: 360, Height: 740, Scale: 1}, {Width: 1600, Height: 900, Scale: 1, Dark: true}} {
		var got struct {
			Lock, Holder string
			Open         bool
			Overflow     float64
			Contrast     float64
		}
		b.Run(t, "file://"+p.File("page.html"), view, dumpsState, &got)
		if got.Lock != "main waits for java.lang.Object <0x0a>, held by worker (dump 2 of 2)" || got.Holder != "Thread.sleep (native)Worker.run (Worker.java:5)" || !got.Open || got.Overflow > 0 || got.Contrast < 4.5 {
			t.Errorf("%+v: %+v", view, got)
		}
	}
}

// testLabDumps opens thread dumps in the laboratory. It shows only their page, and shows its other
// parts again when a trace is opened.
func testLabDumps(t *testing.T, b *browser.Browser, p *program, page string) {
	if err := os.WriteFile(p.File("anr.txt"), []byte(blockedDump), 0o666); err != nil {
		t.Fatal(err)
	}
	var got struct {
		State, Title, Lock string
		Pictures, After    string
	}
	b.Run(t, page, browser.Desk, labReady+`
await (await tab.$("#file")).uploadFile("`+p.File("anr.txt")+`");
await until(tab, () => document.getElementById("view").src);
let frame;
while (!frame) frame = await new Promise(done => setTimeout(() => done(tab.frames().find(f => f.url().startsWith("blob:"))), 50));
await until(frame, () => document.querySelector(".lock h3"));
const display = () => tab.$eval("#pictures", e => getComputedStyle(e).display);
const result = {State: await tab.$eval("#state", e => e.textContent), Title: await tab.$eval("#view", e => e.title), Lock: await frame.$eval(".lock h3", e => e.textContent), Pictures: await display()};
await tab.select("#app", "scroll-60hz");
await until(tab, () => !document.body.classList.contains("dumps"));
return {...result, After: await display()};`, &got)
	if got.State != "anr.txt: 1 thread dump, 2 threads." || got.Title != "Thread dumps" || got.Lock != "main waits for java.lang.Object <0x0a>, held by worker" || got.Pictures != "none" || got.After == "none" {
		t.Errorf("%+v", got)
	}

	// Two warnings: no end line, and a line of no thread.
	bad := strings.NewReplacer("----- end 7 -----\n", "", "  - locked", "  ???\n  - locked").Replace(blockedDump)
	if err := os.WriteFile(p.File("cut.txt"), []byte(bad), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, view := range []browser.View{browser.Desk, {Width: 360, Height: 740, Scale: 2}} {
		var warnings struct {
			Open        bool
			Summary     string
			Count, High int
		}
		b.Run(t, page, view, labReady+`
await (await tab.$("#file")).uploadFile("`+p.File("cut.txt")+`");
await until(tab, () => !document.getElementById("warnings").hidden);
return await tab.$eval("#warnings", e => ({Open: e.open, Summary: e.querySelector("summary").textContent, Count: e.querySelectorAll("li").length, High: Math.round(e.offsetHeight)}));`, &warnings)
		if wide := view.Width > 600; warnings.Open != wide || warnings.Summary != "2 warnings" || warnings.Count != 2 || !wide && warnings.High > 40 {
			t.Errorf("%+v: %+v", view, warnings)
		}
	}
}
