package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
)

// audit runs axe-core and returns the rules that are violated, each with the first elements.
const audit = `
const axe = async () => {
	await tab.evaluate(axeSource);
	return tab.evaluate(async () => (await axe.run(document, {resultTypes: ["violations"], iframes: false})).violations.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.target.join(" ")).join(", ")));
};
`

// TestAxe: axe-core finds no violation in any page in either color scheme: the viewer with each of
// its tabs, with a selected call, with its list of keys, on a phone and with a truth; a difference;
// thread dumps; and the laboratory.
func TestAxe(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b, p := browser.Install(t), build(t)
	source := filepath.Join(browser.NpmInstall(t, "axe-core", "4.10.3"), "axe.min.js")
	p.Run(t, "record", "cold-start", "--interval", "5ms", "--device", "A", "-o", "app.trace", "-q")
	p.Run(t, "view", "app.trace", "-o", "page.html", "--quiet")
	p.Run(t, "view", "w2-frame-60hz", "--sample", "5ms", "--device", "A", "-o", "compare.html", "--quiet")
	p.Run(t, "record", "cold-start", "--interval", "5ms", "--device", "A", "--seed", "2", "-o", "new.trace", "-q")
	p.Run(t, "view", "app.trace", "--diff", "new.trace", "-o", "diff.html", "--quiet")
	if err := os.WriteFile(p.File("anr.txt"), []byte(blockedDump), 0o666); err != nil {
		t.Fatal(err)
	}
	p.Run(t, "view", "anr.txt", "-o", "dumps.html", "--quiet")
	everything := `
const found = await axe();
for (const t of await tab.$$("[role=tab]")) { await t.click(); await frame(); found.push(...await axe()); }
await tab.focus("#tracks"); await press("Enter"); found.push(...await axe());
await press("?"); found.push(...await axe());
await press("Escape"); await tab.setViewport({width: 360, height: 740}); await frame();
for (const t of ["#tab-about", "#tab-methods"]) { await click(t); found.push(...await axe()); }
return found;`
	type page struct {
		name, url, script string
	}
	pages := []page{
		{"viewer", "file://" + p.File("page.html"), ready + audit + everything},
		{"comparison with the truth, and difference", "file://" + p.File("compare.html"), ready + audit + `
const found = await axe();
await tab.goto("file://` + p.File("diff.html") + `"); ` + strings.SplitAfter(ready, ";\n")[0] + `
return found.concat(await axe());`},
		{"thread dumps", "file://" + p.File("dumps.html"), audit + "return axe();"},
		{"laboratory", labPage(t, p) + "#app=scroll-60hz&every=5", labReady + audit + `
const found = await axe();
for (const t of ["report", "plan"]) { await tab.click("#tab-" + t); await new Promise(d => setTimeout(d, 1500)); found.push(...await axe()); }
return found;`},
	}
	for _, c := range testdata.Some(t, pages, 2) {
		for _, dark := range []bool{false, true} {
			view := browser.Desk
			view.Dark = dark
			var found []string
			b.Run(t, c.url, view, fmt.Sprintf("const axeSource = require(\"fs\").readFileSync(%q, \"utf8\");\n", source)+c.script, &found)
			for _, v := range found {
				t.Errorf("%s, dark %v: %s", c.name, dark, v)
			}
		}
	}
}
