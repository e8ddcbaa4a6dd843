package pprof

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	format "artifice/format/internal/kind"
	"artifice/trace"
)

// inlined returns a profile with the given number of samples. Each refers to one location the given
// number of times, and the location has the given number of lines, inlined into each other.
func inlined(t *testing.T, lines, references, samples int) []byte {
	function := &profile.Function{ID: 1, Name: "a.B.f"}
	location := &profile.Location{ID: 1}
	for range lines {
		location.Line = append(location.Line, profile.Line{Function: function})
	}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}, Function: []*profile.Function{function}, Location: []*profile.Location{location}}
	for range samples {
		s := &profile.Sample{Value: []int64{1}}
		for range references {
			s.Location = append(s.Location, location)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readAll counts the events of a profile.
func readAll(data []byte, limits trace.Limits) (events int, warnings []trace.Warning, err error) {
	return countEvents(Format.Read(format.Source{Name: "inlined.pb.gz", R: bytes.NewReader(data)}, &format.Config{Limits: limits}))
}

// countEvents counts the events of an open profile.
func countEvents(o *format.Opened, err error) (events int, warnings []trace.Warning, _ error) {
	if err != nil {
		return 0, nil, err
	}
	buffer := make([]trace.Event, 1000)
	for err == nil {
		var n int
		n, err = o.Recording.Events.ReadEvents(buffer)
		events += n
	}
	if err == io.EOF {
		err = nil
	}
	return events, o.Recording.Warnings, err
}

// TestInlinedFrames: each reference of a sample to a location adds all of its inlined frames, up to
// the limits of the depth of a stack and of the number of frames.
func TestInlinedFrames(t *testing.T) {
	if n, _, err := readAll(inlined(t, 3, 4, 1), trace.Limits{}); n != 2*12 || err != nil {
		t.Errorf("%d events (%v), want an enter and an exit of 12 frames", n, err)
	}
	n, warnings, err := readAll(inlined(t, 60_000, 60_000, 1), trace.Limits{})
	if n != 2*65_536 || err != nil || len(warnings) == 0 || !strings.Contains(warnings[0].Text, "more than 65536 frames; further frames are dropped") {
		t.Errorf("%d events, %q (%v), want those of 65,536 frames and a warning", n, warnings, err)
	}
	var limit *trace.LimitError
	if _, _, err := readAll(inlined(t, 1000, 50, 1), trace.Limits{Frames: 10_000}); !errors.As(err, &limit) || limit.Limit != "frames" {
		t.Errorf("50,000 inlined frames of a location: %v, want the limit of frames", err)
	}
	if _, _, err := readAll(inlined(t, 1000, 50, 1), trace.Limits{}); err != nil {
		t.Errorf("default limit: %v", err)
	}
	if n, _, err := readAll(inlined(t, 60_000, 1, 20_000), trace.Limits{}); n != 2*60_000 || err != nil {
		t.Errorf("20,000 samples of one stack: %d events (%v), want those of 60,000 frames", n, err)
	}
}

// shared returns a profile with the given number of samples. They alternate between two slices of
// locations: main, depth times, and the same with leaf innermost.
func shared(depth, samples int) *profile.Profile {
	main, leaf := &profile.Function{ID: 1, Name: "a.B.main"}, &profile.Function{ID: 2, Name: "a.B.leaf"}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}, PeriodType: &profile.ValueType{}, Function: []*profile.Function{main, leaf},
		Location: []*profile.Location{{ID: 1, Line: []profile.Line{{Function: main}}}, {ID: 2, Line: []profile.Line{{Function: leaf}}}}}
	outer := slices.Repeat(p.Location[:1], depth)
	inner := append([]*profile.Location{p.Location[1]}, outer...)
	for i := range samples {
		stack := outer
		if i%2 == 1 {
			stack = inner
		}
		p.Sample = append(p.Sample, &profile.Sample{Location: stack, Value: []int64{1}})
	}
	return p
}

