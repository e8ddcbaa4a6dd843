package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/bench"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	intervals intervalsValue
	devices   []string
	modes     []string
	phases    int
	seed      uint64
	cores     int
	cpu       bool
	wide      bool
	verify    bool
	ladder    time.Duration
	duration  time.Duration
	out       string
	form      listFlags
	names     mappingFlag
}

func newBench(std stdio) *cobra.Command {
	f := benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench SOURCE",
		Short: "Tell how accurate and how costly tracing is at every interval",
		Long: `Let emulated tracers watch SOURCE, a workload or an instrumented trace, whose
events count as what really happened, and tell for every sampling interval what a trace would
have cost and how right it would have been. A line is the mean over phases of
the first sample, spread evenly over one interval, and ± their standard deviation:

  interval   what the sampler is asked for
  period     wall time from sample to sample: interval + overshoot + pause
  slowdown   length of the run, over that without tracing
  methods    % of the methods called that were seen at all
  calls      % of the calls that a sample fell into
  reported   calls in the trace, in % of the true calls
  overlap    % of exclusive time, by method, that the trace has where it belongs
  ideal      the same for random samples without cost, as many of them
  z          how many standard errors the line is off theory, where it is worst
             (a normal score, by Student's t); - where theory has no law: tracers
             of every call, and, beside a garbage collector, samplers that sleep

Below stands what this means for methods of 1 % of the time or more. --wide and
--csv have all measures, --json one object a line for every tracer that ran.`,
		Example: `  artifice bench app.trace
  artifice bench app.trace --intervals 1ms,2ms --device ideal,A --wide
  artifice bench w3-on-off --modes sample,poisson,instrument-dual --csv
  artifice bench scroll-60hz --device A,B -o report.html
  artifice bench --verify`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.verify {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.ExactArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.verify {
				return runVerify(cmd, std, &f)
			}
			if f.out != "" {
				f.reportDefaults(cmd)
			}
			return runBench(cmd, std, &f, args[0])
		},
	}
	f.add(cmd)
	return cmd
}

func (f *benchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.intervals, "intervals", "sampling intervals: FROM..TO in steps 1, 2, 5, or a list")
	flags.StringSliceVar(&f.devices, "device", []string{"A"}, "whose timing to emulate: of artifice list, or a YAML file")
	flags.StringSliceVar(&f.modes, "modes", []string{bench.ARTSampling.Name, bench.InstrumentedDual.Name}, "ways of tracing, of artifice list")
	flags.IntVar(&f.phases, "seeds", bench.DefaultPhases, "tracers for each line, with different phases and seeds")
	flags.Uint64Var(&f.seed, "seed", 1, "of what is random")
	flags.IntVar(&f.cores, "cores", 0, "processor cores to use; 0: all. The result is the same")
	flags.DurationVar(&f.duration, "duration", 0, "how long a workload runs; default what the workload says")
	flags.StringVarP(&f.out, "output", "o", "", "also write a page (report.html), or plots into a folder (plots/)")
	flags.DurationVar(&f.ladder, "ladder", 0, "also tell, at this interval, what each source of error costs")
	flags.BoolVar(&f.verify, "verify", false, "instead of a SOURCE: check theory, simulation and tracers against each other")
	f.names.add(cmd)
	flags.BoolVar(&f.cpu, "cpu", false, "also measure the errors of CPU time; for --wide, --csv, --json and -o")
	flags.BoolVar(&f.wide, "wide", false, "print all measures")
	f.form.add(cmd)
	cmd.MarkFlagsMutuallyExclusive("wide", "json")
}

// reportDefaults lets a report compare more than a table needs.
func (f *benchFlags) reportDefaults(cmd *cobra.Command) {
	if !cmd.Flags().Changed("modes") {
		f.modes = nil
		for _, m := range reportModes {
			f.modes = append(f.modes, m.Name)
		}
	}
	if !cmd.Flags().Changed("ladder") {
		f.ladder = time.Millisecond
	}
}

