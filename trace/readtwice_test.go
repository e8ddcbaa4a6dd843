package trace_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	"artifice/bench"
	"artifice/format"
	"artifice/instrument"
	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/filter"
	"artifice/workload"
	"artifice/writer"
)

// truthOf returns 50 ms of a built-in app.
func truthOf(t *testing.T, cfg workload.Config) *trace.Recording {
	t.Helper()
	cfg.Duration = 50 * time.Millisecond
	rec, err := workload.Must(workload.ByName("cold-start")).Truth(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestReadTwice checks that a recording of each source has events, then an end, and then an error.
func TestReadTwice(t *testing.T) {
	file := filepath.Join(t.TempDir(), "app.trace")
	if _, err := writer.WriteFile(file, "", truthOf(t, workload.Config{})); err != nil {
		t.Fatal(err)
	}
	opened, err := format.Open(file, format.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	sampled, err := sampler.Record(truthOf(t, workload.Config{}), sampler.Config{Interval: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	instrumented, err := instrument.Record(truthOf(t, workload.Config{}), instrument.Config{})
	if err != nil {
		t.Fatal(err)
	}
	memory := &trace.Recording{Events: trace.NewSliceReader(make([]trace.Event, 2))}
	for name, rec := range map[string]*trace.Recording{
		"workload": truthOf(t, workload.Config{}), "threads that interact": truthOf(t, workload.Config{Live: true}), "file": opened.Recording,
		"sampler": sampled, "instrument": instrumented, "memory": memory, "part": filter.CloseFrames(truthOf(t, workload.Config{}), false),
	} {
		n, err := trace.Copy(trace.Discard, rec.Events)
		if n == 0 || err != nil {
			t.Errorf("%s: %d events, %v", name, n, err)
		}
		for range 2 {
			if n, err := trace.Copy(trace.Discard, rec.Events); n != 0 || !errors.Is(err, trace.ErrReadTwice) {
				t.Errorf("%s, read again: %d events, %v", name, n, err)
			}
		}
	}
}

// TestUseTwice checks that all functions that use a recording return that error if the recording
// was read before.
func TestUseTwice(t *testing.T) {
	for name, use := range map[string]func(rec *trace.Recording) error{
		"sampler": func(rec *trace.Recording) error {
			sampled, err := sampler.Record(rec, sampler.Config{Interval: time.Millisecond})
			if err == nil {
				_, err = trace.Copy(trace.Discard, sampled.Events)
			}
			return err
		},
		"instrument": func(rec *trace.Recording) error {
			recorded, err := instrument.Record(rec, instrument.Config{})
			if err == nil {
				_, err = trace.Copy(trace.Discard, recorded.Events)
			}
			return err
		},
		"bench": func(rec *trace.Recording) error {
			_, err := bench.Run(context.Background(), rec, bench.Config{Intervals: []time.Duration{time.Millisecond}})
			return err
		},
		"writer": func(rec *trace.Recording) error {
			_, err := writer.Write(io.Discard, "pprof", rec)
			return err
		},
		"iterator": func(rec *trace.Recording) (err error) {
			for _, err = range trace.All(rec.Events) {
			}
			return err
		},
	} {
		rec := truthOf(t, workload.Config{})
		if _, err := trace.Copy(trace.Discard, rec.Events); err != nil {
			t.Fatal(err)
		}
		if err := use(rec); !errors.Is(err, trace.ErrReadTwice) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
