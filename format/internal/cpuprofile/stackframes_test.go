package cpuprofile_test

import (
	"strings"
	"testing"
	"time"

	"artifice/format/internal/cpuprofile"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
)

// hermes is a profile in the form of Hermes. The thread runs f from 2000 us on, which calls g from
// 4000 to 5000 us. From 1000 to 2000 us and from 5000 us on, it runs no JavaScript.
const hermes = `{"traceEvents":[
{"name":"process_name","ph":"M","cat":"__metadata","pid":9,"ts":"1000","tid":"-1","args":{"name":"hermes"}},
{"name":"thread_name","ph":"M","cat":"__metadata","pid":9,"ts":"1000","tid":"7","args":{"name":"mqt_js"}},
{"name":"mqt_js","cat":"mqt_js","ph":"X","dur":0,"pid":9,"ts":"1000","tid":"7","args":{}}],
"samples":[
{"cpu":"-1","name":"","ts":"1000","pid":9,"tid":"7","weight":"1","sf":1},
{"cpu":"-1","name":"","ts":"2000","pid":9,"tid":"7","weight":"1","sf":2},
{"cpu":"-1","name":"","ts":"4000","pid":9,"tid":"7","weight":"1","sf":3},
{"cpu":"-1","name":"","ts":"5000","pid":9,"tid":"7","weight":"1","sf":1}],
"stackFrames":{
"1":{"name":"[root]","category":"root"},
"3":{"funcVirtAddr":"34","offset":"2","name":"g","category":"JavaScript","parent":2},
"2":{"line":"12","column":"5","funcLine":"11","funcColumn":"1","name":"f(http://10.0.2.2:8081/index.bundle?dev=true:12:5)","category":"JavaScript","parent":1}}}`

func parseSamples(t *testing.T, text string) *stackdump.Sequence {
	return formattest.Parse(t, stackdump.Config{Format: cpuprofile.Samples.Dumps}, text)
}

func TestHermes(t *testing.T) {
	s := parseSamples(t, hermes)
	formattest.Same(t, formattest.Text(t, s), `
thread	7	mqt_js
1000000 - 7 enter f
3000000 - 7 enter g
4000000 - 7 exit g
4000000 - 7 exit f
`)
	formattest.Warned(t, s)
	if s.Info.Interval != time.Millisecond || s.Info.OfCPU {
		t.Errorf("interval %s, of CPU %v", s.Info.Interval, s.Info.OfCPU)
	}
}

// TestStackFrames checks variants of the profile of Hermes.
func TestStackFrames(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		want     string // expected events; "": those of hermes
		warned   []string
	}{
		// The stack of g begins at g, so f ends at 3000 us.
		"parent missing": {`"parent":2`, `"parent":77`, "1000000 - 7 enter f\n3000000 - 7 exit f\n3000000 - 7 enter g\n4000000 - 7 exit g",
			[]string{"the profile lacks the callers of some functions: their stacks begin at these functions: 1 node"}},
		"frame missing": {`"sf":3`, `"sf":78`, "1000000 - 7 enter f\n3000000 - 7 exit f",
			[]string{"the profile lacks the nodes of some samples, which therefore have no stack: 1 of 4 samples"}},
		// The function without a name is anonymous.
		"no name":  {`"name":"g"`, `"name":"(/a/(b)/c.js:3:4)"`, "1000000 - 7 enter f\n3000000 - 7 enter (anonymous c.js:0)\n4000000 - 7 exit (anonymous c.js:0)\n4000000 - 7 exit f", nil},
		"native":   {`"name":"g"`, `"name":"[Native]534"`, "1000000 - 7 enter f\n3000000 - 7 enter [Native]534\n4000000 - 7 exit [Native]534\n4000000 - 7 exit f", nil},
		"numbers":  {`"tid":"7"`, `"tid":7`, "", nil},
		"no pid":   {`"pid":9,"tid":"7","weight"`, `"tid":"7","weight"`, "", nil},
		"weights":  {`"weight":"1"`, `"weight":2.5`, "", nil},
		"calls":    {`"ph":"X","dur":0`, `"ph":"X","dur":10`, "", []string{"events of calls are ignored, because the file has samples; --input-format chrome reads the calls instead; number of events: 1"}},
		"no calls": {`"traceEvents"`, `"other"`, "", nil},
		"V8 first": {`"traceEvents":[`, `"traceEvents":[{"ph":"P","name":"ProfileChunk","id":"0x1","pid":1,"tid":7,"ts":500,"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"v"}}],"samples":[1],"timeDeltas":[0]}}}},`,
			"0 - 7 enter v\n0 - 7 exit v", []string{"the samples of V8's profiler are read, not the samples with stackFrames: 4 samples"}},
	} {
		s := parseSamples(t, strings.ReplaceAll(hermes, c.old, c.new))
		got := ""
		for _, line := range strings.Split(strings.TrimSpace(formattest.Text(t, s)), "\n") {
			if !strings.HasPrefix(line, "thread") {
				got += line + "\n"
			}
		}
		if c.want == "" {
			c.want = "1000000 - 7 enter f\n3000000 - 7 enter g\n4000000 - 7 exit g\n4000000 - 7 exit f"
		}
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
		formattest.Warned(t, s, c.warned...)
	}
}

