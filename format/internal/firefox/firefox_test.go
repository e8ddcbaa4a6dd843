package firefox_test

import (
	"fmt"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/trace"
)

const smallFirefox = `{"meta":{"interval":1,"preprocessedProfileVersion":48,"sampleUnits":{"time":"ms","threadCPUDelta":"µs"}},
"threads":[{"name":"main","pid":"1","tid":7,
"samples":{"stack":[0,1,null],"time":[10,11,13.5],"weight":[1,2,0],"weightType":"tracing-ms","threadCPUDelta":[null,500,1000],"length":3},
"stackTable":{"prefix":[null,0],"frame":[0,1],"length":2},"frameTable":{"func":[0,1],"length":2},
"funcTable":{"name":[0,1],"fileName":[2,null],"lineNumber":[3,null],"length":2},"stringArray":["a.B.f","operator()","B.java"]},
{"tid":"8","name":"other","samples":{"timeDeltas":[0,2,2],"threadCPUDelta":[0,1,1],"stack":[2,2,null],"length":3}}],
"shared":{"stringArray":["c.D.g","c.D.h"],"funcTable":{"name":[1,0]},"frameTable":{"func":[1,0]},
"stackTable":{"frame":[1,0,0],"prefixOffset":[0,0,2]}}}`

// TestFirefox checks that stacks last for their weights or until the next sample, that tables can
// be shared by threads, and that CPU times are those of threadCPUDelta.
func TestFirefox(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, smallFirefox)
	if s.Info.Clock != trace.Dual {
		t.Errorf("the clock is %s", s.Info.Clock)
	}
	formattest.Same(t, formattest.Text(t, s), `
thread	8	other
0 0 8 enter c.D.h
0 0 8 enter c.D.g
4000000 2000 8 exit c.D.g
4000000 2000 8 exit c.D.h
thread	7	main
10000000 0 7 enter a.B.f
11000000 500000 7 enter operator()
13000000 1500000 7 exit operator()
13000000 1500000 7 exit a.B.f
`)
}

// TestFirefoxUntestedVersion checks that an untested version is read with a warning.
func TestFirefoxUntestedVersion(t *testing.T) {
	for version, warned := range map[string]bool{"75": false, "76": true} {
		s := formattest.Parse(t, stackdump.Config{}, strings.Replace(smallFirefox, `Version":48`, `Version":`+version, 1))
		formattest.Text(t, s)
		if got := strings.Contains(fmt.Sprint(s.Warnings), "the newest version tested is 75"); got != warned {
			t.Errorf("version %s: warned %t, want %t: %v", version, got, warned, s.Warnings)
		}
	}
}

// TestFirefoxWithoutCPU checks that CPU times are ignored, with a warning, unless all threads with
// samples have CPU times in a known unit. On Windows, the profiler's unit is "variable CPU cycles".
func TestFirefoxWithoutCPU(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`"threadCPUDelta":[0,1,1],`, ``, `thread "other" has no CPU times: those of 1 other are ignored`},
		{`"threadCPUDelta":"µs"`, `"threadCPUDelta":"variable CPU cycles"`, `are ignored: "variable CPU cycles" is not a unit of time`},
	} {
		s := formattest.Parse(t, stackdump.Config{}, strings.Replace(smallFirefox, test.old, test.new, 1))
		formattest.Text(t, s)
		if s.Info.Clock != trace.Wall || !strings.Contains(fmt.Sprint(s.Warnings), test.want) {
			t.Errorf("clock %s, warnings %v, want %s", s.Info.Clock, s.Warnings, test.want)
		}
	}
}

