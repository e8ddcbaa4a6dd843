package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sort"
	"time"

	"gonum.org/v1/gonum/stat"

	"artifice/research/internal/art11"
	"artifice/trace"
	"artifice/tracer/device"
)

// A sample stops a computing thread for longer than the sampling thread works: the latter sleeps
// again while the thread is still on its way back onto its core. The log contains the difference:
// deep calls itself, and leaves its frames with the same work before each of them. The duration of
// such a chain is its median step times the number of steps. The excess of chains with one sample
// is the cost of the sample to the thread; the excess of chains without one, due to other causes,
// is subtracted.

// lost contains the results from chains.
type lost struct {
	sampled []float64 // excess of chains with one sample in ns, minus the time between the two sleeps
	other   []float64 // excess of chains without a sample in ns
}

const (
	chainLength = 13                     // of exits, in art11's program
	settled     = 100 * time.Microsecond // minimum distance from a sample to the next chain
	whole       = 40 * time.Microsecond  // a sample and its after-effects end at least this long before the end of its chain
)

// add adds the chains of a run.
func (l *lost) add(f files) error {
	pauses, err := readPauses(f.sleeps)
	if err != nil {
		return err
	}
	threads, rec, err := byThread(f.real)
	if err != nil {
		return err
	}
	for _, events := range threads {
		var chain []time.Duration
		for _, e := range events {
			if m := rec.Symbols.Method(e.Method); e.Action == trace.Exit && m.Class == art11.ProgramClass && m.Name == "deep" {
				chain = append(chain, e.Wall)
				continue
			}
			l.chain(chain, pauses)
			chain = chain[:0]
		}
	}
	return nil
}

// chain adds the times at which the frames of a chain were left.
func (l *lost) chain(exits []time.Duration, pauses []span) {
	if len(exits) < chainLength {
		return
	}
	first, last := exits[0], exits[len(exits)-1]
	steps := make([]time.Duration, len(exits)-1)
	for i := range steps {
		steps[i] = exits[i+1] - exits[i]
	}
	slices.Sort(steps)
	longer := float64(last - first - time.Duration(len(steps))*steps[len(steps)/2])
	from := sort.Search(len(pauses), func(i int) bool { return pauses[i].from >= first-settled })
	to := sort.Search(len(pauses), func(i int) bool { return pauses[i].from >= last })
	switch {
	case from == to:
		l.other = append(l.other, longer)
	case to-from == 1 && pauses[from].from >= first && pauses[from].to+whole < last:
		l.sampled = append(l.sampled, longer-float64(pauses[from].length()))
	}
}

// mean returns by how much a thread is stopped longer than the sampling thread works, and the
// standard error.
func (l *lost) mean() (longer, deviation time.Duration) {
	sampled, variance := stat.MeanVariance(l.sampled, nil)
	other := stat.Mean(l.other, nil)
	return time.Duration(sampled - other), time.Duration(math.Sqrt(variance / float64(len(l.sampled))))
}

// readPauses returns the times between the sleeps in a file of writeSleeps.
func readPauses(name string) (pauses []span, err error) {
	sleeps, err := readSleeps(name)
	for i := 1; i < len(sleeps); i++ {
		pauses = append(pauses, span{sleeps[i-1].to, sleeps[i].from})
	}
	return pauses, err
}

// withResume prints the loss of threads beyond the sampling thread's work, and returns the runs
// with the resulting slowdown.
func withResume(out io.Writer, runs []measuredRun, where func(measuredRun) files) ([]measuredRun, error) {
	var l lost
	for _, run := range runs {
		if err := l.add(where(run)); err != nil {
			return nil, err
		}
	}
	if len(l.sampled) < 2 || len(l.other) == 0 {
		return nil, fmt.Errorf("%d runs of equal work with a sample and %d without are too few to determine the lost time", len(l.sampled), len(l.other))
	}
	longer, deviation := l.mean()
	runs = slices.Clone(runs)
	for i := range runs {
		r := &runs[i]
		r.Slowdown = 1 / (1/r.Slowdown - longer.Seconds()/r.Period.Seconds())
	}
	_, err := fmt.Fprintf(out, "\na thread that computes stands still for %.1f ± %.1f us more than lies between two sleeps (%d stretches of equal work with a sample, %d without)\n",
		float64(longer)/1e3, float64(deviation)/1e3, len(l.sampled), len(l.other))
	return runs, err
}

// walksLikeART makes a run's device one with the same pause for samples of the log as ART had for
// the program. ART read both clocks, and the log has only one: the cost of reading the other is
// added. ART walked frames that are not in the log, such as those of Thread.sleep; their number is
// assumed to be equal in every sample.
func walksLikeART(f files) error {
	d, err := device.Open(f.device)
	if err != nil {
		return err
	}
	walked, err := meanFrames(f.calibration)
	if err != nil {
		return err
	}
	logged, err := meanFrames(f.real)
	if err != nil {
		return err
	}
	d.Instrumented.CPURead, d.Instrumented.WallRead = 0, 0
	d.Sampling.PerTick += time.Duration(float64(d.Sampling.PerFrame) * max(0, walked-logged))
	return writeDevice(f.device, d)
}

// meanFrames returns the number of frames on all stacks together, averaged over the time from a
// trace's first event to its last.
func meanFrames(name string) (float64, error) {
	threads, _, err := byThread(name)
	if err != nil {
		return 0, err
	}
	first, last := time.Duration(math.MaxInt64), time.Duration(0)
	for _, events := range threads {
		for _, e := range events {
			first, last = min(first, e.Wall), max(last, e.Wall)
		}
	}
	sum := 0.0
	for _, events := range threads {
		for _, e := range events { // a frame extends from its begin to its end, or to the end of the trace
			if left := float64(last - e.Wall); e.Action == trace.Enter {
				sum += left
			} else {
				sum -= left
			}
		}
	}
	return sum / float64(max(1, last-first)), nil
}

// slowest writes the device of a run under the assumption that the whole overshoot of its sleeps
// was the threads' way back onto their cores: a trace contains only the sum of the two.
func slowest(f files) (name string, err error) {
	d, err := device.Open(f.device)
	if err != nil {
		return "", err
	}
	d.Name += "-slowest"
	d.Sampling.Resume = d.Sampling.Overshoot
	name = f.device[:len(f.device)-len(".yaml")] + "-slowest.yaml"
	return name, writeDevice(name, d)
}

func writeDevice(name string, d device.Device) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(d.WriteYAML(file), file.Close())
}
