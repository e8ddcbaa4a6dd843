// Package browser opens pages in headless Chromium or Firefox, for tests of pages.
//
// It needs node, npm and the browser. Puppeteer drives the browser; its version is pinned. Packages
// of the npm registry, which tests with other readers need too, are kept in the user's cache
// directory.
package browser

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const version = "25.16.0"

// drive opens a page and runs the script in its input on it. It prints the script's result as JSON;
// an error on the page is the script's error.
const drive = `
const [puppeteer, kind, program, page, options] = process.argv.slice(1);
(async () => {
	const {Width, Height, Dark, Scale} = JSON.parse(options);
	const browser = await require(puppeteer).launch({
		browser: kind, executablePath: program, protocolTimeout: 0, timeout: 0, defaultViewport: {width: Width, height: Height, deviceScaleFactor: Scale},
		args: kind === "chrome" ? ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--allow-file-access-from-files"] : [],
	});
	try {
		const tab = await browser.newPage(), errors = [];
		tab.on("pageerror", e => errors.push(String(e.stack || e)));
		tab.on("dialog", d => { errors.push("dialog: " + d.message()); d.dismiss(); });
		tab.on("console", m => { if (m.type() === "error") errors.push("console: " + m.text()); });
		if (kind === "chrome") await tab.emulateMediaFeatures([{name: "prefers-color-scheme", value: Dark ? "dark" : "light"}]);
		await tab.goto(page, {timeout: 0});
		const script = require("fs").readFileSync(0, "utf8");
		const result = await new (Object.getPrototypeOf(async () => {}).constructor)("tab", script)(tab);
		if (errors.length) throw new Error("the page has errors:\n" + errors.join("\n"));
		console.log(JSON.stringify(result === undefined ? null : result));
	} finally {
		await browser.close();
	}
})().catch(e => { console.error(String(e && e.stack || e), String(e && e.cause && e.cause.stack || "")); process.exit(1); });`

// Browser is an installed browser with its driver.
type Browser struct{ kind, program, puppeteer string }

// View contains the display settings for a page.
type View struct {
	Width, Height int
	Dark          bool    // the system's preference
	Scale         float64 // screen pixels per CSS pixel
}

// Desk is the light screen of a desktop.
var Desk = View{1400, 900, false, 1}

// Install installs everything needed for Chromium. It skips the test if something is missing; with
// CI=true it fails the test instead.
func Install(t testing.TB) *Browser {
	t.Helper()
	return &Browser{
		kind:      "chrome",
		program:   Need(t, "chromium", "on Debian: apt-get install chromium"),
		puppeteer: NpmInstall(t, "puppeteer-core", version),
	}
}

// InstallFirefox does the same for Firefox, which prefers light colours whatever the View
// specifies.
func InstallFirefox(t testing.TB) *Browser {
	t.Helper()
	return &Browser{
		kind:      "firefox",
		program:   Need(t, "firefox-esr", "on Debian: apt-get install firefox-esr"),
		puppeteer: NpmInstall(t, "puppeteer-core", version),
	}
}

// Run opens a page and runs a script on it: the body of an asynchronous function of puppeteer's
// page "tab". It decodes the function's result as JSON into result. Errors on the page fail the
// test, as the script's own do.
func (b *Browser) Run(t testing.TB, url string, view View, script string, result any) {
	t.Helper()
	options, err := json.Marshal(view)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "-e", drive, b.puppeteer, b.kind, b.program, url, string(options))
	cmd.Stdin, cmd.Stderr = strings.NewReader(script), os.Stderr
	if b.kind == "firefox" { // it does not start if HOME is not writable
		home, err := os.MkdirTemp("", "artifice-firefox-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(home)
		cmd.Env = append(os.Environ(), "HOME="+home)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", b.kind, err)
	}
	if err := json.Unmarshal(out, result); err != nil {
		t.Fatalf("%v: %.200s", err, out)
	}
}
