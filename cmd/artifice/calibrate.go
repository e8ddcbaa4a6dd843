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
var calibrateCommand = command.Command{Name: "calibrate", Add: newCalibrate}

func newCalibrate(std command.Stdio) *cobra.Command {
	var f calibrateFlags
	cmd := &cobra.Command{
		Use:   "calibrate TRACE...",
		Short: "Estimate a device's timing from a trace recorded on it",
		Long: `Estimate the timing of a device from a trace recorded on it. A sampled trace
tells the period, how long the app runs between two samples, the pause and its
cost per thread and frame; an instrumented trace tells the cost of an event. Each
figure comes with a confidence interval and the number of observations behind it.
Stack dumps work, too; as JSON lines, they can say how long each pause was.

-o writes the device as a YAML file for --device of record and bench. For a
sampled trace, this includes the whole distribution of how late the sleeps ended.
Trace files do not store the nominal interval: give it, or it is guessed. An
interval that the trace contradicts, because the app never ran that long between
two samples, is an error.

A sampled trace does not tell what an event costs, and a trace of every call
does not tell what samples cost: name one of each, recorded on the same device,
to get both. Numbers of a kind that is missing are unknown, and bench advises no
way of tracing that needs them. Nor does a trace tell whether a late sample
waited for a core until a thread of the app waited (no-core of a device): it
looks like several periods, or like a sleep that was too long.

--check shows how well this works. For each sampled trace it prints the trace's
own figures and those of 16 emulations, which sample an app with the trace's
stacks and CPU time, using the calibrated timing. The figures are the period (p1,
p50, mean and standard deviation), its share of CPU time, the skew between two
threads for each place in the thread list, and the events per sample that finds
a changed stack. The exit status is 1 if one differs by more than 5 %.`,
		Example: `  artifice calibrate phone.trace
  artifice calibrate phone.trace --interval 5ms -o phone.yaml
  artifice calibrate sampled.trace every-call.trace -o phone.yaml
  artifice record app.trace --device phone.yaml --interval 5ms -o out.trace
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
	cmd.Flags().DurationVar(&f.interval, "interval", 0, "nominal interval of the sampled trace; default: guessed")
	cmd.Flags().BoolVar(&f.check, "check", false, "compare each sampled trace with emulations of it")
	f.form.AddFlags(cmd.Flags())
	return cmd
}

// validate refuses flags that make no sense.
func (f *calibrateFlags) validate(traces []string) error {
	switch {
	case f.interval < 0:
		return command.Usagef("--interval %s: must be above 0", f.interval)
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
