package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"artifice/internal/cli"
	"artifice/report"
	"artifice/report/diff"
	"artifice/report/estimate"
	"artifice/report/plan"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// change is a change to plan for.
type change struct {
	app, method string
	factor      float64 // of the method's own time in each call
}

// changes are the changes for -plan. The methods use from 35 to 0.2 % of the time of the app.
var changes = []change{
	{"game-loop", "GLES20.glDrawElements", 1.1},
	{"game-loop", "Particles.update", 1.2},
	{"game-loop", "SpriteBatch.draw", 1.3},
	{"game-loop", "AssetLoader.load", 1.5},
	{"game-loop", "GameRenderer.drawScene", 1.5},
	{"scroll-60hz", "BitmapFactory.nativeDecodeStream", 1.2},
	{"scroll-60hz", "StaticLayout.generate", 1.5},
	{"scroll-60hz", "View.draw", 1.4},
	{"w5-zipf-50", "Zipf.method1", 1.08},
	{"w5-zipf-50", "Zipf.method5", 1.2},
	{"w5-zipf-50", "Zipf.method20", 1.4},
	{"cold-start", "LinearLayout.onMeasure", 1.15},
	{"cold-start", "StartPage$render$1.run", 1.3},
}

var (
	planIntervals = []time.Duration{time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond}
	planSides     = []int{3, 5, 10}
)

// planRun is one run of an app: the method's true time, and its sampled data at each of
// planIntervals.
type planRun struct {
	true float64
	seen []seen
}

// seen is a trace's estimate for the method.
type seen struct {
	times  report.MethodTimes
	period time.Duration
}

// pool is a large number of runs.
type pool []planRun

// source is an input of plans: a name, and the plans' traces.
type source struct {
	name   string
	groups [][]*plan.Trace
}

// forecasts measures the accuracy of plans.
func forecasts(w io.Writer, runs, draws int, duration time.Duration, only string) error {
	phone, err := device.Open("A")
	if err != nil {
		return err
	}
	table := &cli.Table{Columns: []string{"app", "method", "change", "interval", "observed", "right n", "from the app", "every call", "1 ms", "five at 1 ms"}, Right: []bool{false, false, true, true, true, true, true, true, true, true}}
	var scores [4]score
	for _, c := range changes {
		if !c.matches(only) {
			continue
		}
		app := workload.Must(workload.ByName(c.app))
		slow, err := app.Slowed(func(m *trace.Method) bool { return c.meant(m) }, c.factor)
		if err != nil {
			return err
		}
		old, sources, err := c.record(app, phone, 1, runs, duration, true)
		if err != nil {
			return err
		}
		now, _, err := c.record(slow, phone, 1_000_001, runs, duration, false)
		if err != nil {
			return err
		}
		if err := c.judge(table, &scores, old, now, sources, phone, draws); err != nil {
			return err
		}
	}
	if err := table.WriteText(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	sum := &cli.Table{Columns: []string{"plans from", "forecasts", "within 0.1", "mean error", "ranges", "hold"}, Right: []bool{false, true, true, true, true, true}}
	for i, name := range []string{"the built-in app", "a trace of every call", "a trace sampled every 1 ms", "five of these"} {
		s := &scores[i]
		sum.Add(name, fmt.Sprint(s.forecasts), share(s.within, s.forecasts), fmt.Sprintf("%.3f", s.off/float64(max(1, s.forecasts))), fmt.Sprint(s.ranges), share(s.hold, s.ranges))
	}
	return sum.WriteText(w)
}

// score is the accuracy of plans of one kind.
type score struct {
	forecasts, within int // of a power observed to be 0.05 to 0.95; and those within 0.1 of it
	off               float64
	ranges, hold      int // of numbers of traces; and those that contain the right one
}

func share(part, all int) string {
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(max(1, all)))
}

// matches reports whether the change is selected.
func (c *change) matches(only string) bool { return strings.Contains(c.app+" "+c.method, only) }

