package plan

import (
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/stat"

	"artifice/art"
	"artifice/internal/words"
	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/stats"
	"artifice/tracer/device"
)

// Config states the change to detect and the conditions of recording.
type Config struct {
	// Change is the increase of the method's self time, as a share above 0: 0.1 is 10 %. With
	// EachCall it is the increase of each call; an app that does as much as it can in a given time
	// then makes fewer calls.
	Change   float64
	EachCall bool

	// Level is the standard deviation of the method's self time between runs that bursts do not
	// explain, as a share of the self time. If it is negative, it is measured from [MinTraces]
	// or more.
	Level float64

	Length    time.Duration   // of a trace to record, without tracing overhead; 0: the mean of the traces read
	Intervals []time.Duration // sampling intervals
	Budget    float64         // maximum slowdown minus 1; 0: unlimited
	Device    device.Device
	Seed      uint64 // of the emulated samples

	// Costs contains the cost of each interval, and of tracing every call as interval 0, as bench
	// measures it for the app or a trace. Ways to record without a cost are within every budget.
	Costs map[time.Duration]stats.Cost
}

// MinTraces is the number of traces from which between-run variance is measured.
const MinTraces = 5

// Plan states how to record traces that detect a change of a method.
type Plan struct {
	Method string
	Length time.Duration // of a trace, without tracing overhead
	Time   time.Duration // self time of the method in it
	Share  float64       // of the time of its threads, as if it ran on one
	Calls  float64       // in a trace; in a sampled trace the calls reported
	Traces int           // read

	Sampled     bool // the traces are sampled
	Measured    bool // between-run variance is measured
	BurstsAlone bool // few traces, with a variance that bursts explain

	Change float64 // of the method's self time in a trace
	Bursts float64 // between-run standard deviation from bursts alone, as a share
	Level  float64 // from the stated level alone
	Runs   float64 // total between-run standard deviation

	EveryCall *Row    // a trace of every call; nil: unknown from sampled traces
	Added     float64 // increase of the method's self time by tracing every call, as a share
	Rows      []Row   // by sampling interval
	Best      *Row    // the row advised; nil: none
}

// Row is one way to record: a sampling interval, or every call.
type Row struct {
	Interval time.Duration // 0: every call is recorded
	Cost     stats.Cost    // of [Config].Costs
	Fits     bool          // it is within the budget
	Sampling float64       // standard deviation of the method's self time from sampling alone, as a share
	AtMost   bool          // Sampling is an upper bound, because the interval is shorter than that of the traces read
	Needed   Range         // traces a side that detect the change

	Detectable []Detectable // for each number of traces of [Sides]

	model model
}

// Range is a number of traces with its 90 % limits, from the uncertainty of the variance. 0 is more
// than [MaxTraces].
type Range struct{ Traces, Low, High int }

// Detectable is the minimum detectable change with a number of traces.
type Detectable struct {
	Traces int     // a side
	Change float64 // as a share of the self time; NaN: none is detected
}

// Sides are the numbers of traces a side of [Row].Detectable.
var Sides = []int{3, 5, 10}

