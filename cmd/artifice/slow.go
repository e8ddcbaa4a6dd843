package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/bench/score"
	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// slowValue is the value of flag --slow: a method and the factor of its self time.
type slowValue struct {
	method string
	factor float64
}

// String implements pflag.Value.
func (v *slowValue) String() string {
	if v.method == "" {
		return ""
	}
	return fmt.Sprintf("%s=%g", v.method, v.factor)
}

// Set implements pflag.Value.
func (v *slowValue) Set(text string) error {
	i := strings.LastIndex(text, "=")
	if i <= 0 {
		return fmt.Errorf("expected METHOD=FACTOR, such as Feed.bind=1.2 for 20 %% more self time")
	}
	factor, err := strconv.ParseFloat(text[i+1:], 64)
	if err != nil || !(factor > 0) || factor > 1000 || math.Abs(factor-1) < 0.001 {
		return fmt.Errorf("%s is not a factor (above 0, at most 1000, not 1), such as 1.2 for 20 %% more", words.Quote(text[i+1:]))
	}
	v.method, v.factor = strings.ReplaceAll(text[:i], "/", "."), factor
	return nil
}

// Type implements pflag.Value.
func (v *slowValue) Type() string { return "slow" }

// slowedTruths are the truths of an app with the self time of a method multiplied: a workload runs
// again, a recorded trace is stretched.
type slowedTruths struct {
	src      *command.Source
	method   string
	run      command.TruthFlags
	app      *workload.Program // nil: a recorded trace
	recorded bench.Stretched
}

// newSlowedTruths fails if the source is sampled.
func newSlowedTruths(src *command.Source, method string, run command.TruthFlags) (*slowedTruths, error) {
	if src.In.Sampled() {
		return nil, fmt.Errorf("--slow needs ground truth, but the source is sampled: record every call (adb shell am profile start PACKAGE FILE)")
	}
	s := &slowedTruths{src: src, method: method, run: run, recorded: bench.Stretched{Open: src.FromStart, Method: method}}
	if !format.IsWorkload(src.Name) {
		return s, nil
	}
	var err error
	s.app, err = format.Program(src.Name)
	return s, err
}

// meant reports whether the flag's name denotes m.
func (s *slowedTruths) meant(m *trace.Method) bool { return score.NameMatches(s.method, m) }

// slowed returns the truth with a factor, or an error if the name denotes no method of the source.
func (s *slowedTruths) slowed(factor float64) (*trace.Recording, error) {
	methods := s.src.Symbols.Methods
	if !slices.ContainsFunc(methods, func(m trace.Method) bool { return s.meant(&m) }) {
		known := make([]string, len(methods))
		for i := range methods {
			known[i] = methods[i].FullName()
		}
		return nil, command.Usagef("--slow %s: %s has no such method%s", s.method, s.src.Name, command.DidYouMean(s.method, command.LikeNames(s.method, known)))
	}
	rec, _, err := s.at(factor)
	return rec, err
}

// at returns the truth with a factor, and its program, which is nil for a recorded trace. It
// invalidates the truth returned by the previous call.
func (s *slowedTruths) at(factor float64) (*trace.Recording, *workload.Program, error) {
	if s.app == nil {
		rec, err := s.recorded.Truth(factor)
		return rec, nil, err
	}
	p := s.app
	if factor != 1 { // the method may be unknown
		var err error
		if p, err = p.Slowed(s.meant, factor); err != nil {
			return nil, nil, err
		}
	}
	truth, err := p.Truth(s.run.Config())
	if err != nil {
		return nil, nil, err
	}
	truth, err = s.src.Likewise(truth)
	return truth, p, err
}

// Close removes the temporary files of the truth that was returned last.
func (s *slowedTruths) Close() error { return s.recorded.Close() }

// runSlow measures the change that traces report of a method that gets slower.
func runSlow(cmd *cobra.Command, std command.Stdio, f *benchFlags, name string) (err error) {
	for _, flag := range []string{"goal", "budget", "from", "to", "output", "ladder", "wide", "subtract-overhead"} {
		if cmd.Flags().Changed(flag) {
			return command.Usagef("--%s does not apply to --slow", flag)
		}
	}
	cfg, err := f.config()
	if err != nil {
		return err
	}
	src, err := command.Open(cmd.Context(), std, name, command.SourceFlags{Order: format.AsTruth, Names: f.names, Value: f.value, Truth: command.TruthFlags{Duration: f.duration}})
	if err != nil {
		return err
	}
	defer src.Close()
	defer src.Blame(&err)
	// as in diff, because the CPU time of samples depends on the waits between two samples
	cfg.CPU = false
	if len(f.part.Threads) > 0 {
		cfg.Threads = f.part
	}
	truths, release, err := f.slowed(src)
	if err != nil {
		return err
	}
	defer release()
	result, err := f.measureSlow(cmd.Context(), src, truths, cfg)
	if err != nil {
		return err
	}
	if f.form.CSV || f.form.JSON {
		return f.form.Print(std.Out, slowRows(result))
	}
	return f.printSlow(std.Out, name, result, cfg.Devices)
}

