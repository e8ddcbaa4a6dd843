package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/cmd/artifice/command"
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
		Long: `Estimate the tracing costs of a device from traces recorded on it, each figure with its 95 %
confidence interval and the number of observations. A sampled trace provides the period, the
pause of a sample and its cost per thread and frame. A trace of every call provides the cost of
an event. Pass one of each, from the same device, to determine both. Figures that no trace
provides are unknown, and bench recommends no tracer that needs them. Stack dumps work, too;
JSON lines can state the length of each pause.

-o writes the device as YAML for --device of record, bench and plan. Trace files do not store
the nominal interval: pass --interval, or it is estimated. An interval that contradicts the
trace is an error. A trace does not show whether a late sample waited for a CPU core (no-core of
a device).

--check compares each sampled trace with 16 emulations that use the calibrated costs: period
(p1, p50, mean, standard deviation), its share of CPU time, skew between threads, and events per
sample that finds a changed stack. The exit status is 1 if a figure differs by more than 5 %.`,
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
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "write the device to this YAML `FILE`")
	cmd.Flags().DurationVar(&f.interval, "interval", 0, "nominal interval of the sampled trace; default: estimated")
	cmd.Flags().BoolVar(&f.check, "check", false, "compare each sampled trace with emulations of it")
	f.form.AddFlags(cmd.Flags())
	return cmd
}

// validate refuses flags that make no sense.
func (f *calibrateFlags) validate(traces []string) error {
	switch {
	case f.check && f.out != "":
		return command.Usagef("--check does not write a device: leave out -o")
	case f.check:
		return nil
	case len(traces) > 2:
		return command.Usagef("%d traces: a device is estimated from one trace, or from a sampled one and one of every call; only --check takes more", len(traces))
	case f.out != "":
		return command.CheckWritable(f.out, false)
	}
	return nil
}

// calibrate estimates a device from a trace, or from two of different kinds.
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
		kind := "were sampled"
		if all[0].Sampled == nil {
			kind = "have every call"
		}
		return command.Usagef("%s and %s: both %s; a device is estimated from one trace of each kind", names[0], names[1], kind)
	case f.interval > 0 && !slices.ContainsFunc(all, func(c calibrated) bool { return c.Sampled != nil }):
		return command.Usagef("--interval applies to sampled traces, and %s has every call", names[0])
	}
	if f.out != "" {
		if err := f.writeDevice(std, all); err != nil || f.out == "-" {
			return err
		}
	}
	if err := f.form.Print(std.Out, calibration(all, f.interval)); err != nil || f.form.JSON || f.form.CSV {
		return err
	}
	_, err := fmt.Fprintln(std.Out, cli.WrapTerminal(std.Out, cli.Quote(f.next(all))))
	return err
}

// next says how to use the figures, and what else the device is to be known by.
func (f *calibrateFlags) next(all []calibrated) string {
	text := "To measure with these figures: artifice bench TRACE --device " + words.Shell(f.out) + "."
	if f.out == "" {
		text = "To keep these figures: -o phone.yaml; to measure with them: artifice bench TRACE --device phone.yaml."
	}
	switch {
	case len(all) > 1:
	case all[0].Sampled != nil:
		text += " What recording every call costs they do not say: name a trace of every call, too."
	default:
		text += " What samples cost they do not say: name a sampled trace, too."
	}
	for _, c := range all {
		if i := c.Instrumented; i != nil && i.UpperBound {
			text += fmt.Sprintf(" An event takes anything between %s, what reading the clocks takes, and %s: record an app with short calls to know it better.",
				i.ClockOverhead, i.Event.Value)
		}
	}
	return text
}

// calibrated is what a trace says of its device.
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

