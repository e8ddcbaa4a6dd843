package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"gonum.org/v1/gonum/stat"

	"artifice/internal/cli"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
)

// coreWaits describes the ends of the sampling thread's sleeps when all cores are busy.
type coreWaits struct {
	prompt, late []time.Duration // overshoot of each
	promptAtWait int             // prompt sleeps that ended just after a thread of the program began to sleep
	lateAtWait   int             // late ones that did
}

// A sleep with an overshoot of at least lateFrom is late: with a core of its own, the thread
// resumes within 40 us. A wait has just begun for justBegun.
const (
	lateFrom  = 100 * time.Microsecond
	justBegun = 60 * time.Microsecond
)

// add adds the sleeps of a run, each requested to take interval, and the times when threads began
// to wait. Both are in time order.
func (c *coreWaits) add(interval time.Duration, sleeps []span, waits []time.Duration) {
	for _, s := range sleeps {
		by := s.to - s.from - interval
		next, _ := slices.BinarySearch(waits, s.to+1)
		atWait := next > 0 && s.to-waits[next-1] < justBegun
		if by < lateFrom {
			c.prompt = append(c.prompt, by)
			if atWait {
				c.promptAtWait++
			}
			continue
		}
		c.late = append(c.late, by)
		if atWait {
			c.lateAtWait++
		}
	}
}

// quantile returns the p-quantile of times, 0 if there are none. It sorts times.
func quantile(times []time.Duration, p float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[min(len(times)-1, int(p*float64(len(times))))]
}

// waitsForCores returns a copy of d with sleeps that end as these did: late ones wait for a core,
// at most for their 90 % quantile.
func (c *coreWaits) waitsForCores(d device.Device) device.Device {
	d.Name = "no-core"
	s := &d.Sampling
	s.Overshoot, s.OvershootSpread, s.Overshoots = quantile(c.prompt, 0.5), 0, sampler.Quantiles(nil)
	s.NoCore, s.NoCoreMax = float64(len(c.late))/float64(len(c.late)+len(c.prompt)), quantile(c.late, 0.9)
	return d
}

// printCores prints how the sleeps of runs without a free core for the sampling thread ended, and
// the share of calls that ART reports. Next to it are two predictions of that share: one in which
// waits for a core are independent of the program, as in the device of the run's file, and one in
// which the thread waits until a core is free.
func (a artifice) printCores(out io.Writer, dir string, runs []measuredRun, seeds int) error {
	table := cli.Table{Columns: []string{"interval", "sleeps", "late", "as a wait begins", "of the others", "late by", "at most, 90 %", "calls, ART", "independent", "no-core"}, Right: []bool{true, true, true, true, true, true, true, true, true, true}}
	all := withCores{inside: [2][]int{make([]int, len(coresMeasures)), make([]int, len(coresMeasures))}}
	for len(runs) > 0 {
		n := sameKind(runs)
		interval := runs[0].Interval
		var c coreWaits
		for _, run := range runs[:n] {
			f := run.artFiles(dir)
			sleeps, err := readSleeps(f.sleeps)
			if err != nil {
				return err
			}
			waits, err := waitBegins(f.real)
			if err != nil {
				return err
			}
			c.add(interval, sleeps, waits)
		}
		row := []string{
			interval.String(), strconv.Itoa(len(c.prompt) + len(c.late)), fmt.Sprintf("%.0f%%", percent(len(c.late), len(c.prompt)+len(c.late))),
			fmt.Sprintf("%.0f%%", percent(c.lateAtWait, len(c.late))), fmt.Sprintf("%.0f%%", percent(c.promptAtWait, len(c.prompt))),
			milliseconds(quantile(c.late, 0.5)) + "ms", milliseconds(quantile(c.late, 0.9)) + "ms",
		}
		calls, err := a.predictCores(dir, runs[:n], &c, seeds, &all)
		if err != nil {
			return err
		}
		for _, share := range calls {
			row = append(row, fmt.Sprintf("%.2f%%", 100*share))
		}
		table.Add(row...)
		runs = runs[n:]
	}
	fmt.Fprintln(out)
	err := table.WriteText(out)
	fmt.Fprintf(out, "\n%s", &all)
	return err
}

// coresMeasures are the artMeasures predicted for runs without a free core: a device that waits for
// a core does not model the slowdown of a thread that never sleeps.
var coresMeasures = artMeasures[:4]

// withCores counts, by measure, the runs inside the predictions without and with waits for a core.
type withCores struct {
	inside [2][]int
	runs   int
}

// predictCores predicts runs of one interval and counts those that are inside. It returns means of
// reported over true calls: in ART's files, and predicted without and with waits for a core.
func (a artifice) predictCores(dir string, runs []measuredRun, c *coreWaits, seeds int, count *withCores) (calls [3]float64, err error) {
	count.runs += len(runs)
	for _, run := range runs {
		f := run.artFiles(dir)
		measured, err := a.score(f)
		if err != nil {
			return calls, err
		}
		measured["period_s"] = run.Period.Seconds()
		calls[0] += measured[callsKey] / float64(len(runs))
		if err := a.calibrate(f, run.Interval); err != nil {
			return calls, err
		}
		d, err := device.Open(f.device)
		if err != nil {
			return calls, err
		}
		waits := filepath.Join(dir, "no-core.yaml")
		if err := writeDevice(waits, c.waitsForCores(d)); err != nil {
			return calls, err
		}
		all, err := a.bench(f.truth, run.Interval, []string{f.device, waits}, seeds)
		if err != nil {
			return calls, err
		}
		for i, predicted := range all {
			calls[1+i] += stat.Mean(predicted.of(measure{key: callsKey, by: 1}), nil) / float64(len(runs))
			for k, m := range coresMeasures {
				verdict(middle95(predicted.of(m)).has(measured[m.key]*m.by), &count.inside[i][k])
			}
		}
	}
	return calls, nil
}

// String returns the counts: "independent: period 12 of 12; ...".
func (w *withCores) String() (text string) {
	for i, name := range []string{"independent", "no-core"} {
		text += name + ": " + byMeasure(coresMeasures, w.inside[i], w.runs) + " inside\n"
	}
	return text
}

// waitBegins returns when threads of a log begin to sleep.
func waitBegins(name string) (all []time.Duration, err error) {
	threads, rec, err := byThread(name)
	for _, events := range threads {
		for _, e := range events {
			if e.Action == trace.Enter && naps(rec.Symbols.Method(e.Method).Name) {
				all = append(all, e.Wall)
			}
		}
	}
	slices.Sort(all)
	return all, err
}
