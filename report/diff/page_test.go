package diff

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// tag matches the begin or the end of an element, and its name.
var tag = regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)[^>]*>`)

// void are the elements without an end.
var void = []string{"meta", "br", "link", "wbr", "hr", "img"}

// TestPage checks the page of three methods: significant changes are in the first table, other
// changes in the second, and a method that did not change is in neither. All elements nest.
func TestPage(t *testing.T) {
	const ms = time.Millisecond
	row := func(name string, old, now time.Duration, p float64) MethodChange {
		c := Change{Old: old, New: now, Below: ms, Above: ms, P: p, Q: p}
		return MethodChange{Name: name, Exclusive: c, Inclusive: c}
	}
	changes := &Changes{Diff: &Diff{Basis: Sampling, OldTraces: 1, NewTraces: 1, Tested: 2}, Rows: []MethodChange{
		row("a.A.grows", 100*ms, 200*ms, 1e-9), row("a.A.varies", 100*ms, 101*ms, 0.5), row("a.A.stays", 100*ms, 100*ms, 1),
	}}
	var out strings.Builder
	if err := changes.WriteHTML(&out, []string{"old/<x>.trace"}, []string{"new.trace"}, "1.0"); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	_, body, _ := strings.Cut(page, "<body>")
	var open []string
	for _, m := range tag.FindAllStringSubmatch(body, -1) {
		switch end, name := m[1] == "/", m[2]; {
		case slices.Contains(void, name):
		case !end:
			open = append(open, name)
		case len(open) > 0 && open[len(open)-1] == name:
			open = open[:len(open)-1]
		default:
			if name != "body" && name != "html" || len(open) > 0 {
				t.Fatalf("</%s> within %v", name, open)
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("not closed: %v", open)
	}
	text := strings.Join(strings.Fields(tag.ReplaceAllString(strings.ReplaceAll(body, "<wbr>", ""), " ")), " ")
	first, second, found := strings.Cut(text, "Changes that are not significant or not tested (1)")
	if !found || !strings.Contains(first, "a.A.grows") || strings.Contains(first, "a.A.varies") || !strings.Contains(second, "a.A.varies") || strings.Contains(text, "a.A.stays") {
		t.Errorf("page:\n%s", text)
	}
	if n := strings.Count(page, `<th scope="col">`); n != 2*len(changes.text().Columns) || strings.Count(page, "<table>") != 2 || strings.Count(page, "<td ") != n {
		t.Errorf("%d headings, %d tables, %d cells", n, strings.Count(page, "<table>"), strings.Count(page, "<td "))
	}
	if strings.Contains(page, "<x>") || !strings.Contains(page, "&lt;x&gt;.trace") {
		t.Error("the name of a trace is not escaped")
	}
}
