package sampler

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"

	"artifice/trace"
)

// FuzzRun makes a truth of any bytes, properly nested or not, and holds Run
// against the naive sampler. What comes out must be a valid trace.
func FuzzRun(f *testing.F) {
	f.Add(uint64(1), []byte("\x00\x10\x00\x00\x20\x04\x01\x30\x01"))
	f.Add(uint64(2), []byte("\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x02"))
	f.Add(uint64(7), []byte("a truth is a list of enters and exits"))
	f.Fuzz(func(t *testing.T, seed uint64, raw []byte) {
		if len(raw) > 600 {
			return
		}
		sym := &trace.Symbols{}
		for m := range 4 {
			sym.AddMethod(trace.Method{ID: uint64(4 * m), Flags: []trace.MethodFlags{0, trace.LeafNoPoll, trace.RuntimeInternal, 0}[m]})
		}
		for range 3 {
			sym.AddThread(trace.Thread{})
		}
		var truth []trace.Event
		var wall time.Duration
		var cpu [3]time.Duration
		for ; len(raw) >= 3; raw = raw[3:] {
			id := raw[0] % 3
			wall += time.Duration(raw[1]) * us
			cpu[id] += time.Duration(raw[1]) * us / time.Duration(1+raw[0]%4)
			truth = append(truth, trace.Event{Wall: wall, CPU: cpu[id], Thread: trace.ThreadID(id),
				Method: trace.MethodID(raw[2] >> 2 % 4), Action: trace.Action(raw[2] & 3), Site: trace.Site(raw[2] >> 6)})
		}
		cfg := randomConfig(rand.New(rand.NewPCG(seed, 5)))
		rec := &trace.Recording{Symbols: sym, Events: trace.NewSliceReader(truth)}
		if seed%2 == 0 {
			sym.SetEnds(truth)
		}
		var out collect
		s, err := New(rec, cfg, &out)
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(rec, s); err != nil {
			t.Fatal(err)
		}
		n := newNaive(truth, rec.Info, sym, s.cfg)
		n.run()
		compareRuns(t, "fuzzed", s, &out, n)
		written := *s.Recording()
		written.Events = trace.NewSliceReader(out.Events)
		if err := testdata.CheckValid(&written); err != nil {
			t.Errorf("what was written: %v", err)
		}

		// Where each thread is late by a time of its own, what comes out is valid, too.
		cfg.OneClock = false
		rec.Events, out = trace.NewSliceReader(truth), collect{}
		if s, err = New(rec, cfg, &out); err != nil {
			t.Fatal(err)
		}
		if err := Run(rec, s); err != nil {
			t.Fatal(err)
		}
		written = *s.Recording()
		written.Events = trace.NewSliceReader(out.Events)
		if err := testdata.CheckValid(&written); err != nil {
			t.Errorf("each thread late by itself: what was written: %v", err)
		}
	})
}

// FuzzRediff compares any events again: they come back as they are, or a
// sampler cannot have written them.
func FuzzRediff(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x01\x01\x00\x00\x02"))
	f.Add([]byte{0, 0, 0, 0, 4, 0, 8, 5, 0, 0, 4, 0, 8, 1, 8, 0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		sym := &trace.Symbols{Threads: make([]trace.Thread, 2), Methods: make([]trace.Method, 4)}
		var events []trace.Event
		for ; len(raw) >= 2; raw = raw[2:] {
			at := time.Duration(raw[0] >> 3)
			events = append(events, trace.Event{Wall: at, CPU: at, Thread: trace.ThreadID(raw[0] & 1),
				Method: trace.MethodID(raw[1] >> 2 % 4), Action: trace.Action(raw[1] & 3)})
		}
		rec := &trace.Recording{Symbols: sym, Events: trace.NewSliceReader(events)}
		var out trace.Buffer
		again, err := Read(rec)
		if err == nil {
			_, err = trace.Copy(&out, again.Events)
		}
		if err == nil && !slices.Equal(events, out.Events) {
			t.Errorf("%d events come back as %d others, without an error", len(events), len(out.Events))
		}
		var refusal *Error
		if err != nil && !errors.As(err, &refusal) {
			t.Errorf("error %v is no refusal", err)
		}
	})
}
