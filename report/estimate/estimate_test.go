package estimate

import (
	"math"
	"testing"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

const ms = time.Millisecond

// sampledEvents returns the events of a sampler that shows, every millisecond, one method of a
// string: each letter is one method called from the top level, and a space is no method. A repeated
// letter is no event.
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

// method returns the estimate of a letter.
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

// filler gives the estimate of the period something to go by: 30 changes 1 ms
// apart, of methods that no test asks about.
const filler = "xyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxy "

// TestRuns: times, samples and runs counted by hand, and the variances of the
// rule: T² for a run or gap of one sample, T²/12 for each other end.
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
		{"aaabaaa  ", 6 * ms, Runs{6, 0, 2}, 1 + 2./12}, // the gap replaces the two ends next to it
		{"a   a   aa  ", 4 * ms, Runs{4, 2, 1}, 2 + 2./12},
	} {
		p, symbols := read(t, filler+c.seen, Config{})
		a := method(t, p, symbols, "a").Exclusive
		if p.Period != ms || a.Wall.Value != c.time || a.Runs != c.runs {
			t.Errorf("%q: period %v, %v in %v, want %v in %v", c.seen, p.Period, a.Wall.Value, a.Runs, c.time, c.runs)
		}
		n := float64(c.time / ms)
		low := max(0, n-1.959964*math.Sqrt(c.variance))
		// The score interval's upper end solves s − n = z √(v s/n).
		unit := c.variance / n
		high := n + 1.959964*1.959964*unit/2 + 1.959964*math.Sqrt(unit*n+1.959964*1.959964*unit*unit/4)
		if got := a.Wall; math.Abs(float64(got.Low)/1e6-low) > 1e-5 || math.Abs(float64(got.High)/1e6-high) > 1e-5 {
			t.Errorf("%q: %v to %v, want %.6f to %.6f ms", c.seen, got.Low, got.High, low, high)
		}
		if a.CPU != a.Wall { // the thread runs all the time
			t.Errorf("%q: CPU time %v, want %v", c.seen, a.CPU, a.Wall)
		}
		if s := high; math.Abs(s-n-1.959964*math.Sqrt(unit*s)) > 1e-6 {
			t.Fatalf("%q: the test's own upper end is wrong", c.seen)
		}
	}
}

// TestUnseen: of 10 samples after the filler, 3 are of methods that were seen once.
func TestUnseen(t *testing.T) {
	p, _ := read(t, filler+"aaaabcdaaa ", Config{})
	if want := 3. / (32 + 10); math.Abs(p.Unseen-want) > 1e-9 {
		t.Errorf("unseen share %.4f, want %.4f", p.Unseen, want)
	}
}

// TestTooShort: a trace of two samples has no period, and no interval.
func TestTooShort(t *testing.T) {
	p, _ := read(t, "ab ", Config{})
	if p.Period != 0 {
		t.Errorf("period %v of two samples", p.Period)
	}
}

// TestOpenEnd: the last method runs on after the last event, for 20 ms up to the
// stop, and no event states until when. Its upper end has them; counted, the lower
// end does without.
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

// TestThinning: in 1101 0110, every sample without a sample k before it begins a run of the
// thinning by k, counted by hand.
func TestThinning(t *testing.T) {
	var c thinned
	c.run(farAway, 2) // samples 1 and 2
	c.run(1, 1)       // 4
	c.run(1, 2)       // 6 and 7
	// By 2: 1, 2, 7. By 3: 1, 2, 6. By 4: 1, 2, 4, 7. By 6: all but 7. By 8: all.
	if want := [...]uint32{3, 3, 4, 4, 5}; c.starts != want || c.runs != 3 {
		t.Errorf("%d runs, thinned %v, want 3 and %v", c.runs, c.starts, want)
	}
}

// TestExact: a trace of every call has no sampling error, and its times equal those of calltree.
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

// TestFirstSample: the first method may have been there since the sample before the
// first one, a period ago, but not since before the trace began.
func TestFirstSample(t *testing.T) {
	p, symbols := read(t, "aaaaaaaaaa "+filler, Config{})
	a := method(t, p, symbols, "a").Exclusive.Wall
	// 10 samples, one run with the standard deviation √(2/12) = 0.408 ms, and one period more. The
	// period is 2.45 standard deviations, so 1.645 of these are enough: 0.67 ms. The score interval
	// adds 0.02 ms.
	if a.High < 11*ms+670*time.Microsecond || a.High > 11*ms+710*time.Microsecond {
		t.Errorf("a takes %v", a)
	}
}
