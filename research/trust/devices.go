package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"artifice/art"
	"artifice/format"
	"artifice/instrument"
	"artifice/internal/cli"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
	"artifice/writer"
)

// figureCount counts how often calibrate states a figure, and how often its interval contains the
// known one.
type figureCount struct{ stated, covered, unknown, unknownCovered int }

func (c *figureCount) add(e device.Estimate, known time.Duration) {
	in := e.Low <= known && known <= e.High
	switch {
	case e.N > 0:
		c.stated++
		if in {
			c.covered++
		}
	default:
		c.unknown++
		if in {
			c.unknownCovered++
		}
	}
}

// figureNames are the figures of the table, in order.
var figureNames = []string{"pause", "overshoot", "per tick", "per thread", "per frame", "event"}

// runDevices calibrates traces of random apps, recorded on random devices by several releases, and
// prints how often the stated intervals contain the device's figures. The true pause is the mean of
// the recording.
func runDevices(_ string, _ []string) error {
	const runs = 40
	table := &cli.Table{Columns: []string{"release", "figure", "stated", "covered", "unknown", "in range"}, Right: []bool{false, false, true, true, true, true}}
	for _, release := range []string{"art11", "art13", "art14", "art15", "art16"} {
		rt, err := art.ByName(release)
		if err != nil {
			return err
		}
		counts := map[string]*figureCount{}
		for _, name := range figureNames {
			counts[name] = &figureCount{}
		}
		for seed := range uint64(runs) {
			if err := calibrateRandom(rt, seed, counts); err != nil {
				return fmt.Errorf("%s, seed %d: %w", release, seed, err)
			}
		}
		for _, name := range figureNames {
			c := counts[name]
			table.Add(release, name, fmt.Sprint(c.stated), percentOf(c.covered, c.stated), fmt.Sprint(c.unknown), percentOf(c.unknownCovered, c.unknown))
		}
	}
	return table.WriteText(os.Stdout)
}

func percentOf(part, all int) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(all))
}

// calibrateRandom records an app on a device, both determined by the seed, and counts its figures.
func calibrateRandom(rt *art.Runtime, seed uint64, counts map[string]*figureCount) error {
	rng := rand.New(rand.NewPCG(seed, 53))
	between := func(low, high float64) time.Duration {
		return time.Duration((low + (high-low)*rng.Float64()) * float64(time.Microsecond))
	}
	app, err := workload.ReadYAML(strings.NewReader(randomApp(rng)), fmt.Sprint("seed ", seed))
	if err != nil {
		return err
	}
	cost := sampler.Cost{Overshoot: between(40, 300), OvershootSpread: between(5, 150), PerTick: between(0, 40), PerThread: between(2, 25), Granularity: time.Microsecond, ClockOverhead: 1500}
	if rng.IntN(2) == 0 {
		cost.PerFrame = between(0.05, 0.6)
	}
	truth, err := app.Truth(workload.Config{Seed: seed})
	if err != nil {
		return err
	}
	cfg := sampler.Config{Interval: time.Millisecond, Cost: cost, Runtime: rt, Seed: seed}
	s, err := sampler.New(truth, cfg, &trace.Buffer{})
	if err != nil {
		return err
	}
	if err := sampler.Run(truth, s); err != nil {
		return err
	}
	if truth, err = app.Truth(workload.Config{Seed: seed}); err != nil {
		return err
	}
	rec, err := sampler.Record(truth, cfg)
	if err != nil {
		return err
	}
	c, err := calibrateFile(rec)
	if err == nil && c.Sampled != nil {
		t, stats := c.Sampled, s.Stats()
		pause := stats.MeanPause()
		over, _ := t.Overshoot(time.Millisecond)
		counts["pause"].add(t.PauseAt(time.Millisecond), pause)
		counts["overshoot"].add(over, meanOvershoot(&cost))
		counts["per tick"].add(t.PerTickAt(time.Millisecond), cost.PerTick)
		counts["per thread"].add(t.PerThread, cost.PerThread)
		counts["per frame"].add(t.PerFrame, cost.PerFrame)
	}
	return calibrateEvents(rt, app, seed, instrument.Cost{CPURead: between(0.2, 3), WallRead: 50, Hook: between(0.05, 2), Granularity: time.Microsecond}, counts["event"])
}

// meanOvershoot returns the mean of the normal distribution of overshoots with negative values set
// to 0.
func meanOvershoot(c *sampler.Cost) time.Duration {
	mean, spread := float64(c.Overshoot), float64(c.OvershootSpread)
	z := mean / spread
	density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	return time.Duration(mean*0.5*math.Erfc(-z/math.Sqrt2) + spread*density)
}

// calibrateEvents records every call of an app and counts the event cost.
func calibrateEvents(rt *art.Runtime, app *workload.Program, seed uint64, cost instrument.Cost, count *figureCount) error {
	truth, err := app.Truth(workload.Config{Seed: seed, Duration: time.Second})
	if err != nil {
		return err
	}
	rec, err := instrument.Record(truth, instrument.Config{Runtime: rt, Clock: trace.Dual, Cost: cost})
	if err != nil {
		return err
	}
	if c, err := calibrateFile(rec); err == nil && c.Instrumented != nil {
		count.add(c.Instrumented.Event, cost.Event(rt, trace.Dual))
	}
	return nil
}

// calibrateFile calibrates the file of a recording: it has the thread table of its release.
func calibrateFile(rec *trace.Recording) (*device.Calibration, error) {
	folder, err := os.MkdirTemp("", "trust")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "x.trace")
	if _, err := writer.WriteFile(name, "", rec); err != nil {
		return nil, err
	}
	in, err := format.Open(name, format.Config{Order: format.ByTime})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return device.Calibrate(in.Recording)
}

// randomApp returns the YAML of an app: a main thread, daemons without events between it and pools
// of working threads, of which some begin late.
func randomApp(rng *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintf(&b, "name: random\nduration: 3s\nmethods:\n")
	const methods = 6
	for m := range methods {
		calls := ""
		if m > 0 {
			calls = fmt.Sprintf(", {prob: 0.%d, call: a.A.m%d}", 2+rng.IntN(7), rng.IntN(m))
		}
		fmt.Fprintf(&b, "  a.A.m%d()V: {do: [{self: exp %dus}%s]}\n", m, 1+rng.IntN(1500), calls)
	}
	b.WriteString("  a.A.leaf()V: {do: [{self: 0us}]}\n  a.A.nap()V: {wait: sleep, do: [{self: uniform 200us..4ms}]}\n  a.A.run()V: {}\n  a.A.loop()V: {}\nthreads:\n")
	work := func(nap bool) string {
		do := fmt.Sprintf("{call: a.A.m%d}, {call: a.A.m%d}, {call: a.A.leaf}", rng.IntN(methods), rng.IntN(methods))
		if nap {
			do += ", {call: a.A.nap}"
		}
		return do
	}
	fmt.Fprintf(&b, "  - {name: main, stack: [a.A.run, a.A.loop], do: [{loop: forever, do: [%s]}]}\n", work(rng.IntN(3) == 0))
	for g := range 1 + rng.IntN(3) {
		if n := rng.IntN(12); n > 0 {
			fmt.Fprintf(&b, "  - {name: \"idle%d-%%d\", count: %d}\n", g, n)
		}
		fmt.Fprintf(&b, "  - {name: \"pool%d-%%d\", count: %d, stack: [a.A.run], do: [{loop: forever, do: [%s]}]}\n", g, 1+rng.IntN(6), work(true))
	}
	return b.String()
}
