package estimate

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// changing returns the events of a thread that changes between three methods at each sample. The
// function gap returns the time since the previous sample.
func changing(samples int, gap func(i int) time.Duration) ([]trace.Event, *trace.Symbols) {
	symbols := &trace.Symbols{Threads: []trace.Thread{{TID: 1}}}
	for _, name := range []string{"a", "b", "c"} {
		symbols.AddMethod(trace.Method{Class: "C", Name: name})
	}
	rng := rand.New(rand.NewPCG(5, 2))
	var events []trace.Event
	at, in := time.Duration(0), trace.MethodID(0)
	for i := range samples {
		at += gap(i)
		e := trace.Event{Wall: at, CPU: at - time.Duration(i/8)*ms/2, Action: trace.Exit, Method: in} // the thread waits before every eighth sample
		if i > 0 {
			events = append(events, e)
		}
		in = (in + 1 + trace.MethodID(rng.IntN(2))) % 3
		e.Action, e.Method = trace.Enter, in
		events = append(events, e)
	}
	return events, symbols
}

func profileOf(t *testing.T, events []trace.Event, symbols *trace.Symbols) *Profile {
	t.Helper()
	p, err := Read(&trace.Recording{Symbols: symbols, Events: trace.NewSliceReader(events), Info: trace.Info{Technique: trace.Sampled}}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestDelayedSamples checks a trace in which every fifth sample is delayed by 0.4 ms, so that 200
// of 1000 gaps are 1.4 ms long. In each of these gaps one method ends and another begins, at an
// unknown time. The errors of all these gaps can have the same sign, so each gap widens the
// interval by 1.4 ms on either side.
func TestDelayedSamples(t *testing.T) {
	const late = 7 * ms / 5
	events, symbols := changing(1001, func(i int) time.Duration {
		if i%5 == 4 {
			return late
		}
		return ms
	})
	p := profileOf(t, events, symbols)
	if want := (Late{200, 1000, 2 * ms / 5, 2 * ms / 5}); p.Late != want {
		t.Errorf("%+v, want %+v", p.Late, want)
	}
	begins, ends := map[trace.MethodID]time.Duration{}, map[trace.MethodID]time.Duration{}
	for i := 1; i < len(events); i += 2 { // an exit, and an enter at the same time
		if events[i].Wall-events[i-1].Wall == late {
			ends[events[i].Method] += late
			begins[events[i+1].Method] += late
		}
	}
	for id, name := range []string{"a", "b", "c"} {
		m := method(t, p, symbols, name).Exclusive
		for _, time := range []Time{m.Wall, m.CPU} {
			low, high := time.Value-time.Low-begins[trace.MethodID(id)], time.High-time.Value-ends[trace.MethodID(id)]
			// If chance affected all of its runs, some 330, the error would be 1.96 × √330 × 1.1 ms
			// = 39 ms; twice that is too much.
			if low <= 0 || low > 78*ms || high <= 0 || high > 78*ms {
				t.Errorf("%s: %v, of which %v are for late begins, and %v for late ends", name, time, begins[trace.MethodID(id)], ends[trace.MethodID(id)])
			}
		}
	}
}

// TestUsualDelays checks that random delays, like those of a phone's sleeps, do not count. Neither
// do several periods without a change, nor a few delayed samples.
func TestUsualDelays(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, gap := range map[string]func(i int) time.Duration{
		"on time":   func(int) time.Duration { return ms },
		"by chance": func(int) time.Duration { return 2*ms + time.Duration(rng.NormFloat64()*float64(400*time.Microsecond)) },
		"sleeps too long at random, and each third gap of two": func(i int) (gap time.Duration) {
			for range 1 + i%3/2 {
				gap += 1100*time.Microsecond + max(0, 250*time.Microsecond+time.Duration(rng.NormFloat64()*float64(190*time.Microsecond)))
			}
			return gap
		},
		"several periods": func(int) time.Duration {
			return (ms - time.Duration(rng.IntN(20_000))) * time.Duration(1+rng.IntN(5)/2)
		},
		"a few": func(i int) time.Duration {
			if i%100 == 0 {
				return 3 * ms / 2
			}
			return ms
		},
	} {
		events, symbols := changing(1001, gap)
		if p := profileOf(t, events, symbols); p.Late != (Late{}) {
			t.Errorf("%s: %+v", name, p.Late)
		}
	}
}

// TestDelayedSamplesAreNoSilence checks four threads that change at every sample: repeated gaps of
// 1.4 ms are late samples, and one gap of 30 ms is a silence.
func TestDelayedSamplesAreNoSilence(t *testing.T) {
	one, symbols := changing(1001, func(i int) time.Duration {
		switch {
		case i == 500:
			return 30 * ms
		case i%5 == 4:
			return 7 * ms / 5
		}
		return ms
	})
	p := profileOf(t, onFourThreads(one, symbols), symbols)
	if want := (Silence{1, 30 * ms, 30 * ms}); p.Silence != want {
		t.Errorf("%+v, want %+v", p.Silence, want)
	}
	if want := (Late{200, 1000, 2 * ms / 5, 2 * ms / 5}); p.Late != want {
		t.Errorf("%+v, want %+v", p.Late, want)
	}
}

// TestGCGapsAreNotDelays checks gaps that the garbage collector causes: if every 10th gap is 1.4 ms
// and every 20th is a silence, no sample is late.
func TestGCGapsAreNotDelays(t *testing.T) {
	one, symbols := changing(1001, func(i int) time.Duration {
		switch {
		case i%20 == 0:
			return 30 * ms
		case i%10 == 5:
			return 7 * ms / 5
		}
		return ms
	})
	p := profileOf(t, onFourThreads(one, symbols), symbols)
	if p.Late != (Late{}) || p.Silence.Count < 40 {
		t.Errorf("late %+v, silences %+v; want none late, and some 50 silences", p.Late, p.Silence)
	}
}

// onFourThreads returns the events of one thread for each of four threads.
func onFourThreads(one []trace.Event, symbols *trace.Symbols) (events []trace.Event) {
	symbols.Threads = make([]trace.Thread, 4)
	for _, e := range one {
		for id := range symbols.Threads {
			e.Thread = trace.ThreadID(id)
			events = append(events, e)
		}
	}
	return events
}

// TestDelaysBeyondOnePeriod checks 1000 samples. Every tenth sample is late by a uniform time from
// 1 to 4 ms, like a sample that waits for the end of a thread's time slice. Half of these hundred
// delays are a number of periods plus a quarter to three quarters; the estimate of the number of
// late samples is twice their count. A count of fifty has a standard deviation of √50, so the
// estimate may deviate by four times twice that: √50·4·2 = 57. Only 17 samples are late by one to
// two periods.
func TestDelaysBeyondOnePeriod(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	events, symbols := changing(1001, func(i int) time.Duration {
		if i%10 == 9 {
			return ms + ms + time.Duration(rng.Float64()*3*float64(ms))
		}
		return ms
	})
	p := profileOf(t, events, symbols)
	if p.Late.Samples < 43 || p.Late.Samples > 157 {
		t.Errorf("%+v, want some 100 late samples", p.Late)
	}
}

// TestDelaysInThreadBlocks checks that a file with separate blocks of events for each thread, as of
// Android 14 and later, has the same result as one in time order.
func TestDelaysInThreadBlocks(t *testing.T) {
	one, symbols := changing(1001, func(i int) time.Duration {
		if i%5 == 4 {
			return 7 * ms / 5
		}
		return ms
	})
	events := onFourThreads(one, symbols)
	ordered := profileOf(t, events, symbols)
	slices.SortStableFunc(events, func(a, b trace.Event) int { return int(a.Thread) - int(b.Thread) })
	p := profileOf(t, events, symbols)
	if want := (Late{200, 1000, 2 * ms / 5, 2 * ms / 5}); p.Late != want {
		t.Errorf("%+v, want %+v", p.Late, want)
	}
	for _, name := range []string{"a", "b", "c"} {
		if got, want := method(t, p, symbols, name).Exclusive, method(t, ordered, symbols, name).Exclusive; got.Wall != want.Wall {
			t.Errorf("%s: %v in blocks, want %v as in time order", name, got.Wall, want.Wall)
		}
	}
}
