package sampler

import (
	"math/rand/v2"
	"time"

	"artifice/trace"
)

// randomTruth returns a truth of a few threads in whole µs. It has nested calls, unwinds, bursts at
// one instant and frames open at the end. One thread starts late, one ends early, and one has no
// events.
func randomTruth(rng *rand.Rand, technique trace.Technique, length int) (*trace.Symbols, []trace.Event, trace.Info) {
	sym := &trace.Symbols{}
	for m := range 8 {
		sym.AddMethod(trace.Method{ID: uint64(m) * 4, Class: "C", Name: string(rune('a' + m))})
	}
	if technique == trace.Truth {
		sym.Methods[5].Flags, sym.Methods[5].Wait = trace.RuntimeInternal, trace.Lock
		sym.Methods[6].Wait = trace.Sleep
		if rng.IntN(2) == 0 {
			sym.Methods[7].Flags = trace.Collector
		}
	}
	sym.Methods[4].Flags = trace.LeafNoPoll
	threads := 1 + rng.IntN(6)
	stacks := make([][]trace.MethodID, threads)
	cpu := make([]time.Duration, threads)
	last := make([]time.Duration, threads)
	for id := range threads {
		sym.AddThread(trace.Thread{TID: uint32(id + 1)})
		if technique == trace.Truth && rng.IntN(3) > 0 {
			cpu[id] = time.Duration(rng.IntN(20)) * 500
		}
	}
	var events []trace.Event
	wall := time.Duration(0)
	for range length {
		if rng.IntN(4) > 0 {
			wall += time.Duration(rng.IntN(40)) * time.Microsecond
		}
		id := rng.IntN(threads)
		stack := &stacks[id]
		// CPU time since the thread's last event.
		d := wall - last[id]
		switch {
		case technique != trace.Truth || len(*stack) == 0:
			d = time.Duration(rng.Int64N(int64(d + 1)))
		case sym.Methods[(*stack)[len(*stack)-1]].Wait != trace.Running:
			d = 0
		}
		cpu[id] += d
		last[id] = wall
		e := trace.Event{Wall: wall, CPU: cpu[id], Thread: trace.ThreadID(id), Site: trace.Site(rng.IntN(3))}
		if len(*stack) == 0 || len(*stack) < 12 && rng.IntN(2) == 0 {
			e.Method = trace.MethodID(rng.IntN(8))
			*stack = append(*stack, e.Method)
		} else {
			e.Action = trace.Exit + trace.Action(rng.IntN(2))
			e.Method = (*stack)[len(*stack)-1]
			*stack = (*stack)[:len(*stack)-1]
			if technique != trace.Truth && rng.IntN(20) == 0 {
				e.Method = trace.MethodID(rng.IntN(8)) // exit of another method than the innermost
			}
		}
		events = append(events, e)
	}
	info := trace.Info{Technique: technique, Elapsed: wall + time.Duration(rng.IntN(300))*time.Microsecond}
	giveLives(rng, technique, sym, events)
	return sym, events, info
}

// giveLives sets the starts and ends of threads, and adds a thread without events.
func giveLives(rng *rand.Rand, technique trace.Technique, sym *trace.Symbols, events []trace.Event) {
	idleTicks, _ := sym.AddThread(trace.Thread{Name: "quiet"})
	if rng.IntN(2) == 0 {
		sym.SetEnds(events)
	}
	if technique != trace.Truth {
		return
	}
	sym.Thread(idleTicks).Start = 50 * time.Microsecond
	sym.Thread(idleTicks).End = 700 * time.Microsecond
	first := map[trace.ThreadID]time.Duration{}
	for _, e := range events {
		if _, ok := first[e.Thread]; !ok {
			first[e.Thread] = e.Wall
		}
	}
	for id, wall := range first {
		t := sym.Thread(id)
		if id%2 == 1 {
			t.Start = wall / 2
		}
		if t.End > 0 {
			t.End += time.Duration(id) * 17 * time.Microsecond
		}
	}
}
