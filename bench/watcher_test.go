package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"artifice/bench/metric"
	"artifice/bench/paths"
	"artifice/diffstack"
	"artifice/sampler"
	"artifice/trace"
)

const us = time.Microsecond

// randomTruth makes threads in whole microseconds that call, return, are left
// with frames open, and have exits that fit nothing.
func randomTruth(rng *rand.Rand, threads, n int) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented}, Symbols: &trace.Symbols{}}
	for range threads {
		rec.Symbols.AddThread(trace.Thread{})
	}
	for i := range 5 {
		rec.Symbols.AddMethod(trace.Method{Class: "C", Name: fmt.Sprint("m", i)})
	}
	var stacks trace.Stacks
	var events []trace.Event
	now := time.Duration(rng.IntN(20)) * us
	for range n {
		id := trace.ThreadID(rng.IntN(threads))
		e := trace.Event{Wall: now, CPU: now, Method: trace.MethodID(rng.IntN(4)), Thread: id}
		open := stacks.Of(id)
		switch {
		case rng.IntN(25) == 0:
			e.Action, e.Method = trace.Exit, 4 // an orphan, or a mismatch
		case len(open) > 4 || len(open) > 0 && rng.IntN(2) == 0:
			e.Action, e.Method = trace.Action(1+rng.IntN(2)), open[len(open)-1]
		}
		stacks.Apply(e)
		events = append(events, e)
		rec.Symbols.Threads[id].End = now
		if rng.IntN(3) > 0 {
			now += time.Duration(rng.IntN(9)) * us
		}
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// randomTrial makes a truth, also returned as its events, and when it is sampled.
func randomTrial(rng *rand.Rand) (rec *trace.Recording, events []trace.Event, phase, gap time.Duration) {
	rec = randomTruth(rng, 1+rng.IntN(3), 30+rng.IntN(90))
	var all trace.Buffer
	trace.Copy(&all, rec.Events)
	rec.Events = trace.NewSliceReader(all.Events)
	gap = time.Duration(1+rng.IntN(40)) * us
	return rec, all.Events, time.Duration(rng.Int64N(int64(gap/us)))*us + us/2, gap
}

// TestWatcher holds a watcher's tally against brute force.
func TestWatcher(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for trial := range 60 {
		rec, events, phase, gap := randomTrial(rng)
		pause := time.Duration(rng.IntN(3)) * 10 * us

		c := &cell{mode: ARTSampling, config: cellConfig{}}
		c.mode.watch = func(cellConfig) sampler.Config {
			return sampler.Config{Interval: gap, Phase: phase, Cost: sampler.Cost{PerTick: pause}}
		}
		j := &samplingJob{cells: []*cell{c}}
		w, course := runOne(t, j, rec)
		x := bruteSample(newReplay(rec, events), phase, gap, pause)

		what := fmt.Sprintf("trial %d, phase %v, gap %v, pause %v", trial, phase, gap, pause)
		w.columns.grow(course.table.Len())
		for p := paths.ID(1); int(p) < course.table.Len(); p++ {
			key := fmt.Sprint(course.table.Thread(p), name(&course.table, p))
			self, calls := w.columns.self[p], int64(w.columns.calls[p])
			// A thread's last stack goes on to the sample that does not find it, or to
			// the one that would come next: as the brute force has it.
			if self != x.self[key] || calls != x.calls[key] {
				t.Errorf("%s, %s: self %v calls %d, want %v and %d", what, key, self, calls, x.self[key], x.calls[key])
			}
		}
		if w.samples != x.samples || w.seen != x.seen || w.reported != x.reported {
			t.Errorf("%s: %d samples, %d calls seen, %d reported, want %d, %d, %d", what, w.samples, w.seen, w.reported, x.samples, x.seen, x.reported)
		}
		want := metric.Timeline{Thread: x.thread, Equal: x.equal, True: x.truth, Reported: x.observed, Common: x.common_}
		if w.line != want {
			t.Errorf("%s: time line %+v, want %+v", what, w.line, want)
		}
		if t.Failed() {
			return
		}
	}
}

// watched lets one sampler be watched, which knows no frames of its own when the
// watcher compares the stacks. It also returns how many events the sampler wrote.
func watched(t *testing.T, truth *trace.Recording, config sampler.Config, compares bool) (*watcher, int64) {
	t.Helper()
	course := newCourse(truth.Events, truth)
	truth.Events = course
	w := &watcher{course: course, ends: config.SliceEnd, compares: compares}
	course.moves.askers = append(course.moves.askers, w)
	course.withCPU()
	w.withCPU()
	var out trace.Writer
	if !compares {
		out = trace.Discard
	}
	s, err := sampler.New(truth, config, out)
	if err != nil {
		t.Fatal(err)
	}
	s.SetObserver(w)
	if err := sampler.Run(truth, s); err != nil {
		t.Fatal(err)
	}
	if err := course.finish(course.length()); err != nil {
		t.Fatal(err)
	}
	w.finish()
	return w, s.Stats().Events
}

// TestOnlyWatched: a watcher that compares stacks by its paths tallies what one
// does that is told by a sampler with an output, event by event.
func TestOnlyWatched(t *testing.T) {
	phone := devices(t, "A")[0].Sampling
	for i, config := range []sampler.Config{
		{Interval: 200 * us},
		{Interval: time.Millisecond, Cost: phone},
		{Interval: 500 * us, Leaves: sampler.LeavesHidden},
		{Interval: 300 * us, SliceEnd: diffstack.EndMid, Cost: phone},
		{Interval: 700 * us, Schedule: sampler.Poisson},
	} {
		for _, workload := range []string{"cold-start", "gc-storm", "w6-random-tree"} {
			w, _ := watched(t, truthOf(t, workload, 300*time.Millisecond), config, true)
			told, events := watched(t, truthOf(t, workload, 300*time.Millisecond), config, false)
			if a, b := w.tally, told.tally; !reflect.DeepEqual(a, b) || a.reported == 0 {
				t.Errorf("config %d, %s: %d calls, %d seen, %+v; with an output %d, %d, %+v", i, workload, a.reported, a.seen, a.line, b.reported, b.seen, b.line)
			}
			if w.events() != events {
				t.Errorf("config %d, %s: %d events, the sampler wrote %d", i, workload, w.events(), events)
			}
		}
	}
}

// TestEndMid: the time line of calls that end midway between two samples,
// against brute force.
func TestEndMid(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	for trial := range 60 {
		rec, events, phase, gap := randomTrial(rng)
		config := sampler.Config{Interval: gap, Phase: phase, SliceEnd: diffstack.EndMid}
		w, _ := runOne(t, &samplingJob{cells: []*cell{{mode: Mode{watch: func(cellConfig) sampler.Config { return config }}}}}, rec)
		if got, want := w.line, midLine(newReplay(rec, events), phase, gap); got != want {
			t.Fatalf("trial %d, phase %v, gap %v: %+v, want %+v", trial, phase, gap, got, want)
		}
	}
}

// midLine looks at every half microsecond of every thread: what the sample
// before saw is reported up to the middle, and from there on what the next sample
// still sees of it.
func midLine(r *replay, phase, gap time.Duration) metric.Timeline {
	x := &expected{}
	for id := range r.threads {
		t := &r.threads[id]
		if t.start < 0 {
			continue
		}
		x.thread += t.end - t.start
		for now := t.start; now < t.end; now += us / 2 {
			var reported []string
			if now >= phase {
				last := now - (now-phase)%gap
				next := last + gap
				seen := t.seenAt(last)
				reported = seen
				if now-last >= gap/2 && next <= t.end && last >= t.start {
					reported = commonPrefix(seen, t.seenAt(next), next == t.end, r.lastStack(trace.ThreadID(id)))
				}
			}
			x.moment(t.at(now), reported)
		}
	}
	return metric.Timeline{Thread: x.thread, Equal: x.equal, True: x.truth, Reported: x.observed, Common: x.common_}
}

// seenAt is what a sample at an instant of the thread's life sees.
func (t *replayThread) seenAt(at time.Duration) []string {
	if at < t.start {
		return nil
	}
	return t.at(at)
}

// commonPrefix is what a and b begin with; at the thread's very end b is what it
// is left with.
func commonPrefix(a, b []string, atEnd bool, left []string) []string {
	if atEnd {
		b = left
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// runOne runs a job of one cell up to, but not including, its scoring.
func runOne(t *testing.T, j *samplingJob, rec *trace.Recording) (*watcher, *course) {
	t.Helper()
	if err := j.watch(rec); err != nil {
		t.Fatal(err)
	}
	w := j.watchers[0]
	w.finish()
	return w, w.course
}

// TestCourse holds the truth's own account against brute force.
func TestCourse(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for trial := range 100 {
		rec := randomTruth(rng, 1+rng.IntN(3), 10+rng.IntN(150))
		var events trace.Buffer
		trace.Copy(&events, rec.Events)
		c := newCourse(trace.NewSliceReader(events.Events), rec)
		if _, err := trace.Copy(&trace.Buffer{}, c); err != nil {
			t.Fatal(err)
		}
		r := newReplay(rec, events.Events)
		if err := c.finish(r.end); err != nil {
			t.Fatal(err)
		}
		on, self, calls := map[string]time.Duration{}, map[string]time.Duration{}, map[string]int64{}
		for id := range r.threads {
			for _, call := range r.threads[id].calls {
				key := fmt.Sprint(id, call.path)
				on[key] += call.to - call.from
				calls[key]++
			}
			for now := r.threads[id].start; now < r.threads[id].end; now += us {
				if stack := r.threads[id].at(now); len(stack) > 0 {
					self[fmt.Sprint(id, stack[len(stack)-1])] += us
				}
			}
		}
		for p := paths.ID(1); int(p) < c.table.Len(); p++ {
			key := fmt.Sprint(c.table.Thread(p), name(&c.table, p))
			n := c.nodes[p]
			if !c.table.IsRoot(p) && (n.self != self[key] || n.on != on[key] || n.calls != calls[key]) {
				t.Errorf("trial %d, %s: self %v, on %v, calls %d, want %v, %v, %d", trial, key, n.self, n.on, n.calls, self[key], on[key], calls[key])
			}
		}
	}
}

// TestScoresOfTheTruth: a tracer that reports the truth has nothing wrong.
func TestScoresOfTheTruth(t *testing.T) {
	rec := randomTruth(rand.New(rand.NewPCG(25, 26)), 3, 2000)
	c := newCourse(rec.Events, rec)
	trace.Copy(&trace.Buffer{}, c)
	if err := c.finish(time.Hour); err != nil {
		t.Fatal(err)
	}
	r := newReference(c)
	perfect := tally{durations: c.calls, seen: c.begun, reported: c.begun, line: metric.Timeline{Thread: 5, Equal: 5, True: 7, Reported: 7, Common: 7}}
	for p, n := range c.nodes {
		perfect.columns.grow(p + 1)
		perfect.columns.self[p], perfect.columns.calls[p] = n.self, uint32(n.calls)
	}
	s, _ := r.compare(&perfect)
	for m, want := range map[Measure]float64{
		MethodRecall: 1, CallRecall: 1, CallRatio: 1, MergeFactor: 1, Overlap: 1, OverlapEdges: 1, OverlapPaths: 1,
		HotCoverage: 1, HotPrecision: 1, ExclusiveError: 0, InclusiveError: 0, InclusiveBias: 0, Top10: 1, KendallTau: 1, DurationKS: 0, Timeline: 1, TimelineDepth: 1,
	} {
		if math.Abs(s[m]-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", m.Key(), s[m], want)
		}
	}
}
