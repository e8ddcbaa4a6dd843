package device

import (
	"cmp"
	"math"
	"slices"
	"time"

	"artifice/sampler"
	"artifice/trace"
)

// replay is a truth reconstructed from a sampled trace: an app with the same stacks and CPU times
// at the trace's samples.
//
// A trace contains nothing between two samples. The replayed app changes its stacks, all at once,
// half a period before the sample that finds them changed. Its threads run up to the sample for as
// long as their CPU time states. A thread is in the list from the first sample of it or of a thread
// after it. A thread that had ended, and that no sample found changed, is never in the list.
type replay struct {
	symbols trace.Symbols
	events  []trace.Event
	length  time.Duration
	ids     []trace.ThreadID // by the trace's thread: the replay's thread

	wait trace.MethodID // represents waiting; never sampled
}

// recording returns the replay as a truth that can be read once.
func (r *replay) recording(pid int) *trace.Recording {
	return &trace.Recording{
		Info:    trace.Info{Technique: trace.Truth, PID: pid, Elapsed: r.length},
		Symbols: &r.symbols, Events: trace.NewSliceReader(r.events),
	}
}

// replayed is a group of a trace's events: the change of a thread's stack in one sample.
type replayed struct {
	tick   int32
	cpu    time.Duration
	events []trace.Event
}

// newReplay makes the replay of the trace described by s, t and w. groups has, for each event of
// the trace, its index in s.all. cost is the cost of samples.
func newReplay(rec *trace.Recording, events []trace.Event, groups []int32, s *samples, t *SampledTiming, w *walk, cost *sampler.Cost) *replay {
	r := &replay{}
	places := listOrder(rec)
	main := mainPlace(rec, places)
	seen := s.appTimes(t, w, cost, places, main)
	r.length = seen[len(seen)-1] + t.AppRun.Value/2
	changed := make([]time.Duration, len(seen)) // by tick: time at which stacks change
	for k, at := range seen {
		changed[k] = at - t.AppRun.Value/2
		if k > 0 {
			changed[k] = at - min(t.AppRun.Value, at-seen[k-1])/2
		}
	}
	threads := make([][]replayed, len(places))
	last := make([]int32, len(places))
	for i, e := range events {
		list := &threads[e.Thread]
		if len(*list) == 0 || last[e.Thread] != groups[i] {
			*list = append(*list, replayed{tick: w.tickOf[groups[i]], cpu: e.CPU})
			last[e.Thread] = groups[i]
		}
		g := &(*list)[len(*list)-1]
		g.events = append(g.events, e)
	}
	for _, m := range rec.Symbols.Methods {
		m.ForgetTruth()
		r.symbols.AddMethod(m)
	}
	r.wait = r.symbols.AddMethod(trace.Method{Class: "artifice.Replay", Name: "wait", Flags: trace.RuntimeInternal, Wait: trace.Sleep})
	r.ids = make([]trace.ThreadID, len(places))
	for _, id := range inList(places, main) {
		thread := trace.Thread{TID: rec.Symbols.Threads[id].TID, Name: rec.Symbols.Threads[id].Name}
		list := threads[id]
		if place := places[id] - main; place >= 0 {
			came := slices.IndexFunc(w.sizes, func(s walkSize) bool { return int(s.threads) > place })
			if came > 0 {
				thread.Start = changed[came]
			}
		} else if len(list) > 0 {
			thread.Start, thread.End = changed[list[0].tick], seen[list[len(list)-1].tick]
		} else {
			thread.End = 1 // as far as the trace shows, it had ended before the first sample
		}
		r.ids[id], _ = r.symbols.AddThread(thread)
		p := replayer{wait: r.wait, id: r.ids[id], cpu: time.Millisecond, now: thread.Start}
		p.play(list, seen, changed)
		r.events = append(r.events, p.events...)
	}
	slices.SortStableFunc(r.events, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	return r
}

// inList returns the threads in list order, main first. Threads that the table has before main, or
// not at all, have ended; they come last.
func inList(places []int, main int) []int {
	ids := make([]int, len(places))
	for id := range ids {
		ids[id] = id
	}
	slices.SortStableFunc(ids, func(a, b int) int {
		rank := func(id int) int {
			if places[id] < main {
				return math.MaxInt
			}
			return places[id]
		}
		return cmp.Compare(rank(a), rank(b))
	})
	return ids
}

// appTimes returns the app time of each tick: its wall time minus the pauses before it. Between two
// ticks there can have been others without changes, each with a pause.
func (s *samples) appTimes(t *SampledTiming, w *walk, cost *sampler.Cost, places []int, main int) []time.Duration {
	times := make([]time.Duration, 0, len(w.sizes))
	var lastBegin, lastPause time.Duration
	for i := range s.all {
		k := int(w.tickOf[i])
		if k < len(times) {
			continue
		}
		at, size := &s.all[i], w.sizes[k]
		begin := at.wall - cost.PerTick - cost.PerThread*time.Duration(max(0, places[at.thread]-main)+1)
		if k == 0 {
			times = append(times, t.AppRun.Value)
		} else {
			between, periods := begin-lastBegin, time.Duration(1)
			if between >= 2*t.ShortPeriod.Value {
				periods = max(1, (between+t.Period.Value/2)/t.Period.Value)
			}
			times = append(times, times[k-1]+max(time.Microsecond, between-periods*lastPause))
		}
		lastBegin = begin
		lastPause = cost.PerTick + cost.PerThread*time.Duration(size.threads+samplingThread) + cost.PerFrame*time.Duration(size.frames)
	}
	return times
}

// replayer generates the events of one thread.
type replayer struct {
	id      trace.ThreadID
	wait    trace.MethodID
	events  []trace.Event
	now     time.Duration
	cpu     time.Duration
	waiting bool
	frames  int
}

// play replays all samples of the thread, given the app times of the samples and of the changes
// that they found.
func (p *replayer) play(list []replayed, seen, changed []time.Duration) {
	for i, g := range list {
		at, change := seen[g.tick], changed[g.tick]
		run := at // when it starts to run
		if i > 0 {
			run = max(p.now, at-max(0, g.cpu-list[i-1].cpu))
		}
		if run <= change {
			p.resume(run)
			p.change(change, g.events)
		} else {
			p.change(change, g.events)
			if run < at {
				p.resume(run)
			}
		}
		p.suspend(at)
	}
}

// advance advances the time.
func (p *replayer) advance(to time.Duration) {
	if !p.waiting && p.frames > 0 {
		p.cpu += to - p.now
	}
	p.now = to
}

func (p *replayer) add(m trace.MethodID, a trace.Action) {
	p.events = append(p.events, trace.Event{Wall: p.now, CPU: p.cpu, Thread: p.id, Method: m, Action: a})
}

func (p *replayer) resume(at time.Duration) {
	p.advance(at)
	if p.waiting {
		p.add(p.wait, trace.Exit)
		p.waiting = false
	}
}

func (p *replayer) suspend(at time.Duration) {
	p.advance(at)
	if p.frames > 0 && !p.waiting {
		p.add(p.wait, trace.Enter)
		p.waiting = true
	}
}

// change changes the stack. A waiting thread then waits in its new leaf frame.
func (p *replayer) change(at time.Duration, events []trace.Event) {
	p.advance(at)
	waiting := p.waiting || p.frames == 0
	p.resume(at)
	for _, e := range events {
		if e.Action == trace.Enter {
			p.frames++
		} else if p.frames > 0 {
			p.frames--
		} else {
			continue
		}
		p.add(e.Method, e.Action)
	}
	if waiting {
		p.suspend(at)
	}
}
