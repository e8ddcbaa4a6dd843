package pprof_test

import (
	"bytes"
	"testing"

	"github.com/google/pprof/profile"

	"artifice/format"
)

// TestLongPeriod: the error for a period that is too long contains the file name.
func TestLongPeriod(t *testing.T) {
	var file bytes.Buffer
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}, PeriodType: &profile.ValueType{Type: "wall", Unit: "nanoseconds"}, Period: 1000*3600*1e9 + 1}
	if err := p.Write(&file); err != nil {
		t.Fatal(err)
	}
	_, err := format.New(&file, "long.pb.gz", format.Config{Format: "pprof"})
	if want := "long.pb.gz: a period of 1000h0m0.000000001s: must be at most 1000h0m0s"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
