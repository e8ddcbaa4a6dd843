package trust

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"artifice/device"
	"artifice/estimate"
	"artifice/lateness"
	"artifice/sampler"
	"artifice/trace"
	"artifice/workload"
)

// followed is an app that runs while it is sampled, and what its methods did.
type followed struct {
	lateness.App
	sum *truthSum
}

// ReadEvents implements [trace.Reader].
func (f *followed) ReadEvents(p []trace.Event) (int, error) {
	n, err := f.App.ReadEvents(p)
	for i := range p[:n] {
		f.sum.Event(&p[i], []time.Duration{0}) // they come as late as they are
	}
	return n, err
}

// measureRunning measures a program that runs while it is sampled, another time for each seed, and returns what
// report says of late samples.
func measureRunning(t *testing.T, p *workload.Program, d device.Device, length, interval time.Duration, runs int) (Row, []estimate.Late, []time.Duration) {
	t.Helper()
	var lates []estimate.Late
	var waited []time.Duration
	row := Row{Time: ExclusiveWall, Rule: Ours}
	for seed := range uint64(runs) {
		rec, err := p.Truth(workload.Config{Seed: seed, Duration: length, Live: true})
		if err != nil {
			t.Fatal(err)
		}
		sum := &truthSum{rec: rec, wall: make([][]time.Duration, 1)}
		rec.Events = &followed{rec.Events.(lateness.App), sum}
		sampled, err := sampler.Record(rec, sampler.Config{Interval: interval, Cost: d.Sampling, KeepSymbols: true, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		told := asInFile(sampled)
		e := estimate.New(told, estimate.Config{MethodsOnly: true})
		if _, err := trace.Copy(struct{ trace.Writer }{e}, sampled.Events); err != nil {
			t.Fatal(err)
		}
		told.Info = sampled.Info
		for id := range rec.Symbols.Threads {
			end := rec.Symbols.Threads[id].End
			if end == 0 {
				end = rec.Info.Elapsed
			}
			sum.End(trace.ThreadID(id), end, []time.Duration{0})
		}
		profile := e.Finish()
		truth := sum.finish(false)
		one := judge(truth, [][]claims{claimsOf(profile, truth, false)}, ExclusiveWall, Ours)
		row.add(one.covered, one.Claims)
		lates = append(lates, profile.Late)
		waited = append(waited, sampled.Events.(*sampler.Reader).Stats().MeanLate())
	}
	row.finish()
	return row, lates, waited
}

func TestExplore(t *testing.T) {
	d, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	for _, app := range []string{"cold-start", "w5-zipf-50", "w6-random-tree", "network-client", "gc-storm", "w8-threads-4", "scroll-60hz", "game-loop", "w3-on-off"} {
		for _, cores := range []int{1, 2, 4} {
			for _, interval := range []time.Duration{time.Millisecond, 5 * time.Millisecond} {
				p, err := workload.ReadYAML(strings.NewReader(string(workload.ByName(app).Source())+fmt.Sprintf("\ncores: [{count: %d}]\n", cores)), "x")
				if err != nil {
					t.Fatal(err)
				}
				row, lates, waited := measureRunning(t, p, d, 2*time.Second, interval, 8)
				l := lates[0]
				fmt.Printf("%-15s %d %4v: %5.1f %% of %d ± %.1f; late %d of %d by %v; waited %v\n", app, cores, interval, 100*row.Coverage, row.Claims, 100*row.StdErr, l.Samples, l.Of, l.Mean, waited[0])
			}
		}
	}
	_ = math.Pi
}