func modeNames() []string {
	var all []string
	for _, m := range bench.Modes() {
		all = append(all, m.Name)
	}
	return all
}

// config turns the flags into a sweep.
func (f *benchFlags) config() (bench.Config, error) {
	cfg := bench.Config{Intervals: f.intervals, Phases: f.phases, Seed: f.seed, Cores: f.cores, CPU: f.cpu, LadderAt: f.ladder}
	if f.ladder < 0 {
		return cfg, usagef("--ladder %s: want an interval", f.ladder)
	}
	if err := checkOutput(f.out); err != nil {
		return cfg, err
	}
	if f.cores < 0 {
		return cfg, usagef("--cores %d: want a number of cores, or 0 for all", f.cores)
	}
	if f.phases < 1 {
		return cfg, usagef("--seeds %d: want at least 1", f.phases)
	}
	for _, name := range f.devices {
		d, err := deviceOf(name)
		if err != nil {
			return cfg, err
		}
		cfg.Devices = append(cfg.Devices, d)
	}
	for _, name := range f.modes {
		m, ok := bench.ModeByName(name)
		if !ok {
			return cfg, usagef("unknown mode %q%s; artifice list names them", name, didYouMean(name, modeNames()))
		}
		cfg.Modes = append(cfg.Modes, m)
	}
	return cfg, nil
}

func runBench(cmd *cobra.Command, std stdio, f *benchFlags, name string) error {
	cfg, err := f.config()
	if err != nil {
		return err
	}
	src, err := openSource(cmd.Context(), std, name, sourceFlags{order: asTruth, names: f.names, truth: truthFlags{duration: f.duration}})
	if err != nil {
		return err
	}
	defer src.Close()
	result, err := bench.Run(cmd.Context(), src.Recording, cfg)
	src.bars.hide() // an interrupted source is not read to its end
	if err != nil {
		return err
	}
	if err := f.print(std.out, name, result); err != nil {
		return err
	}
	if f.out != "" {
		if err := writeReport(std, f.out, name, result); err != nil {
			return err
		}
	}
	if !result.Cut {
		return nil
	}
	fmt.Fprintf(std.err, "artifice: interrupted: the result is for the first %s\n", bench.Digits(result.Truth.Length))
	return errFound
}

func (f *benchFlags) print(w io.Writer, name string, r *bench.Result) error {
	if f.form.json {
		return printCells(w, r)
	}
	if !f.form.csv {
		fmt.Fprintf(w, "%s: %s\n", name, r.Truth)
	}
	if f.form.csv || f.wide {
		return f.form.print(w, allMeasures(r, f.form.csv))
	}
	fmt.Fprintf(w, "mean of %d phases ± standard deviation; shares in %%\n\n", r.Phases)
	if err := printCompact(w, r); err != nil {
		return err
	}
	if f.ladder > 0 {
		fmt.Fprintf(w, "\nwhat each source of error costs at %s\n\n", short(f.ladder))
		if err := f.form.print(w, ladderTable(r)); err != nil {
			return err
		}
	}
	for _, a := range r.Advise() {
		fmt.Fprintf(w, "\n%s\n", wrap(a.String(), "", 80))
	}
	return nil
}

// ladderTable lists the steps of the error ladder.
func ladderTable(r *bench.Result) *listing {
	l := &listing{columns: []string{"step", "overlap", "change", "95 % of it", ""}, right: []bool{false, true, true, true}}
	for _, s := range r.LadderSteps(bench.Overlap) {
		cells := []string{s.Mode + " " + s.Device, bench.Overlap.Format(s.Value), "", "", s.Description}
		if !s.First {
			cells[2] = fmt.Sprintf("%+.1f", 100*s.Change.Mean)
			cells[3] = fmt.Sprintf("%+.1f to %+.1f", 100*s.Change.Low, 100*s.Change.High)
		}
		l.rows = append(l.rows, cells)
	}
	return l
}

// printCells prints one JSON object for each cell.
func printCells(w io.Writer, r *bench.Result) error {
	enc := json.NewEncoder(w)
	for _, c := range r.Cells {
		if err := enc.Encode(c); err != nil {
			return err
		}
	}
	return nil
}

