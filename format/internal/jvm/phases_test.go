package jvm_test

import (
	"slices"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/trace/filter"
)

// slice is one call of a trace.
type slice struct {
	thread, method string
	from, to       time.Duration
	depth          int // of its frame; 0 is the root
}

// slicesOf returns the calls of a trace that have ended.
func slicesOf(t *testing.T, s *stackdump.Sequence) []slice {
	var all []slice
	stacks := map[trace.ThreadID][]slice{}
	for _, e := range tracetest.Events(t, s) {
		stack := stacks[e.Thread]
		if e.Action == trace.Enter {
			stacks[e.Thread] = append(stack, slice{s.Symbols.Thread(e.Thread).Name, s.Symbols.Method(e.Method).FullName(), e.Wall, 0, len(stack)})
			continue
		}
		last := stack[len(stack)-1]
		last.to = e.Wall
		all = append(all, last)
		stacks[e.Thread] = stack[:len(stack)-1]
	}
	return all
}

// TestPhasesOfJVM checks dumps that a JVM took of itself against the phases of its program;
// testdata/Phases.java states their durations. The begin and the end of a sampled call are each up
// to a period late, and the machine was busy, so two periods of 10 ms are allowed.
func TestPhasesOfJVM(t *testing.T) {
	const slack = 20 * time.Millisecond
	all := slicesOf(t, formattest.OpenDumps(t, stackdump.Config{}, "testdata/phases.jsonl.gz"))
	var begins []time.Duration
	for _, want := range []struct {
		thread, method string
		lasts          time.Duration
		depth          int
	}{
		{"main", "Phases.parse", 400 * time.Millisecond, 1},
		{"main", "Phases.pause", 300 * time.Millisecond, 1},
		{"main", "Phases.walk", 300 * time.Millisecond, 1},
		{"worker", "Phases.squeeze", 600 * time.Millisecond, 2}, // callee of Thread.run and the lambda
	} {
		i := slices.IndexFunc(all, func(s slice) bool { return s.thread == want.thread && s.method == want.method })
		if i < 0 {
			t.Errorf("no %s on %s", want.method, want.thread)
			continue
		}
		got := all[i]
		begins = append(begins, got.from)
		if lasts := got.to - got.from; (lasts-want.lasts).Abs() > slack || got.depth != want.depth {
			t.Errorf("%s on %s lasts %s at depth %d, want %s at %d", want.method, want.thread, lasts, got.depth, want.lasts, want.depth)
		}
	}
	if !slices.IsSorted(begins[:3]) || (begins[3]-begins[1]).Abs() > slack {
		t.Errorf("phases begin at %s, want parse, pause, walk in this order and squeeze with pause", begins)
	}
	calls := 0
	for _, s := range all {
		if s.method == "Phases.descend" {
			calls++
		}
	}
	if calls != 20 {
		t.Errorf("%d nested calls of descend, want 20", calls)
	}
}

// TestDumpsInProgramOutput checks five dumps by kill -3 of the program, in its output between heap
// summaries. The command "zcat phases-kill3.txt.gz | grep -A3 '^"main"'" prints main in parse,
// pause, pause, walk, and sleeping in main itself, at 0.35, 0.50, 0.66, 0.88 and 1.07 s.
func TestDumpsInProgramOutput(t *testing.T) {
	s := formattest.OpenDumps(t, stackdump.Config{Part: filter.Part{Threads: []string{"main"}}}, "testdata/phases-kill3.txt.gz")
	var got []slice
	for _, c := range slicesOf(t, s) {
		if c.depth == 1 {
			got = append(got, c)
		}
	}
	const ms = time.Millisecond
	want := []slice{
		{"main", "Phases.parse", 0, 150 * ms, 1},
		{"main", "Phases.pause", 150 * ms, 530 * ms, 1},
		{"main", "Phases.walk", 530 * ms, 720 * ms, 1},
	}
	if !slices.Equal(got, want) {
		t.Errorf("calls %+v, want %+v", got, want)
	}
	if s.Info.Elapsed != 720*ms || s.Info.Clock != trace.Dual {
		t.Errorf("elapsed %s, clock %s, want 720ms and dual", s.Info.Elapsed, s.Info.Clock)
	}
	formattest.Warned(t, s)
}
