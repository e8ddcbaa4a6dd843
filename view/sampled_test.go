package view

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"artifice/bench/score"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/report/estimate"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// both passes samples to two observers.
type both struct{ a, b sampler.Observer }

func (o both) Sample(s *sampler.Sample) { o.a.Sample(s); o.b.Sample(s) }
func (o both) Ended(s *sampler.Sample)  { o.a.Ended(s); o.b.Ended(s) }

// TestReadSampled compares the page's statements about samples with the counts of bench/score. The
// page compares lists of calls after sampling, while bench/score counts during sampling. The test
// compares the true calls with a sample, and the time in which the reported stack is correct.
func TestReadSampled(t *testing.T) {
	for _, name := range []string{"w3-on-off", "w6-random-tree", "w10-two-lines", "cold-start", "mid-program", "scroll-60hz"} {
		for _, interval := range []time.Duration{300 * time.Microsecond, 5 * time.Millisecond} {
			t.Run(name+" "+interval.String(), func(t *testing.T) {
				a, err := device.Open("A")
				if err != nil {
					t.Fatal(err)
				}
				truth := tracetest.Workload(t, name, time.Second)
				state := score.NewTrueState(truth)
				in := NewIntake(truth, Options{})
				truth.Events = trace.TeeReader(state, in)
				s, err := sampler.New(truth, sampler.Config{Interval: interval, KeepSymbols: true, Cost: a.Sampling}, nil)
				if err != nil {
					t.Fatal(err)
				}
				l := newSampledView(maxRequested, &in.threads)
				l.begin(s.Recording(), Options{})
				scorer := score.NewSampleScorer(state, score.SampleConfig{})
				s.SetOutput(l)
				s.SetObserver(both{scorer, l})
				if err := sampler.Run(truth, s); err != nil {
					t.Fatal(err)
				}
				if err := state.Finish(truth); err != nil {
					t.Fatal(err)
				}
				scorer.Finish()
				r, err := l.recording(s.Stats())
				if err != nil {
					t.Fatal(err)
				}
				seen, wrong := 0, time.Duration(0)
				happened, err := in.Recording(name)
				if err != nil {
					t.Fatal(err)
				}
				unseen := map[trace.ThreadID]bool{}
				for i := range happened.threads {
					unseen[happened.threads[i].id] = true
				}
				for i, c := range compare(happened, r).threads {
					seen += len(c.seenCalls())
					for _, span := range c.wrongSpans() {
						wrong += span.Duration
					}
					delete(unseen, r.threads[i].id)
				}
				for i := range happened.threads {
					if th := happened.threads[i]; unseen[th.id] {
						for _, c := range th.Calls() {
							if c.Depth == 0 {
								wrong += c.Duration // the thread has no sample
							}
						}
					}
				}
				line := score.NewReference(state).Compare(&scorer.Accumulator).Line
				if want := line.Thread - line.Equal; wrong != want {
					t.Errorf("the stack is wrong for %v, want %v as in bench/score", wrong, want)
				}
				if int64(seen) != scorer.Seen {
					t.Errorf("%d true calls are sampled, want %d as in bench/score", seen, scorer.Seen)
				}
			})
		}
	}
}

