package sampler

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

const ms = time.Millisecond

// script returns a truth from lines like "1ms main +a": app time, thread, and an enter (+), exit
// (-) or unwind (!) of a method. CPU time is app time unless the line ends in @ and a CPU time. A
// fourth word is the call site. Threads and methods are numbered in order of appearance.
func script(t *testing.T, technique trace.Technique, lines ...string) *trace.Recording {
	t.Helper()
	rec := &trace.Recording{Info: trace.Info{Technique: technique}, Symbols: &trace.Symbols{}}
	threads, methods := map[string]trace.ThreadID{}, map[string]trace.MethodID{}
	var events []trace.Event
	for _, line := range lines {
		var at, thread, what string
		if _, err := fmt.Sscan(line, &at, &thread, &what); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		what, cpu, hasCPU := strings.Cut(what, "@")
		e := trace.Event{Wall: duration(t, at), CPU: duration(t, at)}
		if words := strings.Fields(line); len(words) > 3 {
			fmt.Sscan(words[3], &e.Site)
		}
		if hasCPU {
			e.CPU = duration(t, cpu)
		}
		id, ok := threads[thread]
		if !ok {
			id, _ = rec.Symbols.AddThread(trace.Thread{TID: uint32(len(threads) + 1), Name: thread})
			threads[thread] = id
		}
		method, ok := methods[what[1:]]
		if !ok {
			method = rec.Symbols.AddMethod(trace.Method{ID: uint64(4 * len(methods)), Class: "C", Name: what[1:]})
			methods[what[1:]] = method
		}
		e.Thread, e.Method, e.Action = id, method, trace.Action(strings.Index("+-!", what[:1]))
		events = append(events, e)
		rec.Info.Elapsed = e.Wall
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

func duration(t *testing.T, s string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sample runs one sampler. It returns the sampler and its events in the script's notation, with "@"
// and the CPU timestamp.
func sample(t *testing.T, rec *trace.Recording, cfg Config) (*Sampler, []string) {
	t.Helper()
	var out trace.Buffer
	s, err := New(rec, cfg, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(rec, s); err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, e := range out.Events {
		words = append(words, fmt.Sprintf("%s %s %c%s@%s", e.Wall, rec.Symbols.Thread(e.Thread).Name,
			"+-!"[e.Action], rec.Symbols.Method(e.Method).Name, e.CPU))
	}
	return s, words
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("events\n %s\nwant\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}
