// Command reality samples a real program whose work is known, lets artifice predict what
// the samples show, and prints both:
//
//	go run ./scripts/reality
//
// The program is this one. Four goroutines, one of them always busy, call forty methods
// at random and write down when they enter and leave each. Meanwhile another goroutine
// sleeps, stops the world, walks all stacks (runtime.GoroutineProfile), and so on, as
// ART's sampler does: every 1, 2, 5 and 10 ms, several runs each.
//
// Each run leaves its samples as JSON lines, with how long the program stood still for
// each, and its truth, from which these stops are cut out, as text. "artifice calibrate"
// makes a device of the samples, "artifice score" measures what they are worth, and
// "artifice bench" predicts the same measures from device and truth alone. The slowdown
// that was measured is the length of the run over its length without the times in which
// the busy goroutine stood still for a sample.
//
// A line is inside when the measured value lies in the middle 95 % of what emulated
// samplers predict; one in twenty should be outside. The device of a run's own samples
// knows how late they came and how long the stops were, hence the mean slowdown, but not
// what they saw. The devices of the other runs at the interval know nothing of the run;
// where other programs load the machine now more and now less, they predict another
// load. -o keeps the files.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"artifice/internal/cli"
)

// plan is what to run.
type plan struct {
	intervals []time.Duration
	runs      int
	length    time.Duration
	seeds     int
	dir       string
}

func main() {
	p := plan{}
	list := flag.String("intervals", "1ms,2ms,5ms,10ms", "sampling intervals")
	flag.IntVar(&p.runs, "runs", 3, "runs at each interval; 2 or more")
	flag.DurationVar(&p.length, "duration", 6*time.Second, "length of a run")
	flag.IntVar(&p.seeds, "seeds", 100, "emulated samplers for each device")
	flag.StringVar(&p.dir, "o", "", "keep samples, truths and devices in this folder")
	flag.Parse()
	if err := p.parse(*list); err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: reality [-intervals 1ms,2ms] [-runs N] [-duration 6s] [-seeds N] [-o FOLDER]", err)
		os.Exit(2)
	}
	if err := p.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "reality:", err)
		os.Exit(1)
	}
}

// parse reads the list of intervals and checks the plan.
func (p *plan) parse(list string) error {
	for word := range strings.SplitSeq(list, ",") {
		interval, err := time.ParseDuration(word)
		if err != nil {
			return err
		}
		if interval < 100*time.Microsecond || interval > p.length/100 {
			return fmt.Errorf("interval %s: must be at least 100us, and a hundredth of the duration at most", interval)
		}
		p.intervals = append(p.intervals, interval)
	}
	if p.runs < 2 || p.seeds < 40 || p.length > time.Minute {
		return fmt.Errorf("at least 2 runs, 40 seeds, and at most a minute a run")
	}
	return nil
}

func (p *plan) run(out io.Writer) error {
	dir, err := os.MkdirTemp("", "reality")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := build(dir)
	if err != nil {
		return err
	}
	if p.dir != "" {
		if dir = p.dir; os.MkdirAll(dir, 0o777) != nil {
			return os.MkdirAll(dir, 0o777)
		}
	}
	slowdowns, err := p.recordAll(dir)
	if err != nil {
		return err
	}
	var rows []row
	for _, interval := range p.intervals {
		some, err := program.compare(dir, interval, slowdowns[interval], p.seeds)
		if err != nil {
			return err
		}
		rows = append(rows, some...)
	}
	return print(out, rows)
}

// recordAll records all runs, the intervals in turns, and returns their slowdowns.
func (p *plan) recordAll(dir string) (map[time.Duration][]float64, error) {
	slowdowns := map[time.Duration][]float64{}
	for run := range p.runs {
		for i, interval := range p.intervals {
			r, err := record(interval, p.length, uint64(run*len(p.intervals)+i))
			if err != nil {
				return nil, err
			}
			slowdown, err := save(filesOf(dir, interval, run), r)
			if err != nil {
				return nil, err
			}
			slowdowns[interval] = append(slowdowns[interval], slowdown)
		}
	}
	return slowdowns, nil
}

// print prints the rows and how many are inside.
func print(w io.Writer, rows []row) error {
	table := cli.Table{
		Columns: []string{"interval", "run", "measure", "measured", "predicted", "95 % of it", "inside", "by the other runs", "inside"},
		Right:   []bool{true, true, false, true, true, true, false, true},
	}
	var own, others int
	for _, r := range rows {
		number := func(x float64) string { return fmt.Sprintf("%.*f", r.measure.digits, x) }
		between := func(p prediction) string { return number(p.low) + " to " + number(p.high) }
		table.Add(r.interval.String(), fmt.Sprint(r.run+1), r.measure.name, number(r.measured), number(r.own.mean),
			between(r.own), verdict(r.own.has(r.measured), &own), between(r.others), verdict(r.others.has(r.measured), &others))
	}
	if err := table.WriteText(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d inside; by the devices of the other runs, %d\n", own, len(rows), others)
	return err
}

// verdict says whether a value is inside, and counts those that are.
func verdict(inside bool, count *int) string {
	if !inside {
		return "no"
	}
	*count++
	return "yes"
}
