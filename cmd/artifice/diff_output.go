package main

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"artifice/internal/cli"
	"artifice/report"
	"artifice/writer"
)

// checkOutput refuses an output of an unknown kind before anything is read.
func (f *diffFlags) checkOutput() error {
	if f.out == "" {
		return nil
	}
	for _, ending := range []string{".html", ".csv", ".json", ".pb.gz", ".pb"} {
		if strings.HasSuffix(f.out, ending) {
			return checkWritable(f.out, false)
		}
	}
	return usagef("-o %s: must end in .html, .csv, .json or .pb.gz", f.out)
}

// print writes the difference where the flags say.
func (f *diffFlags) print(std stdio, t *diffTable) error {
	if f.out == "" {
		if f.form.csv || f.form.json {
			return f.form.print(std.out, t.list())
		}
		return t.print(std.out)
	}
	file, err := createFile(std, f.out)
	if err != nil {
		return err
	}
	defer file.Abort()
	switch {
	case strings.HasSuffix(f.out, ".csv"):
		err = t.list().WriteCSV(file)
	case strings.HasSuffix(f.out, ".json"):
		err = t.list().WriteJSON(file)
	case strings.HasSuffix(f.out, ".pb.gz"), strings.HasSuffix(f.out, ".pb"):
		err = t.profile(file)
	default:
		err = t.page(file)
	}
	if err != nil {
		return file.Fail(err)
	}
	return file.Commit()
}

// print writes the table for people.
func (t *diffTable) print(w io.Writer) error {
	fmt.Fprintln(w, t.headline())
	if len(t.rows) == 0 {
		_, err := fmt.Fprintln(w, "no significant change")
		return err
	}
	if err := t.text().WriteText(w); err != nil {
		return err
	}
	for _, note := range t.notes() {
		fmt.Fprintln(w, note)
	}
	return nil
}

func (t *diffTable) notes() (notes []string) {
	if t.more > 0 {
		notes = append(notes, fmt.Sprintf("%d more; --top 0 lists all", t.more))
	}
	if !slices.ContainsFunc(t.d.Methods, func(m report.MethodChange) bool { return t.certain(&m) }) {
		notes = append(notes, "no significant change")
	}
	return append(notes, t.sum())
}

// sum is the time of all methods together.
func (t *diffTable) sum() string {
	return fmt.Sprintf("all methods: %s before, %s after, %s", digits(t.d.OldTotal), digits(t.d.NewTotal), signed(t.d.NewTotal-t.d.OldTotal))
}

// list is the table for programs, in ns.
func (t *diffTable) list() *cli.Table {
	l := &cli.Table{Columns: []string{"method", "side"}}
	for _, kind := range []string{"self", "total"} {
		for _, column := range []string{"old_ns", "new_ns", "change_ns", "low_ns", "high_ns", "p", "q"} {
			l.Columns = append(l.Columns, kind+"_"+column)
		}
	}
	l.Columns = append(l.Columns, "old_calls", "new_calls")
	for i := range t.rows {
		m := &t.rows[i]
		side := "both"
		if m.OnlyOld {
			side = "old"
		} else if m.OnlyNew {
			side = "new"
		}
		cells := []string{m.Name, side}
		for _, c := range []*report.Change{&m.Exclusive, &m.Inclusive} {
			cells = append(cells, fmt.Sprint(int64(c.Old)), fmt.Sprint(int64(c.New)), fmt.Sprint(int64(c.Difference())))
			if t.d.Basis == report.Nothing {
				cells = append(cells, "", "")
			} else {
				cells = append(cells, fmt.Sprint(int64(c.Low)), fmt.Sprint(int64(c.High)))
			}
			cells = append(cells, number(c.P), number(c.Q))
		}
		l.Add(append(cells, number(m.OldCalls), number(m.NewCalls))...)
	}
	return l
}

// page writes the difference as a page of its own.
func (t *diffTable) page(w io.Writer) error {
	rows := slices.Clone(t.rows)
	certain, others := &diffTable{d: t.d, clock: t.clock, total: t.total}, &diffTable{d: t.d, clock: t.clock, total: t.total}
	for _, m := range rows {
		if t.certain(&m) {
			certain.rows = append(certain.rows, m)
		} else if t.of(&m).Difference() != 0 {
			others.rows = append(others.rows, m)
		}
	}
	return diffPage.Execute(w, map[string]any{
		"Headline": strings.Split(t.headline(), "\n"), "Sum": t.sum(), "Version": version(),
		"Certain": certain.text(), "Others": others.text(),
	})
}

// profile writes the differences of all calling contexts for pprof.
func (t *diffTable) profile(w io.Writer) error {
	rec, tree, err := report.Difference(t.sides[0], t.sides[1])
	if err != nil {
		return err
	}
	comments := append([]string{"new less old, per trace"}, strings.Split(t.headline(), "\n")...)
	return writer.PprofTree(w, rec, tree, t.clock, comments...)
}

var diffPage = template.Must(template.New("diff").Parse(`<!DOCTYPE html>
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
{{end}}<h2>More than chance</h2>
{{if .Certain.Rows}}{{template "table" .Certain}}{{else}}<p>No significant change.</p>
{{end}}<p>{{.Sum}}</p>
<details><summary>Changes that can be chance, and those that cannot be tested ({{len .Others.Rows}})</summary>
{{template "table" .Others}}</details>
<p><small>artifice {{.Version}}. The interval of a change has 95 %. q is corrected for the number of methods
(Benjamini and Hochberg): of all changes with q up to 0.05, at most 5 % are chance.</small></p>
</body></html>
{{define "table"}}<table><thead><tr>{{range .Columns}}<th scope="col">{{.}}</th>{{end}}</tr></thead><tbody>
{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end}}</tbody></table>
{{end}}`))
