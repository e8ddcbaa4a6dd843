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

// With -art, ART's own tracer traces a program that writes down when it enters and leaves its
// methods (package art11, Program), in real time. What is predicted of a run is as without -art:
// "artifice calibrate" makes a device of ART's file, "artifice bench" emulates ART on the
// log, from which the sampling thread's pauses are cut out, and what it predicts is held
// against what ART wrote. Measured are the period, by the sampling thread's own sleeps, and
// the slowdown, by what lies between them and what a thread that computes loses beyond
// (resume.go). A trace shows that only as a part of what sleeps are too long by, so what is
// predicted goes from a device where it is nothing of it to one where it is all. Besides, the intervals of "artifice report" on
// ART's file are held against the log, and an instrumented trace against both.
//
// In one kind of run the sampling thread has a core of its own and the program another. In the
// other, three threads compute on two cores, and the sampling thread needs one as well: it
// comes when one of them blocks, which no device of "artifice calibrate" says: the
// intervals of report are looked at, and whether a device says it (no-core) that is made of the thread's own sleeps (artcores.go).

// artMeasures are what is predicted of runs on ART.
var artMeasures = []measure{
	{"period_s", "period, ms", 1000, 4, math.Inf(1)},
	{callsKey, "reported/true calls, %", 100, 2, math.Inf(1)},
	{"methods_seen", "methods seen, %", 100, 1, 100},
	{"cpu_correct", "CPU correct, %", 100, 2, 100},
	{"slowdown", "slowdown", 1, 4, math.Inf(1)},
}

// recordART records all runs, the intervals in turns, into dir, and an instrumented one.
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

// saveART writes ART's file, the log with and without the pauses, and what the file has of the
// methods in the log, and fills in what the sampling thread's sleeps tell.
func (m *measuredRun) saveART(dir string, ran *art11.Ran) error {
	if len(ran.Sleeps) < 2 {
		return fmt.Errorf("%d sleeps of the sampling thread, too few to tell its period", len(ran.Sleeps))
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

// instrumentedFiles are ART's file of the instrumented run, what it has of the methods in the
// log, and the log.
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
