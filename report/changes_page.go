package report

import (
	"html/template"
	"io"
	"strings"
	"sync"
)

// WriteHTML writes the difference as a page that needs no other file. version is that
// of the program, for the foot.
func (t *Changes) WriteHTML(w io.Writer, version string) error {
	certain, others := &Changes{Diff: t.Diff, Clock: t.Clock, Total: t.Total}, &Changes{Diff: t.Diff, Clock: t.Clock, Total: t.Total}
	for _, m := range t.Rows {
		if t.Certain(&m) {
			certain.Rows = append(certain.Rows, m)
		} else if t.Of(&m).Difference() != 0 {
			others.Rows = append(others.Rows, m)
		}
	}
	return diffPage().Execute(w, map[string]any{
		"Headline": strings.Split(t.Headline(), "\n"), "Warning": t.Diff.Warning(), "Sum": t.sum(), "Version": version,
		"Certain": certain.Text(), "Others": others.Text(),
	})
}

var diffPage = sync.OnceValue(func() *template.Template { return template.Must(template.New("diff").Parse(diffText)) })

const diffText = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>What changed</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em }
table { border-collapse: collapse; width: 100% }
th, td { padding: .15em .6em; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
th:last-child, td:last-child { text-align: left; white-space: normal; overflow-wrap: anywhere }
th { border-bottom: 1px solid; position: sticky; top: 0; background: Canvas }
tr:nth-child(even) td { background: color-mix(in srgb, CanvasText 5%, Canvas) }
</style></head><body>
<h1>What changed</h1>
{{range .Headline}}<p>{{.}}</p>
{{end}}{{with .Warning}}<p role="alert"><strong>Warning: {{.}}</strong></p>
{{end}}<h2>More than chance</h2>
{{if .Certain.Rows}}{{template "table" .Certain}}{{else}}<p>No significant change.</p>
{{end}}<p>{{.Sum}}</p>
<details><summary>Changes that are not significant, or cannot be tested ({{len .Others.Rows}})</summary>
{{template "table" .Others}}</details>
<p><small>artifice {{.Version}}. The interval of a change has 95 %. q is corrected for the number of methods
(Benjamini and Hochberg): of all changes with q up to 0.05, at most 5 % are chance.</small></p>
</body></html>
{{define "table"}}<table><thead><tr>{{range .Columns}}<th scope="col">{{.}}</th>{{end}}</tr></thead><tbody>
{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end}}</tbody></table>
{{end}}`
