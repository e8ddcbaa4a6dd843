package waiting

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"artifice/internal/cli"
	"artifice/trace"
)

// burned is the cost of each enter and leave in an instrumented run.
const burned = 40 * time.Microsecond

// ways lists the tracing methods.
var ways = []string{"sampled", "instrumented"}

// trial is a traced run between two untraced runs, plus a second traced run.
type trial struct {
	program       *program
	way           string
	before, after []*thread
	traced, again []*thread
	samples       []span // of traced
}

// Config is the configuration.
type Config struct {
	Runs int       // of each program and tracing method
	Log  io.Writer // of progress
}

// Run runs all programs with all tracing methods, and returns a table of measured and predicted
// values. It includes every run.
func Run(c Config) (*cli.Table, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8)) // a sleeping thread must not block running ones
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	leave := park()
	defer leave()
	setSpeed()
	costs, err := calibrate()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.Log, "a stop takes %v longer than its sample (%v to %v), an event of an instrumented run %v (%v to %v)\n",
		costs.longer[middle], costs.longer[0], costs.longer[2*middle], costs.event[middle], costs.event[0], costs.event[2*middle])
	var trials []trial
	for i := range c.Runs {
		for k := range programs {
			for _, way := range ways {
				trials = append(trials, try(&programs[k], way, uint64(i+1)))
			}
		}
		fmt.Fprintf(c.Log, "%d of %d\n", i+1, c.Runs)
	}
	return compare(trials, costs)
}

// costs are tracing costs, measured on a thread that does nothing else in stretches of 0.1 s:
// quantiles at equal steps.
type costs struct {
	longer [2*middle + 1]time.Duration // excess of a stop over its sample
	event  [2*middle + 1]time.Duration // of each enter and leave that burns
}

// middle is the index of the median.
const middle = 5

// calibrate measures costs, 0.1 s at a time: the kernel takes a core from a thread with real-time
// priority that is busy for a second.
func calibrate() (c costs, err error) {
	var longer, event []time.Duration
	for range 40 {
		start := time.Now()
		s := startSampling(start)
		seen := gaps(start, 100*time.Millisecond)
		s.stop()
		if own := beyond(seen, s.spans[:max(0, len(s.spans)-1)]); len(own) > 0 {
			slices.Sort(own)
			longer = append(longer, own[len(own)/2])
		}
		time.Sleep(100 * time.Millisecond)
		event = append(event, eventCost())
		time.Sleep(100 * time.Millisecond)
	}
	if len(longer) < 20 {
		return c, fmt.Errorf("the sampler took samples in %d of 40 stretches of 0.1 s", len(longer))
	}
	slices.Sort(longer)
	slices.Sort(event)
	for i := range c.longer {
		c.longer[i], c.event[i] = longer[i*(len(longer)-1)/(2*middle)], event[i*(len(event)-1)/(2*middle)]
	}
	return c, nil
}

// eventCost returns the additional time of a thread for an enter or leave that burns.
func eventCost() time.Duration {
	const events = 1000
	var took [2]time.Duration
	for i, burn := range []time.Duration{0, burned} {
		t := &thread{start: time.Now(), burn: burn, log: make([]trace.Event, 0, events)}
		for range events {
			t.mark(work, trace.Enter)
		}
		took[i] = time.Since(t.start)
	}
	return (took[1] - took[0]) / events
}

// try runs a program untraced, traced, untraced and traced.
func try(p *program, way string, seed uint64) trial {
	t := trial{program: p, way: way, before: p.alone(seed)}
	t.traced, t.samples = p.traced(way, seed)
	t.after = p.alone(seed)
	t.again, _ = p.traced(way, seed)
	return t
}

// rest is the idle time before a run, so that no run affects the core time of the next: see
// calibrate.
const rest = time.Second

// alone runs a program untraced.
func (p *program) alone(seed uint64) []*thread {
	runtime.GC() // while the program is not running
	time.Sleep(rest)
	return p.run(seed, p.rounds, 0)
}

// traced runs a program traced.
func (p *program) traced(way string, seed uint64) (threads []*thread, samples []span) {
	runtime.GC()
	time.Sleep(rest)
	if way != "sampled" {
		return p.run(seed, p.rounds, burned), nil
	}
	s := startSampling(time.Now())
	threads = p.run(seed, p.rounds, 0)
	s.stop()
	return threads, s.spans
}