func (c *change) meant(m *trace.Method) bool {
	return strings.HasSuffix(m.DottedClass()+"."+m.Name, c.method) && strings.HasSuffix("."+m.DottedClass()+"."+m.Name, "."+c.method) || strings.HasSuffix(m.DottedClass()+"."+m.Name, "$"+c.method)
}

// record returns runs of an app and, with pilots, the input traces of plans.
func (c *change) record(app *workload.Program, phone device.Device, seed uint64, runs int, duration time.Duration, pilots bool) (all pool, sources []source, err error) {
	const appRuns, single, fives = 60, 40, 8
	sources = []source{{"app", [][]*plan.Trace{nil}}, {name: "every call"}, {name: "1 ms"}, {name: "five at 1 ms"}}
	if pilots {
		for i := range uint64(appRuns) { // with their own seeds
			rec, err := app.Truth(workload.Config{Seed: seed + 500_000 + i, Duration: duration})
			if err != nil {
				return nil, nil, err
			}
			t, err := plan.Read(rec, c.method)
			if err != nil {
				return nil, nil, err
			}
			sources[0].groups[0] = append(sources[0].groups[0], t)
			if i < single {
				again, err := plan.Read(mustTruth(app, seed+500_000+i, duration), c.method)
				if err != nil {
					return nil, nil, err
				}
				sources[1].groups = append(sources[1].groups, []*plan.Trace{again})
			}
			sampled, err := sampler.Record(mustTruth(app, seed+500_000+i, duration), sampler.Config{Interval: time.Millisecond, Seed: seed + i, Cost: phone.Sampling, KeepSymbols: true})
			if err != nil {
				return nil, nil, err
			}
			s, err := plan.Read(sampled, c.method)
			if err != nil {
				return nil, nil, err
			}
			switch {
			case i < fives*5:
				if i%5 == 0 {
					sources[3].groups = append(sources[3].groups, nil)
				}
				sources[3].groups[i/5] = append(sources[3].groups[i/5], s)
				sources[2].groups = append(sources[2].groups, []*plan.Trace{s})
			}
		}
	}
	for i := range uint64(runs) {
		r, err := c.run(app, phone, seed+i, duration, planIntervals)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, r)
	}
	return all, sources, nil
}

func mustTruth(app *workload.Program, seed uint64, duration time.Duration) *trace.Recording {
	rec, err := app.Truth(workload.Config{Seed: seed, Duration: duration})
	if err != nil {
		panic(err)
	}
	return rec
}

// run records one run at some intervals.
func (c *change) run(app *workload.Program, phone device.Device, seed uint64, duration time.Duration, intervals []time.Duration) (r planRun, err error) {
	truth, err := app.Truth(workload.Config{Seed: seed, Duration: duration})
	if err != nil {
		return r, err
	}
	exact := estimate.New(truth, estimate.Config{MethodsOnly: true})
	truth.Events = &watch{truth.Events, exact}
	var all []*sampler.Sampler
	var estimators []*estimate.Estimator
	for _, interval := range intervals {
		s, err := sampler.New(truth, sampler.Config{Interval: interval, Seed: seed, Cost: phone.Sampling, KeepSymbols: true}, nil)
		if err != nil {
			return r, err
		}
		e := estimate.New(s.Recording(), estimate.Config{MethodsOnly: true})
		s.SetOutput(struct{ trace.Writer }{e})
		all, estimators = append(all, s), append(estimators, e)
	}
	if err := sampler.Run(truth, all...); err != nil {
		return r, err
	}
	r.true = float64(c.times(exact.Finish(), truth.Symbols).Exclusive.Wall.Value)
	for _, e := range estimators {
		p := e.Finish()
		r.seen = append(r.seen, seen{c.times(p, truth.Symbols), p.Period})
	}
	return r, nil
}

// watch passes everything that is read to a writer.
type watch struct {
	trace.Reader
	to trace.Writer
}

func (w *watch) ReadEvents(p []trace.Event) (int, error) {
	n, err := w.Reader.ReadEvents(p)
	w.to.WriteEvents(p[:n])
	return n, err
}

