// Command reality samples a real program with a known truth, predicts the result of sampling by
// artifice, and prints both:
//
//	go run ./reality
//
// The sampled program is this one. Four goroutines, one of them always running, take turns to call
// forty methods at random, and log the entry and exit of each. Another goroutine repeatedly sleeps,
// stops the world and walks all stacks, like ART's sampler, every 1, 2, 5 and 10 ms, in several
// runs each. It calls runtime.Stack, which stops the world from the first stack to the last, as
// ART's SuspendAll does. runtime.GoroutineProfile does not: since Go 1.19 it stops the world twice
// for an instant, and the app runs in between.
//
// Each run writes its samples as JSON lines, with the duration of each pause, and its truth without
// the pauses as text. "artifice calibrate" derives a device from the samples, "artifice score"
// computes their accuracy, and "artifice bench" predicts the same measures from the device and the
// truth. The measured slowdown is the length of the run divided by its length without the pauses of
// the working goroutine, which end when it is on a core again.
//
// A line is inside if the measured value is in the middle 95 % of the values of emulated samplers;
// one in twenty should be outside. The device derived from a run's own samples contains their
// delays and pauses, hence the mean slowdown, but not their stacks. The devices of the other runs
// at the interval are independent of the run, and the prediction includes the variance between them
// (see predictFromOthers).
//
// Other load on the machine makes the measurements of one run invalid for the next. To record while
// the machine is idle and predict later:
//
//	sudo chrt --rr 1 go run ./reality -o runs -seeds 0
//	go run ./reality -from runs
//
// With -profilers perf,go,jfr,v8 it compares real profilers of four languages with artifice's
// predictions from the run's own log (package research/reality/profilers):
//
//	go run ./reality -profilers perf,go,jfr,v8 -priority
//
// With -waiting it runs four programs that wait: one sleeps, one draws frames by an absolute
// ticker, two threads form a pipeline, three queue for a lock (package research/reality/waiting):
//
//	go build -o reality ./reality && sudo chrt --rr 1 ./reality -waiting
//
// With chrt -f that run does not end: Go threads that wait for each other occupy both cores.
//
// With -art the program runs on Debian's unmodified ART 11, and the tracer is ART's own: see
// art.go.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"artifice/internal/cli"
	"artifice/research/internal/art11"
	"artifice/research/reality/profilers"
	"artifice/research/reality/waiting"
)

// plan is the configuration.
type plan struct {
	intervals []time.Duration
	runs      int
	length    time.Duration
	seeds     int    // 0: record without predictions
	dir       string // where runs are stored; "": nowhere
	from      string // where stored runs are read; "": they are recorded
	art       bool   // on ART
}

// profiled runs real profilers and prints the comparison with their predictions, or the verdicts of
// package expect.
func profiled(c profilers.Config, verdicts bool) error {
	c.Log = os.Stderr
	if verdicts {
		list, err := profilers.Verdicts(c)
		if err != nil {
			return err
		}
		return profilers.VerdictTable(list).WriteText(os.Stdout)
	}
	rows, err := profilers.Run(c)
	if err != nil {
		return err
	}
	return profilers.Table(rows).WriteText(os.Stdout)
}

func main() {
	p := plan{}
	list := flag.String("intervals", "1ms,2ms,5ms,10ms", "sampling intervals")
	flag.IntVar(&p.runs, "runs", 5, "number of runs at each interval; 3 or more")
	flag.DurationVar(&p.length, "duration", 6*time.Second, "length of a run")
	flag.IntVar(&p.seeds, "seeds", 100, "number of emulated samplers for each device; 0, with -o: record without predictions")
	flag.StringVar(&p.dir, "o", "", "keep samples, truths and devices in this folder")
	flag.StringVar(&p.from, "from", "", "predict the runs that -o wrote to this folder")
	flag.BoolVar(&p.art, "art", false, "sample a program on Debian's ART 11 with ART's own sampler")
	names := flag.String("profilers", "", "compare these real profilers with their predictions: "+strings.Join(profilers.Names(), ","))
	threads := flag.Int("threads", 2, "with -profilers, number of threads of the program; best one per core")
	waits := flag.Bool("waiting", false, "trace four programs that wait, and compare with the predictions")
	priority := flag.Bool("priority", false, "with -profilers, run the program with real-time priority (root)")
	verdicts := flag.Bool("expect", false, "with -profilers, test the profiles like artifice expect")
	flag.Parse()
	if *waits {
		table, err := waiting.Run(waiting.Config{Runs: p.runs, Log: os.Stderr})
		if err != nil {
			fmt.Fprintln(os.Stderr, "reality:", err)
			os.Exit(1)
		}
		_ = table.WriteText(os.Stdout)
		return
	}
	if *names != "" {
		c := profilers.Config{Names: strings.Split(*names, ","), Runs: 20, Seconds: p.length.Seconds(), Threads: *threads, Priority: *priority, Dir: cmp.Or(p.from, p.dir), Keep: p.from != ""}
		flag.Visit(func(f *flag.Flag) {
			if f.Name == "runs" {
				c.Runs = p.runs
			}
		})
		if err := profiled(c, *verdicts); err != nil {
			fmt.Fprintln(os.Stderr, "reality:", err)
			os.Exit(1)
		}
		return
	}
	if err := p.parse(*list); err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: reality [-art | -profilers perf,go] [-intervals 1ms,2ms] [-runs N] [-duration 6s] [-seeds N] [-o FOLDER | -from FOLDER]", err)
		os.Exit(2)
	}
	err := p.run(os.Stdout)
	if errors.Is(err, art11.ErrMissing) {
		fmt.Fprintln(os.Stderr, "reality: skipped:", err)
		return
	}
	if err != nil {
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
			return fmt.Errorf("interval %s: must be from 100us to a hundredth of the duration", interval)
		}
		p.intervals = append(p.intervals, interval)
	}
	switch {
	case p.runs < 3 || p.length > time.Minute:
		return errors.New("-runs must be at least 3, and -duration at most 1m")
	case p.seeds < 40 && (p.seeds != 0 || p.dir == ""):
		return errors.New("-seeds must be at least 40, or 0 with -o")
	case p.dir != "" && p.from != "":
		return errors.New("-o and -from cannot be used together")
	}
	return nil
}

