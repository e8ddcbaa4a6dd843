package waiting

import (
	"math"
	"time"

	"artifice/art"
	"artifice/instrument"
	"artifice/sampler"
	"artifice/trace"
)

// values are measures relative to those of the untraced run: the factor of its length and of its
// threads' waiting time, and the share of late frames.
type values struct{ slowdown, waiting, late float64 }

// relativeTo returns measures relative to those of an untraced run.
func (m measures) relativeTo(untraced measures) values {
	v := values{slowdown: m.end.Seconds() / untraced.end.Seconds(), waiting: m.waiting.Seconds() / untraced.waiting.Seconds(), late: math.NaN()}
	if m.frames > 0 {
		v.late = float64(m.late) / float64(m.frames)
	}
	return v
}

// phases is the number of emulated samplers.
const phases = 60

// sampled predicts the measures of a sampled program from its log: with all phases, and with each
// value of the stops' excess over their samples.
func sampled(threads []*thread, samples []span, longer []time.Duration, oneClock bool) (list []values, err error) {
	rec := truth(threads)
	var samplers []*sampler.Sampler
	for i := range phases {
		cost, every := cost(samples, longer[i%len(longer)])
		cfg := sampler.Config{Interval: every, Seed: uint64(i), Cost: cost, OneClock: oneClock}
		cfg.Phase = 1 + time.Duration(float64(i)/phases*float64(every+cost.Overshoot))
		s, err := sampler.New(rec, cfg, nil)
		if err != nil {
			return nil, err
		}
		samplers = append(samplers, s)
	}
	if err := sampler.Run(rec, samplers...); err != nil {
		return nil, err
	}
	untraced := measured(threads).relativeTo(measured(threads))
	for _, s := range samplers {
		stats := s.Stats()
		v := values{slowdown: stats.Slowdown(), waiting: stats.Overhead.Waiting(), late: stats.Overhead.LateShare()}
		if oneClock { // waits are scaled like everything else, and frames are as late as before
			v.waiting, v.late = v.slowdown, untraced.late
		}
		list = append(list, v)
	}
	return list, nil
}

// instrumented predicts the measures from the log and the cost of each enter and leave.
func instrumented(threads []*thread, burn time.Duration, oneClock bool) (values, error) {
	untraced, rec := measured(threads), truth(threads)
	rt, err := art.ByName("art14") // it reads the clock before the rest of the event cost
	if err != nil {
		return values{}, err
	}
	made, err := instrument.Record(rec, instrument.Config{Clock: trace.Wall, Streaming: true, KeepSymbols: true, Unmerged: true, OneClock: oneClock, Runtime: rt, Cost: instrument.Cost{Hook: burn}})
	if err != nil {
		return values{}, err
	}
	var events trace.Buffer
	if _, err := trace.Copy(&events, made.Events); err != nil {
		return values{}, err
	}
	logs := make([][]trace.Event, len(threads))
	for _, e := range events.Events {
		logs[e.Thread] = append(logs[e.Thread], e)
	}
	v := measure(rec.Symbols, logs).relativeTo(untraced)
	if oneClock {
		v.late = untraced.relativeTo(untraced).late
	}
	return v, nil
}