// TestStackFramesProcess checks the thread of samples without a pid: it has the name that one
// process gives its tid, and none if two processes do.
func TestStackFramesProcess(t *testing.T) {
	noPID := strings.ReplaceAll(hermes, `"pid":9,"tid":"7","weight"`, `"tid":"7","weight"`)
	const other = `"traceEvents":[{"name":"thread_name","ph":"M","pid":8,"tid":7,"args":{"name":"other"}},`
	for text, want := range map[string]string{
		noPID: "thread\t7\tmqt_js\n",
		strings.Replace(noPID, `"traceEvents":[`, other, 1): "thread\t7\tthread-7\n",
	} {
		if got := formattest.Text(t, parseSamples(t, text)); !strings.Contains(got, want) {
			t.Errorf("the thread is not %q in\n%s", want, got)
		}
	}
}

func TestStackFramesDamaged(t *testing.T) {
	for old, c := range map[string]struct{ new, want string }{
		`"category":"root"`: {`"category":"root","parent":3`, "is its own caller"},
		`"ts":"2000"`:       {`"ts":"x"`, "ts of a sample: "},
		`"weight":"1"`:      {`"weight":"-1"`, `the weight of a sample, "-1", is negative, too large or no number`},
		`"tid":"7","wei`:    {`"tid":"main","wei`, "a sample: "},
		`"sf":`:             {`"other":`, "the trace has no samples with stacks"},
		`"stackFrames"`:     {`"frames"`, "the trace has no samples with stacks"},
	} {
		_, err := formattest.New(strings.NewReader(strings.ReplaceAll(hermes, old, c.new)), "test.txt", stackdump.Config{Format: cpuprofile.Samples.Dumps})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
}

// TestStackFramesOfCPU checks that samples of cycles have CPU time. The thread has four samples,
// one each ms while it runs, and is off the CPU for 6 of 10 ms. Weights other than 1 are counts.
func TestStackFramesOfCPU(t *testing.T) {
	const perf = `{"traceEvents":[],"stackFrames":{"5":{"name":"main","category":"app"},"7":{"parent":5,"name":"work","category":"app"}},
"samples":[{"cpu":0,"tid":1,"ts":1000,"name":"cycles:HG","sf":7,"weight":1},{"cpu":1,"tid":1,"ts":2000,"name":"cycles:HG","sf":5,"weight":1},{"cpu":1,"tid":1,"ts":9000,"name":"cycles:HG","sf":5,"weight":1},{"cpu":1,"tid":1,"ts":10000,"name":"cycles:HG","sf":5,"weight":1}]}`
	const want = `
thread	1	thread-1
0 0 1 enter main
0 0 1 enter work
1000000 1000000 1 exit work
2000000 2000000 1 exit main
8000000 2000000 1 enter main
10000000 4000000 1 exit main
`
	s := parseSamples(t, perf)
	formattest.Same(t, formattest.Text(t, s), want)
	if s.Info.Interval != time.Millisecond || !s.Info.OfCPU {
		t.Errorf("interval %s, of CPU %v", s.Info.Interval, s.Info.OfCPU)
	}
	s = parseSamples(t, strings.ReplaceAll(perf, `"weight":1`, `"weight":250000`))
	formattest.Same(t, formattest.Text(t, s), want)
	s = parseSamples(t, strings.ReplaceAll(perf, `"name":"cycles:HG"`, `"name":"x"`)) // x is no event of CPU time
	if s.Info.OfCPU {
		t.Error("samples of an unknown event have CPU time")
	}
}
