package waiting

import (
	"slices"
	"time"

	"artifice/trace"
)

// symbols returns the methods and threads of a program's log.
func symbols(threads []*thread) *trace.Symbols {
	s := &trace.Symbols{}
	hidden := func(name string, does trace.LinkAct, object uint16) trace.Method {
		return trace.Method{Name: name, Flags: trace.RuntimeInternal, Link: trace.Link{Does: does, Object: object}}
	}
	for _, m := range []trace.Method{
		loop: {Name: "loop"}, work: {Name: "work"}, inner: {Name: "inner"},
		sleep:   {Name: "sleep", Wait: trace.Sleep},
		frame:   {Name: "frame", Wait: trace.IO, Period: framePeriod},
		capture: {Name: "capture", Wait: trace.IO, Period: capturePeriod},
		take:    {Name: "take", Wait: trace.Lock, Link: trace.Link{Does: trace.Awaits}},
		acquire: {Name: "acquire", Wait: trace.Lock, Link: trace.Link{Does: trace.Awaits}},
		gives:   hidden("gives", trace.Gives, 0), takes: hidden("takes", trace.Takes, 0),
		releases: hidden("releases", trace.Gives, 1), acquires: hidden("acquires", trace.Takes, 1),
	} {
		m.Class = "waiting"
		s.AddMethod(m)
	}
	for i, t := range threads {
		s.AddThread(trace.Thread{TID: uint32(i + 1), Name: t.name, End: t.end()})
	}
	return s
}

// handOver ends waits for another thread when that thread gives the awaited item; the subsequent
// way back onto a core is not a wait. The n-th item taken is the n-th given; a lock is given once
// initially.
func handOver(threads []*thread) {
	for _, object := range []struct {
		give, take trace.MethodID
		free       int
	}{{gives, takes, 0}, {releases, acquires, 1}} {
		given := make([]time.Duration, object.free)
		var taken []*trace.Event // the call that records it; the end of the wait is two events later
		for _, t := range threads {
			for i := range t.log {
				switch e := &t.log[i]; {
				case e.Action != trace.Enter:
				case e.Method == object.give:
					given = append(given, e.Wall)
				case e.Method == object.take:
					taken = append(taken, e)
				}
			}
		}
		slices.Sort(given)
		slices.SortFunc(taken, func(a, b *trace.Event) int { return int(a.Wall - b.Wall) })
		at := map[*trace.Event]time.Duration{}
		for n, e := range taken {
			at[e] = given[n] + 1 // the giver comes first
		}
		for _, t := range threads {
			for i := range t.log {
				if when, ok := at[&t.log[i]]; ok {
					for k := range 3 {
						t.log[i+k].Wall = min(t.log[i+k].Wall, max(t.log[i-1].Wall+t.burn, when))
					}
				}
			}
		}
	}
}

// end returns the thread's end.
func (t *thread) end() time.Duration { return t.log[len(t.log)-1].Wall }

// ends returns the end of the last thread.
func ends(threads []*thread) (last time.Duration) {
	for _, t := range threads {
		last = max(last, t.end())
	}
	return last
}

// truth returns the log as a truth.
func truth(threads []*thread) *trace.Recording {
	rec := &trace.Recording{Symbols: symbols(threads)}
	rec.Info = trace.Info{Technique: trace.Truth, Clock: trace.Wall, Elapsed: ends(threads)}
	var all []trace.Event
	for i, t := range threads {
		for _, e := range t.log {
			e.Thread = trace.ThreadID(i)
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b trace.Event) int { return int(a.Wall - b.Wall) })
	rec.Events = trace.NewSliceReader(all)
	return rec
}

// measures are the measured and predicted quantities of a run.
type measures struct {
	end     time.Duration
	waiting time.Duration // of all threads
	frames  int
	late    int // frames
}

// measure sums the threads' events, each thread's in order.
func measure(s *trace.Symbols, threads [][]trace.Event) (m measures) {
	for _, events := range threads {
		var since, left time.Duration
		for _, e := range events {
			m.end = max(m.end, e.Wall)
			method := s.Method(e.Method)
			if method.Wait == trace.Running {
				continue
			}
			if e.Action == trace.Enter {
				since = e.Wall
				if period := method.Period; period > 0 {
					m.frames++
					if e.Wall >= (left/period+1)*period {
						m.late++
					}
				}
				continue
			}
			m.waiting += e.Wall - since
			left = e.Wall
		}
	}
	return m
}

// measured measures a program's own log.
func measured(threads []*thread) measures {
	var logs [][]trace.Event
	for _, t := range threads {
		logs = append(logs, t.log)
	}
	return measure(symbols(threads), logs)
}
