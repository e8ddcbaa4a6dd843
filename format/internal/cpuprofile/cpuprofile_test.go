package cpuprofile_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/format/internal/cpuprofile"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// TestCPUProfile checks the self and total times of each function in a profile of Node.js 20. They
// are the sums of the time deltas after its samples.
func TestCPUProfile(t *testing.T) {
	const name = "testdata/spin.cpuprofile"
	s := formattest.OpenDumps(t, stackdump.Config{}, name)
	total, self := map[string]time.Duration{}, map[string]time.Duration{}
	timesOf(t, s, func(stack []string, d time.Duration) {
		for i, m := range stack {
			if !slices.Contains(stack[:i], m) {
				total[m] += d
			}
		}
		self[stack[len(stack)-1]] += d
	})
	if s.Counts().Format != cpuprofile.Format.Dumps || s.Info.Interval != 5090*time.Microsecond {
		t.Errorf("format %s, interval %s", s.Counts().Format.Name, s.Info.Interval)
	}
	// A separate Python script computed the times in us from the JSON. Two functions have no name
	// in the file.
	want := map[string][2]time.Duration{
		"spin": {133218, 133218}, "inner": {94781, 5155}, "outer": {94781}, "executeUserEntryPoint": {94781},
		"Module._compile": {94781}, "Module._load": {94781}, "Module.load": {94781}, "Module._extensions..js": {94781},
		"late": {43592}, "listOnTimeout": {43592}, "processTimers": {43592}, "(program)": {8208, 8208}, "(garbage collector)": {5081, 5081},
		"(anonymous run_main_module:1)": {94781}, "(anonymous spin.js:1)": {94781},
	}
	for m, us := range want {
		if total[m] != us[0]*time.Microsecond || self[m] != us[1]*time.Microsecond {
			t.Errorf("%s: total %s, self %s, want %d and %d us", m, total[m], self[m], us[0], us[1])
		}
	}
	if len(total) != len(want) {
		t.Errorf("%d functions, want %d: %v", len(total), len(want), total)
	}
}

// timesOf calls add with the duration of each stack of s, outermost frame first.
func timesOf(t *testing.T, s *stackdump.Sequence, add func(stack []string, d time.Duration)) {
	t.Helper()
	if err := s.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	type shown struct {
		stack []string
		since time.Duration
	}
	threads := map[trace.ThreadID]*shown{}
	for _, e := range tracetest.Events(t, s.Events) {
		th := threads[e.Thread]
		if th == nil {
			th = &shown{}
			threads[e.Thread] = th
		}
		if e.Wall > th.since && len(th.stack) > 0 {
			add(th.stack, e.Wall-th.since)
		}
		th.since = e.Wall
		if e.Action == trace.Enter {
			th.stack = append(th.stack, s.Symbols.Method(e.Method).FullName())
		} else {
			th.stack = th.stack[:len(th.stack)-1]
		}
	}
	for _, th := range threads {
		if len(th.stack) > 0 {
			t.Errorf("%q is open at the end", th.stack)
		}
	}
}

const smallCPUProfile = `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2,3,5]},
{"id":2,"callFrame":{"functionName":"a","url":"x.js","lineNumber":4},"children":[4]},
{"id":3,"callFrame":{"functionName":"(idle)"}},{"id":4,"callFrame":{"functionName":"","url":"http://h/y.js","lineNumber":0}},
{"id":5,"callFrame":{"functionName":"(garbage collector)"}}],
"startTime":1000,"endTime":1100,"samples":[2,4,3,5,2],"timeDeltas":[10,20,30,10,-35]}`

// TestCPUProfileOrder checks that a sample with a negative time delta precedes later samples. Idle
// time has no frame, and the last sample ends with the profile.
func TestCPUProfileOrder(t *testing.T) {
	// The samples are a at 1010, a>anonymous at 1030, a at 1035, idle at 1060 and collector at
	// 1070; the end is 1100.
	s := formattest.Parse(t, stackdump.Config{}, smallCPUProfile)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	main
0 - 1 enter a
20000 - 1 enter (anonymous y.js:1)
25000 - 1 exit (anonymous y.js:1)
50000 - 1 exit a
60000 - 1 enter (garbage collector)
90000 - 1 exit (garbage collector)
`)
	formattest.Warned(t, s)
	if s.Info.Interval != 10*time.Microsecond {
		t.Errorf("interval %s", s.Info.Interval)
	}

	// The next profile has the form used before 2017.
	s = formattest.Parse(t, stackdump.Config{}, `{"head":{"functionName":"(root)","id":1,"callUID":1,"children":[{"functionName":"a","url":"x.js","lineNumber":5,"id":2,"callUID":2,"children":[{"functionName":"b","id":4,"children":[]}]},{"functionName":"(idle)","id":3}]},`+
		`"startTime":0.001,"endTime":0.0011,"samples":[2,4,3],"timestamps":[1010,1030,1060]}`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	main
0 - 1 enter a
20000 - 1 enter b
50000 - 1 exit b
50000 - 1 exit a
`)

	// If there is one more time than samples, it is the end.
	s = formattest.Parse(t, stackdump.Config{}, `{"head":{"functionName":"(root)","id":1,"callUID":1,"children":[{"functionName":"a","id":2,"children":[]}]},`+
		`"startTime":0,"endTime":0,"samples":[2,2],"timestamps":[1010,1030,1060]}`)
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tmain\n0 - 1 enter a\n50000 - 1 exit a\n")
}

