package cpuprofile_test

import (
	"strings"
	"testing"
	"time"

	"artifice/format/internal/cpuprofile"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
)

// twoProfiles contains the profiles of two processes that have a thread with the same tid. The
// first profile has two chunks in reverse order. Its nodes have parents in an earlier chunk, or
// children. Its samples are at 1000, 2000, 3000 and 4000 us, and it ends at 4500 us. The second
// profile has a sample at 1500 us and no end.
const twoProfiles = `{"traceEvents":[
{"ph":"M","name":"thread_name","pid":1,"tid":7,"args":{"name":"CrRendererMain"}},
{"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"Renderer"}},
{"ph":"X","name":"RunTask","pid":1,"tid":7,"ts":0,"dur":9000},
{"ph":"P","name":"Profile","id":"0x1","pid":1,"tid":7,"ts":10,"args":{"data":{"startTime":500}}},
{"ph":"P","name":"ProfileChunk","id":"0x1","pid":1,"tid":9,"ts":4600,"args":{"data":{"cpuProfile":{"nodes":[{"id":4,"parent":2,"callFrame":{"functionName":"hot"}}],"samples":[4,3]},"timeDeltas":[1000,1000],"endTime":4500}}},
{"ph":"P","name":"ProfileChunk","id":"0x1","pid":1,"tid":9,"ts":2100,"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2,3]},{"id":2,"callFrame":{"functionName":"f"}},{"id":3,"callFrame":{"functionName":"(idle)"}}],"samples":[2,2]},"timeDeltas":[500,1000]}}},
{"ph":"P","name":"ProfileChunk","id":"0x1","pid":2,"tid":7,"ts":1500,"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"g"}}],"samples":[2],"timeDeltas":[0]}}}}
]}`

func TestDevTools(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Format: cpuprofile.Samples.Dumps}, twoProfiles)
	formattest.Same(t, formattest.Text(t, s), `
thread	7	CrRendererMain
0 - 7 enter f
thread	1	thread-7
500000 - 1 enter g
500000 - 1 exit g
2000000 - 7 enter hot
3000000 - 7 exit hot
3000000 - 7 exit f
`)
	formattest.Warned(t, s, "events of calls are ignored, because the file has samples; --input-format chrome reads the calls instead; number of events: 1")
	if s.Info.Interval != time.Millisecond {
		t.Errorf("interval %s", s.Info.Interval)
	}
}

// TestDevToolsDamaged checks that a truncated trace keeps the samples before the cut, and that
// inconsistent data is an error.
func TestDevToolsDamaged(t *testing.T) {
	cut, _, _ := strings.Cut(twoProfiles, "\n]}")
	s := formattest.Parse(t, stackdump.Config{Format: cpuprofile.Samples.Dumps}, cut)
	if n := len(tracetest.Events(t, s)); n != 6 {
		t.Errorf("%d events, want 6", n)
	}
	for old, c := range map[string]struct{ new, want string }{
		`"samples":[2,2]`:     {`"samples":[2]`, "1 samples, but 2 timeDeltas"},
		`[1000,1000]`:         {`[1000,1e300]`, "timeDeltas: "},
		`"startTime":500`:     {`"startTime":1e300`, "startTime: "},
		`{"cpuProfile":{"nod`: {`{"cpuProfile":[{"nod`, "cannot be read"},
	} {
		_, err := formattest.New(strings.NewReader(strings.Replace(twoProfiles, old, c.new, 1)), "test.txt", stackdump.Config{Format: cpuprofile.Samples.Dumps})
		if err == nil || !strings.HasPrefix(err.Error(), "test.txt:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
}

// TestDevToolsMissing checks a trace with a missing chunk, because Chrome does not keep all chunks
// of a long trace. If a sample refers to a node of a missing chunk, it has no stack. The other
// profiles of the trace are complete.
func TestDevToolsMissing(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Format: cpuprofile.Samples.Dumps}, strings.Replace(twoProfiles, `"samples":[2,2]`, `"samples":[2,8]`, 1))
	formattest.Same(t, formattest.Text(t, s), `
thread	7	CrRendererMain
0 - 7 enter f
thread	1	thread-7
500000 - 1 enter g
500000 - 1 exit g
1000000 - 7 exit f
2000000 - 7 enter f
2000000 - 7 enter hot
3000000 - 7 exit hot
3000000 - 7 exit f
`)
	formattest.Warned(t, s, "events of calls are ignored, because the file has samples", "which therefore have no stack: 1 of 5 samples")
}

func FuzzDevTools(f *testing.F) { formattest.FuzzDumps(f, cpuprofile.Samples, twoProfiles) }

func TestCutDevTools(t *testing.T) { formattest.CutDumps(t, cpuprofile.Samples, twoProfiles) }