// figure is one estimate as calibrate prints it.
type figure struct {
	Figure  string  `json:"figure"`
	Value   float64 `json:"value"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Unit    string  `json:"unit"`
	N       int     `json:"observations"`
	Meaning string  `json:"meaning"`
}

// calibration lists what the traces say.
func calibration(traces []calibrated, interval time.Duration) *cli.Table {
	l := &cli.Table{
		Columns: []string{"figure", "value", "low", "high", "n", "meaning"},
		Right:   []bool{false, true, true, true, true, false},
		Spare:   []string{"n", "low", "high"},
	}
	said := make([]map[string]any, len(traces))
	for i, c := range traces {
		var all []figure
		c.list(interval, func(name string, e device.Estimate, format string, args ...any) {
			meaning := fmt.Sprintf(format, args...)
			cells := []string{name, "-", "-", "-", fmt.Sprint(e.N), meaning}
			if e.N > 0 {
				cells[1], cells[2], cells[3] = e.Value.String(), e.Low.String(), e.High.String()
			}
			l.Rows = append(l.Rows, cells)
			all = append(all, figure{name, float64(e.Value), float64(e.Low), float64(e.High), "ns", e.N, meaning})
		})
		said[i] = map[string]any{"evidence": c.Evidence, "events": c.Events, "figures": all}
	}
	l.JSON = said[0]
	if len(traces) > 1 {
		for i, c := range traces {
			said[i]["trace"] = c.trace
		}
		l.JSON = map[string]any{"traces": said}
	}
	return l
}

// list tells add each figure of a trace.
func (c *calibrated) list(interval time.Duration, add func(string, device.Estimate, string, ...any)) {
	if c.Sampled != nil {
		listSampled(c.Sampled, c.symbols, interval, add)
		return
	}
	i := c.Instrumented
	how := "mean of the kinds that are shortest, the app's own work in them included"
	switch {
	case i.UpperBound:
		how = "mean of the kinds that are shortest; an upper bound, as most of it can be the app's own work"
	case i.ByQuantile:
		how = "p10 (p1 to p25), as no kind of them is often enough"
	}
	add("event", i.Event, "cost of one event: gaps between events of a thread, %s", how)
	add("clocks", exactly(i.ClockOverhead), "part of it that reading the clocks takes, as the trace states it")
	add("step", exactly(i.Granularity), "step of the clocks")
}

// exactly is a figure that was read, not estimated.
func exactly(d time.Duration) device.Estimate {
	return device.Estimate{Value: d, Low: d, High: d, N: 1}
}

func listSampled(s *device.SampledTiming, symbols *trace.Symbols, interval time.Duration, add func(string, device.Estimate, string, ...any)) {
	busiest := symbols.Thread(s.Thread)
	asked := exactly(interval)
	origin := "nominal, as asked"
	if interval == 0 {
		interval = s.Interval()
		low, high := s.IntervalRange()
		asked = device.Estimate{Value: interval, Low: low, High: high, N: s.AppRun.N}
		origin = "a guess, as no file stores it: the largest of 1, 2, 3, 5 × 10ⁿ that the shortest periods have room for"
	}
	overshoot, spread := s.Overshoot(interval)
	add("period", s.Period, "from one sample to the next, median; from thread %s", busiest)
	add("short-period", s.ShortPeriod, "the same, p1")
	add("app-run", s.AppRun, "how long the app runs between two samples")
	add("interval", asked, "%s", origin)
	add("overshoot", overshoot, "by how much sleeps end late, mean; standard deviation %s; the device gets the whole distribution", spread)
	add("pause", s.PauseAt(interval), "how long a sample stops the app")
	if s.SaysStops() {
		add("per-tick", exactly(s.DevicePerTick(interval)), "all of it, as the dumps say; the device gets the whole distribution")
	} else {
		add("per-tick", exactly(s.DevicePerTick(interval)), "of it, before the first thread: no more than the shortest periods leave beside interval and walk")
		add("per-thread", s.PerThread, "of it, walking each of %.1f threads (%d at the end)", s.MeanThreads, s.Threads)
		add("per-frame", s.PerFrame, "and each of their %.0f frames", s.Frames)
	}
	add("cpu", s.CPU, "CPU time of %s in a period, median; %.1f %% of all periods", busiest, 100*s.CPUShare)
	if s.Skew.N > 0 {
		add("skew", s.Skew, "stamp of %s behind that of %s, %d places before it in the list", symbols.Thread(s.SkewTo), busiest, s.SkewPlaces)
	}
	add("order", device.Estimate{}, "%d neighbouring stamps of a sample in list order, %d against it", s.Ordered, s.Reversed)
}
