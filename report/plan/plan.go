package plan

import (
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/stat"

	"artifice/art"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
)

// Config says what is to be found, and how it may be recorded.
type Config struct {
	// Change is by what share the method gets slower, above 0: 0.1 is 10 %. With EachCall it is of every call, and
	// an app that does as much as it can in a given time calls it less often then.
	Change   float64
	EachCall bool

	// Level is the standard deviation of the method's time between runs for other reasons than its
	// bursts, as a share of it. Negative: not stated. It is then measured if there are [EnoughTraces].
	Level float64

	Length    time.Duration   // of a trace that is to be recorded, without tracing; 0: as those that were read, on average
	Intervals []time.Duration // of samples
	Budget    float64         // how much longer what runs may take, as a share; 0: any
	Device    device.Device
	Seed      uint64 // of the emulated samples
}

// EnoughTraces is how many traces tell how much runs differ.
const EnoughTraces = 5

// Plan says how to record so that a change of a method is found.
type Plan struct {
	Method string
	Length time.Duration // of a trace, without tracing
	Time   time.Duration // of the method in it
	Share  float64       // of the time of its threads, as if it ran in one
	Calls  float64       // in a trace; of sampled traces as many as these report
	Traces int           // that were read
	Sampled,
	Measured, // the traces are sampled; the level is measured between them
	BurstsAlone bool // they are few, and differ by no more than their bursts let them

	Change float64 // of the method's time in a trace
	Bursts float64 // standard deviation of the time between runs by bursts alone, as a share
	Level  float64 // by the level alone, where it is stated
	Runs   float64 // by all there is between runs

	EveryCall *Row    // a trace of every call; nil: a sampled trace does not tell
	Added     float64 // by which share recording every call makes the method's time longer
	Rows      []Row   // of samples, by interval
	Best      *Row    // the cheapest of the rows within the budget that need few traces; nil: none
}

// Row is one way to record.
type Row struct {
	Interval time.Duration // between samples; 0: every call is recorded
	Slowdown float64       // of what always runs: 1.08 is 8 % longer; what waits loses less, and a run is no slower
	Fits     bool          // it is within the budget
	Sampling float64       // standard deviation of the method's time in a trace by sampling alone, as a share
	AtMost   bool          // the interval is shorter than that of the traces that were read, and sampling is this or less
	Needed   Range         // traces a side that find the change
	Seen     []float64     // the smallest changes that some numbers of traces a side find: see [Sides]; NaN: none

	model model
}

// Range is a number of traces, and 90 % limits of it by how well the traces tell how much the
// method's time varies. 0: more than [MostTraces].
type Range struct{ Traces, Low, High int }

// Sides are the numbers of traces a side that [Row].Seen is of.
var Sides = []int{3, 5, 10}

// New makes a plan of traces of one app that have the method.
func New(traces []*Trace, cfg Config) (*Plan, error) {
	if err := check(traces, &cfg); err != nil {
		return nil, err
	}
	p := &Plan{Method: traces[0].Method, Traces: len(traces), Sampled: traces[0].Period > 0}
	pilots := make([]pilot, len(traces))
	for i, t := range traces {
		pilots[i] = t.pilot(&cfg)
		p.Calls += float64(t.Calls) / float64(len(traces))
	}
	all := together(pilots)
	if cfg.Length == 0 {
		cfg.Length = time.Duration(all.length)
	}
	longer := float64(cfg.Length) / all.length
	p.Length, p.Time = cfg.Length, time.Duration(all.time*longer)
	p.Calls *= longer
	p.Share = all.shares / all.time
	p.Change = cfg.Change
	if cfg.EachCall {
		p.Change = (1+cfg.Change)/(1+cfg.Change*p.Share) - 1
	}
	runs := p.runs(pilots, all, &cfg, longer)
	for _, interval := range cfg.Intervals {
		p.Rows = append(p.Rows, p.sampled(interval, pilots, all, runs, &cfg, longer))
	}
	if !p.Sampled {
		p.EveryCall = p.everyCall(traces, runs, &cfg)
	}
	p.choose()
	return p, nil
}

