// Package truths opens the truths that the tests of several packages run on:
// built-in workloads, loops, and real traces in time order.
package truths

import (
	"testing"
	"time"

	"artifice/format/dmtrace/reader"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/workload"
)

// Workload makes a truth of a built-in workload.
func Workload(t testing.TB, name string, length time.Duration) *trace.Recording {
	t.Helper()
	rec, err := workload.ByName(name).Truth(workload.Config{Seed: 3, Duration: length})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// Real opens one of the real traces in time order. The test closes it at its end.
func Real(t testing.TB, name string) *reader.File {
	t.Helper()
	f, err := reader.Open(testdata.Path(t, "traces", name), reader.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := f.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	return f
}

// RealEvents reads a whole real trace in time order, apart from its events.
func RealEvents(t testing.TB, name string) (*trace.Recording, []trace.Event) {
	t.Helper()
	f := Real(t, name)
	var events trace.Buffer
	if _, err := trace.Copy(&events, f.Events); err != nil {
		t.Fatal(err)
	}
	return &trace.Recording{Info: f.Info, Symbols: f.Symbols}, events.Events
}
