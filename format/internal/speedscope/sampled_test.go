package speedscope_test

import (
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

const smallSpeedscope = `{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[
{"type":"sampled","name":"main (7)","unit":"milliseconds","startValue":10,"endValue":16.5,"samples":[[0],[0,1],[]],"weights":[1,2.5,3]},
{"weights":[2,1],"samples":[[1],[1,1]],"endValue":3,"startValue":0,"unit":"none","name":"other","type":"sampled"},
{"type":"sampled","name":"memory","unit":"bytes","startValue":0,"endValue":3,"samples":[[1]],"weights":[3]},
{"type":"evented","name":"calls","unit":"none","startValue":0,"endValue":3,"events":[]}],
"shared":{"frames":[{"name":"a.B.f","file":"B.java","line":3},{"name":"operator()"}]}}`

// TestSpeedscope checks that stacks last for their weights from startValue on, or for that number
// of intervals. The frames may come last, and a name may end in the thread's tid. Times are
// relative to the first sample.
func TestSpeedscope(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Interval: 4_000_000}, smallSpeedscope)
	formattest.Same(t, formattest.Text(t, s), `
thread	2	other
0 - 2 enter operator()
8000000 - 2 enter operator()
thread	7	main
10000000 - 7 enter a.B.f
11000000 - 7 enter operator()
12000000 - 2 exit operator()
12000000 - 2 exit operator()
13500000 - 7 exit operator()
13500000 - 7 exit a.B.f
`)
	formattest.Warned(t, s, `profile "other" has no unit of time: each count is read as 4ms`, "test.txt:4: a profile is ignored: profiles in bytes are not read", "test.txt:5: a profile of another type than sampled is ignored")
	samples := map[string]int64{}
	s = formattest.Parse(t, stackdump.Config{}, smallSpeedscope)
	s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) {
		samples[s.Symbols.Thread(snap.Thread).Name] += snap.Count
	}))
	tracetest.Events(t, s)
	if samples["main"] != 2 || samples["other"] != 3 { // one of the three samples of "other" has no frame
		t.Errorf("samples %v, want 2 of main and 3 of other", samples)
	}
}

// TestSpeedscopeCounts checks that counts can be fractions, and that a count of 0 is no sample: at
// 10 ms each, b lasts for 20 ms and a for 5 ms. Counts have no known clock; times need none.
func TestSpeedscopeCounts(t *testing.T) {
	const counts = `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[
{"type":"sampled","name":"x","unit":"none","startValue":0,"endValue":3,"samples":[[1],[0],[1],[0]],"weights":[1.0,0,1e0,0.5]}]}`
	s := formattest.Parse(t, stackdump.Config{}, counts)
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tx\n0 - 1 enter b\n20000000 - 1 exit b\n20000000 - 1 enter a\n25000000 - 1 exit a\n")
	formattest.Warned(t, s, `profile "x" has no unit of time: each count is read as 10ms`)
	if !s.Info.Unclocked {
		t.Error("Unclocked = false for counts")
	}
	if s = formattest.Parse(t, stackdump.Config{}, strings.Replace(counts, "none", "seconds", 1)); s.Info.Unclocked {
		t.Error("Unclocked = true for seconds")
	}
}

// TestBadSpeedscope checks that inconsistent data is an error with its line.
func TestBadSpeedscope(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`[[0]`, `[[2]`, "a stack refers to frame 2, but the file has 2 frames"},
		{`[[0]`, `[[-1]`, "a stack refers to frame -1"},
		{`[[0]`, `[[1e10]`, "test.txt:2: "},
		{`[1,2.5,3]`, `[1,2.5]`, "test.txt:2: 3 samples, but 2 weights"},
		{`[1,2.5,3]`, `[1,-2.5,3]`, `test.txt:2: the weight of sample 1, "-2.5", is negative, too large or no number`},
		{`[1,2.5,3]`, `[1,1e300,3]`, `the weight of sample 1, "1e300", is negative, too large or no number`},
		{`[2,1]`, `[2,-0.5]`, `test.txt:3: the weight of sample 1, "-0.5", is negative, too large or no number`},
		{`[2,1]`, `[2,3e9]`, `test.txt:3: the weight of sample 1, "3e9", is negative, too large or no number`},
		{`[2,1]`, `[2,99999999999999999999]`, "the weight of sample 1, "},
		{`"startValue":10`, `"startValue":"x"`, "test.txt:2: "},
		{`"shared":{"frames":[`, `"shared":{"frames":[7,`, "test.txt:6: "},
	} {
		s, err := formattest.New(strings.NewReader(strings.Replace(smallSpeedscope, test.old, test.new, 1)), "test.txt", stackdump.Config{})
		if err == nil {
			_, err = trace.Copy(trace.Discard, s)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "test.txt:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.new, err, test.want)
		}
	}
}
