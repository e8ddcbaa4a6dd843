// Command trust measures the coverage of the 95 % confidence intervals of package estimate. For one
// source, a workload or a trace of every call, it prints a line for each device and interval:
//
//	go run ./trust w5-zipf-50
//	go run ./trust -device ideal,A -wide -duration 5s cold-start
//	go run ./trust -modes simpleperf,profilo calls.trace
//
// Without a source, and with -summary for several traces, it prints a line for each:
//
//	go run ./trust                          # six minutes of CPU time
//	go run ./trust -app cold-start
//	go run ./trust -summary a.trace b.trace
//
// Each is sampled on the devices ideal, A, B and C every 1, 5 and 10 ms, from 24 phases. A line
// has, for exclusive and inclusive wall time of methods and for exclusive time of calling contexts,
// the coverage in percent over all twelve, the minimum, and the width of the median method's
// interval relative to its true spread, the median of the twelve. The last column is the share of
// reported numbers of calls that are at most the true number, the minimum of the twelve.
//
//	go run ./trust -own calls.trace      # against the app's own times
//
// compares the intervals on device A with the untraced run, for methods that do not wait: as
// printed, by shares of the running time, and with the sampling pause subtracted.
//
//	go run ./trust -cpu
//	go run ./trust -cpu internal/coverage/testdata/*.yaml
//
// measures CPU time, on devices ideal and A; bounds is the share of claims that are bounds instead
// of intervals.
//
//	go run ./trust -advice
//
// prints, for the interval advised by "artifice bench", the number of single traces of further runs
// that reach the goal with it; -app takes several apps, separated by commas, and files with other
// apps can be given.
//
//	go run ./trust -events -app cold-start,scroll-60hz
//
// prints the error of the event cost that "artifice calibrate" estimates from traces of every call.
//
//	go run ./trust -devices
//
// prints how often the intervals of "artifice calibrate" contain the figures of random devices,
// from traces of random apps by several releases.
//
//	go run ./trust -cores internal/coverage/testdata/two-cores.yaml
//	go run ./trust -cores
//
// measures apps that share cores with the sampling thread, on device A: the file's own number of
// cores, or 1, 2 and 4 for all threads of a built-in app. The last column is the share of runs with
// a claim for which the report warns that samples were delayed, or that running threads were
// undersampled.
//
//	go run ./trust -apps 12 -first 9600 -runs 4 -cells
//
// measures random apps: coverage and width by app, the calibration of the probability that a method
// is the hottest, and the share of warnings that are correct. A cell is one device (ideal, A or B)
// at one interval (1, 5 or 10 ms), with 4 runs of 9 phases; -cells prints each. A cell outside of
// 93 to 99 % is explained if nine in ten of its reports warn, else left.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"artifice/format"
	"artifice/internal/cli"
	"artifice/research/internal/coverage"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

func main() {
	app := flag.String("app", "", "only this built-in app")
	own := flag.Bool("own", false, "compare with the times of the untraced run")
	cpu := flag.Bool("cpu", false, "measure CPU time")
	events := flag.Bool("events", false, "measure the error of the event cost that calibrate estimates")
	devices := flag.Bool("devices", false, "measure the coverage of calibrate's intervals for random devices")
	cores := flag.Bool("cores", false, "measure apps that share cores with the sampling thread")
	runs := flag.Int("runs", 8, "with -cores, number of runs of each app")
	advice := flag.Bool("advice", false, "check the advice of bench on other runs of the apps")
	summary := flag.Bool("summary", false, "print a line for each given trace")
	apps := flag.Int("apps", 0, "measure this many random apps")
	seed := flag.Uint64("first", 1000, "with -apps, seed of the first app")
	phases := flag.Int("phases", 9, "with -apps, number of samplers of each run")
	cells := flag.Bool("cells", false, "with -apps, also print a line for each device and interval")
	var one detail
	one.addFlags(flag.CommandLine)
	flag.Parse()
	do := run
	switch {
	case *apps > 0:
		s := unseen{*seed, *apps, *runs, *phases, *cells, []string{"ideal", "A", "B"}, []time.Duration{time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond}}
		do = func(string, []string) error { return s.run(os.Stdout) }
	case *own:
		do = runOwn
	case *cpu:
		do = runCPU
	case *cores:
		do = func(app string, files []string) error { return runCores(app, files, *runs) }
	case *advice:
		do = runAdvice
	case *events:
		do = runEvents
	case *devices:
		do = runDevices
	case flag.NArg() > 0 && !*summary:
		do = one.runAll
	}
	if err := do(*app, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "trust:", err)
		os.Exit(1)
	}
}