func (p *plan) run(out io.Writer) error {
	temporary, err := os.MkdirTemp("", "reality")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	dir := cmp.Or(p.from, p.dir, temporary)
	if p.from == "" {
		recordAll := p.recordAll
		if p.art {
			recordAll = p.recordART
		}
		if err := recordAll(dir); err != nil || p.seeds == 0 {
			return err
		}
	}
	program, err := build(temporary)
	if err != nil {
		return err
	}
	all, err := readRuns(dir)
	if err != nil {
		return err
	}
	if p.art {
		return program.reportART(out, dir, all, p.seeds)
	}
	rows, err := program.compareAll(all, func(m measuredRun) files { return m.files(dir) }, measures, p.seeds)
	if err != nil {
		return err
	}
	if err := print(out, rows); err != nil {
		return err
	}
	var elsewhere []float64
	for _, r := range rows {
		elsewhere = append(elsewhere, 100*r.run.Elsewhere)
	}
	_, err = fmt.Fprintf(out, "outside of pauses, the working goroutine waited for a core for %.1f to %.1f %% of a run\n",
		slices.Min(elsewhere), slices.Max(elsewhere))
	return err
}

// compareAll compares the runs of each interval.
func (a artifice) compareAll(all []measuredRun, where func(measuredRun) files, measures []measure, seeds int) (rows []row, err error) {
	for len(all) > 0 {
		n := sameKind(all)
		some, err := a.compare(all[:n], where, measures, seeds)
		if err != nil {
			return nil, err
		}
		rows, all = append(rows, some...), all[n:]
	}
	return rows, nil
}

// recordAll records all runs into dir, alternating the intervals.
func (p *plan) recordAll(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var all []measuredRun
	for run := range p.runs {
		for i, interval := range p.intervals {
			r, err := record(interval, p.length, uint64(run*len(p.intervals)+i))
			if err != nil {
				return err
			}
			m := measuredRun{Interval: interval, Run: run + 1, Elsewhere: r.elsewhere()}
			if m.Slowdown, err = save(m.files(dir), r); err != nil {
				return err
			}
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b measuredRun) int { return cmp.Compare(a.Interval, b.Interval) })
	return writeRuns(dir, all)
}

// print prints the rows and the number of those inside.
func print(w io.Writer, rows []row) error {
	table := cli.Table{
		Columns: []string{"interval", "run", "measure", "measured", "predicted", "95 % of it", "inside", "by the other runs", "inside"},
		Right:   []bool{true, true, false, true, true, true, false, true},
	}
	var own, others int
	for _, r := range rows {
		number := func(x float64) string { return fmt.Sprintf("%.*f", r.measure.digits, x) }
		between := func(p prediction) string { return number(p.low) + " to " + number(p.high) }
		table.Add(r.run.Interval.String(), fmt.Sprint(r.run.Run), r.measure.name, number(r.measured), number(r.own.mean),
			between(r.own), verdict(r.own.has(r.measured), &own), between(r.others), verdict(r.others.has(r.measured), &others))
	}
	if err := table.WriteText(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d inside (%.0f %%); by the devices of the other runs, %d (%.0f %%)\n",
		own, len(rows), percent(own, len(rows)), others, percent(others, len(rows)))
	return err
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(of) }

// verdict returns whether a value is inside, as text, and counts those that are.
func verdict(inside bool, count *int) string {
	if !inside {
		return "no"
	}
	*count++
	return "yes"
}
