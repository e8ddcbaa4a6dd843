package coverage

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/report/estimate"
	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/tracer/device"
)

// Config selects what to measure.
type Config struct {
	Intervals []time.Duration
	Devices   []device.Device
	Phases    int     // samplers of one device and interval
	Contexts  bool    // of calling contexts, instead of methods
	Seed      uint64  // of all random numbers
	Against   Against // run to compare with; for contexts, Traced only
}

// Row is the result of one rule for one kind of time, on one device at one interval.
type Row struct {
	Device   string
	Interval time.Duration
	Time     Kind
	Rule     Rule

	Methods  int     // or contexts, with a claim in some phase
	Claims   int     // intervals, of methods with enough samples, over all phases
	Coverage float64 // share of them that contain the truth
	StdErr   float64 // of Coverage, from the spread over the phases

	// Width of the intervals of times, relative to 2 × 1.96 standard deviations of the estimates
	// over the phases: the 10, 50 and 90 % quantiles over the methods. NaN: no method has variance.
	// For the rule AtLeast the middle one is the share of the calls that are reported.
	Width [3]float64

	shares  []float64 // covered, by phase
	covered int

	Aliased int // claims about methods reported as aliased with the sampling interval
	Bounds  int // claims about CPU time that are bounds instead of intervals
}

// Kind is the estimated time of a method.
type Kind int

const (
	ExclusiveWall Kind = iota
	InclusiveWall
	ExclusiveCPU
	InclusiveCPU
	Calls // number of calls of a method
)

// String returns the kind's name in tables.
func (k Kind) String() string {
	return [...]string{"exclusive wall", "inclusive wall", "exclusive cpu", "inclusive cpu", "calls"}[k]
}

// kindsOf returns the kinds available in a trace with these clocks.
func kindsOf(c trace.Clock) []Kind {
	if c.HasCPU() {
		return []Kind{ExclusiveWall, InclusiveWall, ExclusiveCPU, InclusiveCPU}
	}
	return []Kind{ExclusiveWall, InclusiveWall}
}

// of returns the estimate of this kind.
func (k Kind) of(c *claims) (estimate.Time, *estimate.Share) {
	share := &c.exclusive
	if k == InclusiveWall || k == InclusiveCPU {
		share = &c.inclusive
	}
	if k == ExclusiveCPU || k == InclusiveCPU {
		return share.CPU, share
	}
	return share.Wall, share
}

// in returns the true value of this kind.
func (k Kind) in(t *truth, phase, subject int) time.Duration {
	times := &t.cpu
	if k == ExclusiveWall || k == InclusiveWall {
		times = &t.wall[phase]
	}
	if times == &t.cpu && t.cpuBy != nil {
		times = &t.cpuBy[phase]
	}
	if k == InclusiveWall || k == InclusiveCPU {
		return times.inclusive[subject]
	}
	return times.exclusive[subject]
}

// Measure returns the rows of every device, interval, kind and rule. open returns the truth from
// its beginning; Measure reads it once for each device and interval.
func Measure(ctx context.Context, open func() (*trace.Recording, error), cfg Config) ([]Row, error) {
	var rows []Row
	for _, d := range cfg.Devices {
		for _, interval := range cfg.Intervals {
			if err := ctx.Err(); err != nil {
				return rows, err
			}
			rec, err := open()
			if err != nil {
				return rows, err
			}
			more, err := measureAt(rec, d, interval, &cfg)
			if err != nil {
				return rows, fmt.Errorf("device %s, interval %s: %w", d.Name, interval, err)
			}
			rows = append(rows, more...)
		}
	}
	return rows, nil
}

// claims are one trace's estimates about one subject.
type claims struct {
	subject              int
	exclusive, inclusive estimate.Share
	calls                estimate.Calls
}

// claimsOf returns a profile's estimates about methods, or about the contexts of a truth.
func claimsOf(p *estimate.Profile, t *truth, contexts bool) (list []claims) {
	if p.Period == 0 {
		return nil // too short for any claim
	}
	if !contexts {
		for m := range p.Methods() {
			list = append(list, claims{int(m.ID), m.Exclusive, m.Inclusive, m.Calls})
		}
		return list
	}
	in := make([]calltree.Node, p.Tree.Len()) // the truth's numbers
	for n := calltree.Node(1); int(n) < len(in); n++ {
		in[n] = t.nodes[placeOf(p.Tree, n, in[p.Tree.Parent(n)])]
		if c := p.Context(n); !p.Tree.IsRoot(n) {
			list = append(list, claims{int(in[n]), c.Exclusive, c.Inclusive, c.Calls})
		}
	}
	return list
}

