package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/tracer/device"
)

// calibrateFlags are the flags of calibrate.
type calibrateFlags struct {
	form     cli.Form
	out      string
	interval time.Duration
	check    bool
}

// calibrateCommand is artifice calibrate.
var calibrateCommand = command.Command{Name: "calibrate", Add: newCalibrate, Groups: []command.FlagGroup{
	{Title: "Flags", Flags: []string{"output", "interval", "check", "json", "csv"}},
	{Title: "Advanced", Flags: []string{"limit"}},
}}

func newCalibrate(std command.Stdio) *cobra.Command {
	var f calibrateFlags
	cmd := &cobra.Command{
		Use:   "calibrate TRACE...",
		Short: "Estimate the tracing costs of a device from its traces",
		Long: `Estimate the tracing costs of a device from traces recorded on it, with 95 % confidence intervals
and numbers of observations. From a sampled trace, calibrate estimates the sampling period, the
pause of a sample, and its cost per thread and per frame. From a trace of every call, calibrate estimates the
cost of an entry or exit (event). To determine all costs, pass both kinds of trace, recorded on the
same device. bench recommends no tracer with unknown costs.

  $ artifice calibrate old1.trace --interval 5ms
  old1.trace: sampled, 141 periods
  figure               value           range    n  meaning
  sampling period    5.45 ms     5.4–5.48 ms  141  median, from thread main
  ...
  event cost         unknown                       needs a trace of every call
  Save: -o phone.yaml. Use: artifice bench TRACE --device phone.yaml.

-o writes the device as YAML for --device of record, bench and plan. Trace files do not store
the sampling interval: without --interval, calibrate estimates the interval. calibrate fails
if the trace contradicts --interval.

--check emulates each sampled trace 16 times with the calibrated costs. --check compares the
sampling period (1st percentile, median, mean, standard deviation), the share of CPU time in a
period, the skew (time between the timestamps of two threads in one sample), and the events per
sample. With --check, the exit status is 1 if a trace differs from its emulations by more than 5 %.`,
		Example: `  artifice calibrate phone.trace --interval 5ms -o phone.yaml
  artifice calibrate sampled.trace every-call.trace -o phone.yaml
  artifice bench app.trace --device phone.yaml
  artifice calibrate --check phone.trace tablet.trace`,
		Args: command.Needs(1, -1, "TRACE", ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.validate(args); err != nil {
				return err
			}
			if f.check {
				return checkCalibration(cmd.Context(), std, args, f.interval, &f.form)
			}
			return f.calibrate(cmd.Context(), std, args)
		},
	}
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "write the tracing costs to this YAML `FILE`")
	cmd.Flags().DurationVar(&f.interval, "interval", 0, "nominal interval of the sampled trace; default: estimated")
	cmd.Flags().BoolVar(&f.check, "check", false, "test the estimated costs: compare each sampled trace with emulated traces")
	f.form.AddFlags(cmd.Flags())
	return cmd
}

// validate returns an error if the flags contradict each other.
func (f *calibrateFlags) validate(traces []string) error {
	switch {
	case f.check && f.out != "":
		return command.Usagef("--check does not write a device: remove -o")
	case f.check:
		return nil
	case len(traces) > 2:
		return command.Usagef("%d traces: a device is estimated from one trace, or from a sampled trace and a trace of every call; only --check accepts more", len(traces))
	case f.out != "":
		return command.CheckWritable(f.out, false)
	}
	return nil
}

// calibrate estimates a device from a trace, or from a sampled trace and a trace of every call.
func (f *calibrateFlags) calibrate(ctx context.Context, std command.Stdio, names []string) error {
	all := make([]calibrated, 0, len(names))
	for _, name := range names {
		c, err := f.estimate(ctx, std, name)
		if err != nil {
			return err
		}
		all = append(all, *c)
	}
	switch {
	case len(all) == 2 && (all[0].Sampled == nil) == (all[1].Sampled == nil):
		kind := "are sampled"
		if all[0].Sampled == nil {
			kind = "contain every call"
		}
		return command.Usagef("%s and %s: both %s; a device is estimated from one trace of each kind", names[0], names[1], kind)
	case f.interval > 0 && !slices.ContainsFunc(all, func(c calibrated) bool { return c.Sampled != nil }):
		return command.Usagef("--interval applies to sampled traces, and %s contains every call", names[0])
	}
	if f.out != "" {
		if err := f.writeDevice(std, all); err != nil || f.out == "-" {
			return err
		}
	}
	if f.form.JSON || f.form.CSV {
		return f.form.Print(std.Out, calibration(all, f.interval))
	}
	for i := range all {
		fmt.Fprintln(std.Out, cli.WrapTerminal(std.Out, cli.Quote(all[i].headline())))
	}
	if err := calibrationText(all, f.interval).WriteText(std.Out); err != nil {
		return err
	}
	_, err := fmt.Fprintln(std.Out, cli.WrapTerminal(std.Out, cli.Quote(f.next(all))))
	return err
}