func check(traces []*Trace, cfg *Config) error {
	switch {
	case len(traces) == 0:
		return errors.New("no traces")
	case !(cfg.Change > 0) || math.IsInf(cfg.Change, 1):
		return fmt.Errorf("a change of %g %% cannot be planned for: it must be above 0", 100*cfg.Change)
	case cfg.Level >= 1:
		return fmt.Errorf("a level of %g %% is none: it must be below 100 %%", 100*cfg.Level)
	case cfg.Length < 0:
		return fmt.Errorf("traces of %v: they must last longer than 0", cfg.Length)
	case cfg.Device.Sampling.NoCore > 0:
		return fmt.Errorf("device %s: its sampler waits for a core until a thread of the app waits (no-core), so its samples depend on the app: how much they vary is not known", cfg.Device.Name)
	}
	for _, t := range traces {
		if t.Time <= 0 || t.Period > 0 && t.Samples < fewestSamples {
			return fmt.Errorf("%s has %d samples in a trace, from which nothing can be planned: at least %d are needed; record longer, or at a shorter interval", t.Method, t.Samples, fewestSamples)
		}
	}
	return nil
}

// fewestSamples is how many samples of the method tell how it varies.
const fewestSamples = 10

// pilot is a trace in the app's own time, in ns: what the tracer took is out of what runs. How long
// the run took stays as it is: waits make up for most of what was taken.
type pilot struct {
	*Trace
	length, time, shares float64 // length is that of what runs all the time
	pause                float64 // that a sample takes
	x                    float64 // between two samples; 0: every call was recorded
	variance             spread  // of the time in such runs as the trace has it
	sampling             float64 // the part of it that is by sampling
}

// pilot takes the pauses of samples out of a trace.
func (t *Trace) pilot(cfg *Config) pilot {
	scale, pause := 1., t.pause(cfg)
	if t.Period > 0 {
		scale = max(leastRun, 1-float64(pause)/float64(t.Period))
	}
	if t.steps.edges == nil {
		t.steps.sort(scale)
	}
	return pilot{
		Trace: t, pause: float64(pause), length: scale * float64(t.Length), time: scale * float64(t.Time), shares: scale * scale * t.shares, x: scale * float64(t.Period),
		variance: t.parts.variance(t.Length).scaled(scale * scale), sampling: scale * scale * t.sampling,
	}
}

// pause returns how long a sample stops the app on the device. A sampled trace lists the threads that
// changed, and the sampler walks all: where it was recorded at a usual interval, its period tells what is left for the pause.
func (t *Trace) pause(cfg *Config) time.Duration {
	pause := cfg.Device.Sampling.Pause(int64(math.Round(t.Threads))+1, int64(t.Frames))
	for _, usual := range []time.Duration{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000} {
		usual *= 100 * time.Microsecond
		if gap := sampler.NewGaps(&sampler.Config{Interval: usual, Cost: cfg.Device.Sampling}).Mean(); gap < t.Period && t.Period-gap < usual/2 {
			pause = max(pause, t.Period-gap)
		}
	}
	return pause
}

// leastRun is how much of a sampled trace's period the app runs at least, where the device's pause leaves it less: the trace
// is of another device then.
const leastRun = 0.2

// together returns the means of pilots.
func together(pilots []pilot) (all pilot) {
	n := float64(len(pilots))
	for _, p := range pilots {
		all.length += float64(p.Length) / n
		all.time += p.time / n
		all.shares += p.shares / n
		all.x += p.x / n
		all.pause += p.pause / n
		all.variance.variance += p.variance.variance / n
		all.variance.freedom += p.variance.freedom
		all.sampling += p.sampling / n
	}
	return all
}

// runs returns the variance of the method's time between runs, sampling of the pilots included, without the level
// that is stated.
func (p *Plan) runs(pilots []pilot, all pilot, cfg *Config, longer float64) (runs estimated) {
	p.Bursts = math.Sqrt(max(0, all.variance.variance-all.sampling)*longer) / (all.time * longer)
	runs = spread{all.variance.variance, freedomOf(fewestBatches) * float64(len(pilots))}.estimated()
	if cfg.Level >= 0 {
		p.Level = cfg.Level
	}
	if cfg.Level < 0 && len(pilots) >= EnoughTraces {
		var times []float64
		for _, one := range pilots {
			times = append(times, one.time)
		}
		p.Measured = true
		between := spread{stat.Variance(times, nil), float64(len(pilots) - 1)}
		runs = between.estimated()
		if p.BurstsAlone = between.freedom < fewTraces && between.like(all.variance); p.BurstsAlone {
			runs.variance = all.variance.variance
		}
	}
	p.Runs = math.Sqrt(max(0, runs.variance-all.sampling)*longer/(all.time*longer*all.time*longer) + p.Level*p.Level)
	return runs.scaled(longer)
}

