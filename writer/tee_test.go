package writer_test

import (
	"bytes"
	"testing"
	"time"

	"artifice/sampler"
	"artifice/trace"
	"artifice/workload"
	"artifice/writer"
)

// TestTee: formats that are written in one pass have the same bytes as those written one by one.
// This includes pprof, which is written from the sampler's stacks instead of its events.
func TestTee(t *testing.T) {
	sampled := func() *trace.Recording {
		truth, err := workload.Must(workload.ByName("scroll-60hz")).Truth(workload.Config{Seed: 1, Duration: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		rec, err := sampler.Record(truth, sampler.Config{Interval: 5 * time.Millisecond, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	formats := []string{"art", "pprof", "chrome"}
	together := make([]bytes.Buffer, len(formats))
	rec, outputs := sampled(), []trace.Writer{}
	for i, format := range formats {
		w, err := writer.Create(&together[i], format, rec)
		if err != nil {
			t.Fatal(err)
		}
		outputs = append(outputs, w)
	}
	if _, err := trace.Copy(trace.Tee(outputs...), rec.Events); err != nil {
		t.Fatal(err)
	}
	for i, format := range formats {
		if err := outputs[i].(trace.WriteCloser).Close(); err != nil {
			t.Fatal(err)
		}
		var alone bytes.Buffer
		if _, err := writer.Write(&alone, format, sampled()); err != nil {
			t.Fatal(err)
		}
		if alone.Len() == 0 || !bytes.Equal(alone.Bytes(), together[i].Bytes()) {
			t.Errorf("%s: %d bytes alone differ from %d bytes of a tee", format, alone.Len(), together[i].Len())
		}
	}
}
