package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"artifice/bench"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/research/internal/coverage"
	"artifice/trace"
	"artifice/tracer/device"
)

// detail is the measurement of one source in full: a table for each kind of time.
type detail struct {
	intervals []time.Duration
	devices   string
	modes     string
	phases    int
	seed      uint64
	duration  time.Duration
	contexts  bool
	wide      bool
	form      cli.Form
}

// addFlags defines the flags of a single source.
func (d *detail) addFlags(flags *flag.FlagSet) {
	flags.Func("intervals", "sampling `INTERVALS` of SOURCE, separated by commas (default 1ms,5ms,10ms)", d.setIntervals)
	flags.StringVar(&d.devices, "device", "A", "`DEVICES` that sample SOURCE, separated by commas")
	flags.StringVar(&d.modes, "modes", "", "`MODES` that sample SOURCE by CPU time, in place of ART's sampler")
	flags.IntVar(&d.phases, "seeds", bench.DefaultPhases, "`N` phases of SOURCE's sampler")
	flags.Uint64Var(&d.seed, "seed", 1, "seed of SOURCE's samplers")
	flags.DurationVar(&d.duration, "duration", 0, "length of a workload SOURCE (default its own)")
	flags.BoolVar(&d.contexts, "contexts", false, "intervals of SOURCE's calling contexts, instead of methods")
	flags.BoolVar(&d.wide, "wide", false, "also inclusive times, CPU times and calls of SOURCE")
	flags.BoolVar(&d.form.CSV, "csv", false, "print SOURCE's table as CSV")
	flags.BoolVar(&d.form.JSON, "json", false, "print SOURCE's table as JSON")
}

// setIntervals parses a list of intervals.
func (d *detail) setIntervals(text string) error {
	d.intervals = nil
	for word := range strings.SplitSeq(text, ",") {
		interval, err := time.ParseDuration(word)
		if err != nil {
			return err
		}
		if interval <= 0 {
			return fmt.Errorf("%s: intervals are positive", word)
		}
		d.intervals = append(d.intervals, interval)
	}
	return nil
}

// config returns the devices, intervals and phases, and the named modes.
func (d *detail) config() (coverage.Config, []bench.Mode, error) {
	cfg := coverage.Config{Intervals: d.intervals, Phases: d.phases, Seed: d.seed, Contexts: d.contexts}
	if d.phases < 2 {
		return cfg, nil, fmt.Errorf("-seeds %d: at least 2 are needed", d.phases)
	}
	if d.modes != "" && d.contexts {
		return cfg, nil, errors.New("-contexts does not apply to -modes")
	}
	for name := range strings.SplitSeq(d.devices, ",") {
		phone, err := device.Open(name)
		if err != nil {
			return cfg, nil, err
		}
		cfg.Devices = append(cfg.Devices, phone)
	}
	if d.modes == "" {
		if len(cfg.Intervals) == 0 {
			cfg.Intervals = []time.Duration{time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond}
		}
		return cfg, nil, nil
	}
	var modes []bench.Mode
	for name := range strings.SplitSeq(d.modes, ",") {
		if i := slices.IndexFunc(bench.Groups(), func(g bench.Group) bool { return g.Name == name }); i >= 0 {
			group := bench.Groups()[i]
			modes = append(modes, group.Modes...)
			if len(cfg.Intervals) == 0 {
				cfg.Intervals = group.Intervals
			}
			continue
		}
		m, ok := bench.ModeByName(name)
		if !ok {
			return cfg, nil, fmt.Errorf("-modes: unknown mode %q", name)
		}
		modes = append(modes, m)
	}
	return cfg, modes, nil
}

// runAll measures the named sources.
func (d *detail) runAll(app string, names []string) error {
	if app != "" {
		return errors.New("-app does not apply to a SOURCE: name the app as one")
	}
	for _, name := range names {
		if err := d.run(context.Background(), os.Stdout, name); err != nil {
			return err
		}
	}
	return nil
}

// run measures a source by its name: a workload, or a trace of every call.
func (d *detail) run(ctx context.Context, w io.Writer, name string) error {
	cfg, modes, err := d.config()
	if err != nil {
		return err
	}
	src, err := newSource(name, d.duration)
	if err != nil {
		return err
	}
	if len(modes) > 0 {
		return d.runModes(ctx, w, name, src.open, modes, cfg)
	}
	rows, err := coverage.Measure(ctx, src.open, cfg)
	if err != nil {
		return err
	}
	if d.form.CSV || d.form.JSON {
		return d.form.Print(w, listed(rows))
	}
	return d.print(w, name, rows)
}

