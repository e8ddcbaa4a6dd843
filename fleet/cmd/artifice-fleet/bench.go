package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/fleet/job"
	"artifice/fleet/sweep"
	"artifice/internal/cli"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	fleetFlags
	sweep job.Sweep
	by    []string
	goal  string
	form  cli.Form
}

func newBench(std *stdio) *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench LIST...",
		Short: "Find the sampling interval that suits all traces",
		Long: `Sweep every trace of every call as 'artifice bench' does, and print for each group the
distribution of each measure over its traces: the median and, in brackets, the 10th and
90th percentiles. "meet goal" is the share of traces that meet --goal at an interval. The
advice is the longest interval at which 95 % of them do, with its 95 % bootstrap
interval.

Sampled traces count as unreadable, because calls are missing. --csv has all measures,
with bootstrap intervals; 'artifice help measures' defines them.`,
		Example: `  artifice-fleet bench traces/ -o fleet.html
  artifice-fleet bench traces.csv --by app --goal overlap=90 --device A,B
  artifice-fleet bench traces.csv --by app,version --intervals 1ms,2ms,5ms --csv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.work(cmd, std, args) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.by, "by", nil, "group by these `LABELS` of the manifest")
	flags.StringVar(&f.goal, "goal", "recall=95", "goal of a trace: overlap=95 (% of CPU time correctly attributed) or recall=95 (% of the methods with 1 % of CPU time seen)")
	flags.DurationSliceVar(&f.sweep.Intervals, "intervals", bench.DefaultIntervals, "sampling intervals")
	flags.StringSliceVar(&f.sweep.Devices, "device", []string{"A"}, "`DEVICES` to emulate, of artifice list")
	flags.StringSliceVar(&f.sweep.Modes, "modes", []string{bench.ARTSampling.Name, bench.InstrumentedDual.Name}, "tracers to compare, of artifice list modes")
	flags.IntVar(&f.sweep.Phases, "seeds", bench.DefaultPhases, "traces per trace and interval, with different phases and seeds")
	flags.Uint64Var(&f.sweep.Seed, "seed", 1, "random seed")
	flags.StringVarP(&f.out, "output", "o", "", "also write a page (`OUT`.html)")
	flags.BoolVar(&f.form.CSV, "csv", false, "print all measures as CSV")
	flags.BoolVar(&f.form.JSON, "json", false, "print all measures as JSON")
	f.add(cmd)
	return cmd
}

func (f *benchFlags) work(cmd *cobra.Command, std *stdio, args []string) error {
	if err := f.checkBench(); err != nil {
		return err
	}
	f.labels = f.by
	work := func(w job.Worker) job.Work { return job.Bench(w, f.sweep, f.by) }
	return f.run(cmd.Context(), std, args, work, func(folder string, o *job.Outcome) error {
		groups, err := job.BenchResults(cmd.Context(), folder)
		if err != nil {
			return err
		}
		if err := f.print(std, groups); err != nil {
			return err
		}
		if f.out == "" {
			return nil
		}
		page := sweep.Page{By: f.by, Groups: groups, Files: o.Files(), Left: len(o.Unread), Version: cli.Version()}
		if err := writeFile(f.out, std, func(w io.Writer) error { return page.WriteHTML(w) }); err != nil {
			return err
		}
		std.remark("wrote %s\n", f.out)
		return nil
	})
}

// checkBench rejects invalid flags.
func (f *benchFlags) checkBench() (err error) {
	if f.sweep.Goal, err = bench.ParseGoal(f.goal); err != nil {
		return usagef("--goal: %v", err)
	}
	switch {
	case len(f.sweep.Goal.Methods) > 0:
		return usagef("--goal %s: names of methods are for one trace, not for a fleet", f.goal)
	case f.form.CSV && f.form.JSON:
		return usagef("--json and --csv cannot be used together")
	case f.sweep.Phases < 1:
		return usagef("--seeds %d: must be at least 1", f.sweep.Phases)
	case len(f.sweep.Intervals) == 0 || len(f.sweep.Modes) == 0 || len(f.sweep.Devices) == 0:
		return usagef("there must be an interval, a mode and a device")
	case f.out != "" && !strings.HasSuffix(f.out, ".html"):
		return usagef("-o %s: must end in .html", f.out)
	}
	for _, d := range f.sweep.Intervals {
		if d <= 0 {
			return usagef("--intervals %s: must be above 0", d)
		}
	}
	if _, err := f.sweep.Config(); err != nil {
		return usageError{err}
	}
	if f.out != "" {
		return cli.CheckOutput(f.out)
	}
	return nil
}

func (f *benchFlags) print(std *stdio, groups []sweep.Group) error {
	if f.form.CSV || f.form.JSON {
		return f.form.Print(std.out, sweep.List(f.by, groups))
	}
	fmt.Fprintf(std.out, "Goal: %s.\n", f.sweep.Goal)
	for i := range groups {
		g := &groups[i]
		fmt.Fprintf(std.out, "\n%s\n", cli.Quote(g.Head(f.by)))
		for _, a := range g.Advice {
			fmt.Fprintln(std.out, cli.Wrap(a.String(), "  ", 80))
		}
		if err := g.Table().WriteText(std.out); err != nil {
			return err
		}
	}
	return nil
}
