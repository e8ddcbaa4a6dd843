package instrument

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/art"
	"artifice/internal/testdata"
	"artifice/trace"
)

// TestZeroCostIsIdentity checks that a tracer without cost and with exact clocks records the truth.
// With a shared buffer, events are in the order of the truth; with thread buffers, in the order of
// each thread.
func TestZeroCostIsIdentity(t *testing.T) {
	for _, r := range art.All() {
		for seed := range uint64(20) {
			s := randomTruth(seed, 1+int(seed%7), 60)
			truth := s.truth()
			_, got := record(t, truth, Config{Runtime: r, KeepSymbols: true})
			want := slices.Clone(s.events)
			if r.File == art.PerThread {
				byThread := func(a, b trace.Event) int { return int(a.Thread) - int(b.Thread) }
				slices.SortStableFunc(want, byThread)
				slices.SortStableFunc(got, byThread)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, seed %d: not the truth (-truth +recorded):\n%s", r.Name, seed, diff)
			}
		}
	}
}

// TestCode checks code that is slower by 2 µs per microsecond of managed code, so each millisecond
// of a takes 3 ms. A millisecond in native code, in a wait, also one identified by name, or outside
// of all methods is unchanged. The code of a frame that is open at the start is slower, too. CPU
// times, which do not advance in waits, have the same result.
func TestCode(t *testing.T) {
	symbols := func() *trace.Symbols {
		s := &trace.Symbols{}
		s.AddThread(trace.Thread{TID: 1, Name: "main", Open: 1})
		for _, m := range []trace.Method{{Name: "a"}, {Name: "native", Flags: trace.Native}, {Name: "sleep", Wait: trace.Sleep}, {Class: "java.lang.Object", Name: "wait"}} {
			s.AddMethod(m)
		}
		return s
	}
	const ms = time.Millisecond
	truth := []trace.Event{
		{}, {Wall: 1 * ms, CPU: 1 * ms, Method: 1}, {Wall: 2 * ms, CPU: 2 * ms, Method: 1, Action: trace.Exit}, {Wall: 2 * ms, CPU: 2 * ms, Method: 2},
		{Wall: 3 * ms, CPU: 2 * ms, Method: 2, Action: trace.Exit}, {Wall: 3 * ms, CPU: 2 * ms, Method: 3}, {Wall: 4 * ms, CPU: 2 * ms, Method: 3, Action: trace.Exit},
		{Wall: 5 * ms, CPU: 3 * ms, Action: trace.Exit}, {Wall: 6 * ms, CPU: 4 * ms}, {Wall: 7 * ms, CPU: 5 * ms, Action: trace.Exit},
	}
	// Times in the traced run, in ms: a runs from 0 to 1, which ends at 3; native ends at 4, sleep
	// at 5, wait at 6; a runs from 4 to 5, which ends at 9; nothing ends at 10; a runs from 6 to 7,
	// which ends at 13.
	wall := []time.Duration{0, 3 * ms, 4 * ms, 4 * ms, 5 * ms, 5 * ms, 6 * ms, 9 * ms, 10 * ms, 13 * ms}
	cpu := []time.Duration{0, 3 * ms, 4 * ms, 4 * ms, 4 * ms, 4 * ms, 4 * ms, 7 * ms, 8 * ms, 11 * ms}
	for _, clock := range []trace.Clock{trace.Wall, trace.Dual} {
		rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Clock: clock, Elapsed: 7 * ms}, Symbols: symbols(), Events: trace.NewSliceReader(slices.Clone(truth))}
		recorded, got := record(t, rec, Config{Clock: clock, Cost: Cost{Code: 2 * time.Microsecond}, KeepSymbols: true})
		if len(got) != len(truth) || recorded.Info.Elapsed != 13*ms {
			t.Fatalf("%s: %d events in %s, want %d in 13ms", clock, len(got), recorded.Info.Elapsed, len(truth))
		}
		for i, e := range got {
			if e.Wall != wall[i] || clock.HasCPU() && e.CPU != cpu[i] {
				t.Errorf("%s, event %d: %s and CPU %s, want %s and %s", clock, i, e.Wall, e.CPU, wall[i], cpu[i])
			}
		}
	}
}

