package estimate

import (
	"math"
	"testing"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

const ms = time.Millisecond

// sampledEvents returns the events of a sampler that observes, every millisecond, one method of a
// string. Each letter is one method called from the top level, and a space is no method. A repeated
// letter has no event.
func sampledEvents(seen string) ([]trace.Event, *trace.Symbols) {
	symbols := &trace.Symbols{Threads: []trace.Thread{{Name: "main"}}}
	ids := map[byte]trace.MethodID{}
	var events []trace.Event
	last := byte(' ')
	for i := range len(seen) {
		now, at := seen[i], time.Duration(i+1)*ms
		if now == last {
			continue
		}
		e := trace.Event{Wall: at, CPU: at}
		if last != ' ' {
			e.Action, e.Method = trace.Exit, ids[last]
			events = append(events, e)
		}
		if now != ' ' {
			if _, ok := ids[now]; !ok {
				ids[now] = symbols.AddMethod(trace.Method{Class: "C", Name: string(now)})
			}
			e.Action, e.Method = trace.Enter, ids[now]
			events = append(events, e)
		}
		last = now
	}
	return events, symbols
}

func read(t *testing.T, seen string, cfg Config) (*Profile, *trace.Symbols) {
	t.Helper()
	events, symbols := sampledEvents(seen)
	rec := &trace.Recording{Symbols: symbols, Events: trace.NewSliceReader(events), Info: trace.Info{Technique: trace.Sampled}}
	p, err := Read(rec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p, symbols
}

// method returns the estimate of the method with a letter as its name.
func method(t *testing.T, p *Profile, symbols *trace.Symbols, name string) Method {
	t.Helper()
	for m := range p.Methods() {
		if symbols.Method(m.ID).Name == name {
			return m
		}
	}
	t.Fatalf("no method %s", name)
	return Method{}
}

// filler provides data for the estimate of the period: 30 changes, 1 ms apart, of methods that no
// test uses.
const filler = "xyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxy "

// TestRuns checks times, samples and runs counted by hand, and the variances of the rule: T² for a
// run or gap of one sample, T²/12 for each other end.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		seen     string
		time     time.Duration
		runs     Runs
		variance float64 // in T²
	}{
		{"a  ", 1 * ms, Runs{1, 1, 0}, 1},
		{"aaaaa  ", 5 * ms, Runs{5, 0, 1}, 2. / 12},
		{"aaa    aaa  ", 6 * ms, Runs{6, 0, 2}, 4. / 12},
		{"aaa baaa  ", 6 * ms, Runs{6, 0, 2}, 4. / 12},
		{"aaabaaa  ", 6 * ms, Runs{6, 0, 2}, 1 + 2./12}, // the gap replaces the two adjacent ends
		{"a   a   aa  ", 4 * ms, Runs{4, 2, 1}, 2 + 2./12},
	} {
		p, symbols := read(t, filler+c.seen, Config{})
		a := method(t, p, symbols, "a").Exclusive
		if p.Period != ms || a.Wall.Value != c.time || a.Runs != c.runs {
			t.Errorf("%q: period %v, %v in %v, want %v in %v", c.seen, p.Period, a.Wall.Value, a.Runs, c.time, c.runs)
		}
		n := float64(c.time / ms)
		low := max(0, n-1.959964*math.Sqrt(c.variance))
		// The upper end of the score interval solves s − n = z √(v s/n).
		unit := c.variance / n
		high := n + 1.959964*1.959964*unit/2 + 1.959964*math.Sqrt(unit*n+1.959964*1.959964*unit*unit/4)
		if got := a.Wall; math.Abs(float64(got.Low)/1e6-low) > 1e-5 || math.Abs(float64(got.High)/1e6-high) > 1e-5 {
			t.Errorf("%q: %v to %v, want %.6f to %.6f ms", c.seen, got.Low, got.High, low, high)
		}
		if a.CPU != a.Wall { // the thread is always running
			t.Errorf("%q: CPU time %v, want %v", c.seen, a.CPU, a.Wall)
		}
		if s := high; math.Abs(s-n-1.959964*math.Sqrt(unit*s)) > 1e-6 {
			t.Fatalf("%q: the expected upper end does not solve the equation", c.seen)
		}
	}
}