// TestReadSampledThreads checks that threads count towards the size of a recording, so a page of
// many short threads has only the requested interval.
func TestReadSampledThreads(t *testing.T) {
	const threads = 2 * maxSampledView / threadSize
	truth := &trace.Recording{Symbols: &trace.Symbols{}}
	m := truth.Symbols.AddMethod(trace.Method{Class: "a.B", Name: "f"})
	var events []trace.Event
	for _, action := range []trace.Action{trace.Enter, trace.Exit} {
		for i := range threads {
			if action == trace.Enter {
				if _, err := truth.Symbols.AddThread(trace.Thread{TID: uint32(i + 1), Name: "t"}); err != nil {
					t.Fatal(err)
				}
			}
			at := time.Duration(len(events)) * time.Microsecond
			events = append(events, trace.Event{Thread: trace.ThreadID(i), Method: m, Action: action, Wall: at, CPU: at})
		}
	}
	truth.Events = trace.NewSliceReader(events)
	page, err := ReadSampled(truth, "threads", Options{}, Sampling{Config: sampler.Config{Interval: time.Millisecond},
		Intervals: []time.Duration{500 * time.Microsecond, 2 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Recordings) != 2 || page.Recordings[1].info.Interval != time.Millisecond || len(page.Recordings[1].threads) != threads {
		t.Errorf("%d recordings, want the truth and the one at 1ms with %d threads", len(page.Recordings), threads)
	}
	want := "omitted from this page because of their size: samples every 500µs, 2ms"
	if notes := page.Recordings[0].notes; !slices.Contains(notes, want) {
		t.Errorf("notes %q do not contain %q", notes, want)
	}
}

// TestSelfAtMostTotal checks that, on the page of a sampled truth, a method's self time is at most
// its total time, by the estimates and by the calls of the timeline, which have one clock. Shares
// are from 0 to 100 %. A stack is wrong at most as long as a thread has a stack.
func TestSelfAtMostTotal(t *testing.T) {
	a, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, app := range testdata.Some(t, workload.Builtin(), 8) {
		length := time.Second
		if app.Name == "long-session" {
			length = 2 * time.Minute
		}
		page, err := ReadSampled(tracetest.Workload(t, app.Name, length), app.Name, Options{}, Sampling{
			Config: sampler.Config{Cost: a.Sampling, Seed: 1}, Interval: 5 * time.Millisecond,
			Intervals: []time.Duration{time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond},
		})
		if err != nil {
			t.Errorf("%s: %v", app.Name, err)
			continue
		}
		for _, r := range page.Recordings[1:] {
			totals, all := totalsOf(r)
			for m := range r.Profile.Methods() {
				rows++
				self, total := m.Exclusive.Wall, m.Inclusive.Wall
				resolution := time.Duration(m.Calls.Reported) * 2 * time.Microsecond // of the CPU clock, at both ends of calls
				if ran := r.Profile.RunningTime(&m.Exclusive, self.Value).Value; ran > total.Value+resolution {
					t.Errorf("%s every %s, %s: running %v of %v", app.Name, r.Name, r.Symbols.Method(m.ID), ran, total.Value)
				}
				if self.Value < 0 || self.Value > total.Value || self.Value > totals[m.ID] || self.Value > all {
					t.Errorf("%s every %s, %s: self %v, total %v by estimates and %v by calls; %v in all", app.Name, r.Name, r.Symbols.Method(m.ID), self.Value, total.Value, totals[m.ID], all)
				}
			}
			for i, c := range r.comparison.threads {
				wrong, either := time.Duration(0), roots(r.threads[i])
				for _, s := range c.wrongSpans() {
					wrong += s.Duration
				}
				if c.of >= 0 {
					either += roots(page.Recordings[0].threads[c.of])
				}
				if wrong > either {
					t.Errorf("%s every %s: wrong for %v of %v", app.Name, r.Name, wrong, either)
				}
			}
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows were compared", rows)
	}
}

// totalsOf returns the total time of each method by the calls of the timeline, and the sum over all
// threads.
func totalsOf(r *Recording) (totals map[trace.MethodID]time.Duration, all time.Duration) {
	totals = map[trace.MethodID]time.Duration{}
	for _, th := range r.threads {
		all += roots(th)
		var open []call
		for _, c := range th.Calls() {
			open = open[:c.Depth]
			if !slices.ContainsFunc(open, func(o call) bool { return o.Method == c.Method }) {
				totals[c.Method] += c.Duration
			}
			open = append(open, c)
		}
	}
	return totals, all
}

// roots returns how long a thread has a stack.
func roots(th *thread) (time time.Duration) {
	for _, c := range th.Calls() {
		if c.Depth == 0 {
			time += c.Duration
		}
	}
	return time
}

// TestSelfTimeOfCPUSamples checks that the list of methods has confidence intervals of self times if
// samples are of CPU time. There are eight samples of 10 ms: six of f, two of g.
func TestSelfTimeOfCPUSamples(t *testing.T) {
	const ms = time.Millisecond
	symbols := &trace.Symbols{Threads: []trace.Thread{{TID: 1, Name: "main"}}, Methods: []trace.Method{{ID: 4, Name: "f"}, {ID: 8, Name: "g"}}}
	rec := &trace.Recording{Symbols: symbols, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Interval: 10 * ms, OfCPU: true}}
	in := NewIntake(rec, Options{Running: true})
	for _, s := range []trace.Snapshot{
		{Until: 60 * ms, Count: 6, Stack: []trace.MethodID{0}},
		{Wall: 60 * ms, CPU: 60 * ms, Until: 80 * ms, Count: 2, Stack: []trace.MethodID{1}},
		{Wall: 80 * ms, CPU: 80 * ms, Until: 80 * ms},
	} {
		if err := in.WriteSnapshot(&s); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.WriteEvents([]trace.Event{
		{Method: 0}, {Wall: 60 * ms, CPU: 60 * ms, Method: 0, Action: trace.Exit},
		{Wall: 60 * ms, CPU: 60 * ms, Method: 1}, {Wall: 80 * ms, CPU: 80 * ms, Method: 1, Action: trace.Exit},
	}); err != nil {
		t.Fatal(err)
	}
	r, err := in.Recording("x")
	if err != nil {
		t.Fatal(err)
	}
	d := pageOf(t, r)
	self := d.Recordings[0].Estimates.Exclusive.Running
	if self == nil {
		t.Fatal("no self times")
	}
	if got, want := d.numbers(self.Value), []int64{int64(60 * ms), int64(20 * ms)}; !slices.Equal(got, want) {
		t.Errorf("self times %v, want %v", got, want)
	}
	if got := d.numbers(d.Recordings[0].Estimates.Exclusive.Caveats); !slices.Equal(got, []int64{0, 0}) {
		t.Errorf("intervals of samples with a known period have the caveats %v", got)
	}
	if got := d.numbers(d.Recordings[0].Estimates.Exclusive.Samples); !slices.Equal(got, []int64{6, 2}) {
		t.Errorf("samples %v, want 6 and 2", got)
	}
	for i, below := range d.numbers(self.Below) {
		if above := d.numbers(self.Above)[i]; below == 0 || above == 0 {
			t.Errorf("method %d: the interval extends %d below and %d above", i, below, above)
		}
	}
}

// TestCaveats: each reason for a limited interval has its bit; times of calls have none.
func TestCaveats(t *testing.T) {
	sampled := func(period time.Duration) *estimate.Profile {
		return &estimate.Profile{Technique: trace.Sampled, Period: period}
	}
	for _, c := range []struct {
		p    *estimate.Profile
		s    estimate.Share
		want uint64
	}{
		{sampled(1), estimate.Share{}, 0}, {sampled(0), estimate.Share{}, 1}, {sampled(1), estimate.Share{NoCPU: true}, 2}, {sampled(1), estimate.Share{Cycle: &estimate.Cycle{}}, 4},
		{sampled(0), estimate.Share{NoCPU: true, Cycle: &estimate.Cycle{}}, 7}, {&estimate.Profile{}, estimate.Share{NoCPU: true}, 0},
	} {
		if got := caveats(&c.s, c.p); got != c.want {
			t.Errorf("%+v, period %s: %d, want %d", c.s, c.p.Period, got, c.want)
		}
	}
}

// TestClockOfCPUSums checks that a page of sums of CPU time has CPU time only, and next to another
// recording both clocks.
func TestClockOfCPUSums(t *testing.T) {
	const ms = time.Millisecond
	read := func(sums bool) *Recording {
		symbols := &trace.Symbols{Threads: []trace.Thread{{TID: 1, Name: "main"}}, Methods: []trace.Method{{ID: 4, Name: "f"}}}
		in := NewIntake(&trace.Recording{Symbols: symbols, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Interval: 10 * ms, OfCPU: true}}, Options{})
		if err := in.WriteSnapshot(&trace.Snapshot{Until: 20 * ms, Count: 2, Stack: []trace.MethodID{0}, Sum: sums}); err != nil {
			t.Fatal(err)
		}
		if err := in.WriteEvents([]trace.Event{{}, {Wall: 20 * ms, CPU: 20 * ms, Action: trace.Exit}}); err != nil {
			t.Fatal(err)
		}
		r, err := in.Recording("x")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	clocks := func(all ...*Recording) []string {
		var b bytes.Buffer
		if err := (&Page{Title: "x", Recordings: all}).WriteHTML(&b); err != nil {
			t.Fatal(err)
		}
		return decodePage(t, b.Bytes()).Recordings[0].Clocks
	}
	if got := clocks(read(true)); !slices.Equal(got, []string{"cpu"}) {
		t.Errorf("sums: clocks %q, want cpu", got)
	}
	if got := clocks(read(false)); !slices.Equal(got, []string{"wall", "cpu"}) {
		t.Errorf("samples: clocks %q, want wall and cpu", got)
	}
	if got := clocks(read(true), read(false)); !slices.Equal(got, []string{"wall", "cpu"}) {
		t.Errorf("two recordings: clocks %q, want wall and cpu", got)
	}
}
