package main

import (
	"bytes"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

const ms = time.Millisecond

// TestStops: the sampler looked from 10 to 14 and from 20 to 21 ms. The busy goroutine
// did not run from 5 to 6 (another program's doing), 9 to 11 and 12 to 13, and from 30 ms.
func TestStops(t *testing.T) {
	samples := []sample{{span: span{10 * ms, 14 * ms}}, {span: span{20 * ms, 21 * ms}}}
	gaps := []span{{5 * ms, 6 * ms}, {9 * ms, 11 * ms}, {12 * ms, 13 * ms}, {30 * ms, 40 * ms}}
	got := stops(samples, gaps)
	if want := []span{{10 * ms, 11 * ms}, {12 * ms, 13 * ms}}; !slices.Equal(got[0], want) || len(got[1]) != 0 {
		t.Errorf("%v, want %v and none", got, want)
	}
	r := recorded{samples: samples, stops: got}
	if at, stopped := r.instant(0); at != 10*ms || stopped != 2*ms {
		t.Errorf("seen at %s, stopped for %s, want 10ms and 2ms", at, stopped)
	}
	if at, stopped := r.instant(1); at != 20*ms || stopped != 1 {
		t.Errorf("seen at %s, stopped for %s, want 20ms and 1ns", at, stopped)
	}
}

// TestTruth: a call from 2 to 9 ms calls another from 4 to 6 ms; the app stood still
// from 3 to 5 and from 8 to 9 ms. Unobserved, the call is from 2 to 6 ms (9 - 3) and the
// other begins when the first stop did, at 3 ms, and ends at 4 ms. The run of 9 ms would
// have taken 6 ms.
func TestTruth(t *testing.T) {
	busy := &task{name: "busy", marks: []mark{{2 * ms, 7, true}, {4 * ms, 8, true}, {6 * ms, 8, false}, {9 * ms, 7, false}}}
	r := recorded{tasks: []*task{busy}, stops: [][]span{{{3 * ms, 5 * ms}}, nil, {{8 * ms, 9 * ms}}}}
	rec, slowdown := r.truth()
	var text bytes.Buffer
	if err := writeTruth(&text, rec); err != nil {
		t.Fatal(err)
	}
	want := "2000000 - 1 enter App.m07\n3000000 - 1 enter App.m08\n4000000 - 1 exit App.m08\n6000000 - 1 exit App.m07\n"
	if !strings.HasSuffix(text.String(), want) {
		t.Errorf("the truth ends\n%s\nwant\n%s", text.String()[max(0, text.Len()-200):], want)
	}
	if rec.Info.Elapsed != 6*ms || slowdown != 1.5 {
		t.Errorf("%s long, slowdown %g, want 6ms and 1.5", rec.Info.Elapsed, slowdown)
	}
	if idle := rec.Symbols.Methods[idleMethod]; idle.Name != "idle" || idle.Wait != trace.Sleep {
		t.Errorf("%+v does not sleep", idle)
	}
}

// TestMiddle95: of the values 1 to 39 ranks 1 and 39 are the 2.5 % and the 97.5 % quantile
// of 40 + 1 equal parts; of 1 to 79, ranks 2 and 78. Half ranks lie halfway.
func TestMiddle95(t *testing.T) {
	for n, want := range map[int][2]float64{39: {1, 39}, 79: {2, 78}, 99: {2.5, 97.5}, 5: {1, 5}} {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(n - i)
		}
		low, high := middle95(values)
		if d := 1e-9; low < want[0]-d || low > want[0]+d || high < want[1]-d || high > want[1]+d {
			t.Errorf("of 1 to %d: %g to %g, want %v", n, low, high, want)
		}
	}
}

// TestMethods: every method is a function of its own, whose number is its name's; what is
// on its stack is read back.
func TestMethods(t *testing.T) {
	for i := range call {
		task := &task{start: time.Now(), until: -1} // spins no time, calls nothing
		task.last = 0
		task.rng = newApp(time.Second, 1)[0].rng
		call[i](task, maxDepth)
		if len(task.marks) != 2 || task.marks[0].method != i || task.marks[1].method != i || !task.marks[0].enter || task.marks[1].enter {
			t.Errorf("m%02d marks %v", i, task.marks)
		}
	}
	for function, want := range map[string]int{
		"artifice/scripts/reality.m07": 7, "main.m39": 39, "main.(*task).idle": idleMethod,
		"main.(*task).body": -1, "main.m40": -1, "main.m7": -1, "runtime.gopark": -1,
	} {
		got, ok := methodOf(inPackage(function))
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%s is method %d, want %d", function, got, want)
		}
	}
}

// TestRecord: a short run, sampled for real, gives lines in which each goroutine is where it
// was: busy in methods, the others in theirs or idle. No time is looked at.
func TestRecord(t *testing.T) {
	r, err := record(ms, 50*ms, 1)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.writeSamples(&text); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range bytes.Lines(text.Bytes()) {
		var l struct {
			Time    float64 `json:"time_us"`
			Stopped float64 `json:"stopped_us"`
			Thread  string
			Frames  []string
		}
		if err := json.Unmarshal(line, &l); err != nil || l.Time <= 0 || l.Stopped <= 0 {
			t.Fatalf("%s: %v", line, err)
		}
		seen[l.Thread] += len(l.Frames)
		for _, f := range l.Frames {
			if !strings.HasPrefix(f, "App.") {
				t.Errorf("frame %s", f)
			}
		}
	}
	for _, g := range goroutines {
		if len(r.samples) > 20 && seen[g.name] == 0 {
			t.Errorf("%d samples, none of which found %s in a method", len(r.samples), g.name)
		}
	}
	if runtime.NumGoroutine() > maxGoroutines {
		t.Errorf("%d goroutines are left", runtime.NumGoroutine())
	}
}
