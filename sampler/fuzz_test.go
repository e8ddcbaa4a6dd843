package sampler

import (
	"math/rand/v2"
	"testing"
	"time"

	"artifice/internal/testdata"

	"artifice/trace"
)

// FuzzRun creates a truth from arbitrary bytes, properly nested or not, and compares Run with the
// reference implementation. The output must be a valid trace.
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
			t.Errorf("invalid output: %v", err)
		}

		// With a separate delay per thread, the output is valid, too.
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
			t.Errorf("separate delays: invalid output: %v", err)
		}
	})
}