// sampled returns the row of an interval.
func (p *Plan) sampled(interval time.Duration, pilots []pilot, all pilot, runs estimated, cfg *Config, longer float64) Row {
	row := Row{Interval: interval}
	sampling := sampler.Config{Interval: interval, Seed: cfg.Seed, Cost: cfg.Device.Sampling}
	gap := sampler.NewGaps(&sampling).Mean()
	row.Slowdown = 1 + all.pause/float64(gap)
	row.model = model{time: float64(p.Time), runs: runs, level: p.Level, x: float64(gap)}
	before := min(all.sampling*longer, runs.variance) // by sampling, in what is between the pilots
	switch x := float64(gap); {
	case all.x > 0 && x < 0.95*all.x:
		row.AtMost = true
		row.model.more = -before * (1 - x/all.x)
	case x > 1.05*all.x:
		for _, one := range pilots {
			row.model.more += longer / float64(len(pilots)) * one.misses(sampling, len(pilots))
		}
	}
	row.Sampling = math.Sqrt(max(0, before+row.model.more)) / float64(p.Time)
	p.finish(&row, cfg.Budget)
	return row
}

// misses returns the variance that samples of the pilot add to the method's time.
func (p *pilot) misses(cfg sampler.Config, traces int) float64 {
	if p.steps.many {
		return (p.time - p.shares) * float64(sampler.NewGaps(&cfg).Mean())
	}
	return p.steps.misses(cfg, time.Duration(p.length), traces)
}

// everyCall returns the row of a trace of every call.
func (p *Plan) everyCall(traces []*Trace, runs estimated, cfg *Config) *Row {
	event := float64(cfg.Device.Instrumented.Event(art.Default(), trace.Dual))
	slowest := 0.
	for _, t := range traces {
		n := float64(len(traces))
		p.Added += event * float64(t.Calls+t.Callees) / float64(t.Time) / n
		slowest += event * float64(t.Busiest) / float64(t.Length) / n
	}
	row := &Row{Slowdown: 1 + slowest, model: model{time: float64(p.Time), runs: runs, level: p.Level}}
	p.finish(row, cfg.Budget)
	return row
}

// finish fills in what follows from a row's model.
func (p *Plan) finish(row *Row, budget float64) {
	row.Fits = budget == 0 || row.Slowdown <= 1+budget
	m := &row.model
	needed := func(m model) int { return fewest(func(n int) float64 { return m.power(p.Change, n) }) }
	row.Needed = Range{needed(*m), needed(m.with(m.runs.low, 1/samplingOff)), needed(m.with(m.runs.high, samplingOff))}
	for _, n := range Sides {
		row.Seen = append(row.Seen, m.smallest(n))
	}
}

// samplingOff is by what factor the variance of sampling may be off, in the range of how many traces are needed. It was
// chosen with the ranges that research/power -plan measures; research/README.md says how often they hold.
const samplingOff = 1.5

// Power returns how likely a change, as a share of the method's time in a trace, is found by so many traces a side.
func (r *Row) Power(change float64, traces int) float64 { return r.model.power(change, traces) }

// choose finds the best row: of those within the budget that need few traces more than the fewest,
// the one that slows the app down least.
func (p *Plan) choose() {
	rows := p.rows()
	fewest := 0
	for _, r := range rows {
		if n := r.Needed.Traces; r.Fits && n > 0 && (fewest == 0 || n < fewest) {
			fewest = n
		}
	}
	for _, r := range rows {
		n := r.Needed.Traces
		if r.Fits && n > 0 && n <= max(fewest+1, fewest*6/5) && (p.Best == nil || r.Slowdown < p.Best.Slowdown) {
			p.Best = r
		}
	}
}

// Name says what the row is of: an interval, or every call.
func (r *Row) Name() string {
	if r.Interval == 0 {
		return "every call"
	}
	return r.Interval.String()
}

// rows returns all rows, that of every call first.
func (p *Plan) rows() (all []*Row) {
	if p.EveryCall != nil {
		all = append(all, p.EveryCall)
	}
	for i := range p.Rows {
		all = append(all, &p.Rows[i])
	}
	return all
}

// Within returns the rows within the budget, that of every call first.
func (p *Plan) Within() (all []*Row) {
	for _, row := range p.rows() {
		if row.Fits {
			all = append(all, row)
		}
	}
	return all
}

// Smallest returns the smallest change that MostTraces traces a side find, and by which row within the budget; nil: none.
func (p *Plan) Smallest() (change float64, by *Row) {
	for _, row := range p.Within() {
		if c := row.model.smallest(MostTraces); c == c && (by == nil || c < change) {
			change, by = c, row
		}
	}
	return change, by
}
