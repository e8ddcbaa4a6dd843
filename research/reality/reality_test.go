package main

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

const ms = time.Millisecond

// TestStops: the sampler walked stacks from 10 to 14, 20 to 21, 25 to 27 and 40 to 41 ms. The
// working goroutine did not run from 5 to 6 ms (due to another program), from 9 to 10.5 (again),
// from 11 to 14.2 (until it was back on a core after the walk), and from 26 to 50 ms: for the third
// sample, but it was not back at the begin of the fourth, so that only the times of both samples
// count.
func TestStops(t *testing.T) {
	const tenth = ms / 10
	r := recorded{samples: []sample{{span: span{10 * ms, 14 * ms}}, {span: span{20 * ms, 21 * ms}}, {span: span{25 * ms, 27 * ms}}, {span: span{40 * ms, 41 * ms}}}}
	gaps := []span{{5 * ms, 6 * ms}, {9 * ms, 105 * tenth}, {11 * ms, 142 * tenth}, {26 * ms, 50 * ms}}
	r.stops = stops(r.samples, gaps)
	if want := []span{{11 * ms, 142 * tenth}, {}, {26 * ms, 27 * ms}, {40 * ms, 50 * ms}}; !slices.Equal(r.stops, want) {
		t.Errorf("%v, want %v", r.stops, want)
	}
	if at, stopped := r.instant(0); at != 11*ms || stopped != 32*tenth {
		t.Errorf("seen at %s, stopped for %s, want 11ms and 3.2ms", at, stopped)
	}
	if at, stopped := r.instant(1); at != 20*ms || stopped != 1 {
		t.Errorf("seen at %s, stopped for %s, want 20ms and 1ns", at, stopped)
	}
	// Of 29.7 ms without a core, 14.2 belong to the stops.
	r.tasks = []*task{{gaps: gaps, last: 100 * ms}}
	if got := r.elsewhere(); math.Abs(got-0.155) > 1e-9 {
		t.Errorf("elsewhere for %g of the run, want 0.155", got)
	}
}

// TestTruth: a call from 2 to 9 ms calls another from 4 to 6 ms; the app was stopped from 3 to 5
// and from 8 to 9 ms. In the truth, the call is from 2 to 6 ms (9 - 3), and the other begins with
// the first stop, at 3 ms, and ends at 4 ms. The run of 9 ms would have taken 6 ms.
func TestTruth(t *testing.T) {
	busy := &task{name: "busy", marks: []mark{{2 * ms, 7, true}, {4 * ms, 8, true}, {6 * ms, 8, false}, {9 * ms, 7, false}}}
	r := recorded{tasks: []*task{busy}, stops: []span{{3 * ms, 5 * ms}, {}, {8 * ms, 9 * ms}}}
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

// TestMiddle95: of the values 1 to 39, ranks 1 and 39 are the 2.5 % and the 97.5 % quantile of 40 +
// 1 equal parts; of 1 to 79, ranks 2 and 78. Half ranks are interpolated.
func TestMiddle95(t *testing.T) {
	for n, want := range map[int][2]float64{39: {1, 39}, 79: {2, 78}, 99: {2.5, 97.5}, 5: {1, 5}} {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(n - i)
		}
		p := middle95(values)
		if d := 1e-9; math.Abs(p.low-want[0]) > d || math.Abs(p.high-want[1]) > d || math.Abs(p.mean-float64(n+1)/2) > d {
			t.Errorf("of 1 to %d: %+v, want %v", n, p, want)
		}
	}
}

// TestPredictionInterval: the 97.5 % quantile of Student's t is 4.303 with 2 degrees of freedom and
// 2.086 with 20, from printed tables. Devices with means 1, 2, 3 and samplers without variance have
// variance 1*(1+1/3); devices with equal means have the samplers' variance, with 20 degrees of
// freedom for two devices with eleven samplers each.
func TestPredictionInterval(t *testing.T) {
	alike := []float64{-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5} // variance 110/10
	for _, c := range []struct {
		devices [][]float64
		reach   float64
	}{
		{[][]float64{{1, 1}, {2, 2}, {3, 3}}, 4.303 * math.Sqrt(4./3)},
		{[][]float64{alike, alike}, 2.086 * math.Sqrt(11)},
		{[][]float64{{1, 1}, {1, 1}}, 0},
	} {
		p := predictFromOthers(c.devices)
		if reach := p.high - p.mean; math.Abs(reach-c.reach) > 0.001*c.reach || math.Abs(p.mean-p.low-reach) > 1e-9 {
			t.Errorf("%v: %+v, want a reach of %g", c.devices, p, c.reach)
		}
	}
}

// TestRuns: stored runs are read back; a folder without runs is an error.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	if _, err := readRuns(dir); err == nil {
		t.Error("no error for an empty folder")
	}
	want := []measuredRun{{Interval: ms, Run: 1, Slowdown: 1.25, Elsewhere: 0.01}, {Interval: ms, Run: 2, Slowdown: 1.5, Busy: true, Period: ms}}
	if err := writeRuns(dir, want); err != nil {
		t.Fatal(err)
	}
	if got, err := readRuns(dir); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if err := writeRuns(dir, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := readRuns(dir); err == nil {
		t.Error("no error for no runs")
	}
}

// TestReadStack checks the parsing of a goroutine's text, as documented and printed by
// runtime.Stack.
func TestReadStack(t *testing.T) {
	text := "goroutine 7 [runnable]:\nmain.(*task).spin(0xc000012345, 0x10?)\n\t/home/m02(x)/app.go:90 +0x4d\n" +
		"main.(*task).body(...)\n\t/src/app.go:70\nmain.m07(0xc000012345, {0x1, 0x2})\n\t/src/methods.go:55 +0x25\n" +
		"artifice/scripts/reality.m11(0xc000012345, 0x1)\n\t/src/methods.go:60 +0x25\n" +
		"main.worker2(0xc000012345)\n\t/src/app.go:140 +0x25\ncreated by sync.(*WaitGroup).Go in goroutine 1\n\t/src/sync.go:1 +0x1\n"
	if thread, methods := readStack(text); thread != 2 || !slices.Equal(methods, []int{7, 11}) {
		t.Errorf("thread %d in %v, want 2 in m07, called by m11", thread, methods)
	}
	if thread, methods := readStack("goroutine 1 [running]:\nmain.main()\n\t/src/main.go:1 +0x1\n"); thread != -1 || len(methods) != 0 {
		t.Errorf("main is taken for thread %d in %v", thread, methods)
	}
}

// TestMethods: every method is a function with the number in its name; a stack of it is parsed
// correctly.
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

// TestRecord: a short run, sampled for real, gives lines with each goroutine in its own functions:
// busy in methods, the others in theirs or idle. Times are not tested.
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
}