// call is one call of a recording, with the inputs of the closed form.
type call struct {
	inclusive, exclusive [2]time.Duration // wall, CPU
	children             int
	subtree              int // calls in it, including itself
}

// calls returns the calls of one thread in the order of their exits.
func calls(events []trace.Event) (done []call) {
	type frame struct {
		enter trace.Event
		call
	}
	var stack []frame
	for _, e := range events {
		if e.Action == trace.Enter {
			stack = append(stack, frame{enter: e, call: call{subtree: 1}})
			continue
		}
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		f.inclusive = [2]time.Duration{e.Wall - f.enter.Wall, e.CPU - f.enter.CPU}
		for i := range f.exclusive {
			f.exclusive[i] += f.inclusive[i]
		}
		if len(stack) > 0 {
			p := &stack[len(stack)-1]
			p.children++
			p.subtree += f.subtree
			for i := range p.exclusive {
				p.exclusive[i] -= f.inclusive[i]
			}
		}
		done = append(done, f.call)
	}
	return done
}

// TestClosedForm checks the effect of cost on times. Let c be the cost of an event, k the number of
// children of a call, and m the number of calls in its subtree. A call's exclusive time grows by c
// + k*c, and its inclusive time by c(2m-1), exactly and on both clocks, wherever in the event the
// clocks are read. Each call delays the end of the run by 2c.
func TestClosedForm(t *testing.T) {
	costs := []Cost{
		{CPURead: 3 * time.Microsecond, WallRead: 50, Hook: 300},
		{CPURead: 1},
		{Hook: 7 * time.Microsecond},
		{WallRead: 900, Hook: 100},
	}
	for seed := range uint64(40) {
		s := randomTruth(seed, 3, 50)
		cost := costs[seed%4]
		c := cost.Event(art.Default(), trace.Dual)
		runtime := art.All()[seed%uint64(len(art.All()))]
		rec, got := record(t, s.truth(), Config{Cost: cost, KeepSymbols: true, Runtime: runtime})
		for id := range s.symbols.Threads {
			want, have := calls(of(s.events, id)), calls(of(got, id))
			for i, w := range want {
				k, m := time.Duration(w.children), time.Duration(w.subtree)
				for clock := range 2 {
					w.exclusive[clock] += c + k*c
					w.inclusive[clock] += c * (2*m - 1)
				}
				if have[i] != w {
					t.Fatalf("seed %d, thread %d, call %d: %+v, want %+v by the closed form", seed, id, i, have[i], w)
				}
			}
		}
		checkSlowdown(t, s, rec, got, c)
	}
}

// checkSlowdown checks that a thread's run, from its first event on, takes 2c longer for each of
// its calls.
func checkSlowdown(t *testing.T, s *script, rec *trace.Recording, got []trace.Event, c time.Duration) {
	t.Helper()
	for id := range s.symbols.Threads {
		truth, traced := of(s.events, id), of(got, id)
		last := len(truth) - 1
		n := time.Duration(len(truth) / 2)
		want := truth[last].Wall - truth[0].Wall + 2*c*n - c // the last event's own cost follows its timestamp
		if span := traced[last].Wall - traced[0].Wall; span != want {
			t.Fatalf("thread %d: span %s, want %s", id, span, want)
		}
	}
	if rec.Info.Elapsed < got[len(got)-1].Wall {
		t.Fatalf("elapsed %s is before the last event at %s", rec.Info.Elapsed, got[len(got)-1].Wall)
	}
}

func of(events []trace.Event, id int) (one []trace.Event) {
	for _, e := range events {
		if int(e.Thread) == id {
			one = append(one, e)
		}
	}
	return one
}

