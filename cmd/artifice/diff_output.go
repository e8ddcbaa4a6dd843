package main

import (
	"fmt"
	"io"
	"strings"

	"artifice/cmd/internal/command"
	"artifice/format/pprof"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/diff"
)

// checkOutput returns an error if the kind of the output is unknown, before any trace is read.
func (f *diffFlags) checkOutput() error {
	if f.out == "" {
		return nil
	}
	for _, ending := range []string{".html", ".csv", ".json", ".pb.gz", ".pb"} {
		if strings.HasSuffix(f.out, ending) {
			return command.CheckWritable(f.out, false)
		}
	}
	return command.Usagef("-o %s: must end in .html, .csv, .json or .pb.gz", f.out)
}

// print writes the difference to the output that the flags select.
func (f *diffFlags) print(std command.Stdio, t *diffTable) error {
	if f.out == "" {
		if f.form.CSV || f.form.JSON {
			return f.form.Print(std.Out, t.List())
		}
		return t.WriteText(std.Out)
	}
	return command.Save(std, f.out, func(file *cli.File) error {
		switch {
		case strings.HasSuffix(f.out, ".csv"):
			return t.List().WriteCSV(file)
		case strings.HasSuffix(f.out, ".json"):
			return t.List().WriteJSON(file)
		case strings.HasSuffix(f.out, ".pb.gz"), strings.HasSuffix(f.out, ".pb"):
			return t.profile(file)
		}
		return t.WriteHTML(file, t.names[0], t.names[1], cli.Version())
	})
}

// profile writes the differences of all calling contexts as a pprof profile.
func (t *diffTable) profile(w io.Writer) error {
	rec, tree, err := diff.Difference(t.sides[0], t.sides[1])
	if err != nil {
		return err
	}
	comments := append([]string{"new minus old, per trace"}, strings.Split(t.Headline(), "\n")...)
	return pprof.WriteTree(w, rec, tree, t.Clock, comments...)
}

// diffTable is a difference with its traces, for output.
type diffTable struct {
	*diff.Changes
	sides [2][]*report.View
	names [2][]string // of the trace files
}

// slower prints the methods that became significantly slower by more than a share of their old
// time, and reports whether there are any.
func (t *diffTable) slower(share float64, std command.Stdio) (found bool) {
	for i := range t.Diff.Methods {
		m := &t.Diff.Methods[i]
		c := t.Of(m)
		if t.Slower(m, share) {
			found = true
			fmt.Fprintf(std.Err, "artifice: %s is %s slower (%s)\n", m.Name, words.Duration(c.Difference()), ofOld(c))
		}
	}
	return found
}

// ofOld formats a change in percent of the old time.
func ofOld(c *diff.Change) string {
	if c.Old == 0 {
		return "new method"
	}
	return fmt.Sprintf("%+.1f %%", 100*float64(c.Difference())/float64(c.Old))
}