// source is an app or a trace, reopened for each measurement.
type source struct {
	name string
	open func() (*trace.Recording, error)
}

func run(app string, files []string) error {
	cfg := coverage.Config{Phases: 24, Seed: 1, Intervals: []time.Duration{time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond}}
	for _, name := range []string{"ideal", "A", "B", "C"} {
		d, err := device.Open(name)
		if err != nil {
			return err
		}
		cfg.Devices = append(cfg.Devices, d)
	}
	table := &cli.Table{
		Columns: []string{"app", "claims", "exclusive", "lowest", "width", "inclusive", "lowest", "width", "contexts", "lowest", "width", "calls"},
		Right:   []bool{false, true, true, true, true, true, true, true, true, true, true, true},
	}
	list, err := sources(app, files)
	if err != nil {
		return err
	}
	for _, s := range list {
		cells, err := measure(s, cfg)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		table.Add(cells...)
	}
	return table.WriteText(os.Stdout)
}

// sources returns the named sources, or the built-in apps: all, or only app.
func sources(app string, names []string) (list []source, err error) {
	for _, name := range names {
		s, err := newSource(name, 0)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	if len(names) > 0 {
		return list, nil
	}
	for _, p := range workload.Builtin() {
		if app == "" || app == p.Name {
			list = append(list, ofApp(p, 0))
		}
	}
	return list, nil
}

// newSource returns the source name: a built-in app, the YAML file of an app, or a trace of every
// call. length is that of an app, 0 for its own.
func newSource(name string, length time.Duration) (source, error) {
	if p, err := workload.ByName(name); err == nil {
		return ofApp(p, length), nil
	}
	if filepath.Ext(name) == ".yaml" {
		p, err := readApp(name)
		if err != nil {
			return source{}, err
		}
		return ofApp(p, length), nil
	}
	in, err := format.Open(name, format.Config{Order: format.AsTruth})
	if err != nil {
		return source{}, err
	}
	if err := in.InTimeOrder(); err != nil {
		return source{}, err
	}
	return source{filepath.Base(name), in.FromStart}, nil
}

// ofApp returns an app of a length, 0 for its own.
func ofApp(p *workload.Program, length time.Duration) source {
	return source{p.Name, func() (*trace.Recording, error) {
		return p.Truth(workload.Config{Seed: 1, Duration: length})
	}}
}

// readApp reads an app from a file.
func readApp(name string) (*workload.Program, error) {
	text, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	return workload.ReadYAML(text, name)
}

// measure returns the line of a source.
func measure(s source, cfg coverage.Config) ([]string, error) {
	methods, err := coverage.Measure(context.Background(), s.open, cfg)
	if err != nil {
		return nil, err
	}
	cfg.Contexts = true
	contexts, err := coverage.Measure(context.Background(), s.open, cfg)
	if err != nil {
		return nil, err
	}
	claims, exclusive := summary(methods, coverage.ExclusiveWall, coverage.Ours)
	_, inclusive := summary(methods, coverage.InclusiveWall, coverage.Ours)
	_, ofContexts := summary(contexts, coverage.ExclusiveWall, coverage.Ours)
	_, calls := summary(methods, coverage.Calls, coverage.AtLeast)
	return slices.Concat([]string{s.name, fmt.Sprint(claims)}, exclusive, inclusive, ofContexts, calls[1:2]), nil
}

// summary returns the number of claims of one kind by a rule, and three cells about them.
func summary(rows []coverage.Row, kind coverage.Kind, rule coverage.Rule) (claims int, cells []string) {
	var held float64
	lowest := math.NaN()
	var widths []float64
	for _, r := range rows {
		if r.Time != kind || r.Rule != rule || r.Claims == 0 {
			continue
		}
		claims += r.Claims
		held += r.Coverage * float64(r.Claims)
		if !(lowest <= r.Coverage) {
			lowest = r.Coverage
		}
		if !math.IsNaN(r.Width[1]) {
			widths = append(widths, r.Width[1])
		}
	}
	if claims == 0 {
		return 0, []string{"-", "-", "-"}
	}
	width := "-"
	if slices.Sort(widths); len(widths) > 0 {
		width = fmt.Sprintf("%.2f", widths[len(widths)/2])
	}
	return claims, []string{fmt.Sprintf("%.1f", 100*held/float64(claims)), fmt.Sprintf("%.1f", 100*lowest), width}
}

// runCPU prints the coverage of the intervals and bounds of CPU time, and the share of bounds.
func runCPU(app string, files []string) error {
	cfg := coverage.Config{Phases: 24, Seed: 1, Intervals: []time.Duration{time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond}}
	for _, name := range []string{"ideal", "A"} {
		d, err := device.Open(name)
		if err != nil {
			return err
		}
		cfg.Devices = append(cfg.Devices, d)
	}
	list, err := sources(app, files)
	if err != nil {
		return err
	}
	table := &cli.Table{
		Columns: []string{"app", "claims", "bounds", "exclusive", "lowest", "width", "inclusive", "lowest", "width"},
		Right:   []bool{false, true, true, true, true, true, true, true, true},
	}
	for _, s := range list {
		rows, err := coverage.Measure(context.Background(), s.open, cfg)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		bounds := 0
		for _, r := range rows {
			if r.Time == coverage.ExclusiveCPU && r.Rule == coverage.Ours {
				bounds += r.Bounds
			}
		}
		claims, exclusive := summary(rows, coverage.ExclusiveCPU, coverage.Ours)
		_, inclusive := summary(rows, coverage.InclusiveCPU, coverage.Ours)
		table.Add(slices.Concat([]string{s.name, fmt.Sprint(claims), fmt.Sprintf("%.0f %%", 100*float64(bounds)/float64(max(1, claims)))}, exclusive, inclusive)...)
	}
	return table.WriteText(os.Stdout)
}

// runOwn prints the coverage of intervals for the untraced run.
func runOwn(app string, files []string) error {
	phone, err := device.Open("A")
	if err != nil {
		return err
	}
	list, err := sources(app, files)
	if err != nil {
		return err
	}
	ways := []coverage.Against{coverage.Own, coverage.OwnShares, coverage.OwnSubtracted}
	table := &cli.Table{Columns: []string{"app", "interval", "claims"}, Right: []bool{false, true, true}}
	for _, way := range ways {
		table.Columns, table.Right = append(table.Columns, way.String()), append(table.Right, true)
	}
	for _, s := range list {
		for _, interval := range []time.Duration{time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond} {
			cells := []string{s.name, interval.String(), ""}
			for _, way := range ways {
				cfg := coverage.Config{Phases: 24, Seed: 1, Intervals: []time.Duration{interval}, Devices: []device.Device{phone}, Against: way}
				rows, err := coverage.Measure(context.Background(), s.open, cfg)
				if err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				claims, cell := summary(rows, coverage.ExclusiveWall, coverage.Ours)
				cells[2] = fmt.Sprint(claims)
				cells = append(cells, cell[0])
			}
			table.Add(cells...)
		}
	}
	return table.WriteText(os.Stdout)
}