// runModes prints the coverage of the intervals of CPU samplers.
func (d *detail) runModes(ctx context.Context, w io.Writer, name string, open func() (*trace.Recording, error), modes []bench.Mode, cfg coverage.Config) error {
	list := &cli.Table{Columns: []string{"mode", "device", "interval", "claims", "coverage", "width"}, Right: []bool{false, false, true, true, true, true}}
	for _, m := range modes {
		rows, err := coverage.MeasureThreads(ctx, open, m.Tracer, cfg)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if r.Rule == coverage.Ours && r.Time == coverage.ExclusiveCPU {
				list.Add(m.Name, r.Device, words.Setting(r.Interval), fmt.Sprint(r.Claims), share(r), ratio(r.Width[1]))
			}
		}
	}
	if d.form.CSV || d.form.JSON {
		return d.form.Print(w, list)
	}
	fmt.Fprintf(w, "%s: 95 %% intervals of methods with 5 samples or more, %d phases: exclusive CPU time, including that of samples\n", cli.Quote(name), d.phases)
	fmt.Fprintf(w, "coverage in %% ± standard error; width of the median method relative to its true spread\n\n")
	return list.WriteText(w)
}

// print prints the tables for users, of all kinds of time with -wide.
func (d *detail) print(w io.Writer, name string, rows []coverage.Row) error {
	what := "method"
	if d.contexts {
		what = "context"
	}
	fmt.Fprintf(w, "%s: 95 %% intervals of %ss with 5 samples or more, %d phases\n", cli.Quote(name), what, d.phases)
	fmt.Fprintf(w, "coverage in %% ± standard error; width of the median %s relative to its true spread\n", what)
	for kind := coverage.ExclusiveWall; kind <= coverage.InclusiveCPU; kind++ {
		if kind > coverage.ExclusiveWall && !d.wide {
			break
		}
		table := byRule(rows, kind)
		if len(table.Rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s time\n", kind)
		if err := table.WriteText(w); err != nil {
			return err
		}
	}
	if !d.wide {
		return nil
	}
	fmt.Fprintf(w, "\ncalls: share of reported numbers that are a lower bound, share of calls that is reported, and the estimate by thinning\n")
	return callsTable(rows).WriteText(w)
}

// callsTable returns a row for each device and interval.
func callsTable(rows []coverage.Row) *cli.Table {
	l := &cli.Table{Columns: []string{"device", "interval", "claims", "at least", "reported", "claims", "thinned"}, Right: []bool{false, true, true, true, true, true, true}}
	for _, r := range rows {
		switch r.Rule {
		case coverage.AtLeast:
			l.Add(r.Device, words.Setting(r.Interval), fmt.Sprint(r.Claims), share(r), fmt.Sprintf("%.0f %%", 100*r.Width[1]))
		case coverage.Thinned:
			last := &l.Rows[len(l.Rows)-1]
			*last = append(*last, fmt.Sprint(r.Claims), share(r))
		}
	}
	return l
}

// byRule returns a row for each device and interval, with a column for each rule.
func byRule(rows []coverage.Row, kind coverage.Kind) *cli.Table {
	l := &cli.Table{Columns: []string{"device", "interval", "claims", "aliased"}, Right: []bool{false, true, true, true}}
	for _, rule := range coverage.Rules() {
		l.Columns, l.Right = append(l.Columns, rule.String(), "width"), append(l.Right, true, true)
	}
	for _, r := range rows {
		if r.Time != kind {
			continue
		}
		if r.Rule == coverage.SqrtN {
			l.Add(r.Device, words.Setting(r.Interval), fmt.Sprint(r.Claims), fmt.Sprint(r.Aliased))
		}
		last := &l.Rows[len(l.Rows)-1]
		*last = append(*last, share(r), ratio(r.Width[1]))
	}
	return l
}

// share returns the share of the intervals that contain the truth, with its standard error.
func share(r coverage.Row) string {
	if r.Claims == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f±%.1f", 100*r.Coverage, 100*r.StdErr)
}

// ratio formats a ratio with two digits; NaN is "-".
func ratio(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.2f", v)
}

// listed returns a row for each rule, with all its numbers.
func listed(rows []coverage.Row) *cli.Table {
	l := &cli.Table{Columns: []string{"device", "interval_ns", "time", "rule", "methods", "claims", "aliased", "coverage", "standard_error", "width_p10", "width_p50", "width_p90"}}
	for _, r := range rows {
		l.Add(r.Device, fmt.Sprint(r.Interval.Nanoseconds()), r.Time.String(), r.Rule.String(), fmt.Sprint(r.Methods), fmt.Sprint(r.Claims), fmt.Sprint(r.Aliased),
			words.Number(r.Coverage), words.Number(r.StdErr), words.Number(r.Width[0]), words.Number(r.Width[1]), words.Number(r.Width[2]))
	}
	return l
}
