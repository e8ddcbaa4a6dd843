package jsonlines

import (
	"fmt"
	"testing"

	"artifice/format/internal/stackdump"
)

// String returns the content of a sample, for comparison.
func (s *sample) String() string {
	return fmt.Sprintf("%d %t cpu %d %t stopped %d partial %t pid %d tid %d %q %q %t", s.time, s.hasTime, s.cpu, s.hasCPU, s.stopped, s.partial, s.pid, s.tid, s.thread, s.frames, s.hasFrames)
}

// TestJSONScan checks that the scanner reads text like encoding/json. Text that it leaves to
// encoding/json is marked false.
func TestJSONScan(t *testing.T) {
	for _, test := range []struct {
		line  string
		taken bool
	}{
		{`{"time_us":5,"thread":"main","frames":["a.B.f(B.java:1)","x"]}`, true},
		{` { "time_us" : -5 , "cpu_us":7,"pid":1,"tid":2,"partial":true,"thread":"é", "frames" : [ ] } `, true},
		{`{}`, true},
		{`{"time_us":5,"stopped_us":12,"thread":"main","frames":[]}`, true},
		{`{"stopped_us":1.25}`, false},
		{`{"partial":false}`, true},
		{`{"time_us":0}`, true},
		{`{"time_us":05}`, false},
		{`{"time_us":1.5}`, false},
		{`{"time_us":1e3}`, false},
		{`{"time_us":1234567890123456789}`, false},
		{`{"time_us":-}`, false},
		{`{"time_us":null}`, false},
		{`{"time_us":1,"time_us":2}`, false},
		{`{"Thread":"m"}`, false},
		{`{"thread":"a\tb"}`, false},
		{`{"thread":"a\u0041"}`, false},
		{"{\"thread\":\"a\xff\"}", false},
		{"{\"thread\":\"a\x01\"}", false},
		{`{"thread":"m","other":[1,{}]}`, false},
		{`{"frames":["a",]}`, false},
		{`{"frames":[null]}`, false},
		{`{"thread":"m",}`, false},
		{`{"thread":"m"`, false},
		{`{"thread":"m"}}`, false},
		{`{"thread":"m`, false},
		{`[]`, false},
		{``, false},
	} {
		var fast, slow sample
		if taken := fast.scan([]byte(test.line)); taken != test.taken {
			t.Errorf("%s: taken %t, want %t", test.line, taken, test.taken)
		}
		err := slow.decode([]byte(test.line))
		if test.taken && (err != nil || fast.String() != slow.String()) {
			t.Errorf("%s: scanned %v, decoded %v, %v", test.line, &fast, &slow, err)
		}
	}
}

// FuzzJSONScan checks that encoding/json reads any text that the scanner accepts, with the same
// result.
func FuzzJSONScan(f *testing.F) {
	f.Add([]byte(`{"time_us":5,"cpu_us":7,"pid":1,"tid":-2,"partial":true,"thread":"main","frames":["a.B.f(B.java:1)","x"]}`))
	f.Add([]byte(`{"time_us":1,"frames":[],"thread":"\u00e9"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var fast, slow sample
		if !fast.scan(line) {
			return
		}
		if err := slow.decode(line); err != nil || fast.String() != slow.String() {
			t.Errorf("%q: scanned %v, decoded %v, %v", line, &fast, &slow, err)
		}
	})
}

// TestMicroseconds checks that times in any notation become ns, and that times beyond the accepted
// range exceed the maximum for a dump.
func TestMicroseconds(t *testing.T) {
	for text, want := range map[string]int64{"-0.5": -500, "0.0019": 2, "-3": -3000, "1E2": 100000, "-1.25": -1250} {
		if got := int64(microseconds(text)); got != want {
			t.Errorf("%s: %d ns, want %d", text, got, want)
		}
	}
	if got := microseconds("1e300"); got <= stackdump.Farthest {
		t.Errorf("microseconds(1e300) = %s, want more than the maximum for a dump", got)
	}
}