// New returns a plan from traces of one app that contain the method.
func New(traces []*Trace, cfg Config) (*Plan, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if err := check(traces); err != nil {
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

// Check returns an error for options that no plan can be made with. [New] calls it, too.
func (cfg *Config) Check() error {
	switch {
	case !(cfg.Change > 0) || math.IsInf(cfg.Change, 1):
		return fmt.Errorf("change %g %%: must be above 0", 100*cfg.Change)
	case cfg.Level >= 1:
		return fmt.Errorf("level %g %%: must be below 100 %%", 100*cfg.Level)
	case cfg.Length < 0:
		return fmt.Errorf("length %v: must be above 0", cfg.Length)
	case cfg.Device.Sampling.NoCore > 0:
		return fmt.Errorf("device %s: its sampler waits for a core until a thread of the app waits (no-core), so the variance of samples depends on the app and is unknown; plan with another device", cfg.Device.Name)
	}
	return nil
}

// check returns an error for traces from which no plan can be made.
func check(traces []*Trace) error {
	if len(traces) == 0 {
		return errors.New("no traces")
	}
	for _, t := range traces {
		if t.Time <= 0 || t.Period > 0 && t.Samples < minPilotSamples {
			return fmt.Errorf("%s has %d samples in a trace, but a plan needs at least %d: record longer traces, or at a shorter interval", t.Method, t.Samples, minPilotSamples)
		}
	}
	return nil
}

// minPilotSamples is the minimum number of samples of the method from which its variance is
// estimated.
const minPilotSamples = 10

// pilot is a trace in the app's own time, in ns: tracing overhead is subtracted from time in which
// threads run. The length of the run remains as it is, because waits absorb most of the overhead.
type pilot struct {
	*Trace
	length, time, shares float64 // length is that of a thread that never waits
	pause                float64 // of a sample
	x                    float64 // app time between two samples; 0: every call is recorded
	variance             spread  // of the method's time in runs of this length
	sampling             float64 // sampling variance, a part of variance
}

// pilot subtracts the pauses of samples from a trace.
func (t *Trace) pilot(cfg *Config) pilot {
	scale, pause := 1., t.pause(cfg)
	if t.Period > 0 {
		scale = max(minRun, 1-float64(pause)/float64(t.Period))
	}
	if t.steps.edges == nil {
		t.steps.sort(scale)
	}
	return pilot{
		Trace: t, pause: float64(pause), length: scale * float64(t.Length), time: scale * float64(t.Time), shares: scale * scale * t.shares, x: scale * float64(t.Period),
		variance: t.parts.variance(t.Length).scaled(scale * scale), sampling: scale * scale * t.sampling,
	}
}

// pause returns the duration of a sample's pause on the device. The sampler walks all threads, but
// a sampled trace lists only those that changed. If the trace was recorded at a usual interval, its
// period also bounds the pause from below.
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

// minRun is the minimum share of a period in which the app runs. If the device's pause leaves
// less, the trace is of another device.
const minRun = 0.2

// together returns the mean of pilots.
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

// runs returns the variance of the method's time between runs. It includes the sampling variance of
// the pilots, and excludes a stated level.
func (p *Plan) runs(pilots []pilot, all pilot, cfg *Config, longer float64) (runs estimated) {
	p.Bursts = math.Sqrt(max(0, all.variance.variance-all.sampling)*longer) / (all.time * longer)
	runs = spread{all.variance.variance, freedomOf(minBatches) * float64(len(pilots))}.estimated()
	if cfg.Level >= 0 {
		p.Level = cfg.Level
	}
	if cfg.Level < 0 && len(pilots) >= MinTraces {
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
	row := Row{Interval: interval, Cost: cfg.Costs[interval]}
	sampling := sampler.Config{Interval: interval, Seed: cfg.Seed, Cost: cfg.Device.Sampling}
	gap := sampler.NewGaps(&sampling).Mean()
	row.model = model{time: float64(p.Time), runs: runs, level: p.Level, x: float64(gap)}
	before := min(all.sampling*longer, runs.variance) // sampling variance within the variance between pilots
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

// misses returns the variance that sampling the pilot adds to the method's time.
func (p *pilot) misses(cfg sampler.Config, traces int) float64 {
	if p.steps.many {
		return (p.time - p.shares) * float64(sampler.NewGaps(&cfg).Mean())
	}
	return p.steps.misses(cfg, time.Duration(p.length), traces)
}

// everyCall returns the row of a trace of every call.
func (p *Plan) everyCall(traces []*Trace, runs estimated, cfg *Config) *Row {
	event := float64(cfg.Device.Instrumented.Event(art.Default(), trace.Dual))
	for _, t := range traces {
		p.Added += event * float64(t.Calls+t.Callees) / float64(t.Time) / float64(len(traces))
	}
	row := &Row{Cost: cfg.Costs[0], model: model{time: float64(p.Time), runs: runs, level: p.Level}}
	p.finish(row, cfg.Budget)
	return row
}

// finish computes the fields that follow from the model of the row.
func (p *Plan) finish(row *Row, budget float64) {
	row.Fits = row.Cost.Fits(budget)
	m := &row.model
	needed := func(m model) int { return fewest(func(n int) float64 { return m.power(p.Change, n) }) }
	row.Needed = Range{needed(*m), needed(m.with(m.runs.low, 1/samplingOff)), needed(m.with(m.runs.high, samplingOff))}
	for _, n := range Sides {
		row.Detectable = append(row.Detectable, Detectable{n, m.smallest(n)})
	}
}

// samplingOff is the assumed maximum error, as a factor, of the sampling variance in the limits of
// the sample size. It was chosen by the coverage of these limits, measured by research/power -plan
// (see research/README.md).
const samplingOff = 1.5

// Power returns the power to detect a change, given as a share of the method's self time, with a
// number of traces a side.
func (r *Row) Power(change float64, traces int) float64 { return r.model.power(change, traces) }

// choose sets the advised row: the one with the smallest overhead among the rows within the budget
// that need at most 20 % or one trace more than the minimum.
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
		if r.Fits && n > 0 && n <= max(fewest+1, fewest*6/5) && (p.Best == nil || r.Cost.Overhead < p.Best.Cost.Overhead) {
			p.Best = r
		}
	}
}

// Name returns the sampling interval, or "every call".
func (r *Row) Name() string {
	if r.Interval == 0 {
		return "every call"
	}
	return words.Duration(r.Interval)
}

// rows returns all rows, every call first.
func (p *Plan) rows() (all []*Row) {
	if p.EveryCall != nil {
		all = append(all, p.EveryCall)
	}
	for i := range p.Rows {
		all = append(all, &p.Rows[i])
	}
	return all
}

// Within returns the rows within the budget, every call first.
func (p *Plan) Within() (all []*Row) {
	for _, row := range p.rows() {
		if row.Fits {
			all = append(all, row)
		}
	}
	return all
}

// Smallest returns the minimum detectable change of MaxTraces traces a side, with its row within
// the budget; nil: none.
func (p *Plan) Smallest() (change float64, by *Row) {
	for _, row := range p.Within() {
		if c := row.model.smallest(MaxTraces); c == c && (by == nil || c < change) {
			change, by = c, row
		}
	}
	return change, by
}