// measureAt runs all phases of one device and interval over a truth.
func measureAt(rec *trace.Recording, d device.Device, interval time.Duration, cfg *Config) ([]Row, error) {
	samplers := make([]*sampler.Sampler, cfg.Phases)
	estimators, stated := make([]*estimate.Estimator, cfg.Phases), make([]*trace.Recording, cfg.Phases)
	sum := &truthSum{rec: rec, wall: make([][]time.Duration, cfg.Phases)}
	gap := interval + d.Sampling.Overshoot
	for i := range samplers {
		s, err := sampler.New(rec, sampler.Config{
			Interval: interval, Cost: d.Sampling, KeepSymbols: true,
			Phase: time.Duration((float64(i) + 0.5) / float64(cfg.Phases) * float64(gap)),
			Seed:  cfg.Seed + uint64(i),
		}, nil)
		if err != nil {
			return nil, err
		}
		stated[i] = asInFile(s.Recording())
		estimators[i] = estimate.New(stated[i], estimate.Config{MethodsOnly: !cfg.Contexts})
		s.SetOutput(struct{ trace.Writer }{estimators[i]}) // only events, as in a file
		samplers[i] = s
	}
	var follower sampler.Follower = sum
	if cfg.Against != Traced {
		follower = untraced{sum}
	}
	if err := sampler.RunFollowed(follower, rec, samplers...); err != nil {
		return nil, err
	}
	t := sum.finish(cfg.Contexts)
	seen := make([][]claims, cfg.Phases)
	for i, e := range estimators {
		stated[i].Info = samplers[i].Recording().Info // including its length
		if cfg.Against == OwnSubtracted {
			e.SetPause(d.Sampling.Pause(int64(len(rec.Symbols.Threads)+1), 0))
		}
		seen[i] = cfg.against(claimsOf(e.Finish(), t, cfg.Contexts), t, rec.Symbols)
	}
	kinds := kindsOf(samplers[0].Recording().Info.Clock)
	if cfg.Against != Traced {
		kinds = []Kind{ExclusiveWall}
	}
	var rows []Row
	for _, kind := range kinds {
		for _, rule := range Rules() {
			rows = append(rows, judge(t, seen, kind, rule))
		}
	}
	if cfg.Against == Traced {
		rows = append(rows, callRows(t, seen)...)
	}
	return placed(rows, d.Name, interval), nil
}

// asInFile returns a recording with methods that have only names, as in a file: the methods of a
// truth contain whether they wait.
func asInFile(rec *trace.Recording) *trace.Recording {
	stated, symbols := *rec, *rec.Symbols
	symbols.Methods = slices.Clone(symbols.Methods)
	for i := range symbols.Methods {
		symbols.Methods[i].Wait = trace.Running
	}
	stated.Symbols = &symbols
	return &stated
}

// placed sets the device and interval of rows.
func placed(rows []Row, device string, interval time.Duration) []Row {
	for i := range rows {
		rows[i].Device, rows[i].Interval = device, interval
	}
	return rows
}

// tally accumulates the claims of the phases about one subject.
type tally struct {
	widths []float64
	values []float64
}

// judge compares the intervals of one kind and rule with the truth.
func judge(t *truth, seen [][]claims, kind Kind, rule Rule) Row {
	row := Row{Time: kind, Rule: rule}
	subjects := map[int]*tally{}
	for phase, list := range seen {
		good, made := 0, 0
		for i := range list {
			c := &list[i]
			estimated, share := kind.of(c)
			of := subjects[c.subject]
			if of == nil {
				of = &tally{}
				subjects[c.subject] = of
			}
			of.values = append(of.values, float64(estimated.Value))
			if !share.Runs.Enough() {
				continue // no claim
			}
			made++
			if share.Cycle != nil {
				row.Aliased++
			}
			if share.NoCPU && kind >= ExclusiveCPU {
				row.Bounds++
			}
			claim := rule.interval(estimated, share.Runs)
			of.widths = append(of.widths, float64(claim.High-claim.Low))
			if contains(claim, kind.in(t, phase, c.subject)) {
				good++
			}
		}
		row.add(good, made)
	}
	row.finish()
	row.Methods, row.Width = widths(subjects, len(seen))
	return row
}

// add adds the claims of one phase: their number, and the number that hold.
func (r *Row) add(good, made int) {
	r.covered += good
	r.Claims += made
	if made > 0 {
		r.shares = append(r.shares, float64(good)/float64(made))
	}
}

// finish computes the coverage.
func (r *Row) finish() {
	r.Coverage = float64(r.covered) / float64(r.Claims)
	_, sd := meanAndDeviation(r.shares)
	r.StdErr = sd / math.Sqrt(float64(len(r.shares)))
}

// contains reports whether an interval contains the true time, to 1 us, the finest step of clocks.
func contains(t estimate.Time, truth time.Duration) bool {
	return t.Low <= truth+time.Microsecond && truth-time.Microsecond <= t.High
}

// widths returns the number of methods with a claim, and quantiles of the mean width of their
// intervals relative to the true spread. A phase without samples of a method counts as 0.
func widths(methods map[int]*tally, phases int) (claimed int, q [3]float64) {
	var ratios []float64
	for _, m := range methods {
		if len(m.widths) == 0 {
			continue
		}
		claimed++
		for len(m.values) < phases {
			m.values = append(m.values, 0)
		}
		mean, _ := meanAndDeviation(m.widths)
		if _, sd := meanAndDeviation(m.values); sd > 0 {
			ratios = append(ratios, mean/(2*1.96*sd))
		}
	}
	slices.Sort(ratios)
	for i, p := range []float64{0.1, 0.5, 0.9} {
		if q[i] = math.NaN(); len(ratios) > 0 {
			q[i] = ratios[int(p*float64(len(ratios)-1)+0.5)]
		}
	}
	return claimed, q
}

func meanAndDeviation(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		sd += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(sd / float64(len(v)-1))
}