// TestSharedStacks: the time of reading is proportional to the frames of distinct stacks and to the
// number of samples, not to the frames of all samples. These are 10^10 here, which would take
// minutes.
func TestSharedStacks(t *testing.T) {
	const depth, samples = 50_000, 200_000
	p := shared(depth, samples)
	n, _, err := countEvents(Open(p, "shared", formatName, 0, &format.Config{}))
	if want := 2*depth + samples; n != want || err != nil { // leaf enters or exits at each sample
		t.Errorf("%d events (%v), want %d", n, err, want)
	}
	p.DropFrames = "a.B.leaf"
	n, _, err = countEvents(Open(p, "shared", formatName, 0, &format.Config{}))
	if want := 2 * depth; n != want || err != nil || len(p.Sample[1].Location) != depth+1 {
		t.Errorf("without leaf: %d events (%v), want %d, and the profile unchanged: %d locations", n, err, want, len(p.Sample[1].Location))
	}
	var b bytes.Buffer
	if _, err := Format.WriteProfile(&b, p); err == nil || !strings.Contains(err.Error(), "200,000 samples with 2 different stacks") || b.Len() > 0 {
		t.Errorf("%v and %d bytes, want an error: the file would have 10^10 locations", err, b.Len())
	}
}

// TestFramesOfLargeProfiles: the limits of frames and of calling contexts are proportional to the
// size of the profile. 1,000 samples enter and exit a frame called by main; or each of them enters
// a chain of ten functions that no other sample has.
func TestFramesOfLargeProfiles(t *testing.T) {
	chains := shared(0, 0)
	for i := range 10_000 {
		f := &profile.Function{ID: uint64(i + 3), Name: fmt.Sprint("f", i)}
		chains.Location = append(chains.Location, &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}}})
	}
	for i := range 1000 {
		chains.Sample = append(chains.Sample, &profile.Sample{Location: chains.Location[2+i*10:][:10], Value: []int64{1}})
	}
	for _, test := range []struct {
		p      *profile.Profile
		frames int
		size   int64
		want   string
	}{
		{shared(1, 2000), 1600, 0, "more than 1600 frames that samples enter and exit"},
		{shared(1, 2000), 1600, 49, "more than 1992 frames that samples enter and exit"},
		{shared(1, 2000), 1600, 51, ""}, // 1 for main, and 1,999 of leaf
		{chains, 64 * 5000, 0, "more than 5000 calling contexts"},
		{chains, 64 * 5000, 9998, "more than 9999 calling contexts"},
		{chains, 64 * 5000, 10_002, ""}, // 10,000, and the root
	} {
		_, _, err := countEvents(Open(test.p, "shared", formatName, test.size, &format.Config{Limits: trace.Limits{Frames: test.frames}}))
		if err == nil && test.want != "" || err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("limit %d, %d bytes: %v, want %q", test.frames, test.size, err, test.want)
		}
	}
}

// TestStacksOf: equal stacks have the same number, whether or not they share a slice.
func TestStacksOf(t *testing.T) {
	p := shared(3, 4)
	p.Sample = append(p.Sample, &profile.Sample{Location: slices.Clone(p.Sample[0].Location)}, &profile.Sample{}, &profile.Sample{Location: p.Sample[0].Location[:2]})
	s := StacksOf(p)
	if want := []int32{0, 1, 0, 1, 0, 2, 3}; !slices.Equal(s.Of, want) || len(s.List) != 4 || len(s.List[3]) != 2 || s.locations() != 3+4+2 {
		t.Errorf("stacks %v of %d locations in %d, want %v, 4 stacks of 9 locations", s.Of, s.locations(), len(s.List), want)
	}
}

// TestPrunedFrames compares the frames that are dropped with those that google/pprof drops.
func TestPrunedFrames(t *testing.T) {
	for _, names := range [][2]string{{"a.B.leaf", ""}, {"a.B..*", "a.B.main"}, {"a.B.main", ""}, {"(", ""}, {"x", "("}} {
		p := shared(2, 3)
		p.DropFrames, p.KeepFrames = names[0], names[1]
		got, err := pruned(p)
		want := p.Copy()
		if wantErr := want.RemoveUninteresting(); (err == nil) != (wantErr == nil) {
			t.Errorf("%q: %v, google/pprof: %v", names, err, wantErr)
		}
		if err == nil && got.String() != want.String() {
			t.Errorf("%q:\n%s\nwant\n%s", names, got, want)
		}
	}
}