// TestFirefoxCategories checks that a thread waits in stacks of the categories Idle and Stalled if
// the profile has no CPU times. The category is that of the stack or, from version 53 on, of its
// frame, or else of its caller. If no sample waits, the CPU time is unknown.
func TestFirefoxCategories(t *testing.T) {
	const profile = `{"meta":{"preprocessedProfileVersion":48,"categories":[{"name":"Ruby"},{"name":"Idle"},{"name":"Stalled"}]},
"threads":[{"name":"main","tid":7,"samples":{"stack":[0,1,2,0,null],"time":[0,1,3,7,15],"length":5},
"stackTable":{"prefix":[null,0,0],"frame":[0,1,2],"category":[0,1,2],"length":3},
"frameTable":{"func":[0,1,2]},"funcTable":{"name":[0,1,2]},"stringArray":["f","sleep","wait"]}]}`
	for name, test := range map[string]struct{ stacks, frames, want string }{
		"of stacks":  {`"category":[0,1,2],`, `"func":[0,1,2]`, "1000000 1000000 7 enter sleep/3000000 1000000 7 exit sleep/3000000 1000000 7 enter wait/7000000 1000000 7 exit wait/15000000 9000000 7 exit f"},
		"of frames":  {``, `"func":[0,1,2],"category":[0,1,2]`, "1000000 1000000 7 enter sleep/3000000 1000000 7 exit sleep/3000000 1000000 7 enter wait/7000000 1000000 7 exit wait/15000000 9000000 7 exit f"},
		"of callers": {``, `"func":[0,1,2],"category":[2,0,null]`, "1000000 0 7 enter sleep/3000000 2000000 7 exit sleep/3000000 2000000 7 enter wait/7000000 2000000 7 exit wait/15000000 2000000 7 exit f"},
		"no wait":    {``, `"func":[0,1,2],"category":[0,0,0]`, "1000000 - 7 enter sleep/3000000 - 7 exit sleep/3000000 - 7 enter wait/7000000 - 7 exit wait/15000000 - 7 exit f"},
	} {
		text := strings.NewReplacer(`"category":[0,1,2],`, test.stacks, `"func":[0,1,2]`, test.frames).Replace(profile)
		got := strings.ReplaceAll(strings.TrimSpace(formattest.Text(t, formattest.Parse(t, stackdump.Config{}, text))), "\n", "/")
		if !strings.HasSuffix(got, "enter f/"+test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

// TestBadFirefox checks that inconsistent data is an error with its line.
func TestBadFirefox(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{smallFirefox, `{"meta":{"preprocessedProfileVersion":48},"threads":[{"name":"main","tid":7,"samples":{"stack":[],"time":[],"length":0},"markers":{"data":[],"length":0}}]}`,
			"a processed profile without samples, only 1 thread: markers are not read"},
		{`Version":48`, `Version":40`, "versions from 41 on are read; open it in profiler.firefox.com and save it"},
		{`"stack":[0,1,`, `"stack":[0,2,`, `a sample of thread "main" refers to stack 2, but the thread has 2 stacks`},
		{`"stack":[0,1,`, `"stack":[0,-2,`, "refers to stack -2"},
		{`"stack":[0,1,`, `"stack":[0,`, `thread "main" has 2 stacks, 3 times, 3 weights and 3 threadCPUDeltas`},
		{`"prefix":[null,0]`, `"prefix":[1,0]`, "is its own caller"},
		{`"prefix":[null,0]`, `"prefix":[null]`, `thread "main" has 2 stacks, but callers for 1`},
		{`"prefix":[null,0]`, `"prefix":[null,9]`, "refers to caller 9"},
		{`"prefixOffset":[0,0,2]`, `"prefixOffset":[0,0,9]`, "refers to caller -7"},
		{`"func":[0,1]`, `"func":[0,2]`, `frame 1 of thread "main" has function 2`},
		{`[10,11,13.5]`, `[10,9,13.5]`, "sample 1 of thread \"main\", at 9ms, is earlier"},
		{`[10,11,13.5]`, `[10,1e300,13.5]`, `time "1e300" is not a number, or exceeds 73 years`},
		{`"weight":[1,2`, `"weight":[1,-2`, "sample 1 of thread \"main\""},
		{`"time":[`, `"time":["x",`, "test.txt:3: "},
	} {
		s, err := formattest.New(strings.NewReader(strings.Replace(smallFirefox, test.old, test.new, 1)), "test.txt", stackdump.Config{})
		if err == nil {
			_, err = trace.Copy(trace.Discard, s)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "test.txt:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.new, err, test.want)
		}
	}
}