// next returns the line on the next step, with the bounds of the event cost if only bounds are
// known.
func (f *calibrateFlags) next(all []calibrated) string {
	text := "Use: artifice bench TRACE --device " + words.Shell(f.out) + "."
	if f.out == "" {
		text = "Save: -o phone.yaml. Use: artifice bench TRACE --device phone.yaml."
	}
	for _, c := range all {
		if i := c.Instrumented; i != nil && i.UpperBound {
			text = fmt.Sprintf("The event cost is between %s (reading the clocks) and %s: an app with shorter calls gives tighter bounds. ",
				words.Duration(i.ClockOverhead), words.Duration(i.Event.Value)) + text
		}
	}
	return text
}

// headline returns the line on the trace.
func (c *calibrated) headline() string {
	if c.Sampled != nil {
		return fmt.Sprintf("%s: sampled, %s", c.trace, words.Count(c.Sampled.Period.N, "period"))
	}
	return fmt.Sprintf("%s: every call, %s read", c.trace, words.Count(c.Events, "event"))
}

// calibrated is a trace with the estimates of its device.
type calibrated struct {
	*device.Calibration
	trace   string
	symbols *trace.Symbols
}

// estimate calibrates the trace called name.
func (f *calibrateFlags) estimate(ctx context.Context, std command.Stdio, name string) (_ *calibrated, err error) {
	var ticks device.Ticks // of stack dumps
	src, err := command.Open(ctx, std, name, command.SourceFlags{Order: format.ByTime, Dumps: format.DumpConfig{Tick: ticks.Add}})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	defer src.Blame(&err)
	r, err := ticks.Calibrate(src.Recording)
	if err != nil {
		return nil, err
	}
	if r.Sampled != nil && f.interval > 0 {
		if err := r.Sampled.CheckInterval(f.interval); err != nil {
			return nil, err
		}
	}
	return &calibrated{r, name, src.Symbols}, nil
}

// writeDevice writes the device of the traces as YAML.
func (f *calibrateFlags) writeDevice(std command.Stdio, all []calibrated) error {
	name := strings.TrimSuffix(filepath.Base(f.out), filepath.Ext(f.out))
	estimated := func(c calibrated) device.Device { return c.Device(name, filepath.Base(c.trace), f.interval) }
	d := estimated(all[0])
	switch {
	case len(all) == 2 && all[0].Sampled != nil:
		d = device.Merge(d, estimated(all[1]))
	case len(all) == 2:
		d = device.Merge(estimated(all[1]), d)
	}
	file, err := command.Create(std, f.out)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := d.WriteYAML(file); err != nil {
		return err
	}
	return file.Commit()
}

// figure is one estimate of a trace.
type figure struct {
	Figure  string  `json:"figure"`
	Value   *int64  `json:"value"` // nil: the trace does not determine it
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Unit    string  `json:"unit"`
	N       int     `json:"observations"`
	Meaning string  `json:"meaning"`

	title    string // of the row in text output
	estimate device.Estimate
}

// figures returns the estimates of a trace.
func (c *calibrated) figures(interval time.Duration) (all []figure) {
	c.list(interval, func(name, title string, e device.Estimate, format string, args ...any) {
		f := figure{name, nil, float64(e.Low), float64(e.High), "ns", e.N, fmt.Sprintf(format, args...), title, e}
		if e.N > 0 {
			f.Value = (*int64)(&e.Value)
		}
		all = append(all, f)
	})
	return all
}

// calibrationText returns the table as text. A figure that the traces cannot determine is
// unknown.
func calibrationText(traces []calibrated, interval time.Duration) *cli.Table {
	l := &cli.Table{
		Columns: []string{"figure", "value", "range", "n", "meaning"},
		Right:   []bool{false, true, true, true, false},
		Spare:   []string{"n", "range"},
		Wraps:   true,
	}
	for i := range traces {
		for _, f := range traces[i].figures(interval) {
			value, bounds, n := "unknown", "", ""
			switch e := f.estimate; {
			case e.N == 0 && f.Figure == stampOrder:
				value = ""
			case e.N > 0:
				value = words.Duration(e.Value)
			}
			if words.Duration(f.estimate.Low) != words.Duration(f.estimate.High) {
				bounds = words.Between(f.estimate.Low, f.estimate.High)
			}
			if f.N > 1 {
				n = words.Integer(f.N)
			}
			l.Add(f.title, value, bounds, n, f.Meaning)
		}
	}
	if len(traces) == 1 && traces[0].Sampled != nil {
		l.Add("event cost", "unknown", "", "", "needs a trace of every call")
	}
	if len(traces) == 1 && traces[0].Sampled == nil {
		l.Add("sampling pause", "unknown", "", "", "needs a sampled trace")
	}
	return l
}

