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
)

// burned is what each enter and leave takes of an instrumented run.
const burned = 40 * time.Microsecond

// ways are those of tracing.
var ways = []string{"sampled", "instrumented"}

// trial is one run that was traced, between two that were not.
type trial struct {
	program       *program
	way           string
	before, after []*thread
	traced        []*thread
	samples       []span
}

// Config says what to run.
type Config struct {
	Runs int       // of each program and way
	Log  io.Writer // of how far it is
}

// Run runs all programs in all ways, and returns a table of what was measured and predicted.
func Run(c Config) (*cli.Table, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8)) // a thread that sleeps keeps none from those that run
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	leave := park()
	defer leave()
	setSpeed()
	longer, err := calibrate()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.Log, "a stop takes %v longer than its sample\n", longer)
	var trials []trial
	excluded := 0
	for i := range c.Runs {
		for k := range programs {
			for _, way := range ways {
				t, again, err := steady(&programs[k], way, uint64(i+1))
				if err != nil {
					return nil, err
				}
				trials, excluded = append(trials, t), excluded+again
			}
		}
		fmt.Fprintf(c.Log, "%d of %d, %d excluded\n", i+1, c.Runs, excluded)
	}
	return compare(trials, longer)
}

// calibrate returns how much longer a stop is than its sample knows, a tenth of a second at a time: the kernel takes a core from a
// thread with real-time priority that is busy for a second.
func calibrate() (time.Duration, error) {
	var longer []time.Duration
	for range 40 {
		start := time.Now()
		s := startSampling(start)
		seen := gaps(start, 100*time.Millisecond)
		s.stop()
		longer = append(longer, beyond(seen, s.spans[:max(0, len(s.spans)-1)])...)
		time.Sleep(100 * time.Millisecond)
	}
	if len(longer) < 65 {
		return 0, fmt.Errorf("the sampler took %d samples in 4 s", len(longer))
	}
	slices.Sort(longer)
	return longer[len(longer)/2], nil
}

// unsteady is by how much the lengths of both untraced runs may differ, as a share: beyond that the machine did something else, too. What is
// excluded so is not looked at.
const unsteady = 0.005

// steady tries until both untraced runs take as long, and returns how often it did not.
func steady(p *program, way string, seed uint64) (t trial, again int, err error) {
	for again = range 20 {
		runtime.GC() // while nothing runs
		t = try(p, way, seed)
		if d := ends(t.after).Seconds()/ends(t.before).Seconds() - 1; math.Abs(d) <= unsteady {
			return t, again, nil
		}
	}
	return t, again, fmt.Errorf("%s: untraced runs with the same work differ by more than %.1f %%, 20 times: something else wants the cores; start it with real-time priority", p.name, 100*unsteady)
}

// try runs a program untraced, traced and untraced.
func try(p *program, way string, seed uint64) trial {
	t := trial{program: p, way: way, before: p.run(seed, p.rounds, 0)}
	if way == "sampled" {
		s := startSampling(time.Now())
		t.traced = p.run(seed, p.rounds, 0)
		s.stop()
		t.samples = s.spans
	} else {
		t.traced = p.run(seed, p.rounds, burned)
	}
	t.after = p.run(seed, p.rounds, 0)
	return t
}

// predictions are those of a trial, by both clocks.
func (t *trial) predictions(longer time.Duration, oneClock bool) ([]values, error) {
	if t.way == "sampled" {
		c, every := cost(t.samples, longer)
		return sampled(t.before, c, every, oneClock)
	}
	v, err := instrumented(t.before, burned, oneClock)
	return []values{v}, err
}

// quantity is one of the values.
type quantity struct {
	name string
	of   func(values) float64
}

var quantities = []quantity{
	{"slowdown", func(v values) float64 { return v.slowdown }},
	{"waiting", func(v values) float64 { return v.waiting }},
	{"frames late", func(v values) float64 { return v.late }},
}

// outcome sums up the trials of one program, way and quantity.
type outcome struct {
	trials                 int
	measured               float64 // the mean
	predicted, oneClock    float64
	half                   float64 // of the interval, the mean
	inside, oneClockInside int
}

// compare holds all trials against their predictions.
func compare(trials []trial, longer time.Duration) (*cli.Table, error) {
	table := &cli.Table{Columns: []string{"program", "traced", "measure", "measured", "predicted", "±", "inside", "one clock", "inside"}, Right: []bool{false, false, false, true, true, true, true, true, true}}
	sums := map[string][3]int{}
	for k := range programs {
		for _, way := range ways {
			var own []trial
			for _, t := range trials {
				if t.program == &programs[k] && t.way == way {
					own = append(own, t)
				}
			}
			for _, q := range quantities {
				o, err := q.outcome(own, noise(trials, &programs[k], q), longer)
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

// noise is the standard deviation of the difference between two untraced runs of a program with the same random numbers.
func noise(trials []trial, p *program, q quantity) float64 {
	n, squares := 0., 0.
	for _, t := range trials {
		if t.program == p {
			d := q.of(measured(t.after).beside(measured(t.before))) - q.of(measured(t.before).beside(measured(t.before)))
			n, squares = n+1, squares+d*d
		}
	}
	return math.Sqrt(squares / n)
}

// outcome holds trials against their predictions: the measured value is to lie within two standard deviations of the mean, by the spread of
// samplers and by that of runs.
func (q quantity) outcome(trials []trial, noise float64, longer time.Duration) (o outcome, err error) {
	for i := range trials {
		t := &trials[i]
		got := q.of(measured(t.traced).beside(measured(t.before)))
		o.trials++
		o.measured += got / float64(len(trials))
		for _, oneClock := range []bool{false, true} {
			list, err := t.predictions(longer, oneClock)
			if err != nil {
				return o, err
			}
			mean, sd := moments(list, q)
			half := 2 * math.Hypot(sd, noise)
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

// moments are the mean and the standard deviation of predictions.
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