// slowed returns the source of the truths.
func (f *benchFlags) slowed(src *command.Source) (bench.TruthAt, func() error, error) {
	truths, err := newSlowedTruths(src, f.slow.method, command.TruthFlags{Duration: f.duration})
	if err != nil {
		return nil, nil, err
	}
	at := func(factor float64) (truth *trace.Recording, live func(int, time.Duration) (*trace.Recording, error), err error) {
		truth, p, err := truths.at(factor)
		if err == nil && p != nil && p.Interacts() {
			live = f.runs(p, src)
		}
		return truth, live, err
	}
	return at, truths.Close, nil
}

// measureSlow measures the change.
func (f *benchFlags) measureSlow(ctx context.Context, src *command.Source, truths bench.TruthAt, cfg bench.Config) (*bench.Change, error) {
	var hide func()
	cfg.Progress, hide = src.Sampling()
	cfg.Exceeded = src.Exceeded
	result, err := bench.MeasureChange(ctx, truths, cfg, f.slow.method, f.slow.factor)
	src.HideProgress()
	hide()
	var unknown *bench.UnknownMethodError
	if errors.As(err, &unknown) {
		return nil, unknownMethod("--slow ", src.Name, unknown)
	}
	return result, err
}

// printSlow prints the table, its notes and the next step.
func (f *benchFlags) printSlow(w io.Writer, name string, r *bench.Change, devices []device.Device) error {
	lines := []string{
		fmt.Sprintf("%s: %s%s", name, r.Truth, f.partText()),
		deviceText(devices),
		fmt.Sprintf("%s: self %s (%s), %s of %s; true change %s at the full factor, which is reached in %d equal steps", r.Method, words.Duration(r.Own.True),
			slowClock(r), words.Count(r.Own.Calls, "call"), words.Duration(r.Own.True/time.Duration(max(1, r.Own.Calls))), change(r.True), bench.ChangeLevels-1),
	}
	if r.Live {
		lines = append(lines, eachRun)
	}
	for _, line := range lines {
		fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(line)))
	}
	fmt.Fprintln(w)
	table, groups := slowTable(r)
	if err := printGroups(w, table, groups); err != nil {
		return err
	}
	for _, line := range slowAdvice(r) {
		fmt.Fprintln(w, cli.Wrap(line, "", command.TextWidth(w)))
	}
	fmt.Fprintf(w, "To estimate how many traces detect this change: artifice plan %s --method %s --change %.3g%%\n", words.Shell(name), words.Shell(r.Method), 100*math.Abs(r.True))
	return nil
}

// slowClock names the clock of the comparison.
func slowClock(r *bench.Change) string {
	if r.Rows[0].ByCPU {
		return "CPU time"
	}
	return "wall time"
}

// change formats a relative change.
func change(v float64) string { return words.Signed(100*v) + " %" }

// slowTable returns a row for each mode and interval, and the titles of the groups by line.
func slowTable(r *bench.Change) (l *cli.Table, groups map[int]string) {
	l, groups = &cli.Table{Columns: []string{"interval", "reported", "95 % CI", "SD, 1 trace each"}, Right: []bool{true, true, true, true}}, map[int]string{}
	l.Spare = []string{"SD, 1 trace each"}
	last, title := "", groupTitles(r.Rows, func(row bench.ChangeRow) string { return row.Device })
	for _, row := range r.Rows {
		if name := title(row.Mode, row.Device); name != last {
			groups[len(l.Rows)+1], last = name, name
		}
		cells := []string{intervalCell(row.Interval), "-", "-", "-"}
		if !math.IsNaN(row.Shown) {
			cells[1], cells[2] = change(row.Shown), words.Signed(100*row.Low)+" to "+words.Signed(100*row.High)
		}
		if !math.IsNaN(row.Pair) {
			cells[3] = fmt.Sprintf("%.1f %%", 100*row.Pair)
		}
		l.Add(cells...)
	}
	return l, groups
}

// slowAdvice returns the notes below the table: the meaning of its last column, and the part of the
// change that recording every call hides.
func slowAdvice(r *bench.Change) (lines []string) {
	lines = append(lines, "SD, 1 trace each: standard deviation of the change between one trace of each build; a change below twice the SD can be noise.")
	for _, row := range r.Rows {
		if row.Interval == 0 && !math.IsNaN(row.Shown) && math.Abs(row.Shown) < 0.9*math.Abs(r.True) {
			lines = append(lines, fmt.Sprintf("%s reports %.0f %% of the change: the self time of both builds includes the tracing overhead of each call.", row.Mode, 100*row.Shown/r.True))
			break
		}
	}
	return lines
}

// millionths formats a number with six decimals, which are the same on all architectures.
func millionths(v float64) string { return words.Number(math.Round(v*1e6) / 1e6) }

// slowRows returns the table of CSV and JSON.
func slowRows(r *bench.Change) *cli.Table {
	l := &cli.Table{Columns: []string{"method", "mode", "device", "interval_ns", "clock", "factor", "true_change", "reported_change", "reported_change_low", "reported_change_high", "pair_sd"}}
	l.Numbers = []bool{false, false, false, true, false, true, true, true, true, true, true}
	for _, row := range r.Rows {
		clock := "wall"
		if row.ByCPU {
			clock = "cpu"
		}
		l.Add(r.Method, row.Mode, row.Device, fmt.Sprint(row.Interval.Nanoseconds()), clock, words.Number(r.Factor), millionths(r.True), millionths(row.Shown), millionths(row.Low), millionths(row.High), millionths(row.Pair))
	}
	return l
}
