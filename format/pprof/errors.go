package pprof

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"artifice/internal/encode"
	"artifice/internal/profileproto"
	"artifice/internal/protobuf"
	"artifice/report/estimate"
	"artifice/trace"
)

// errNotSampled is what a profile with errors says of a trace that has none.
var errNotSampled = errors.New("the trace is not known to be sampled: its times have no sampling error to write")

// commented is how many methods have their interval in a profile's comments, which go
// tool pprof prints above each of its tables.
const commented = 3

// mostCommented is how many methods a trace has at most whose profile gets comments
// without being asked: an estimate takes up to 2 KB for each.
const mostCommented = 1 << 14

// estimateEvents estimates the errors of events. It keeps them until it is known whether the trace
// is sampled: otherwise an estimate would be made for nothing.
func (p *Writer) estimateEvents(events []trace.Event) {
	p.giveUp()
	switch {
	case p.errors != nil:
		p.errors.WriteEvents(events)
	case p.doubted:
		if p.head == nil {
			p.head = make([]trace.Event, 0, encode.GroupsWanted+trace.BatchSize)
		}
		p.head = append(p.head, events...)
		if len(p.head) >= encode.GroupsWanted {
			p.decide()
		}
	}
}

// decide says whether the trace is sampled.
func (p *Writer) decide() {
	if p.Sampled() {
		p.estimate()
		p.errors.WriteEvents(p.head)
	}
	p.doubted, p.head = false, nil
}

// estimateSnapshot estimates the errors of samples.
func (p *Writer) estimateSnapshot(s *trace.Snapshot) {
	p.giveUp()
	if p.doubted {
		p.estimate()
		p.doubted, p.head = false, nil
	}
	if p.errors != nil {
		p.errors.WriteSnapshot(s)
	}
}

// estimate begins the estimate of errors.
func (p *Writer) estimate() {
	p.errors = estimate.New(p.rec, estimate.Config{Until: p.cfg.Until, MethodsOnly: true})
}

// giveUp ends the estimate of a trace that has too many methods for mere
// comments.
func (p *Writer) giveUp() {
	if !p.cfg.WithErrors && len(p.rec.Symbols.Methods) > mostCommented {
		p.doubted, p.head, p.errors = false, nil, nil
	}
}

// estimated returns the errors; nil when the trace is not sampled
// or too short.
func (p *Writer) estimated() *estimate.Profile {
	if p.doubted {
		p.decide()
	}
	if p.errors == nil {
		return nil
	}
	if e := p.errors.Finish(); e.Sampled() && e.Period > 0 {
		return e
	}
	return nil
}

// errorComments says how sure the longest times are.
func errorComments(e *estimate.Profile, symbols *trace.Symbols) []string {
	if e == nil {
		return nil
	}
	sure := slices.DeleteFunc(slices.Collect(e.Methods()), func(m estimate.Method) bool {
		return !m.Exclusive.Runs.Enough()
	})
	slices.SortStableFunc(sure, func(a, b estimate.Method) int {
		return cmp.Compare(b.Exclusive.Wall.Value, a.Exclusive.Wall.Value)
	})
	var c []string
	for _, m := range sure[:min(commented, len(sure))] {
		t := m.Exclusive.Wall
		line := fmt.Sprintf("wall time %v, 95 %% interval %v to %v: %s", t.Value.Round(time.Microsecond), t.Low.Round(time.Microsecond), t.High.Round(time.Microsecond), encode.ValidUTF8(symbols.Method(m.ID).String()))
		if cycle := m.Exclusive.Cycle; cycle != nil {
			line += fmt.Sprintf(", in step with the sampler (%d samples)", cycle.Samples)
		}
		c = append(c, line)
	}
	return c
}

// spread is how far the ends of a method's interval are from its time, as factors.
type spread struct{ low, high float64 }

func spreadOf(t estimate.Time) spread {
	if t.Value <= 0 {
		return spread{1, 1}
	}
	return spread{float64(t.Low) / float64(t.Value), float64(t.High) / float64(t.Value)}
}

// spreads are those of all methods on both clocks.
type spreads struct {
	wall, cpu []spread // by trace.MethodID
}

func spreadsOf(e *estimate.Profile, methods int) *spreads {
	s := &spreads{make([]spread, methods), make([]spread, methods)}
	for i := range methods {
		s.wall[i], s.cpu[i] = spread{1, 1}, spread{1, 1}
	}
	for m := range e.Methods() {
		s.wall[m.ID], s.cpu[m.ID] = spreadOf(m.Exclusive.Wall), spreadOf(m.Exclusive.CPU)
	}
	return s
}

// errorTypes writes the sample types of the ends.
func (p *profileFile) errorTypes() {
	if p.clock.HasWall() {
		p.w.ValueType(profileproto.SampleType, "wall-low", "nanoseconds")
		p.w.ValueType(profileproto.SampleType, "wall-high", "nanoseconds")
	}
	if p.clock.HasCPU() {
		p.w.ValueType(profileproto.SampleType, "cpu-low", "nanoseconds")
		p.w.ValueType(profileproto.SampleType, "cpu-high", "nanoseconds")
	}
}

// appendEnds adds the ends of a stack's times to its values: its share of those of
// its innermost method, so that these add up to the method's.
func (p *profileFile) appendEnds(frames []trace.MethodID, wall, cpu time.Duration) {
	w, c := spread{1, 1}, spread{1, 1}
	if n := len(frames); n > 0 {
		w, c = p.spreads.wall[frames[n-1]], p.spreads.cpu[frames[n-1]]
	}
	if p.clock.HasWall() {
		p.appendScaled(wall, w)
	}
	if p.clock.HasCPU() {
		p.appendScaled(cpu, c)
	}
}

func (p *profileFile) appendScaled(t time.Duration, by spread) {
	for _, factor := range []float64{by.low, by.high} {
		p.values = protobuf.AppendVarint(p.values, uint64(int64(factor*float64(t)+0.5)))
	}
}
