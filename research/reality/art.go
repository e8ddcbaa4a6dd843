package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"artifice/research/internal/art11"
	"artifice/trace"
)

// With -art, ART's own tracer traces, in real time, a program that logs its method entries and
// exits (package art11, Program). Predictions are made as without -art. "artifice calibrate" makes
// a device of ART's file. "artifice bench" emulates ART on the log without the sampling thread's
// pauses, and its predictions are compared with ART's file. The period is measured from the
// sampling thread's own sleeps. The slowdown is measured from the time between the sleeps, plus the
// further loss of a computing thread (resume.go). A trace contains that further loss only as a part
// of the overshoot of sleeps. Predictions therefore range from a device where it is none of the
// overshoot to one where it is all of it. In addition, the intervals that "artifice report"
// computes from ART's file are compared with the log, and an instrumented trace with both.
//
// There are two kinds of runs. In the first, the sampling thread and the program have a core each.
// In the second, three threads compute on two cores, and the sampling thread waits for one of them
// to block. No device of "artifice calibrate" models that wait. These runs test the intervals of
// report, and whether a device made of the thread's own sleeps (no-core, artcores.go) models it.

// artMeasures are the measures predicted for runs on ART.
var artMeasures = []measure{
	{"period_s", "period, ms", 1000, 4, math.Inf(1)},
	{callsKey, "reported/true calls, %", 100, 2, math.Inf(1)},
	{"methods_seen", "methods seen, %", 100, 1, 100},
	{"cpu_correct", "CPU correct, %", 100, 2, 100},
	{"slowdown", "slowdown", 1, 4, math.Inf(1)},
}

// recordART records all runs into dir, alternating the intervals, and one instrumented run.
func (p *plan) recordART(dir string) error {
	art, err := art11.Open()
	if err != nil {
		return err
	}
	if p.length%time.Second != 0 {
		return errors.New("on ART, a run takes whole seconds")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var all []measuredRun
	for run := range p.runs {
		for i, interval := range p.intervals {
			for _, busy := range []bool{false, true} {
				m := measuredRun{Interval: interval, Run: run + 1, Busy: busy}
				ran, err := art.Run(art11.Program{Interval: interval, Length: p.length, Cores: !busy, Seed: uint16(run*len(p.intervals) + i)})
				if err != nil {
					return fmt.Errorf("sampled at %s: %w", interval, err)
				}
				if err := m.saveART(dir, ran); err != nil {
					return err
				}
				all = append(all, m)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b measuredRun) int {
		if a.Busy != b.Busy {
			return map[bool]int{false: -1, true: 1}[a.Busy]
		}
		return int(a.Interval - b.Interval)
	})
	ran, err := art.Run(art11.Program{Length: p.length, Cores: true})
	if err != nil {
		return fmt.Errorf("instrumented: %w", err)
	}
	if err := saveInstrumented(dir, ran); err != nil {
		return err
	}
	return writeRuns(dir, all)
}

// saveART writes ART's file, the log with and without the pauses, and the part of the file about
// methods in the log. It sets the period from the sampling thread's sleeps.
func (m *measuredRun) saveART(dir string, ran *art11.Ran) error {
	if len(ran.Sleeps) < 2 {
		return fmt.Errorf("%d sleeps of the sampling thread are too few to determine its period", len(ran.Sleeps))
	}
	t, err := readART(ran)
	if err != nil {
		return err
	}
	f := m.artFiles(dir)
	n := len(ran.Sleeps)
	m.Period = (ran.Sleeps[n-1].To - ran.Sleeps[0].To) / time.Duration(n-1)
	pauses := t.pauses(ran.Sleeps)
	awake := t.awake(pauses)
	m.Slowdown = float64(t.elapsed) / float64(awake.Info.Elapsed)
	return errors.Join(
		os.WriteFile(f.calibration, ran.File, 0o666),
		writeSleeps(f.sleeps, ran.Sleeps, t.began),
		writeTruthFile(f.truth, t.truth(pauses)),
		writeTruthFile(f.awake, awake),
		writeTruthFile(f.real, t.truth(nil)),
		writeTruthFile(f.samples, t.logged(trace.Sampled)),
	)
}

// instrumentedFiles returns the names of the instrumented run's files: ART's file, the part of it
// about methods in the log, and the log.
func instrumentedFiles(dir string) (file, logged, real string) {
	name := filepath.Join(dir, "art-instrumented")
	return name + ".trace", name + ".traced.txt", name + ".real.txt"
}

func saveInstrumented(dir string, ran *art11.Ran) error {
	t, err := readART(ran)
	if err != nil {
		return err
	}
	file, logged, real := instrumentedFiles(dir)
	return errors.Join(os.WriteFile(file, ran.File, 0o666), writeTruthFile(logged, t.logged(trace.Instrumented)), writeTruthFile(real, t.truth(nil)))
}