// predictions returns the predictions of a trial.
func (t *trial) predictions(c *costs, oneClock bool) (list []values, err error) {
	if t.way == "sampled" {
		return sampled(t.before, t.samples, c.longer[:], oneClock)
	}
	for _, event := range c.event {
		v, err := instrumented(t.before, event, oneClock)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// quantity is one of the values.
type quantity struct {
	name  string
	of    func(values) float64
	ratio bool // relative to the same of the untraced run
}

// scale returns the error of a prediction caused by a unit error in the untraced run.
func (q quantity) scale(predicted float64) float64 {
	if q.ratio {
		return predicted
	}
	return 1
}

var quantities = []quantity{
	{"slowdown", func(v values) float64 { return v.slowdown }, true},
	{"waiting", func(v values) float64 { return v.waiting }, true},
	{"frames late", func(v values) float64 { return v.late }, false},
}

// outcome summarizes the trials of one program, tracing method and quantity.
type outcome struct {
	trials                 int
	measured               float64 // mean
	predicted, oneClock    float64
	half                   float64 // mean of the half-width of the interval
	inside, oneClockInside int
}

// compare compares all trials with their predictions.
func compare(trials []trial, costs costs) (*cli.Table, error) {
	table := &cli.Table{Columns: []string{"program", "traced", "measure", "measured", "predicted", "±", "inside", "one clock", "inside"}, Right: []bool{false, false, false, true, true, true, true, true, true}}
	sums := map[string][3]int{}
	for k := range programs {
		for _, way := range ways {
			for _, q := range quantities {
				o, err := q.outcome(trials, &programs[k], way, &costs)
				if err != nil {
					return nil, err
				}
				if math.IsNaN(o.measured) {
					continue
				}
				table.Add(programs[k].name, way, q.name, number(o.measured), number(o.predicted), number(o.half), of(o.inside, o.trials), number(o.oneClock), of(o.oneClockInside, o.trials))
				for _, key := range []string{way + "|" + q.name, "all|"} {
					s := sums[key]
					sums[key] = [3]int{s[0] + o.trials, s[1] + o.inside, s[2] + o.oneClockInside}
				}
			}
		}
	}
	for _, way := range ways {
		for _, q := range quantities {
			s := sums[way+"|"+q.name]
			table.Add("all", way, q.name, "", "", "", of(s[1], s[0]), "", of(s[2], s[0]))
		}
	}
	s := sums["all|"]
	table.Add("all", "", "", "", "", "", of(s[1], s[0]), "", of(s[2], s[0]))
	return table, nil
}

func number(v float64) string { return fmt.Sprintf("%.5f", v) }

func of(n, all int) string { return fmt.Sprintf("%d of %d", n, all) }

// spread is the standard deviation of a value, and the number of differences it is estimated from.
type spread struct {
	sd float64
	n  int
}

// spreadOf returns the standard deviation of single runs, estimated from the differences of pairs.
func (q quantity) spreadOf(trials []trial, a, b func(*trial) []*thread) spread {
	squares := 0.
	for i := range trials {
		t := &trials[i]
		untraced := measured(t.before)
		d := q.of(measured(a(t)).relativeTo(untraced)) - q.of(measured(b(t)).relativeTo(untraced))
		squares += d * d / 2
	}
	return spread{math.Sqrt(squares / float64(len(trials))), len(trials)}
}

// half returns the half-width of the 95 % interval of a normally distributed value, by Student's t.
func (s spread) half() float64 {
	t := []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	return t[min(s.n, len(t))-1] * s.sd
}

// own returns the trials of a program, and those of them with one tracing method.
func own(trials []trial, p *program, way string) (of, traced []trial) {
	for _, t := range trials {
		if t.program != p {
			continue
		}
		if of = append(of, t); t.way == way {
			traced = append(traced, t)
		}
	}
	return of, traced
}

// outcome compares a program's trials of one tracing method with their predictions (see the
// package's comment).
func (q quantity) outcome(trials []trial, p *program, way string, c *costs) (o outcome, err error) {
	all, trials := own(trials, p, way)
	untraced := q.spreadOf(all, func(t *trial) []*thread { return t.before }, func(t *trial) []*thread { return t.after })
	traced := q.spreadOf(trials, func(t *trial) []*thread { return t.traced }, func(t *trial) []*thread { return t.again })
	for i := range trials {
		t := &trials[i]
		got := q.of(measured(t.traced).relativeTo(measured(t.before)))
		o.trials++
		o.measured += got / float64(len(trials))
		for _, oneClock := range []bool{false, true} {
			list, err := t.predictions(c, oneClock)
			if err != nil {
				return o, err
			}
			mean, sd := moments(list, q)
			half := math.Hypot(max(2*sd, traced.half()), q.scale(mean)*untraced.half())
			inside := 0
			if math.Abs(got-mean) <= half {
				inside = 1
			}
			if oneClock {
				o.oneClock, o.oneClockInside = o.oneClock+mean/float64(len(trials)), o.oneClockInside+inside
				continue
			}
			o.predicted, o.half, o.inside = o.predicted+mean/float64(len(trials)), o.half+half/float64(len(trials)), o.inside+inside
		}
	}
	return o, nil
}

// moments returns the mean and the standard deviation of predictions.
func moments(list []values, q quantity) (mean, sd float64) {
	for _, v := range list {
		mean += q.of(v) / float64(len(list))
	}
	for _, v := range list {
		d := q.of(v) - mean
		sd += d * d / float64(len(list))
	}
	return mean, math.Sqrt(sd)
}
