package instrument

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/art"
	"artifice/trace"
)

// ART tests its tracer with an app that traces itself (run-tests 2246-trace-stream and
// 2246-trace-v2). A thread starts the trace from a lambda, so that run, the lambda and
// startMethodTracing are open, does some work and stops the trace. Then the main thread does the
// same, and catches an exception.
//
// The nesting is that of ART's expected output, for both clocks, streaming or not, reduced to the
// relevant calls.

func selfTracing(name string, open ...string) *trace.Recording {
	const us = time.Microsecond
	s := newScript()
	a := s.thread(name, 2246, 0).open(append(open, "startMethodTracing")...)
	a.run(us).exit()
	a.run(us).enter("doSomeWork").run(us)
	a.enter("callOuterFunction").run(us).enter("callLeafFunction").run(us).exit().exit()
	a.run(us).enter("callLeafFunction").run(us).exit().exit()
	if name == "main" {
		a.run(us).enter("doSomeWorkThrow").run(us)
		a.enter("callThrowFunction").run(us).enter("<init>").run(us).exit().unwind()
		a.run(us).exit()
	}
	a.run(us).enter("stopMethodTracing")
	return s.truth()
}

const wantThread = `
.>> run
..>> lambda$testTracing$0
...>> startMethodTracing
...<< startMethodTracing
...>> doSomeWork
....>> callOuterFunction
.....>> callLeafFunction
.....<< callLeafFunction
....<< callOuterFunction
....>> callLeafFunction
....<< callLeafFunction
...<< doSomeWork
...>> stopMethodTracing
`

const wantMain = `
.>> main
..>> testTracing
...>> startMethodTracing
...<< startMethodTracing
...>> doSomeWork
....>> callOuterFunction
.....>> callLeafFunction
.....<< callLeafFunction
....<< callOuterFunction
....>> callLeafFunction
....<< callLeafFunction
...<< doSomeWork
...>> doSomeWorkThrow
....>> callThrowFunction
.....>> <init>
.....<< <init>
....<<E callThrowFunction
...<< doSomeWorkThrow
...>> stopMethodTracing
`

func TestSelfTracingApp(t *testing.T) {
	runtime, err := art.ByName("art15")
	if err != nil {
		t.Fatal(err)
	}
	for _, cfg := range []Config{
		{Streaming: true},
		{Streaming: true, Clock: trace.Wall},
		{},
		{Clock: trace.Wall},
		{Streaming: true, V2: true},
	} {
		cfg.Runtime, cfg.Cost = runtime, usualCost
		rec, events := record(t, selfTracing("TestThread2246", "run", "lambda$testTracing$0"), cfg)
		if diff := cmp.Diff(wantThread, nesting(t, rec, events)); diff != "" {
			t.Errorf("%+v, thread (-ART's +ours):\n%s", cfg, diff)
		}
		rec, events = record(t, selfTracing("main", "main", "testTracing"), cfg)
		if diff := cmp.Diff(wantMain, nesting(t, rec, events)); diff != "" {
			t.Errorf("%+v, main (-ART's +ours):\n%s", cfg, diff)
		}
	}
}

// nesting formats events like ART's test: a dot per level, then enter, exit or exit by exception.
// It checks that times do not decrease.
func nesting(t *testing.T, rec *trace.Recording, events []trace.Event) string {
	var b strings.Builder
	b.WriteByte('\n')
	depth, last := 0, trace.Event{}
	for _, e := range events {
		if e.Wall < last.Wall || e.CPU < last.CPU {
			t.Errorf("%+v after %+v", e, last)
		}
		last = e
		word := map[trace.Action]string{trace.Enter: ">>", trace.Exit: "<<", trace.Unwind: "<<E"}[e.Action]
		if e.Action == trace.Enter {
			depth++
		}
		b.WriteString(strings.Repeat(".", depth) + word + " " + rec.Symbols.Method(e.Method).Name + "\n")
		if e.Action != trace.Enter {
			depth--
		}
	}
	return b.String()
}
