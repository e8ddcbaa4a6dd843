package perfetto_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"artifice/format/internal/kind"
	"artifice/format/internal/perfetto"
	"artifice/format/internal/timeline"
	"artifice/trace"
)

// BenchmarkRead reads a trace that artifice wrote, with a million calls on four threads and both
// clocks.
func BenchmarkRead(b *testing.B) {
	file, events := manyCalls(b, 1_000_000)
	b.SetBytes(int64(len(file)))
	batch := make([]trace.Event, trace.BatchSize)
	for b.Loop() {
		in, err := perfetto.Format.Read(kind.Source{Name: "in", R: bytes.NewReader(file)}, &kind.Config{Options: kind.Options{timeline.Config{TempDir: b.TempDir()}}})
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for err == nil {
			var got int
			got, err = in.Recording.Events.ReadEvents(batch)
			n += got
		}
		if err != io.EOF || n != events {
			b.Fatalf("%d events, want %d: %v", n, events, err)
		}
		in.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*events), "ns/event")
}

// manyCalls returns a trace of calls and the number of its events. Stacks are up to 12 deep, and
// the threads take turns of up to 10 ms.
func manyCalls(b *testing.B, calls int) (file []byte, events int) {
	rec := &trace.Recording{Symbols: &trace.Symbols{}, Info: trace.Info{Clock: trace.Dual, PID: 100, Technique: trace.Instrumented}}
	for range 500 {
		rec.Symbols.Methods = append(rec.Symbols.Methods, trace.Method{Class: "com.example.app.Feature", Name: "method" + string(rune('a'+len(rec.Symbols.Methods)%26)), Signature: "()V"})
	}
	for i := range uint32(4) {
		if _, err := rec.Symbols.AddThread(trace.Thread{TID: 100 + i, Name: "thread"}); err != nil {
			b.Fatal(err)
		}
	}
	var out bytes.Buffer
	w, err := perfetto.Format.Write(&out, rec)
	if err != nil {
		b.Fatal(err)
	}
	var stacks [4][]trace.MethodID
	var cpu [4]time.Duration
	random, wall := uint32(1), time.Duration(0)
	next := func(n uint32) uint32 {
		random = random*1664525 + 1013904223
		return (random >> 8) % n
	}
	thread, left := 0, 0
	for opened := 0; opened < calls || len(stacks[0])+len(stacks[1])+len(stacks[2])+len(stacks[3]) > 0; {
		if left--; left < 0 {
			thread, left = (thread+1)%4, int(next(4000))
		}
		step := time.Duration(next(5000) + 1)
		wall, cpu[thread] = wall+step, cpu[thread]+step
		s := &stacks[thread]
		e := trace.Event{Wall: wall, CPU: cpu[thread], Thread: trace.ThreadID(thread)}
		if opened < calls && (len(*s) == 0 || len(*s) < 12 && next(2) == 0) {
			e.Method, e.Action = trace.MethodID(next(500)), trace.Enter
			*s = append(*s, e.Method)
			opened++
		} else if len(*s) > 0 {
			e.Method, e.Action = (*s)[len(*s)-1], trace.Exit
			*s = (*s)[:len(*s)-1]
		} else {
			left = 0
			continue
		}
		events++
		if err := w.WriteEvents([]trace.Event{e}); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes(), events
}
