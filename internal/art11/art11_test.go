package art11

import (
	"testing"
	"time"

	"artifice/trace"
)

func TestHello(t *testing.T) {
	a, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: 5 * time.Millisecond}, Symbols: &trace.Symbols{
		Threads: []trace.Thread{{TID: 7, Name: "main"}}, Methods: []trace.Method{{Class: "a", Name: "b"}, {Class: "a", Name: "c", Flags: trace.Native}},
	}, Events: trace.NewSliceReader([]trace.Event{{Wall: 1e6, CPU: 2e6}, {Wall: 15e5, CPU: 25e5, Method: 1}, {Wall: 3e6, CPU: 4e6, Method: 1, Action: 1}, {Wall: 4e6, CPU: 5e6, Action: 1}})}
	truth, err := NewTruth(rec)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []Way{{}, {Sampled: true, Interval: time.Millisecond}} {
		r, err := a.Record(truth, w)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %q %v", w, r.File, r.Methods)
	}
}