// times returns a profile's estimate for the method.
func (c *change) times(p *estimate.Profile, symbols *trace.Symbols) (t report.MethodTimes) {
	for m := range p.Methods() {
		if c.meant(symbols.Method(m.ID)) {
			t.Add(&report.MethodTimes{Exclusive: m.Exclusive.Clocks, Samples: m.Exclusive.Runs.Samples})
		}
	}
	return t
}

func (p pool) mean() (sum float64) {
	for _, r := range p {
		sum += r.true / float64(len(p))
	}
	return sum
}

// power returns the share of comparisons of n runs a side that detect the change at an interval.
func power(old, now pool, interval, n, draws int) float64 {
	random := rand.New(rand.NewPCG(uint64(n), uint64(interval)))
	found := 0
	for range draws {
		got := compareMethod([2]pool{old, now}, [2][]int{random.Perm(len(old))[:n], random.Perm(len(now))[:n]}, interval)
		if got.P <= diff.Significant && got.Difference() > 0 {
			found++
		}
	}
	return float64(found) / float64(draws)
}

// rightNumber returns the minimum number of traces a side that detects the change in 80 of 100
// comparisons; 0: more than a sixth of the pool.
func rightNumber(old, now pool, interval, draws int) int {
	most := min(100, len(old)/6)
	if power(old, now, interval, most, draws) < plan.Power {
		return 0
	}
	low, high := 1, most
	for high-low > 1 {
		if m := (low + high) / 2; power(old, now, interval, m, draws) < plan.Power {
			low = m
		} else {
			high = m
		}
	}
	return high
}

// judge compares plans with pools.
func (c *change) judge(table *cli.Table, scores *[4]score, old, now pool, sources []source, phone device.Device, draws int) error {
	cfg := plan.Config{Change: now.mean()/old.mean() - 1, Level: -1, Intervals: planIntervals, Device: phone, Seed: 1}
	plans := make([][]*plan.Plan, len(sources))
	for i, s := range sources {
		for _, traces := range s.groups {
			p, err := plan.New(traces, cfg)
			if err != nil {
				fmt.Printf("%s %s from %s: %v\n", c.app, c.method, s.name, err)
				continue
			}
			plans[i] = append(plans[i], p)
		}
	}
	for at, interval := range planIntervals {
		right := rightNumber(old, now, at, draws)
		var observed []float64
		cells := make([][]string, len(sources))
		for _, n := range planSides {
			is := power(old, now, at, n, draws)
			observed = append(observed, is)
			for i := range sources {
				var said []float64
				for _, p := range plans[i] {
					says := p.Rows[at].Power(cfg.Change, n)
					said = append(said, says)
					if is >= 0.05 && is <= 0.95 {
						scores[i].forecasts++
						scores[i].off += math.Abs(says - is)
						if math.Abs(says-is) <= 0.1 {
							scores[i].within++
						}
					}
				}
				cells[i] = append(cells[i], middle(said))
			}
		}
		row := []string{c.app, c.method, fmt.Sprintf("%+.1f %%", 100*cfg.Change), interval.String(), numbers(observed), fmt.Sprint(right)}
		for i := range sources {
			held := 0
			for _, p := range plans[i] {
				if r := p.Rows[at].Needed; right > 0 {
					scores[i].ranges++
					if r.Low > 0 && r.Low <= right && (r.High == 0 || right <= r.High) {
						scores[i].hold++
						held++
					}
				}
			}
			row = append(row, strings.Join(cells[i], " ")+fmt.Sprintf(" %3.0f%%", 100*float64(held)/float64(max(1, len(plans[i])))))
		}
		table.Add(row...)
	}
	return nil
}

func numbers(list []float64) string {
	var text []string
	for _, v := range list {
		text = append(text, fmt.Sprintf("%.2f", v))
	}
	return strings.Join(text, " ")
}

// middle returns the median of several powers.
func middle(list []float64) string {
	if len(list) == 0 {
		return "-"
	}
	slices.Sort(list)
	return fmt.Sprintf("%.2f", list[len(list)/2])
}
