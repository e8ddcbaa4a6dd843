package stats

import (
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace"
)

// TestGapCounts compares counts of gaps with Go's map: a few frequent gaps, and 100,000 that rarely
// repeat.
func TestGapCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const threads = 5
	var c gapCounts
	near := make([]*nearCounts, threads+1)
	var want [threads]map[int64]int64
	for i := range want {
		want[i] = map[int64]int64{}
	}
	for i := range 200_000 {
		id, us := rng.IntN(threads), rng.Int64N(maxGap.Microseconds()+1)
		if i%2 == 0 {
			us = rng.Int64N(20)
		}
		c.add(trace.ThreadID(id), &near[id], uint64(us))
		want[id][us]++
	}
	tables := c.tables(near)
	for id := range threads {
		got, last := tables[id], int64(-1)
		if len(got.gaps) != len(want[id]) {
			t.Errorf("thread %d has %d distances, want %d", id, len(got.gaps), len(want[id]))
		}
		for _, g := range got.gaps {
			if g.us <= last || g.times != want[id][g.us] {
				t.Fatalf("thread %d: %d µs, after %d, came %d times, want %d", id, g.us, last, g.times, want[id][g.us])
			}
			last = g.us
		}
	}
	if got := tables[threads]; len(got.gaps) != 0 {
		t.Errorf("a thread without distances has %v", got)
	}
}

// TestNoShortGaps checks that a thread has counts of short gaps only from its first short gap on,
// because files of a megabyte can have 65,536 threads with one event each.
func TestNoShortGaps(t *testing.T) {
	var g Groups
	at := func(id trace.ThreadID, wall time.Duration) {
		g.WriteEvents([]trace.Event{{Thread: id, Wall: wall}})
	}
	at(0, 0)
	at(1, time.Millisecond)
	at(1, time.Millisecond)                     // the same group
	at(1, time.Millisecond+64*time.Microsecond) // not short
	at(1, 3*time.Second)                        // longer than the counted gaps
	at(2, time.Millisecond)
	at(2, time.Millisecond+63*time.Microsecond)
	for id, want := range []bool{false, false, true} {
		if got := g.threads[id].near != nil; got != want {
			t.Errorf("thread %d has counts of short gaps: %t, want %t", id, got, want)
		}
	}
	if n := g.threads[2].near[63]; n != 1 {
		t.Errorf("a gap of 63 µs is counted %d times, want once", n)
	}
}

// BenchmarkGroups measures the cost per event, for an instrumented app with alternating threads,
// and for gaps that rarely repeat.
func BenchmarkGroups(b *testing.B) {
	for _, shape := range []struct {
		name    string
		threads int
		most    int64 // maximum µs between two events of all threads
	}{{"1 thread", 1, 20}, {"100 threads", 100, 20}, {"never repeating", 1, 1_000_000}} {
		b.Run(shape.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			events := make([]trace.Event, 1<<18)
			at, depth := time.Duration(0), make([]int, shape.threads)
			for i := range events {
				at += time.Duration(rng.Int64N(shape.most)) * time.Microsecond
				id, action := rng.IntN(shape.threads), trace.Action(rng.IntN(2))
				if depth[id] == 0 {
					action = trace.Enter
				}
				depth[id] += 1 - 2*int(action)
				events[i] = trace.Event{Wall: at, Thread: trace.ThreadID(id), Action: action}
			}
			for b.Loop() {
				var g Groups
				for i := 0; i < len(events); i += trace.BatchSize {
					g.WriteEvents(events[i:][:trace.BatchSize])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(events)), "ns/event")
		})
	}
}
