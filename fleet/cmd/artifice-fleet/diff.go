package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"artifice/fleet/job"
	"artifice/fleet/manifest"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/diff"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	fleetFlags
	sides job.Sides
	top   int
	all   bool
	sort  string
	clock string
	form  cli.Form
}

func newDiff(std *stdio) *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff LIST... --by LABEL --from OLD --to NEW",
		Short: "Compare traces and test the differences for significance",
		Long: `Compare the times of every method, on all threads, in traces with LABEL=OLD and
LABEL=NEW. Methods match by class, name and signature, or without signatures where some
traces have none. The test (Student's) includes the variance between the traces of a
side. The table is that of 'artifice diff' with several traces on each side: q is
corrected for the number of methods (Benjamini-Hochberg), and so are the intervals
(Benjamini-Yekutieli).`,
		Example: `  artifice-fleet diff traces.csv --by version --from 1.2 --to 1.3
  artifice-fleet diff traces.csv --by device --from A --to B --clock wall -o diff.html`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.work(cmd, std, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.sides.By, "by", "", "`LABEL` of the manifest that separates the sides")
	flags.StringVar(&f.sides.Old, "from", "", "its value in the `OLD` traces")
	flags.StringVar(&f.sides.New, "to", "", "its value in the `NEW` traces")
	for _, name := range []string{"by", "from", "to"} {
		cmd.MarkFlagRequired(name)
	}
	flags.IntVar(&f.top, "top", 20, "print this number of rows; 0: all; CSV and JSON default to all")
	flags.BoolVar(&f.all, "all", false, "include methods without a significant change")
	flags.StringVar(&f.sort, "sort", "self", "compare and order `BY` self or total time")
	flags.StringVar(&f.clock, "clock", "", "`CLOCK` of the times: wall or cpu; default: cpu if all traces have it")
	flags.StringVarP(&f.out, "output", "o", "", "write `OUT` instead: .html, .csv or .json")
	flags.BoolVar(&f.form.JSON, "json", false, "print JSON")
	flags.BoolVar(&f.form.CSV, "csv", false, "print CSV")
	f.add(cmd)
	return cmd
}

func (f *diffFlags) work(cmd *cobra.Command, std *stdio, args []string) error {
	if err := f.checkDiff(); err != nil {
		return err
	}
	f.labels, f.keep = []string{f.sides.By}, f.chooseFiles
	work := func(w job.Worker) job.Work { return job.Diff(w, f.sides, f.clock) }
	return f.run(cmd.Context(), std, args, work, func(folder string, _ *job.Outcome) error {
		sides, methods, err := job.DiffResults(cmd.Context(), folder)
		if err != nil {
			return err
		}
		for i, value := range []string{f.sides.Old, f.sides.New} {
			if sides.Traces[i] == 0 {
				return fmt.Errorf("none of the traces with %s=%s could be read", f.sides.By, value)
			}
		}
		clock, err := sides.Clock(f.clock)
		if err != nil {
			return usageError{err}
		}
		d := sides.Conclude(methods)
		if warning := d.Warning(); warning != "" {
			fmt.Fprintf(std.err, "artifice-fleet: warning: %s\n", warning)
		}
		forPrograms := f.form.CSV || f.form.JSON || f.out != ""
		if d.Threads = "all threads"; f.form.CSV || f.form.JSON || strings.HasSuffix(f.out, ".csv") || strings.HasSuffix(f.out, ".json") {
			d.Rename(report.FullNames)
		} else {
			d.Rename(report.ShortNames)
		}
		changes := diff.NewChanges(d, clock, f.sort == "total", f.all || forPrograms)
		if !forPrograms || cmd.Flags().Changed("top") {
			changes.Limit(f.top)
		}
		return f.print(std, changes)
	})
}

// checkDiff rejects invalid flags.
func (f *diffFlags) checkDiff() error {
	switch {
	case f.form.CSV && f.form.JSON:
		return usagef("--json and --csv cannot be used together")
	case f.sort != "self" && f.sort != "total":
		return usagef("--sort %q: want self or total", f.sort)
	case f.clock != "" && f.clock != "wall" && f.clock != "cpu":
		return usagef("--clock %q: want wall or cpu", f.clock)
	case f.sides.Old == f.sides.New:
		return usagef("--from and --to are both %s", f.sides.Old)
	case f.out == "":
		return nil
	case !slices.ContainsFunc([]string{".html", ".csv", ".json"}, func(ending string) bool { return strings.HasSuffix(f.out, ending) }):
		return usagef("-o %s: must end in .html, .csv or .json", f.out)
	}
	return cli.CheckOutput(f.out)
}

// chooseFiles returns the files of both sides.
func (f *diffFlags) chooseFiles(files []manifest.File) ([]manifest.File, error) {
	var chosen []manifest.File
	traces := [2]int{}
	for _, file := range files {
		if side := f.sides.Of(file.Labels); side >= 0 {
			chosen = append(chosen, file)
			traces[side]++
		}
	}
	for i, value := range []string{f.sides.Old, f.sides.New} {
		if traces[i] == 0 {
			return nil, usagef("no trace has %s=%s, of %s", f.sides.By, value, words.Count(len(files), "trace"))
		}
	}
	return chosen, nil
}

func (f *diffFlags) print(std *stdio, changes *diff.Changes) error {
	switch {
	case f.out == "" && (f.form.CSV || f.form.JSON):
		return f.form.Print(std.out, changes.List())
	case f.out == "":
		return changes.WriteText(std.out)
	case strings.HasSuffix(f.out, ".csv"):
		return writeFile(f.out, std, changes.List().WriteCSV)
	case strings.HasSuffix(f.out, ".json"):
		return writeFile(f.out, std, changes.List().WriteJSON)
	}
	return writeFile(f.out, std, func(w io.Writer) error {
		return changes.WriteHTML(w, []string{f.sides.By + " " + f.sides.Old}, []string{f.sides.By + " " + f.sides.New}, cli.Version())
	})
}
