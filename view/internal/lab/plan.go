package lab

import (
	"context"

	"artifice/format"
	"artifice/report/plan"
	"artifice/tracer"
	"artifice/tracer/device"
)

// pilots are the traces on which a plan is based.
type pilots struct {
	method string
	traces []*plan.Trace
}

// plan estimates the number of traces of each build needed to detect that a method got slower by a
// share, within a budget for the slowdown by recording, like artifice plan with these flags. The
// traces are read once for each method.
func (l *source) plan(ctx context.Context, method string, change, budget float64, deviceName string) (*plan.Plan, error) {
	d, err := device.Open(deviceName)
	if err != nil {
		return nil, err
	}
	if l.pilots == nil || l.pilots.method != method {
		if l.pilots, err = l.readPilots(method); err != nil {
			l.pilots = nil
			return nil, err
		}
	}
	costs, err := l.costs(ctx, deviceName)
	if err != nil {
		return nil, err
	}
	return plan.New(l.pilots.traces, plan.Config{Change: change, Level: -1, Intervals: tracer.SamplingIntervals, Budget: budget, Device: d, Seed: seed, Costs: costs})
}

func (l *source) readPilots(method string) (*pilots, error) {
	p := &pilots{method: method}
	var err error
	if format.IsWorkload(l.name) && !format.IsCallTree(l.name) {
		p.traces, err = plan.Runs(func(seed uint64) (*plan.Trace, error) { return l.pilot(method, seed) })
		return p, err
	}
	t, err := l.pilot(method, seed)
	p.traces = []*plan.Trace{t}
	return p, err
}

func (l *source) pilot(method string, seed uint64) (*plan.Trace, error) {
	in, err := format.Open(l.name, l.config(seed))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return plan.Read(in.Recording, method)
}

// powerCurve is the power by the number of traces.
type powerCurve struct {
	Interval int64     `json:"interval_ns"` // 0: every call
	Slowdown float64   `json:"slowdown"`
	Power    []float64 `json:"power"` // by number of traces a side, from 2 on
}

// maxSides is the maximum number of traces a side of the curves.
const maxSides = 30

func curves(p *plan.Plan) []powerCurve {
	list := []powerCurve{}
	for _, r := range p.Within() {
		c := powerCurve{Interval: int64(r.Interval), Slowdown: r.Cost.Slowdown}
		for n := 2; n <= maxSides; n++ {
			c.Power = append(c.Power, r.Power(p.Change, n))
		}
		list = append(list, c)
	}
	return list
}