// calibration returns the table for programs. Figures are in ns, and empty if they are unknown.
func calibration(traces []calibrated, interval time.Duration) *cli.Table {
	l := &cli.Table{Columns: []string{"figure", "value_ns", "low_ns", "high_ns", "n", "meaning"}}
	list := make([]map[string]any, len(traces))
	for i, c := range traces {
		all := c.figures(interval)
		for _, f := range all {
			cells := []string{f.Figure, "", "", "", fmt.Sprint(f.N), f.Meaning}
			e := f.estimate
			if e.N > 0 {
				cells[1] = fmt.Sprint(int64(e.Value))
			}
			if e.N > 0 || e.High > 0 {
				cells[2], cells[3] = fmt.Sprint(int64(e.Low)), fmt.Sprint(int64(e.High))
			}
			l.Rows = append(l.Rows, cells)
		}
		list[i] = map[string]any{"evidence": c.Evidence, "events_read": c.Events, "figures": all}
	}
	l.JSON = list[0]
	if len(traces) > 1 {
		for i, c := range traces {
			list[i]["trace"] = c.trace
		}
		l.JSON = map[string]any{"traces": list}
	}
	return l
}

// stampOrder is the figure without a duration.
const stampOrder = "stamp_order"

// list calls add for each figure of a trace.
func (c *calibrated) list(interval time.Duration, add func(name, title string, e device.Estimate, format string, args ...any)) {
	if c.Sampled != nil {
		listSampled(c.Sampled, c.symbols, interval, add)
		return
	}
	i := c.Instrumented
	cost, how := i.Event, "mean of the closest pairs of events, including app code"
	switch {
	case i.UpperBound:
		cost = device.Estimate{Low: i.ClockOverhead, High: i.Event.Value}
		how = "even the gaps of the closest pairs of events may be app code"
	case i.ByQuantile:
		how = "10th percentile (range: 1st to 25th), because no pair of events is frequent enough"
	}
	add("event_cost", "event cost", cost, "time between two events of a thread: %s", how)
	clocks := "part of the event cost: reading the clocks, as the trace states it"
	if i.Stated > i.ClockOverhead {
		clocks = fmt.Sprintf("reading the clocks: at most the event cost; the trace states %s, measured once when it started", words.Duration(i.Stated))
	}
	add("clock_cost", "clock cost", exactly(i.ClockOverhead), "%s", clocks)
	add("clock_step", "clock step", exactly(i.Granularity), "resolution of the clocks")
}

// exactly returns a figure that was read, not estimated.
func exactly(d time.Duration) device.Estimate {
	return device.Estimate{Value: d, Low: d, High: d, N: 1}
}

func listSampled(s *device.SampledTiming, symbols *trace.Symbols, interval time.Duration, add func(name, title string, e device.Estimate, format string, args ...any)) {
	busiest := symbols.Thread(s.Thread)
	nominal := exactly(interval)
	origin := "nominal, as --interval states"
	if interval == 0 {
		interval = s.Interval()
		low, high := s.IntervalRange()
		nominal = device.Estimate{Value: interval, Low: low, High: high, N: s.AppRun.N}
		origin = "nominal, inferred: the largest round value (1, 2, 3 or 5 × 10ⁿ) that the shortest periods allow; trace files do not store the interval"
	}
	overshoot, spread := s.Overshoot(interval)
	add("period", "sampling period", s.Period, "median, from thread %s", busiest)
	add("min_period", "minimum period", s.ShortPeriod, "1st percentile")
	add("app_time", "app time", s.AppRun, "time for which the app runs between two samples: the period minus the pause")
	add("interval", "sampling interval", nominal, "%s", origin)
	add("overshoot", "overshoot", overshoot, "mean delay with which the sampler's sleeps end; standard deviation %s; the device file contains the distribution", words.Duration(spread))
	add("pause", "sampling pause", s.PauseAt(interval), "time for which a sample stops the app")
	if s.HasPauses() {
		add("per_tick", "per sample", s.PerTickAt(interval), "all of the pause, as the dumps state it; the device file contains the distribution")
	} else {
		add("per_tick", "per sample", s.PerTickAt(interval), "fixed part of the pause; maximum: the shortest period, minus the interval and the stack walks")
		add("per_thread", "per thread", s.PerThread, "part of the pause for each walked thread; samples walked %.1f threads on average, and %d at the end of the trace", s.MeanThreads, s.Threads)
		add("per_frame", "per frame", s.PerFrame, "part of the pause for each frame: %.0f frames on average", s.Frames)
	}
	add("cpu_time", "CPU time", s.CPU, "median CPU time of %s in a period; in total, %.1f %% of the time of all periods", busiest, 100*s.CPUShare)
	if s.Skew.N > 0 {
		add("skew", "skew", s.Skew, "in one sample, the timestamp of %s minus that of %s, which is %d places earlier in the list of threads", symbols.Thread(s.SkewTo), busiest, s.SkewPlaces)
	}
	add(stampOrder, "stamp order", device.Estimate{}, "in a sample, %s of adjacent timestamps follow the order of the thread list, %s the reverse order", words.Count(s.Ordered, "pair"), words.Integer(s.Reversed))
}
