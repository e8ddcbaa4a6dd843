package trace_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace"
)

// sampledEvents are what a sampler with period 5 ms +- 10 % writes of a thread
// whose innermost frame changes at two samples in three.
func sampledEvents(seed uint64) []trace.Event {
	rng := rand.New(rand.NewPCG(seed, 0))
	var events []trace.Event
	var now time.Duration
	for m := trace.MethodID(0); m < 300; m++ {
		now += 5*time.Millisecond + time.Duration(rng.Int64N(1e6)-5e5)
		if rng.IntN(3) == 0 {
			continue
		}
		if n := len(events); n > 0 {
			events = append(events, trace.Event{Wall: now, Method: events[n-1].Method, Action: trace.Exit})
		}
		events = append(events, trace.Event{Wall: now, Method: m})
	}
	return events
}

func TestEvidenceSampled(t *testing.T) {
	var v trace.Evidence
	v.WriteEvents(sampledEvents(1))
	if technique, sure := v.Verdict(); technique != trace.Sampled || sure != trace.Likely {
		t.Errorf("%v %v, singles %.3f", technique, sure, v.SingleShare())
	}
	if v.Singles != 1 {
		t.Errorf("%d groups of one event, only the first enter is alone", v.Singles)
	}
	// the mean of 5 ms +- 10 % over some 130 gaps: standard error 0.29/sqrt(130) ms
	if p := v.Period(); (p - 5*time.Millisecond).Abs() > 100*time.Microsecond {
		t.Errorf("period %v, sampled every 5 ms", p)
	}
}

func TestEvidenceInstrumented(t *testing.T) {
	events := make([]trace.Event, 100)
	for i := range events {
		events[i] = trace.Event{Wall: time.Duration(i), Action: trace.Action(i % 2)}
	}
	verdict := func(events []trace.Event) (trace.Technique, trace.Confidence) {
		var v trace.Evidence
		v.WriteEvents(events)
		return v.Verdict()
	}
	if technique, sure := verdict(events); technique != trace.Instrumented || sure != trace.Likely {
		t.Errorf("%v %v", technique, sure)
	}
	if technique, sure := verdict(events[:10]); technique != trace.Instrumented || sure != trace.Unclear {
		t.Errorf("10 events: %v %v", technique, sure)
	}
	events[99].Action = trace.Unwind
	if technique, sure := verdict(events); technique != trace.Instrumented || sure != trace.Certain {
		t.Errorf("with an unwind: %v %v", technique, sure)
	}
	if technique, sure := verdict(nil); technique != trace.UnknownTechnique || sure != trace.Unclear {
		t.Errorf("no events: %v %v", technique, sure)
	}
}

// TestEvidenceCoarseClock: a clock that stands still puts whole calls into one
// group, which looks sampled but for the order within.
func TestEvidenceCoarseClock(t *testing.T) {
	var v trace.Evidence
	for i := range 100 {
		at := time.Duration(i) * 30 * time.Microsecond
		v.WriteEvents([]trace.Event{{Wall: at}, {Wall: at, Action: trace.Exit}, {Wall: at}, {Wall: at, Action: trace.Exit}})
	}
	if technique, sure := v.Verdict(); technique != trace.Instrumented || sure != trace.Certain || v.Mixed != 200 {
		t.Errorf("%v %v, %d mixed", technique, sure, v.Mixed)
	}
}

// TestEvidenceHugeGap: the largest duration has a class too.
func TestEvidenceHugeGap(t *testing.T) {
	var v trace.Evidence
	v.WriteEvents([]trace.Event{{Wall: 0}, {Wall: 1<<63 - 1}, {Wall: 5}})
	if v.Groups != 3 || v.Period() != 0 {
		t.Errorf("%d groups, period %v", v.Groups, v.Period())
	}
}