// printCompact prints a table that fits 80 columns: the rows of one mode and
// device after the other, under its name.
func printCompact(w io.Writer, r *bench.Result) error {
	l, groups := compact(r)
	var b strings.Builder
	if err := l.printText(&b); err != nil {
		return err
	}
	for i, line := range strings.SplitAfter(b.String(), "\n") {
		if name, ok := groups[i]; ok {
			line = name + "\n" + line
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// compact is the table's rows, and the names of the groups by the line of the
// text that they stand before.
func compact(r *bench.Result) (l *listing, groups map[int]string) {
	columns := []struct {
		title   string
		measure bench.Measure
		spread  bool
	}{
		{"period", bench.Period, false}, {"slowdown", bench.Slowdown, false},
		{"methods", bench.MethodRecall, true}, {"calls", bench.CallRecall, true}, {"reported", bench.CallRatio, true},
		{"overlap", bench.Overlap, true}, {"ideal", bench.Floor, false},
	}
	l, groups = &listing{columns: []string{"interval"}, right: []bool{true}}, map[int]string{}
	last := ""
	for _, c := range columns {
		l.columns, l.right = append(l.columns, c.title), append(l.right, true)
	}
	l.columns, l.right = append(l.columns, "z"), append(l.right, true)
	for _, row := range r.Rows {
		if _, ok := bench.ModeByName(row.Mode); !ok {
			continue // a step of the ladder
		}
		if name := row.Mode + ", device " + row.Device; name != last {
			groups[len(l.rows)+1], last = name, name // the first line is the head
		}
		cells := []string{short(row.Interval)}
		for _, c := range columns {
			mean, sd := row.Mean[c.measure], row.StdDev[c.measure]
			m := c.measure
			if m == bench.CallRatio {
				m = bench.CallRecall // in percent, like its neighbours
			}
			text := m.Format(mean)
			if c.spread {
				text = m.FormatSpread(mean, sd)
			}
			cells = append(cells, text)
		}
		cells = append(cells, worstZ(row))
		l.rows = append(l.rows, cells)
	}
	return l, groups
}

// allMeasures is the table of every measure that applies; plain has all of them,
// and numbers only.
func allMeasures(r *bench.Result, plain bool) *listing {
	l := &listing{columns: []string{"mode", "device", "interval"}, right: []bool{false, false, true}}
	if plain {
		l.columns[2] = "interval_ns"
	}
	measures := r.Measures()
	if plain {
		measures = bench.Measures()
	}
	for _, m := range measures {
		if plain {
			l.columns = append(l.columns, m.Key(), m.Key()+"_sd", m.Key()+"_low", m.Key()+"_high")
			continue
		}
		l.columns, l.right = append(l.columns, m.Header()), append(l.right, true)
	}
	for _, row := range r.Rows {
		cells := []string{row.Mode, row.Device, short(row.Interval)}
		if plain {
			cells[2] = fmt.Sprint(row.Interval.Nanoseconds())
		}
		for _, m := range measures {
			if !plain {
				cells = append(cells, m.FormatSpread(row.Mean[m], row.StdDev[m]))
				continue
			}
			for _, v := range []float64{row.Mean[m], row.StdDev[m], row.Low[m], row.High[m]} {
				cells = append(cells, number(v))
			}
		}
		l.rows = append(l.rows, cells)
	}
	return l
}

// worstZ is the z-score of the measure that is farthest from its law, "-" where
// there is no law.
func worstZ(row bench.Row) string {
	text, worst := "-", -1.
	for _, m := range bench.Measures() {
		if z, ok := row.Z(m); ok && math.Abs(z) > worst {
			text, worst = fmt.Sprintf("%+.1f", z), math.Abs(z)
		}
	}
	return text
}

// short is a duration without what is 0: 1ms, 500us.
func short(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	if d < time.Millisecond && d%time.Microsecond == 0 {
		return fmt.Sprintf("%dus", d.Microseconds())
	}
	return d.String()
}
