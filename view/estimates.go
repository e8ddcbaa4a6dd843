package view

import (
	"artifice/report/estimate"
	"artifice/trace"
)

// estimates adds what a recording tells of its methods; nil where calls tell it, or it is only
// told of the threads with which lists begin.
func (e *encoder) estimates(r *Recording, methods map[trace.MethodID]int32) *estimateColumns {
	if !r.Profile.Sampled() && r.Short == 0 || r.main == r.Profile {
		return nil
	}
	return e.estimatesOf(r.Profile, methods)
}

// mainEstimates adds what a recording tells of the methods on the threads with which lists begin;
// nil where that is what it tells of all.
func (e *encoder) mainEstimates(r *Recording, methods map[trace.MethodID]int32) *estimateColumns {
	if r.main == nil {
		return nil
	}
	return e.estimatesOf(r.main, methods)
}

func (e *encoder) estimatesOf(p *estimate.Profile, methods map[trace.MethodID]int32) *estimateColumns {
	var rows []estimate.Method
	for m := range p.Methods() {
		if _, ok := methods[m.ID]; ok {
			rows = append(rows, m)
		}
	}
	n := len(rows)
	return &estimateColumns{
		Method:    e.column(n, func(i int) uint64 { return uint64(methods[rows[i].ID]) }),
		Exclusive: e.shares(n, p, func(i int) *estimate.Share { return &rows[i].Exclusive }),
		Inclusive: e.shares(n, p, func(i int) *estimate.Share { return &rows[i].Inclusive }),
		Calls:     e.column(n, func(i int) uint64 { return uint64(rows[i].Calls.Reported) }),
		Recursive: e.column(n, func(i int) uint64 { return uint64(rows[i].Calls.Recursive) }),
		AtLeast:   p.Sampled(),
	}
}

func (e *encoder) shares(n int, p *estimate.Profile, of func(int) *estimate.Share) shareColumns {
	c := shareColumns{
		Samples: e.column(n, func(i int) uint64 { return uint64(of(i).Runs.Samples) }),
		Caveats: e.column(n, func(i int) uint64 { return doubts(of(i), p) }),
	}
	if p.Clock.HasWall() {
		c.Wall = e.times(n, func(i int) estimate.Time { return of(i).Wall })
	}
	if p.Clock.HasCPU() {
		c.CPU = e.times(n, func(i int) estimate.Time { return of(i).CPU })
	}
	return c
}

// doubts says what the interval of a share of p lacks.
func doubts(s *estimate.Share, p *estimate.Profile) (sum uint64) {
	if !p.Sampled() {
		return 0
	}
	if p.Period == 0 {
		sum += unknownPeriod
	}
	if s.NoCPU {
		sum += noCPU
	}
	if s.Cycle != nil {
		sum += aliased
	}
	return sum
}

func (e *encoder) times(n int, of func(int) estimate.Time) *timeColumns {
	return &timeColumns{
		Value: e.column(n, func(i int) uint64 { return uint64(of(i).Value) }),
		Below: e.column(n, func(i int) uint64 { return uint64(of(i).Value - of(i).Low) }),
		Above: e.column(n, func(i int) uint64 { return uint64(of(i).High - of(i).Value) }),
	}
}
