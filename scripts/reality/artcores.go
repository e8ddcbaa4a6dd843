package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"artifice/device"
	"artifice/internal/cli"
	"artifice/sampler/ticks"
	"artifice/trace"
)

// coreWaits is how the sampling thread's sleeps ended on cores that are short.
type coreWaits struct {
	prompt, late []time.Duration // by how much they ended too late
	promptAtWait int             // prompt ones at whose end a thread of the program had just begun to sleep
	lateAtWait   int             // and late ones
}

// A sleep is late from lateFrom on: with a core of its own the thread comes within 40 us. A thread has just begun to wait for justBegun.
const (
	lateFrom  = 100 * time.Microsecond
	justBegun = 60 * time.Microsecond
)

// add adds the sleeps of a run, each of which was to take an interval, and when threads began to wait. Both are in order of time.
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

// quantile returns the p-quantile of times, 0 of none. It sorts them.
func quantile(times []time.Duration, p float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[min(len(times)-1, int(p*float64(len(times))))]
}

// waitsForCores returns a device that is like d, but whose sleeps end as these did: those that are late wait for a core, for as
// long at the most as nine of ten of them.
func (c *coreWaits) waitsForCores(d device.Device) device.Device {
	d.Name = "no-core"
	s := &d.Sampling
	s.Overshoot, s.OvershootSpread, s.Overshoots = quantile(c.prompt, 0.5), 0, ticks.Quantiles(nil)
	s.NoCore, s.NoCoreMost = float64(len(c.late))/float64(len(c.late)+len(c.prompt)), quantile(c.late, 0.9)
	return d
}

// printCores prints how the sleeps of runs without a core for the sampling thread ended, and what
// share of the calls ART reports, beside what is predicted if that is as the device of the run's file says, whatever the
// program does, and if the thread waits for a core.
func (a artifice) printCores(out io.Writer, dir string, runs []measuredRun, seeds int) error {
	table := cli.Table{Columns: []string{"interval", "sleeps", "late", "as a wait begins", "of the others", "late by", "at most, 90 %", "calls, ART", "independent", "no-core"}, Right: []bool{true, true, true, true, true, true, true, true, true, true}}
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
		calls, err := a.callsWithCores(dir, runs[:n], &c, seeds)
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
	return table.WriteText(out)
}

// callsWithCores returns reported over true calls of ART's files, and as predicted without and with waits for a core: means.
func (a artifice) callsWithCores(dir string, runs []measuredRun, c *coreWaits, seeds int) (means [3]float64, err error) {
	const key = "reported_calls_per_true"
	for _, run := range runs {
		f := run.artFiles(dir)
		measured, err := a.score(f)
		if err != nil {
			return means, err
		}
		means[0] += measured[key] / float64(len(runs))
		if err := a.calibrate(f, run.Interval); err != nil {
			return means, err
		}
		d, err := device.Open(f.device)
		if err != nil {
			return means, err
		}
		waits := filepath.Join(dir, "no-core.yaml")
		if err := writeDevice(waits, c.waitsForCores(d)); err != nil {
			return means, err
		}
		all, err := a.bench(f.truth, run.Interval, []string{f.device, waits}, max(1, seeds/len(runs)))
		if err != nil {
			return means, err
		}
		for i := range all {
			for _, s := range all[i] {
				means[1+i] += s[key] / float64(len(all[i])*len(runs))
			}
		}
	}
	return means, nil
}

// readSleeps reads what writeSleeps has written.
func readSleeps(name string) (all []span, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var s span
		if _, err := fmt.Sscan(lines.Text(), &s.from, &s.to); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, s)
	}
	return all, lines.Err()
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
