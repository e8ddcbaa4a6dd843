// Command power measures the test of "artifice diff" on recordings with known truth:
//
//	go run ./power                  # two minutes of CPU time
//	go run ./power -recordings 60 -pairs 400
//
// It samples runs of built-in apps every millisecond on device A, with a new run for each
// recording, and draws recordings for two sides at random. A line contains, for two sides of the
// same app, the share of tests with p ≤ 0.05, which should be 5 %, and the share of comparisons
// with any significant change. In game-loop, glDrawElements is 30 % slower on one side, and the
// last column is the share of comparisons that detect this.
//
//	go run ./power -recordings 60 -pairs 400 calls.trace
//
// also uses traces of every call, one run each. Their recordings differ only by their samples.
//
//	go run ./power -size
//
// makes changes of the minimum detectable size printed by diff (80 % power), and prints the share
// that it detects.
//
//	go run ./power -plan -recordings 600 -pairs 500
//
// compares the forecasts of "artifice plan" with pools of recordings.
//
//	go run ./power -gate -recordings 100 -pairs 2000
//
// prints how many of 1,000 comparisons of an unchanged app fail with "artifice diff --fail-above".
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"artifice/format"
	"artifice/internal/cli"
	"artifice/report"
	"artifice/report/diff"
	"artifice/report/estimate"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// apps are the recorded apps. slowedApp is the app to change.
var apps = []string{"cold-start", "scroll-60hz", "game-loop", "w5-zipf-50"}

const (
	slowedApp, slowedMethod = "game-loop", "glDrawElements"
	before, after           = "lognormal 900us", "lognormal 1170us" // of slowedMethod in slowedApp
)

func main() {
	recordings := flag.Int("recordings", 20, "number of recordings from which each side is drawn")
	pairs := flag.Int("pairs", 200, "number of comparisons")
	duration := flag.Duration("duration", 4*time.Second, "duration of a recording")
	forecast := flag.Bool("plan", false, "compare the forecasts of artifice plan with pools of recordings")
	size := flag.Bool("size", false, "measure how often diff detects changes of the minimum detectable size that it prints")
	only := flag.String("only", "", "only apps with this `TEXT` in their name; with -plan and -size, only changes with it in their app and method")
	gate := flag.Bool("gate", false, "measure how often artifice diff --fail-above fails for an unchanged app")
	flag.Parse()
	measure := func() error { return run(os.Stdout, *recordings, *pairs, *duration, *only, flag.Args()) }
	switch {
	case *gate:
		measure = func() error { return gates(os.Stdout, *recordings, *pairs, *duration, *only) }
	case *forecast:
		measure = func() error { return forecasts(os.Stdout, *recordings, *pairs, *duration, *only) }
	case *size:
		measure = func() error { return sizes(os.Stdout, *recordings, *pairs, *duration, *only) }
	}
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "power:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, recordings, pairs int, duration time.Duration, only string, files []string) error {
	table := &cli.Table{Columns: []string{"app", "a side", "test", "p ≤ 0.05", "any alarm", "found"}, Right: []bool{false, true, false, true, true, true}}
	for _, app := range slices.Concat(apps, files) {
		if !strings.Contains(app, only) {
			continue
		}
		p, unknown := workload.ByName(app)
		truth := func(seed uint64) (*trace.Recording, error) {
			if unknown != nil {
				return openTruth(app)
			}
			return p.Truth(workload.Config{Seed: seed, Duration: duration})
		}
		old, err := record(truth, 1, recordings)
		if err != nil {
			return err
		}
		again, err := record(truth, 10001, recordings)
		if err != nil {
			return err
		}
		var slow []*report.View
		if app == slowedApp {
			if p, err = slower(p); err != nil {
				return err
			}
			if slow, err = record(truth, 20001, recordings); err != nil {
				return err
			}
		}
		for _, n := range []int{3, 5, 10} {
			for _, test := range []diff.Test{diff.Student, diff.Welch} {
				row, err := compare(old, again, slow, n, pairs, test)
				if err != nil {
					return err
				}
				table.Add(append([]string{filepath.Base(app), fmt.Sprint(n), test.String()}, row...)...)
			}
		}
	}
	return table.WriteText(w)
}

// slower returns the app with its method slowed down.
func slower(p *workload.Program) (*workload.Program, error) {
	if !bytes.Contains(p.Source(), []byte(before)) {
		return nil, fmt.Errorf("%s has no %q", slowedApp, before)
	}
	return workload.ReadYAML(bytes.NewReader(bytes.Replace(p.Source(), []byte(before), []byte(after), 1)), slowedApp+" slowed")
}

// openTruth opens a trace of every call.
func openTruth(name string) (*trace.Recording, error) {
	in, err := format.Open(name, format.Config{Order: format.AsTruth})
	if err != nil {
		return nil, err
	}
	if err := in.InTimeOrder(); err != nil {
		return nil, err
	}
	return in.Recording, nil
}

// record returns count recordings, each of a run of its own.
func record(open func(seed uint64) (*trace.Recording, error), seed uint64, count int) (views []*report.View, err error) {
	phone, err := device.Open("A")
	if err != nil {
		return nil, err
	}
	for i := range uint64(count) {
		truth, err := open(seed + i)
		if err != nil {
			return nil, err
		}
		seen, err := sampler.Record(truth, sampler.Config{Interval: time.Millisecond, Seed: seed + i, Cost: phone.Sampling, KeepSymbols: true})
		if err != nil {
			return nil, err
		}
		profile, err := estimate.Read(seen, estimate.Config{MethodsOnly: true})
		if err != nil {
			return nil, err
		}
		views = append(views, report.New(profile, seen.Symbols, report.Filter{}))
	}
	return views, nil
}

// compare compares pairs of n recordings a side, and returns the cells of a line.
func compare(old, again, slow []*report.View, n, pairs int, test diff.Test) ([]string, error) {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	pick := func(from []*report.View) (some []*report.View) {
		for _, i := range random.Perm(len(from))[:n] {
			some = append(some, from[i])
		}
		return some
	}
	tests, small, alarms, found := 0, 0, 0, 0
	for range pairs {
		d, err := diff.Compare(pick(old), pick(again), trace.Wall, test)
		if err != nil {
			return nil, err
		}
		for _, m := range d.Methods {
			if m.Exclusive.Q == m.Exclusive.Q { // not NaN, which means not tested
				tests++
			}
			if m.Exclusive.P <= diff.Significant {
				small++
			}
		}
		if slices.ContainsFunc(d.Methods, func(m diff.MethodChange) bool { return m.Exclusive.IsSignificant() }) {
			alarms++
		}
		if slow == nil {
			continue
		}
		if d, err = diff.Compare(pick(old), pick(slow), trace.Wall, test); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(d.Methods, func(m diff.MethodChange) bool {
			return strings.Contains(m.Name, slowedMethod) && m.Exclusive.IsSignificant() && m.Exclusive.Difference() > 0
		}) {
			found++
		}
	}
	percent := func(part, all int) string { return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(1, all))) }
	cells := []string{percent(small, tests), percent(alarms, pairs), ""}
	if slow != nil {
		cells[2] = percent(found, pairs)
	}
	return cells, nil
}
