package speedscope_test

import (
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
)

const smallEvented = `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a.B.f"},{"name":"operator()","file":"x.cc","line":2}]},"profiles":[
{"type":"evented","name":"main (7)","unit":"milliseconds","startValue":10,"endValue":20,"events":[{"type":"O","at":10,"frame":0},{"type":"O","at":10.5,"frame":1},{"type":"C","at":12,"frame":1},{"type":"O","at":12,"frame":1},{"type":"C","at":1.3e1,"frame":1},{"type":"C","at":20,"frame":0}]},
{"events":[{"type":"O","at":15000,"frame":1},{"type":"C","at":15001,"frame":1}],"endValue":15001,"startValue":15000,"unit":"microseconds","name":"other","type":"evented"}]}`

// TestEvented checks that the events of all profiles are merged by time, each in the unit of its
// profile.
func TestEvented(t *testing.T) {
	formattest.Check(t, "speedscope", formattest.Read(t, smallEvented, "speedscope", kind.Config{}), "0 main >a.B.f, 500 main >operator(), 2000 main <operator(), 2000 main >operator(), 3000 main <operator(), 5000 other >operator(), 5001 other <operator(), 10000 main <a.B.f")
}

// TestEventedCounts checks that a count in a profile without a unit of time lasts 10 ms, as in
// sampled profiles, and that a profile in another unit is skipped.
func TestEventedCounts(t *testing.T) {
	const counts = `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[
{"type":"evented","name":"x","unit":"none","startValue":0,"endValue":14,"events":[{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":2},{"type":"C","frame":1,"at":9},{"type":"C","frame":0,"at":14}]},
{"type":"evented","name":"y","unit":"bytes","startValue":0,"endValue":1,"events":[{"type":"O","frame":0,"at":0},{"type":"C","frame":0,"at":1}]}]}`
	formattest.Check(t, "speedscope", formattest.Read(t, counts, "speedscope", kind.Config{}), "0 x >a, 20000 x >b, 90000 x <b, 140000 x <a")
}

// TestBadEvented checks that inconsistent data is an error.
func TestBadEvented(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`"frame":0`, `"frame":2`, "frame 2, but the file has 2 frames"},
		{`"frame":0`, `"frame":-2`, "without a frame"},
		{`"type":"O"`, `"type":"X"`, `the type "X"`},
		{`"at":10,`, `"at":1e300,`, "is not a number, or exceeds 73 years"},
		{`"at":10,`, ``, "is not a number, or exceeds 73 years"},
		{`"events":[`, `"events":7,"x":[`, "found 7 instead of ["},
	} {
		text := strings.Replace(smallEvented, test.old, test.new, 1)
		if got := formattest.Refused(t, []byte(text), "in"); !strings.HasPrefix(got, "in: ") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.new, got, test.want)
		}
	}
}
