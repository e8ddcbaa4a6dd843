package formattest

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"artifice/diffstack"
	formatpkg "artifice/format"
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// FuzzDumps is the fuzz target of a format. Reading of any bytes must end with an error, or with
// a valid trace. The counts of its snapshots must sum to the samples in the dumps.
func FuzzDumps(f *testing.F, format *kind.Format, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		stackdump.Detect(data, formatpkg.Dumps())
		for _, cfg := range []stackdump.Config{
			{Format: format.Dumps},
			{Format: format.Dumps, Include: stackdump.AllFrames, Identity: diffstack.BySite, SliceEnd: diffstack.EndMid, First: stackdump.ThreadFirst},
			{Format: format.Dumps, Last: 50_000_000, SliceEnd: diffstack.EndLast},
		} {
			checkSequence(t, data, cfg)
		}
	})
}

// CutDumps truncates small files of a format at every byte. Each part must give an error that
// names the file, or a valid trace with at most the samples of the whole file.
func CutDumps(t *testing.T, format *kind.Format, files ...string) {
	tried := 0
	for _, whole := range files {
		cfg := stackdump.Config{Format: format.Dumps}
		most := countSamples(t, []byte(whole), cfg)
		if most == 0 {
			continue
		}
		tried++
		at := make([]int, len(whole))
		for n := range at {
			at[n] = n
		}
		for _, n := range testdata.Some(t, at, 60) {
			part := []byte(whole[:n])
			checkSequence(t, part, cfg)
			if r, err := stackdump.NewReader(bytes.NewReader(part), "fuzz", reader(cfg)); err == nil && r != nil {
				if got := countSamples(t, part, cfg); got > most {
					t.Errorf("%s cut at %d: %d samples; the whole file has %d", format.Name, n, got, most)
				}
			}
		}
	}
	if tried == 0 {
		t.Errorf("%s: no file that has a sample", format.Name)
	}
}

func checkSequence(t *testing.T, data []byte, cfg stackdump.Config) {
	s, err := stackdump.New(bytes.NewReader(data), "fuzz", cfg)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "fuzz") {
			t.Errorf("error without a position: %v", err)
		}
		return
	}
	var samples int64
	s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) {
		if end := snap.IsEnd() && s.Info.Clock.HasCPU() && len(snap.Stack) == 0; !end && (snap.Count < 1 || len(snap.Stack) == 0) || snap.Until < snap.Wall {
			t.Errorf("impossible snapshot %+v", snap)
		}
		samples += snap.Count
	}))
	if err := testdata.CheckValid(&s.Recording); err != nil {
		if _, broken := err.(*trace.Violation); broken {
			t.Errorf("%+v: %v", cfg, err)
		}
		return
	}
	if cfg.Last == 0 {
		if want := countSamples(t, data, cfg); samples != want {
			t.Errorf("%+v: snapshots count %d samples, the dumps have %d", cfg, samples, want)
		}
	}
}

func reader(cfg stackdump.Config) stackdump.ReaderConfig {
	return stackdump.ReaderConfig{Format: cfg.Format, Interval: cfg.Interval, First: cfg.First, Frames: stackdump.NewFrames()}
}

// countSamples counts the samples with a selected frame, ignoring the second of two threads with
// the same identity. The values of a quantity are not samples.
func countSamples(t *testing.T, data []byte, cfg stackdump.Config) (n int64) {
	r, err := stackdump.NewReader(bytes.NewReader(data), "fuzz", reader(cfg))
	if err != nil {
		t.Fatal(err)
	}
	managed := map[int]bool{} // processes with a managed frame
	for first, ofCPU := true, false; ; first = false {
		d, err := r.Next()
		if err != nil {
			return n
		}
		if first { // samples of CPU time have the native frames of waits, too
			ofCPU = d.OfCPU
		}
		if d.Quantity.IsSet() {
			return 0
		}
		d.Expand()
		include := cfg.Include
		if include == stackdump.AutoFrames && cfg.Format.Few {
			managed[d.PID] = managed[d.PID] && d.PID != 0 || anyManaged(r.Frames(), d)
			include = stackdump.ManagedFrames
			if !managed[d.PID] {
				include = stackdump.AllFrames // a native process
			}
		}
		seen := map[stackdump.ID]bool{}
		for _, thread := range d.Threads {
			if !seen[thread.ID] && counts(r.Frames(), thread.Stack, include, thread.Ran > 0 || ofCPU) {
				n += thread.Count
			}
			seen[thread.ID] = true
		}
	}
}

// anyManaged reports whether a dump has a managed frame.
func anyManaged(frames *stackdump.Frames, d *stackdump.Dump) bool {
	return slices.ContainsFunc(d.Threads, func(t stackdump.Thread) bool {
		return counts(frames, t.Stack, stackdump.ManagedFrames, false)
	})
}

func counts(frames *stackdump.Frames, stack []stackdump.FrameID, include stackdump.Include, running bool) bool {
	for _, id := range stack {
		if include == stackdump.AllFrames || include == stackdump.AutoFrames && running || frames.Frame(id).Kind == stackdump.Managed {
			return true
		}
	}
	return false
}
