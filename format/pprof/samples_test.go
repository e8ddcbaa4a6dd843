package pprof

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	format "artifice/format/internal/kind"
	"artifice/trace"
)

// inlined returns a profile with samples that refer to one location references times each, with that number of lines
// inlined into each other.
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
	o, err := Format.Read(format.Source{Name: "inlined.pb.gz", R: bytes.NewReader(data)}, &format.Config{Limits: limits})
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

// TestInlinedFrames: each reference of a sample to a location adds all its inlined frames, up to the
// limits of a stack's depth and of all frames.
func TestInlinedFrames(t *testing.T) {
	if n, _, err := readAll(inlined(t, 3, 4, 1), trace.Limits{}); n != 2*12 || err != nil {
		t.Errorf("%d events (%v), want an enter and an exit of 12 frames", n, err)
	}
	n, warnings, err := readAll(inlined(t, 60_000, 60_000, 1), trace.Limits{})
	if n != 2*65_536 || err != nil || len(warnings) == 0 || !strings.Contains(warnings[0].Text, "more than 65536 frames is cut off") {
		t.Errorf("%d events, %q (%v), want those of 65,536 frames and a warning", n, warnings, err)
	}
	var limit *trace.LimitError
	if _, _, err := readAll(inlined(t, 1000, 1, 100), trace.Limits{Frames: 10_000}); !errors.As(err, &limit) || limit.Limit != "frames" {
		t.Errorf("100,000 inlined frames of 100 locations: %v, want the limit of frames", err)
	}
	if _, _, err := readAll(inlined(t, 1000, 1, 100), trace.Limits{}); err != nil {
		t.Errorf("without a low limit: %v", err)
	}
}
