package sampler_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/art"
	"artifice/format/dmtrace"
	"artifice/internal/testdata/tracetest"

	"artifice/sampler"

	"artifice/trace"
)

const us = time.Microsecond

// lives is a truth of three threads. Thread main is in work > leaf from 0 to 500 us, the second
// thread is idle and has no frames, and the third lives from 100 to 200 us.
func lives() *trace.Recording {
	s := &trace.Symbols{}
	s.AddThread(trace.Thread{TID: 7, Name: "main"})
	s.AddThread(trace.Thread{TID: 8, Name: "idle"})
	s.AddThread(trace.Thread{TID: 9, Name: "short", Start: 100 * us, End: 200 * us})
	work := s.AddMethod(trace.Method{Class: "C", Name: "work", Signature: "()V"})
	leaf := s.AddMethod(trace.Method{Class: "C", Name: "leaf", Signature: "()V"})
	events := []trace.Event{
		{Wall: 0, CPU: 50 * us, Method: work},
		{Wall: 110 * us, CPU: 10 * us, Method: leaf, Thread: 2},
		{Wall: 190 * us, CPU: 90 * us, Method: leaf, Thread: 2, Action: trace.Exit},
		{Wall: 300 * us, CPU: 350 * us, Method: leaf},
		{Wall: 500 * us, CPU: 550 * us, Method: leaf, Action: trace.Exit},
	}
	return &trace.Recording{
		Info:    trace.Info{Technique: trace.Truth, Elapsed: 520 * us, PID: 7},
		Symbols: s, Events: trace.NewSliceReader(events),
	}
}

// sampled returns the file that a runtime writes when it samples lives every 50 µs, read back.
func sampled(t *testing.T, cfg sampler.Config) (*trace.Recording, []trace.Event) {
	t.Helper()
	cfg.Interval, cfg.Cost = 50*us, sampler.Cost{ClockOverhead: 2000}
	rec, err := sampler.Record(lives(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := dmtrace.NewWriter(&file, rec, dmtrace.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Fill(t, w, rec.Events)
	back, err := dmtrace.New(&file, "sampled", dmtrace.ReadOptions{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var b trace.Buffer
	if _, err := trace.Copy(&b, back.Events); err != nil {
		t.Fatal(err)
	}
	return &back.Recording, b.Events
}

// TestFilesOfRuntimes checks the differences between the runtimes' sampling modes. Samples contain
// work from 50 µs on, the leaf of short at 150 µs but not at 200 µs, and the leaf of main at 300 µs
// but not at 500 µs. Dalvik also samples at 0. In 9 to 14, no event is earlier than the 32000 clock
// reads of 2 µs. 15 numbers threads by their first events. 14 lists the sampling thread; so does
// Dalvik, where the thread waits in dvmDetachCurrentThread for the lock of dvmMethodTraceStop. From
// 14 on, a stream has the run of an ended thread before those written at the stop.
func TestFilesOfRuntimes(t *testing.T) {
	for _, test := range []struct {
		runtime string
		stream  bool
		zero    time.Duration
		threads []string
		tids    []uint32
	}{
		{"dalvik", false, -50 * us, []string{"1\tmain", "4\tshort", "3\tSampling Thread", "2\tidle"}, []uint32{1, 4, 4, 1, 1}},
		{"art12", false, 64 * time.Millisecond, []string{"9\tshort", "7\tmain", "8\tidle"}, []uint32{7, 9, 9, 7, 7}},
		{"art13", true, 64 * time.Millisecond, []string{"9\tshort", "7\tmain", "8\tidle"}, []uint32{7, 9, 9, 7, 7}},
		{"art14", false, 64 * time.Millisecond, []string{"7\tmain", "8\tidle", "9\tshort", "10\tSampling Profiler"}, []uint32{7, 9, 9, 7, 7}},
		{"art14", true, 64 * time.Millisecond, []string{"7\tmain", "8\tidle", "9\tshort", "10\tSampling Profiler"}, []uint32{9, 9, 7, 7, 7}},
		{"art15", false, 0, []string{"1\tmain", "2\tshort"}, []uint32{2, 2, 1, 1, 1}},
		{"art17", true, 0, nil, []uint32{2, 2, 1, 1, 1}},
	} {
		r, err := art.ByName(test.runtime)
		if err != nil {
			t.Fatal(err)
		}
		rec, events := sampled(t, sampler.Config{Runtime: r, Streaming: test.stream})
		if diff := cmp.Diff(test.threads, rec.Source.Threads); diff != "" {
			t.Errorf("%s, streaming %t: threads (-want +got):\n%s", r.Name, test.stream, diff)
		}
		var tids []uint32
		first := events[0].Wall
		for _, e := range events {
			tids = append(tids, rec.Symbols.Thread(e.Thread).TID)
			first = min(first, e.Wall)
		}
		if !slices.Equal(tids, test.tids) {
			t.Errorf("%s, streaming %t: events of threads %d, want %d", r.Name, test.stream, tids, test.tids)
		}
		if want := test.zero + 50*us; first != want {
			t.Errorf("%s, streaming %t: first event at %s, want %s", r.Name, test.stream, first, want)
		}
		if rec.Info.Elapsed < first {
			t.Errorf("%s: elapsed %s, the first event is at %s", r.Name, rec.Info.Elapsed, first)
		}
	}
}
