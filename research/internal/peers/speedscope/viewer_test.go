package speedscope

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"artifice/research/internal/browser"
)

// show waits until the page shows its list of functions or an error, for any length of time.
const show = `
await tab.waitForFunction(() => {
	const text = document.body.innerText;
	return text.split("Symbol Name")[1]?.trim() || /went wrong|Unrecognized|Failed/.test(text);
}, {timeout: 0, polling: 100});
return await tab.content();`

// tall is a screen on which the list fits.
var tall = browser.View{Width: 1400, Height: 2000, Scale: 1}

// Viewer is an installed speedscope, with a browser.
type Viewer struct {
	page    string
	browser *browser.Browser
}

// Install installs speedscope. If something is missing, it skips the test; with CI=true it fails
// the test instead.
func Install(t testing.TB) *Viewer {
	t.Helper()
	return &Viewer{Page(t), browser.Install(t)}
}

// Row is a function as the view Sandwich lists it: times of the first profile,
// with their unit and share, such as "70.00ms (70%)".
type Row struct{ Name, Total, Self string }

// Sandwich opens a file and returns the rows of the view Sandwich. It fails if speedscope shows no
// list, as for a file that it cannot read.
func (v *Viewer) Sandwich(t testing.TB, file string) []Row {
	t.Helper()
	var page string
	v.browser.Run(t, "file://"+v.page+"#view=sandwich&"+WriteScript(t, file), tall, show, &page)
	shown := rows(page)
	if len(shown) == 0 {
		t.Fatalf("speedscope shows no list of functions:\n%s", tags.ReplaceAllString(page, " "))
	}
	return shown
}

var tags = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>|<[^>]*>`)

// rows returns the list on a page, which follows the heading of its last column: three texts for
// each function; none if there is no list.
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