// TestUnsampledShare checks the unsampled share: of 10 samples after the filler, 3 have methods
// that were sampled once.
func TestUnsampledShare(t *testing.T) {
	p, _ := read(t, filler+"aaaabcdaaa ", Config{})
	if want := 3. / (32 + 10); math.Abs(p.Unseen-want) > 1e-9 {
		t.Errorf("unsampled share %.4f, want %.4f", p.Unseen, want)
	}
}

// TestTooShort checks that a trace of two samples has no period and no interval.
func TestTooShort(t *testing.T) {
	p, _ := read(t, "ab ", Config{})
	if p.Period != 0 {
		t.Errorf("period %v of two samples, want 0", p.Period)
	}
}

// TestOpenEnd checks a method that is open after the last event, 20 ms before the stop. No event
// states its end. Its upper end includes the 20 ms. If they are counted, its lower end excludes
// them.
func TestOpenEnd(t *testing.T) {
	events, symbols := sampledEvents(filler + "a")
	last := events[len(events)-1].Wall
	for _, until := range []calltree.EndPolicy{calltree.UntilLastEvent, calltree.UntilStop} {
		rec := &trace.Recording{Symbols: symbols, Events: trace.NewSliceReader(events), Info: trace.Info{Technique: trace.Sampled, Elapsed: last + 20*ms}}
		p, err := Read(rec, Config{Until: until})
		if err != nil {
			t.Fatal(err)
		}
		a := method(t, p, symbols, "a").Exclusive.Wall
		if p.LeftOut != 20*ms || a.Low > 0 || a.High < 20*ms {
			t.Errorf("until %d: %v left out, a takes %v", until, p.LeftOut, a)
		}
	}
}

// TestThinning checks the thinning by k of samples 1101 0110, counted by hand. Every sample without
// a sample k before it begins a run.
func TestThinning(t *testing.T) {
	var c thinned
	c.run(farAway, 2) // samples 1 and 2
	c.run(1, 1)       // sample 4
	c.run(1, 2)       // samples 6 and 7
	// The runs begin, by 2, at 1, 2 and 7; by 3, at 1, 2 and 6; by 4, at 1, 2, 4 and 7; by 6, at
	// all but 7; by 8, at all.
	if want := [...]uint32{3, 3, 4, 4, 5}; c.starts != want || c.runs != 3 {
		t.Errorf("%d runs, thinned %v, want 3 and %v", c.runs, c.starts, want)
	}
}

// TestExact checks that a trace of every call has no sampling error, and that its times equal those
// of calltree.
func TestExact(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{Threads: make([]trace.Thread, 1), Methods: make([]trace.Method, 2)},
		Info: trace.Info{Technique: trace.Instrumented},
		Events: trace.NewSliceReader([]trace.Event{
			{Wall: 0, Method: 0}, {Wall: 10, Method: 1}, {Wall: 30, Method: 1, Action: trace.Exit},
			{Wall: 40, Method: 1}, {Wall: 45, Method: 1, Action: trace.Exit}, {Wall: 100, Method: 0, Action: trace.Exit},
		})}
	p, err := Read(rec, Config{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []time.Duration{75, 25} {
		if got := p.Method(i).Exclusive.Wall; got != (Time{want, want, want}) {
			t.Errorf("method %d: %v, want %d", i, got, want)
		}
	}
	if p.Overhead != 0 || p.Method(1).Calls != (Calls{Reported: 2}) {
		t.Errorf("overhead %d, calls %+v", p.Overhead, p.Method(1).Calls)
	}
}

// TestFirstSample checks the first method of a trace. It may have begun up to a period before the
// first sample, but not before the trace.
func TestFirstSample(t *testing.T) {
	p, symbols := read(t, "aaaaaaaaaa "+filler, Config{})
	a := method(t, p, symbols, "a").Exclusive.Wall
	// There are 10 samples, one run with the standard deviation √(2/12) = 0.408 ms, and one period
	// more. The period is 2.45 standard deviations, so 1.645 of these are enough: 0.67 ms. The
	// score interval adds 0.02 ms.
	if a.High < 11*ms+670*time.Microsecond || a.High > 11*ms+710*time.Microsecond {
		t.Errorf("a takes %v", a)
	}
}