// TestBadCPUProfile checks that inconsistent data is an error with its line.
func TestBadCPUProfile(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`"children":[4]`, `"children":[3]`, "test.txt:5: node 3 is the child of two nodes"},
		{`{"id":3,"callFrame":{"functionName":"(idle)"}}`, `{"id":3,"callFrame":{},"children":[3]}`, "node 3 is the child of two nodes"},
		{`"children":[2,3,5]`, `"children":[2,3,5,1]`, "is its own caller"},
		{`"id":4`, `"id":2`, "test.txt:3: two nodes have the id 2"},
		{`"id":4`, `"id":1e99`, "test.txt:3: "},
		{`"samples":[2,`, `"samples":[`, "4 samples, but 5 timeDeltas"},
		{`"timeDeltas":[10`, `"timeDeltas":[1e300`, `timeDeltas: time "1e300" is not a number, or exceeds 73 years`},
		{`"startTime":1000`, `"startTime":99999999999999999999`, "startTime: "},
		{`"startTime":1000`, `"startTime":2305843009213693`, "has the implausible time"},
		{`"nodes":[`, `"nodes":[7,`, "test.txt:1: "},
	} {
		text := strings.Replace(smallCPUProfile, test.old, test.new, 1)
		s, err := formattest.New(strings.NewReader(text), "test.txt", stackdump.Config{})
		if err == nil {
			_, err = trace.Copy(trace.Discard, s)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "test.txt:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.new, err, test.want)
		}
	}
}

// TestCPUProfileFile checks that the duration of a file written by Node.js is that of its start,
// end and first delta.
func TestCPUProfileFile(t *testing.T) {
	text, err := os.ReadFile("testdata/spin.cpuprofile")
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		StartTime, EndTime int64
		TimeDeltas         []int64
	}
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	s := formattest.Parse(t, stackdump.Config{}, string(text))
	tracetest.Events(t, s)
	if want := time.Duration(p.EndTime-p.StartTime-p.TimeDeltas[0]) * time.Microsecond; s.Info.Elapsed != want {
		t.Errorf("%s from the first sample to the end, want %s", s.Info.Elapsed, want)
	}
}

// TestOldCPUProfileEnd checks a profile with a tree. Its startTime and endTime are in seconds, its
// timestamps in microseconds (V8's inspector protocol of 2015). The only sample lasts from 1.5 s to
// 1.75 s.
func TestOldCPUProfileEnd(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `{"head":{"functionName":"(root)","id":1,"callUID":1,"children":[{"functionName":"f","url":"x.js","lineNumber":5,"id":2}]},`+
		`"startTime":1.5,"endTime":1.75,"samples":[2],"timestamps":[1500000]}`)
	times := map[string]time.Duration{}
	timesOf(t, s, func(stack []string, d time.Duration) { times[stack[len(stack)-1]] += d })
	if len(times) != 1 || times["f"] != 250*time.Millisecond {
		t.Errorf("%v, want 250ms of f", times)
	}
}

// TestCPUProfileWithoutTimes checks a profile of v8-profiler without timestamps: the four samples are
// evenly distributed over its 2 s. Without a duration, it is rejected.
func TestCPUProfileWithoutTimes(t *testing.T) {
	const profile = `{"head":{"functionName":"(root)","id":1,"callUID":1,"children":[{"functionName":"f","id":2},{"functionName":"g","id":3}]},` +
		`"startTime":10,"endTime":12,"samples":[2,3,3,3]}`
	s := formattest.Parse(t, stackdump.Config{}, profile)
	times := map[string]time.Duration{}
	timesOf(t, s, func(stack []string, d time.Duration) { times[stack[len(stack)-1]] += d })
	if len(times) != 2 || times["f"] != 500*time.Millisecond || times["g"] != 1500*time.Millisecond {
		t.Errorf("%v, want 500ms of f and 1.5s of g", times)
	}
	formattest.Warned(t, s, "samples have no times: they are distributed evenly from startTime to endTime")
	_, err := formattest.New(strings.NewReader(strings.Replace(profile, "12", "10", 1)), "x", stackdump.Config{})
	if want := "4 samples, but 0 timeDeltas"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestMissingNodes checks profiles with missing nodes. The caller of node 5 is missing, so the
// stacks of node 5 and of its callee, node 6, begin at node 5. A sample of the missing node 9 has
// no stack. A missing callee does not affect samples. If no sample has a stack, the file is
// refused.
func TestMissingNodes(t *testing.T) {
	const nodes = `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2,7]},{"id":2,"callFrame":{"functionName":"a"}},` +
		`{"id":6,"callFrame":{"functionName":"c"}},{"id":5,"parent":4,"callFrame":{"functionName":"b"},"children":[6]}],"startTime":0,"endTime":60,`
	s := formattest.Parse(t, stackdump.Config{}, nodes+`"samples":[2,5,6,9,2],"timeDeltas":[10,10,10,10,10]}`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	main
0 - 1 enter a
10000 - 1 exit a
10000 - 1 enter b
20000 - 1 enter c
30000 - 1 exit c
30000 - 1 exit b
40000 - 1 enter a
50000 - 1 exit a
`)
	formattest.Warned(t, s, "the profile lacks the callers of some functions: their stacks begin at these functions: 1 node",
		"the profile lacks the nodes of some samples, which therefore have no stack: 1 of 5 samples")
	_, err := formattest.New(strings.NewReader(nodes+`"samples":[8,9],"timeDeltas":[10,10]}`), "test.txt", stackdump.Config{})
	if err == nil || !strings.Contains(err.Error(), "lacks the nodes of all samples") {
		t.Error(err)
	}
}
