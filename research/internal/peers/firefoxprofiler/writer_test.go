package firefoxprofiler_test

import (
	"cmp"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/research/internal/peers/firefoxprofiler"
	"artifice/trace"
)

// The two variants that ART writes and the Firefox Profiler reads.
var formats = []string{"art", "art-stream"}

// TestSyntheticTrace: for a trace with known shares, written in both variants, the importer shows
// the names of its threads and the shares of its functions.
func TestSyntheticTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("installs a program of the npm registry")
	}
	testdata.Seldom(t, 6)
	client := firefoxprofiler.Install(t)
	for _, format := range formats {
		file := filepath.Join(t.TempDir(), "made.trace")
		tracetest.WriteTrace(t, file, madeTrace(), format)
		got := load(t, client, file)
		// 100 repetitions of 10 ms: 7 in hot, 2.5 in warm, 0.5 in the loop itself; cold is never
		// open at the importer's sampling instants, 0.1 ms apart, and is absent
		want := map[string]map[string][2]float64{
			"main":        {"app.Main.loop": {5, 100}, "app.Main.hot": {70, 70}, "app.Main.warm": {25, 25}},
			"Worker #1 ä": {"app.Bg.run": {40, 100}, "app.Main.hot": {60, 60}},
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-made +Firefox)\n%s", format, diff)
		}
	}
}

// madeTrace returns a main thread that runs a loop 100 times, and a worker. The times make the
// importer sample every 0.1 ms from 1 ms on (it does if a fifth of the first distances of events is
// short), and no event is near one of these instants.
func madeTrace() *trace.Recording {
	const loop, hot, warm, run, cold = 0, 1, 2, 3, 4
	symbols := &trace.Symbols{
		Threads: []trace.Thread{{TID: 11, Name: "main"}, {TID: 12, Name: "Worker #1 ä"}},
		Methods: []trace.Method{
			{ID: 4, Class: "app.Main", Name: "loop", Signature: "()V", File: "Main.java"},
			{ID: 8, Class: "app.Main", Name: "hot", Signature: "(I)I", File: "Main.java"},
			{ID: 12, Class: "app.Main", Name: "warm", Signature: "()V", File: "Main.java"},
			{ID: 16, Class: "app.Bg", Name: "run", Signature: "()V", File: "Bg.java"},
			{ID: 20, Class: "app.Main", Name: "cold", Signature: "()V", File: "Main.java"},
		},
	}
	const round, us = 10 * time.Millisecond, time.Microsecond
	start := time.Millisecond
	var events []trace.Event
	call := func(thread trace.ThreadID, method trace.MethodID, from, to time.Duration) {
		for action, at := range []time.Duration{from, to} {
			at += start
			events = append(events, trace.Event{Wall: at, CPU: at / 2, Thread: thread, Method: method, Action: trace.Action(action)})
		}
	}
	call(0, loop, 0, 100*round-50*us)
	call(1, run, 0, 100*round-50*us)
	for i := range time.Duration(100) {
		at := i * round
		call(0, hot, at+150*us, at+7150*us)
		call(0, warm, at+7180*us, at+9680*us)
		call(0, cold, at+9750*us, at+9770*us)
		call(1, hot, at+2050*us, at+8050*us)
	}
	slices.SortStableFunc(events, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	return &trace.Recording{Info: trace.Info{Elapsed: start + 100*round, PID: 11}, Symbols: symbols, Events: trace.NewSliceReader(events)}
}

// TestRealTraces: a real trace written in the other variant is shown like the original.
func TestRealTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("installs a program of the npm registry")
	}
	testdata.Seldom(t, 6)
	client := firefoxprofiler.Install(t)
	original := testdata.Path(t, "traces", "sampled-host-file.trace")
	in, err := dmtrace.Open(original, dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	file := filepath.Join(t.TempDir(), "stream.trace")
	tracetest.WriteTrace(t, file, &in.Recording, "art-stream")
	want, got := load(t, client, original), load(t, client, file)
	if diff := gocmp.Diff(want, got); diff != "" || len(want) != 6 {
		t.Errorf("%d threads (-original +streaming)\n%s", len(want), diff)
	}
}

// load returns the importer's figures: by thread and function the percentage of samples in the
// function itself and with it on the stack.
func load(t *testing.T, client *firefoxprofiler.Client, file string) map[string]map[string][2]float64 {
	t.Helper()
	threads, err := client.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	shown := make(map[string]map[string][2]float64)
	for _, thread := range threads {
		functions, err := client.Functions(thread)
		if err != nil {
			t.Fatal(err)
		}
		shown[thread.Name] = make(map[string][2]float64)
		for _, f := range functions {
			sum := shown[thread.Name][f.Name] // if a function is listed twice
			shown[thread.Name][f.Name] = [2]float64{sum[0] + f.Self, sum[1] + f.Total}
		}
	}
	return shown
}