// TestFunctionBias checks a leaf of 50 ns that is called a million times in addition to 5.00 s of
// other work. It has 1 % of the true time. In the recording it has 28.9 % if an event costs 3.35
// µs, and 4.6 % if an event costs 0.2 µs.
func TestFunctionBias(t *testing.T) {
	n := testdata.Times(100_000, 1_000_000)
	shared, err := art.ByName("art13")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		c    time.Duration
		want string
	}{{0, "1.0"}, {3350, "28.9"}, {200, "4.6"}} {
		s := newScript()
		a := s.thread("main", 1, 0).enter("work")
		for range n {
			a.run(5 * time.Microsecond).enter("leaf").run(50).exit()
		}
		a.exit()
		_, got := record(t, s.truth(), Config{
			Runtime: shared, BufferSize: 1 << 30, KeepSymbols: true, Cost: Cost{Hook: test.c},
		})
		var leaf, all time.Duration
		for _, c := range calls(got) {
			all += c.exclusive[0]
			if c.children == 0 {
				leaf += c.exclusive[0]
			}
		}
		if share := percent(leaf, all); share != test.want {
			t.Errorf("event cost %s: the leaf has %s %%, want %s %%", test.c, share, test.want)
		}
	}
}

func percent(part, whole time.Duration) string {
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(whole))
}

// TestBadTruth checks that an invalid truth is rejected with a description of the defect.
func TestBadTruth(t *testing.T) {
	symbols := func() *trace.Symbols {
		s := &trace.Symbols{}
		s.AddThread(trace.Thread{TID: 1})
		s.AddThread(trace.Thread{TID: 2})
		s.AddMethod(trace.Method{Name: "m"})
		return s
	}
	for want, events := range map[string][]trace.Event{
		"event at 1ns after one at 2ns":            {{Wall: 2}, {Wall: 1, Thread: 1}},
		"thread 2 and method 0: the truth has 2 t": {{Thread: 2}},
		"method 7: the truth has 2 threads and 1":  {{Method: 7}},
	} {
		rec, err := Record(&trace.Recording{Symbols: symbols(), Events: trace.NewSliceReader(events)}, Config{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Copy(&trace.Buffer{}, rec.Events); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	back := []trace.Event{{Wall: 5}, {Wall: 3, Action: trace.Exit}}
	_, got := record(t, &trace.Recording{Symbols: symbols(), Events: trace.NewSliceReader(back)}, Config{})
	if len(got) != 2 || got[1].Wall != 5 {
		t.Errorf("a step back on one thread: %+v, want both at 5", got)
	}
	for want, truth := range map[string]*trace.Recording{
		"has only thread CPU time": {Info: trace.Info{Clock: trace.ThreadCPU}, Symbols: symbols()},
		"has no thread CPU time":   {Info: trace.Info{Clock: trace.Wall}, Symbols: symbols()},
	} {
		if _, err := Record(truth, Config{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for _, cost := range []Cost{{Hook: -1}, {CPURead: time.Hour}} {
		if _, err := Record(&trace.Recording{Symbols: symbols()}, Config{Cost: cost}); err == nil {
			t.Errorf("%+v: no error, want one", cost)
		}
	}
}

// TestNoCostAfterTheEnd checks that an app has no tracing overhead after its recording has ended. A
// run of 100 000 calls has the cost of 174 762 events, and of the first event without room.
func TestNoCostAfterTheEnd(t *testing.T) {
	runtime, _ := art.ByName("art15")
	for _, limit := range []int{0, 200_000} {
		l := &loop{threads: 1, left: 400_000}
		rec, err := Record(l.truth(), Config{Runtime: runtime, Cost: Cost{Hook: 3 * time.Microsecond}})
		if err != nil {
			t.Fatal(err)
		}
		if limit > 0 {
			rec.Events.(*tracer).limit = limit
		}
		events := read(t, rec)
		// The truth ends with its last event, at 399 999 us.
		if want := 399_999*time.Microsecond + 174_763*3*time.Microsecond; rec.Info.Elapsed != want || len(events) != 174_763 {
			t.Errorf("limit %d: %d events, elapsed %s, want 174763 and %s", limit, len(events), rec.Info.Elapsed, want)
		}
	}
}
