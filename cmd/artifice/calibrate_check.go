package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/tracer/device"
)

// reproduction is one trace in the JSON of calibrate --check.
type reproduction struct {
	Trace      string             `json:"trace"`
	IntervalNS int64              `json:"interval_ns"`
	Figures    []reproducedFigure `json:"figures"`
}

type reproducedFigure struct {
	Figure     string   `json:"figure"`
	Unit       string   `json:"unit,omitempty"`
	Real       *float64 `json:"real"` // null: not in the trace
	Emulated   *float64 `json:"emulated"`
	Difference *float64 `json:"difference"`
	Ok         bool     `json:"ok"`
}

// checkCalibration compares each trace with its emulation.
func checkCalibration(ctx context.Context, std command.Stdio, names []string, interval time.Duration, form *cli.Form) error {
	table := &cli.Table{
		Columns: []string{"trace", "interval", "figure", "real", "emulated", "difference", "ok"},
		Right:   []bool{false, true, false, true, true, true, false},
	}
	if form.CSV {
		table.Columns = []string{"trace", "interval_ns", "figure", "unit", "real", "emulated", "difference", "ok"}
	}
	var all []reproduction
	var differ []string // figures beyond the tolerance
	figures := 0
	for _, name := range names {
		r, err := reproduce(ctx, std, name, interval)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		one := reproduction{Trace: name, IntervalNS: int64(r.Interval)}
		for _, f := range r.Figures {
			figures++
			if !f.Ok() {
				differ = append(differ, f.Name)
			}
			if form.CSV {
				table.Add(filepath.Base(name), fmt.Sprint(int64(r.Interval)), f.Name, f.Unit, words.Number(f.Real), words.Number(f.Emulated), words.Number(f.Difference()), fmt.Sprint(f.Ok()))
			} else {
				table.Add(reproducedRow(filepath.Base(name), r.Interval, f)...)
			}
			one.Figures = append(one.Figures, reproducedFigure{
				f.Name, f.Unit, finite(f.Real), finite(f.Emulated), finite(f.Difference()), f.Ok(),
			})
		}
		all = append(all, one)
	}
	table.JSON = all
	if !form.CSV && !form.JSON {
		fmt.Fprintln(std.Out, cli.WrapTerminal(std.Out, reproducedAnswer(figures, differ)))
	}
	if err := form.Print(std.Out, table); err != nil {
		return err
	}
	if len(differ) > 0 {
		return command.ErrFound
	}
	return nil
}

// reproducedAnswer states how many of a number of figures differ from the emulation, and which.
func reproducedAnswer(figures int, differ []string) string {
	if len(differ) == 0 {
		return fmt.Sprintf("The emulation reproduces the calibration: no difference is above %g %%.", 100*device.Tolerance)
	}
	return fmt.Sprintf("Differences above %g %%: %d of %s (%s).", 100*device.Tolerance, len(differ), words.Count(figures, "figure"), strings.Join(differ, ", "))
}

func reproduce(ctx context.Context, std command.Stdio, name string, interval time.Duration) (_ *device.Reproduction, err error) {
	src, err := command.Open(ctx, std, name, command.SourceFlags{Order: format.ByTime})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	defer src.Blame(&err)
	return device.Reproduce(src.Recording, interval)
}

// reproducedRow returns the cells of a figure.
func reproducedRow(name string, interval time.Duration, f device.Reproduced) []string {
	if math.IsNaN(f.Real) {
		return []string{name, words.Duration(interval), f.Name, "-", "-", "-", "not in the trace"}
	}
	verdict := "ok"
	if !f.Ok() {
		verdict = fmt.Sprintf("more than %g %%", 100*device.Tolerance)
	}
	return []string{
		name, words.Duration(interval), f.Name, quantity(f.Real, f.Unit), quantity(f.Emulated, f.Unit),
		fmt.Sprintf("%+.1f %%", 100*f.Difference()), verdict,
	}
}

// quantity formats a figure: a time with three significant digits, a number with three decimals.
func quantity(x float64, unit string) string {
	if unit == "ns" {
		return words.Duration(time.Duration(x))
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// finite returns a number for JSON, or nil for infinity and NaN, which JSON does not support.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
