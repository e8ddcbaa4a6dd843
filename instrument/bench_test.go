package instrument

import (
	"fmt"
	"io"
	"testing"
	"time"

	"artifice/art"
	"artifice/trace"
)

// loop is a truth of threads that repeatedly call eight nested methods. Each thread has one event
// per microsecond.
type loop struct {
	threads, left int
	next          int
}

func (l *loop) truth() *trace.Recording {
	s := &trace.Symbols{}
	for i := range l.threads {
		s.AddThread(trace.Thread{TID: uint32(100 + i), Name: fmt.Sprintf("t%d", i)})
	}
	for i := range 8 {
		s.AddMethod(trace.Method{Class: "C", Name: fmt.Sprintf("m%d", i), Signature: "()V"})
	}
	return &trace.Recording{Info: trace.Info{Technique: trace.Truth}, Symbols: s, Events: l}
}

func (l *loop) ReadEvents(p []trace.Event) (int, error) {
	if l.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), l.left)
	for i := range p[:n] {
		round := l.next / l.threads
		e := trace.Event{Wall: time.Duration(round) * time.Microsecond, Thread: trace.ThreadID(l.next % l.threads)}
		e.CPU = e.Wall
		if k := round % 16; k < 8 {
			e.Method = trace.MethodID(k)
		} else {
			e.Method, e.Action = trace.MethodID(15-k), trace.Exit
		}
		p[i] = e
		l.next++
	}
	l.left -= n
	return n, nil
}

// BenchmarkRecord measures the cost of an event, including the generation of the truth (about 3
// ns).
func BenchmarkRecord(b *testing.B) {
	shared, _ := art.ByName("art13")
	own, _ := art.ByName("art17")
	for _, runtime := range []*art.Runtime{shared, own} {
		for _, threads := range []int{1, 100} {
			for _, cost := range []struct {
				name string
				Cost
			}{{"free", Cost{}}, {"phone", usualCost}} {
				b.Run(fmt.Sprintf("%s/threads=%d/%s", runtime.Name, threads, cost.name), func(b *testing.B) {
					l := &loop{threads: threads, left: b.N}
					rec, err := Record(l.truth(), Config{Runtime: runtime, Streaming: true, Cost: cost.Cost})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportAllocs()
					b.ResetTimer()
					batch := make([]trace.Event, trace.BatchSize)
					for {
						n, err := rec.Events.ReadEvents(batch)
						if n == 0 {
							if err != io.EOF {
								b.Fatal(err)
							}
							break
						}
					}
				})
			}
		}
	}
}
