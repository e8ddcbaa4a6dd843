package trust

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/device"
	"artifice/estimate"
	"artifice/sampler"
	"artifice/trace"
)

// Config says what to measure.
type Config struct {
	Intervals []time.Duration
	Devices   []device.Device
	Phases    int    // samplers of one device and interval
	Seed      uint64 // of what is random
}

// Row is how one rule did for one kind of time, on one device at one interval.
type Row struct {
	Device   string
	Interval time.Duration
	Time     Kind
	Rule     Rule

	Methods  int     // that have a claim in some phase
	Claims   int     // intervals, of methods with enough samples, over all phases
	Coverage float64 // share of them that contain the truth
	StdErr   float64 // of Coverage, from the spread over the phases

	// Width of the intervals over 2 × 1.96 standard deviations of the estimates over
	// the phases: the 10, 50 and 90 % quantiles over the methods. NaN: none spreads.
	Width [3]float64

	InStep int // claims that were said to be in step with the sampler
}

// Kind is which time of a method an interval is about.
type Kind int

const (
	ExclusiveWall Kind = iota
	InclusiveWall
	ExclusiveCPU
	InclusiveCPU
)

// String returns the kind's name in tables.
func (k Kind) String() string {
	return [...]string{"exclusive wall", "inclusive wall", "exclusive cpu", "inclusive cpu"}[k]
}

// kindsOf returns the kinds that a trace with these clocks has.
func kindsOf(c trace.Clock) []Kind {
	if c.HasCPU() {
		return []Kind{ExclusiveWall, InclusiveWall, ExclusiveCPU, InclusiveCPU}
	}
	return []Kind{ExclusiveWall, InclusiveWall}
}

// of returns the estimate of this kind.
func (k Kind) of(m *estimate.Method) (estimate.Time, estimate.Share) {
	share := m.Exclusive
	if k == InclusiveWall || k == InclusiveCPU {
		share = m.Inclusive
	}
	if k == ExclusiveCPU || k == InclusiveCPU {
		return share.CPU, share
	}
	return share.Wall, share
}

// in returns the true time of this kind.
func (k Kind) in(t *truth, m trace.MethodID) time.Duration {
	total := t.methods[m]
	times := total.Exclusive
	if k == InclusiveWall || k == InclusiveCPU {
		times = total.Inclusive
	}
	if k == ExclusiveCPU || k == InclusiveCPU {
		return times.CPU
	}
	return times.Wall
}

// Measure returns the rows of every device, interval, kind and rule. open returns
// the truth from its beginning; it is read once for each device and interval.
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

// observed is what one sampler's trace told.
type observed struct {
	profile  *estimate.Profile
	slowdown float64
}

// measureAt runs all phases of one device and interval over a truth.
func measureAt(rec *trace.Recording, d device.Device, interval time.Duration, cfg *Config) ([]Row, error) {
	reader := newTruthReader(rec)
	rec.Events = reader
	samplers := make([]*sampler.Sampler, cfg.Phases)
	estimators := make([]*estimate.Estimator, cfg.Phases)
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
		estimators[i] = estimate.New(s.Recording(), estimate.Config{MethodsOnly: true})
		s.SetOutput(struct{ trace.Writer }{estimators[i]}) // events alone, as in a file
		samplers[i] = s
	}
	if err := sampler.Run(rec, samplers...); err != nil {
		return nil, err
	}
	seen := make([]observed, cfg.Phases)
	for i, s := range samplers {
		seen[i] = observed{estimators[i].Finish(), s.Stats().Slowdown()}
	}
	t := reader.finish()
	var rows []Row
	for _, kind := range kindsOf(samplers[0].Recording().Info.Clock) {
		for _, rule := range Rules() {
			row := judge(t, seen, kind, rule)
			row.Device, row.Interval = d.Name, interval
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// tally is what the phases say of one method.
type tally struct {
	widths []float64
	values []float64
}

// judge holds the intervals of one kind and rule against the truth.
func judge(t *truth, seen []observed, kind Kind, rule Rule) Row {
	row := Row{Time: kind, Rule: rule}
	methods := map[trace.MethodID]*tally{}
	var shares []float64 // covered, by phase
	covered := 0
	for _, o := range seen {
		good, claims := 0, 0
		if o.profile.Period == 0 {
			continue // too short to say anything
		}
		for i := range o.profile.Methods {
			m := &o.profile.Methods[i]
			estimated, share := kind.of(m)
			of := methods[m.ID]
			if of == nil {
				of = &tally{}
				methods[m.ID] = of
			}
			of.values = append(of.values, float64(estimated.Value))
			if !share.Runs.Enough() || share.NoCPU && kind >= ExclusiveCPU {
				continue // no claim
			}
			claims++
			if share.Cycle != nil {
				row.InStep++
			}
			claim := rule.interval(estimated, share.Runs)
			of.widths = append(of.widths, float64(claim.High-claim.Low))
			if contains(claim, kind.in(t, m.ID), kind, o.slowdown) {
				good++
			}
		}
		covered += good
		row.Claims += claims
		if claims > 0 {
			shares = append(shares, float64(good)/float64(claims))
		}
	}
	row.Coverage = float64(covered) / float64(row.Claims)
	_, sd := meanAndDeviation(shares)
	row.StdErr = sd / math.Sqrt(float64(len(shares)))
	row.Methods, row.Width = widths(methods, len(seen))
	return row
}

// contains reports whether an interval has the true time in it, to 1 us: clocks
// have no finer step.
func contains(t estimate.Time, truth time.Duration, kind Kind, slowdown float64) bool {
	if kind == ExclusiveWall || kind == InclusiveWall {
		truth = time.Duration(float64(truth) * slowdown)
	}
	return t.Low <= truth+time.Microsecond && truth-time.Microsecond <= t.High
}

// widths returns how many methods have a claim, and quantiles of the mean width
// of their intervals over their true spread. A method that a phase missed was 0
// there.
func widths(methods map[trace.MethodID]*tally, phases int) (claimed int, q [3]float64) {
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
