//go:build pending

package accuracy

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/cmd/artifice/command"
	input "artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/research/internal/coverage"
	"artifice/trace"
)

// trustIntervals are the sampling intervals of bench --trust unless the user
// chooses.
var trustIntervals = command.Intervals{time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond}

// runTrust measures the intervals of package estimate against a truth.
func runTrust(cmd *cobra.Command, std command.Stdio, f *benchFlags, name string) (err error) {
	for _, flag := range []string{"inlined", "ladder", "output", "verify", "cores", "cpu", "goal", "budget", "thread", "from", "to", "slow", "subtract-overhead"} {
		if cmd.Flags().Changed(flag) {
			return command.Usagef("--%s does not apply to --trust", flag)
		}
	}
	sweep, err := f.config()
	if err != nil {
		return err
	}
	cfg := coverage.Config{Intervals: f.intervals, Devices: sweep.Devices, Phases: f.phases, Seed: f.seed, Contexts: f.contexts}
	if f.phases < 2 {
		return command.Usagef("--seeds %d: --trust needs at least 2", f.phases)
	}
	src, err := source.Open(cmd.Context(), std, name, source.Flags{Order: input.AsTruth, Names: f.names, Truth: source.TruthFlags{Duration: f.duration}})
	if err != nil {
		return err
	}
	defer src.Close()
	defer src.Blame(&err)
	open := func() (*trace.Recording, error) { return src.FromStart() }
	if cmd.Flags().Changed("modes") {
		return f.trustModes(cmd, std, name, open, sweep.Modes, cfg)
	}
	if len(cfg.Intervals) == 0 {
		cfg.Intervals = trustIntervals
	}
	rows, err := coverage.Measure(cmd.Context(), open, cfg)
	if err != nil {
		return err
	}
	if f.form.CSV || f.form.JSON {
		return f.form.Print(std.Out, trustRows(rows))
	}
	return f.printTrust(std.Out, name, rows)
}

// trustModes prints how the intervals of CPU samplers do.
func (f *benchFlags) trustModes(cmd *cobra.Command, std command.Stdio, name string, open func() (*trace.Recording, error), modes []bench.Mode, cfg coverage.Config) error {
	if f.contexts {
		return command.Usagef("--contexts does not apply to --trust with --modes")
	}
	list := &cli.Table{Columns: []string{"mode", "device", "interval", "claims", "hold", "width"}, Right: []bool{false, false, true, true, true, true}}
	for _, m := range modes {
		rows, err := coverage.MeasureThreads(cmd.Context(), open, m.Tracer, cfg)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if r.Rule == coverage.Ours && r.Time == coverage.ExclusiveCPU {
				list.Add(m.Name, r.Device, command.Short(r.Interval), fmt.Sprint(r.Claims), trustShare(r), measured2(r.Width[1]))
			}
		}
	}
	if f.form.CSV || f.form.JSON {
		return f.form.Print(std.Out, list)
	}
	fmt.Fprintf(std.Out, "%s: 95 %% intervals of methods with 5 samples or more, %d phases: exclusive CPU time, with what samples take\n", cli.Quote(name), f.phases)
	fmt.Fprintf(std.Out, "those that hold, in %% ± standard error; width of the middle method over its true spread\n\n")
	return list.WriteText(std.Out)
}

// printTrust prints the tables for people, of all kinds of time with --wide.
func (f *benchFlags) printTrust(w io.Writer, name string, rows []coverage.Row) error {
	what := "method"
	if f.contexts {
		what = "context"
	}
	fmt.Fprintf(w, "%s: 95 %% intervals of %ss with 5 samples or more, %d phases\n", cli.Quote(name), what, f.phases)
	fmt.Fprintf(w, "coverage in %% ± standard error; width of the middle %s over its true spread\n", what)
	for kind := coverage.ExclusiveWall; kind <= coverage.InclusiveCPU; kind++ {
		if kind > coverage.ExclusiveWall && !f.wide {
			break
		}
		table := trustTable(rows, kind)
		if len(table.Rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s time\n", kind)
		if err := table.WriteText(w); err != nil {
			return err
		}
	}
	if !f.wide {
		return nil
	}
	fmt.Fprintf(w, "\ncalls: how many of the reported numbers are a lower bound, the share that is reported, and the estimate by thinning\n")
	return callsTable(rows).WriteText(w)
}

// callsTable has a line for each device and interval.
func callsTable(rows []coverage.Row) *cli.Table {
	l := &cli.Table{Columns: []string{"device", "interval", "claims", "at least", "reported", "claims", "thinned"}, Right: []bool{false, true, true, true, true, true, true}}
	for _, r := range rows {
		switch r.Rule {
		case coverage.AtLeast:
			l.Add(r.Device, command.Short(r.Interval), fmt.Sprint(r.Claims), trustShare(r), fmt.Sprintf("%.0f %%", 100*r.Width[1]))
		case coverage.Thinned:
			last := &l.Rows[len(l.Rows)-1]
			*last = append(*last, fmt.Sprint(r.Claims), trustShare(r))
		}
	}
	return l
}

// trustTable has a line for each device and interval, and the rules side by side.
func trustTable(rows []coverage.Row, kind coverage.Kind) *cli.Table {
	l := &cli.Table{Columns: []string{"device", "interval", "claims", "in step"}, Right: []bool{false, true, true, true}}
	for _, rule := range coverage.Rules() {
		l.Columns, l.Right = append(l.Columns, rule.String(), "width"), append(l.Right, true, true)
	}
	for _, r := range rows {
		if r.Time != kind {
			continue
		}
		if r.Rule == coverage.SqrtN {
			l.Add(r.Device, command.Short(r.Interval), fmt.Sprint(r.Claims), fmt.Sprint(r.InStep))
		}
		last := &l.Rows[len(l.Rows)-1]
		*last = append(*last, trustShare(r), measured2(r.Width[1]))
	}
	return l
}

func trustShare(r coverage.Row) string {
	if r.Claims == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f±%.1f", 100*r.Coverage, 100*r.StdErr)
}

// measured2 is a ratio with two digits; - where there is none.
func measured2(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.2f", v)
}

// trustRows lists everything, a row for each rule.
func trustRows(rows []coverage.Row) *cli.Table {
	l := &cli.Table{Columns: []string{"device", "interval_ns", "time", "rule", "methods", "claims", "in_step", "coverage", "standard_error", "width_p10", "width_p50", "width_p90"}}
	for _, r := range rows {
		l.Add(r.Device, fmt.Sprint(r.Interval.Nanoseconds()), r.Time.String(), r.Rule.String(), fmt.Sprint(r.Methods), fmt.Sprint(r.Claims), fmt.Sprint(r.InStep),
			words.Number(r.Coverage), words.Number(r.StdErr), words.Number(r.Width[0]), words.Number(r.Width[1]), words.Number(r.Width[2]))
	}
	return l
}
