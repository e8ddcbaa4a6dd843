package diff

import (
	"fmt"
	"io"
	"path"
	"strings"

	"artifice/internal/chart"
)

// WriteHTML writes the difference as a self-contained page. old and now are the names of the
// traces; version is the program's version, for the footer.
func (t *Changes) WriteHTML(w io.Writer, old, now []string, version string) error {
	certain, others := &Changes{Diff: t.Diff, Clock: t.Clock, Total: t.Total}, &Changes{Diff: t.Diff, Clock: t.Clock, Total: t.Total}
	for _, m := range t.Rows {
		if t.Certain(&m) {
			certain.Rows = append(certain.Rows, m)
		} else if t.Of(&m).Difference() != 0 {
			others.Rows = append(others.Rows, m)
		}
	}
	var page chart.Writer
	page.Add("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>\n%s</head><body>\n", changesTitle(old, now), chart.HTML(changesHead))
	page.Add("<h1>Changes")
	if len(old) > 0 {
		page.Add(" <span class=\"side\">from <b title=\"%s\">%s</b> to <b title=\"%s\">%s</b></span>", baseNames(old), sideName(old), baseNames(now), sideName(now))
	}
	page.Add("</h1>\n")
	for _, line := range strings.Split(t.Headline(), "\n") {
		page.Add("<p>%s</p>\n", line)
	}
	page.AddIf("<p role=\"alert\"><strong>Warning: %s</strong></p>\n", t.Diff.Warning())
	page.Add("<p><strong>%s</strong></p>\n", t.answer())
	if len(certain.Rows) > 0 {
		addTable(&page, certain)
	}
	for _, note := range t.notes() {
		page.Add("<p>%s</p>\n", note)
	}
	if n := len(others.Rows); n > 0 {
		page.Add("<details><summary>Changes that are not significant or not tested (%d)</summary>\n", n)
		addTable(&page, others)
		page.Add("</details>\n")
	}
	page.Add("<footer>artifice %s. %s</footer>\n</body></html>\n", version, changesFoot)
	_, err := io.WriteString(w, page.String())
	return err
}

// changesTitle returns the title, with the names of both sides if they have names.
func changesTitle(old, now []string) string {
	if len(old) == 0 {
		return "Changes"
	}
	return fmt.Sprintf("Changes from %s to %s", sideName(old), sideName(now))
}

// addTable adds a table. On a narrow screen each row is a block: the method, and below it each
// value after the name of its column.
func addTable(page *chart.Writer, t *Changes) {
	text := t.text()
	page.Add("<table><thead><tr>")
	for _, c := range text.Columns {
		page.Add("<th scope=\"col\">%s</th>", c)
	}
	page.Add("</tr></thead><tbody>\n")
	for _, row := range text.Rows {
		page.Add("<tr>")
		for i, cell := range row {
			page.Add("<td data-column=\"%s\">%s</td>", text.Columns[i], chart.Breakable(cell))
		}
		page.Add("</tr>\n")
	}
	page.Add("</tbody></table>\n")
}

// sideName returns a short name of a side, from base names: readers of a page do not have the
// folders.
func sideName(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return base(names[0])
	default:
		return fmt.Sprintf("%s and %d more", base(names[0]), n-1)
	}
}

// baseNames returns the base names of a side, one per line.
func baseNames(names []string) string {
	var all []string
	for _, name := range names {
		all = append(all, base(name))
	}
	return strings.Join(all, "\n")
}

// base returns the last element of a path.
func base(name string) string { return path.Base(strings.ReplaceAll(name, `\`, "/")) }

const changesFoot = "At most 5 % of the changes with q ≤ 0.05 are false discoveries (Benjamini and Hochberg). The 95 % CI is corrected alike (Benjamini and Yekutieli): the interval excludes 0 exactly when q ≤ 0.05."

const changesHead = `<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5em auto; max-width: 75em; padding: 0 1em; overflow-wrap: anywhere }
h1 { font-size: 1.5em; line-height: 1.25; margin: 0 0 .5em }
h2 { font-size: 1.15em; margin: 1.5em 0 .5em }
p { margin: .4em 0; max-width: 45em }
.side { font-weight: 400; opacity: .75 }
table { border-collapse: collapse; width: 100% }
th, td { padding: .2em .6em; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; vertical-align: baseline }
th:last-child, td:last-child { text-align: left; white-space: normal; width: 99% }
th { border-bottom: 1px solid; position: sticky; top: 0; background: Canvas; font-weight: 600 }
tbody tr:nth-child(even) td { background: color-mix(in srgb, CanvasText 5%, Canvas) }
summary { cursor: pointer; margin: 1.5em 0 .5em }
footer { margin-top: 2em; font-size: .85em; opacity: .75 }
@media (max-width: 720px) {
  thead { display: none }
  table, tbody { display: block }
  tbody tr { display: flex; flex-wrap: wrap; gap: 0 1em; padding: .5em 0; border-top: 1px solid color-mix(in srgb, CanvasText 20%, Canvas) }
  tbody tr:nth-child(even) td { background: none }
  td { padding: 0; text-align: left }
  td:last-child { order: -1; width: 100%; font-weight: 600 }
  td:empty { display: none }
  td:not(:last-child)::before { content: attr(data-column) " "; opacity: .7 }
}
</style>`
