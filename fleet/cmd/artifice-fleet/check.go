package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"artifice/fleet/job"
	"artifice/format/check"
	"artifice/internal/cli"
)

// checkFlags are the flags of check.
type checkFlags struct {
	fleetFlags
	form  cli.Form
	files bool
}

func newCheck(std *stdio) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check LIST...",
		Short: "Validate all traces",
		Long: `Check every trace of LIST as 'artifice check' does, and print for each finding the
number of files that have it, and one of them. --files prints the result of every file,
and --csv every finding, as 'artifice check --csv' does. The exit status is 1 if a file
has an error or cannot be read.`,
		Example: `  artifice-fleet check traces/
  artifice-fleet check traces/ --files | grep -v ': valid'
  artifice-fleet check traces.csv --csv > findings.csv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.work(cmd, std, args) },
	}
	cmd.Flags().BoolVar(&f.files, "files", false, "print a line for each file")
	cmd.Flags().BoolVar(&f.form.CSV, "csv", false, "print every finding of every file as CSV")
	cmd.Flags().BoolVar(&f.form.JSON, "json", false, "print the summary as JSON")
	f.add(cmd)
	return cmd
}

func (f *checkFlags) work(cmd *cobra.Command, std *stdio, args []string) error {
	if f.form.CSV && f.form.JSON {
		return usagef("--json and --csv cannot be used together")
	}
	failed := false
	err := f.run(cmd.Context(), std, args, job.Check, func(folder string, o *job.Outcome) error {
		list, err := job.CheckResults(cmd.Context(), folder)
		if err != nil {
			return err
		}
		failed = slices.ContainsFunc(list, func(c job.Checked) bool { return !c.Valid })
		return f.print(std, list, len(o.Unread))
	})
	if err == nil && failed {
		err = errFound
	}
	return err
}

func (f *checkFlags) print(std *stdio, list []job.Checked, unread int) error {
	if f.form.CSV {
		t := cli.Table{Columns: check.Columns}
		for i := range list {
			t.Rows = append(t.Rows, list[i].Rows...)
		}
		return t.WriteCSV(std.out)
	}
	valid := 0
	for i := range list {
		c := &list[i]
		if f.files && !f.form.JSON {
			fmt.Fprintln(std.out, cli.Quote(c.Path+": "+c.Conclusion))
		}
		if c.Valid {
			valid++
		}
	}
	if !f.form.JSON {
		fmt.Fprintf(std.out, "%d files: %d valid, %d with errors, %d that cannot be read\n", len(list)+unread, valid, len(list)-valid, unread)
	}
	if t := byFinding(list); len(t.Rows) > 0 || f.form.JSON {
		return f.form.Print(std.out, t)
	}
	return nil
}

// byFinding returns a table of violated rules: errors first, then by the number of files.
func byFinding(list []job.Checked) *cli.Table {
	type sum struct {
		files, findings int64
		example         string
	}
	sums := map[string]*sum{}
	for i := range list {
		c := &list[i]
		for id, count := range c.Counts {
			s := sums[id]
			if s == nil {
				s = &sum{example: c.Path}
				sums[id] = s
			}
			s.files++
			s.findings += count
		}
	}
	rules := slices.DeleteFunc(slices.Clone(check.Rules), func(r check.Rule) bool { return sums[r.ID] == nil })
	slices.SortStableFunc(rules, func(a, b check.Rule) int {
		level := func(r *check.Rule) int { return strings.Index("EWN", r.ID[:1]) }
		return cmp.Or(cmp.Compare(level(&a), level(&b)), cmp.Compare(sums[b.ID].files, sums[a.ID].files))
	})
	t := &cli.Table{Columns: []string{"id", "level", "finding", "files", "findings", "for example"}, Right: []bool{false, false, false, true, true}}
	for i := range rules {
		r := &rules[i]
		s := sums[r.ID]
		t.Add(r.ID, r.Level().String(), r.Name, fmt.Sprint(s.files), fmt.Sprint(s.findings), s.example)
	}
	return t
}
