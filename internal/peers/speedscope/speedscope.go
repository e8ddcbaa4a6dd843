// Package speedscope opens profiles in speedscope, the flame graph viewer, in a
// browser without a screen, so that tests see what it makes of our files.
//
// It is for tests. It needs node, npm and Chromium; speedscope is installed into a
// temporary folder, and its version is pinned.
package speedscope

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"artifice/internal/peers/npm"
)

// The versions that the tests were written with.
const version, puppeteerVersion = "1.25.0", "25.16.0"

// show prints a page once it has its list of functions, or says that it cannot
// read the file. It waits for as long as that takes.
const show = `
const [puppeteer, chromium, page] = process.argv.slice(1);
(async () => {
	const browser = await require(puppeteer).launch({
		executablePath: chromium, protocolTimeout: 0, defaultViewport: {width: 1400, height: 2000},
		args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--allow-file-access-from-files"],
	});
	const tab = await browser.newPage();
	await tab.goto(page, {timeout: 0});
	await tab.waitForFunction(() => {
		const text = document.body.innerText;
		return text.split("Symbol Name")[1]?.trim() || /went wrong|Unrecognized|Failed/.test(text);
	}, {timeout: 0, polling: 100});
	console.log(await tab.content());
	await browser.close();
})();`

// Viewer is an installed speedscope, with what drives a browser.
type Viewer struct{ page, chromium, puppeteer string }

// Install installs speedscope. It skips the test where something is missing, and
// fails it with CI=true.
func Install(t testing.TB) *Viewer {
	t.Helper()
	return &Viewer{
		page:      filepath.Join(npm.Install(t, "speedscope", version), "dist", "release", "index.html"),
		chromium:  npm.Need(t, "chromium", "on Debian: apt-get install chromium"),
		puppeteer: npm.Install(t, "puppeteer-core", puppeteerVersion),
	}
}

// Row is a function as the view Sandwich lists it: times of the first profile,
// with their unit and share, such as "70.00ms (70%)".
type Row struct{ Name, Total, Self string }

// Sandwich opens a file and returns what the view Sandwich shows. It fails when
// speedscope shows no list, as it does for a file that it cannot read.
func (v *Viewer) Sandwich(t testing.TB, file string) []Row {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// The way of speedscope's own command line: a script with the file in it.
	name, err := json.Marshal(filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "profile.js")
	load := fmt.Sprintf("speedscope.loadFileFromBase64(%s, %q)", name, base64.StdEncoding.EncodeToString(data))
	if err := os.WriteFile(script, []byte(load), 0o600); err != nil {
		t.Fatal(err)
	}
	page, err := exec.Command("node", "-e", show, v.puppeteer, v.chromium, "file://"+v.page+"#view=sandwich&localProfilePath="+script).Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	shown := rows(string(page))
	if len(shown) == 0 {
		t.Fatalf("speedscope shows no list of functions:\n%s", tags.ReplaceAllString(string(page), " "))
	}
	return shown
}

var tags = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>|<[^>]*>`)

// rows returns the list on a page, which follows the word that heads its last
// column: three texts for each function; nothing where there is no list.
func rows(page string) []Row {
	_, list, found := strings.Cut(page, ">Symbol Name<")
	if !found {
		return nil
	}
	var texts []string
	for _, text := range strings.Split(tags.ReplaceAllString("<"+list, "\x00"), "\x00") {
		if text = strings.TrimSpace(html.UnescapeString(text)); text != "" {
			texts = append(texts, text)
		}
	}
	var shown []Row
	for ; len(texts) >= 3; texts = texts[3:] {
		shown = append(shown, Row{Total: texts[0], Self: texts[1], Name: texts[2]})
	}
	return shown
}
