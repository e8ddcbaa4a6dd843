package dmtrace

import (
	"testing"

	"artifice/internal/testdata"
	"artifice/trace"
)

// counts are a trace's totals.
type counts struct {
	events, enters, exits, unwinds int
	threads, active, methods       int // threads and methods listed, threads with events
	unlisted                       int // methods used but not listed
	open, orphans                  int
}

func count(t testing.TB, rec *trace.Recording) (c counts) {
	t.Helper()
	var stacks trace.Stacks
	seen := map[trace.ThreadID]bool{}
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			t.Fatal(err)
		}
		c.events++
		switch e.Action {
		case trace.Enter:
			c.enters++
		case trace.Exit:
			c.exits++
		case trace.Unwind:
			c.unwinds++
		}
		seen[e.Thread] = true
		if stacks.Apply(e) == trace.Orphan {
			c.orphans++
		}
	}
	c.active = len(seen)
	for i := range stacks.Threads() {
		c.open += len(stacks.Of(trace.ThreadID(i)))
	}
	for _, th := range rec.Symbols.Threads {
		if !th.Unlisted {
			c.threads++
		}
	}
	for _, m := range rec.Symbols.Methods {
		if m.Unlisted {
			c.unlisted++
		} else {
			c.methods++
		}
	}
	return c
}

// TestRealFiles compares counts with independent sources. Events, enters, exits and unwinds are
// those of `dmtracedump -o FILE`. dmtracedump cannot read the streaming file, so a Python program
// with struct.unpack counted its items. The README of the data folder states the orphans, open
// frames and unlisted methods of the two large ART files.
func TestRealFiles(t *testing.T) {
	for _, test := range []struct {
		file, format string
		want         counts
	}{
		{"sampled-art-file.trace", "art", counts{events: 13295, enters: 6777, exits: 6518, threads: 66, active: 40, methods: 2067, unlisted: 18, open: 259}},
		{"sampled-host-file.trace", "art", counts{events: 16472, enters: 8251, exits: 8221, threads: 14, active: 6, methods: 287, open: 30}},
		{"sampled-streaming.trace", "art-stream", counts{events: 44339, enters: 22229, exits: 22110, threads: 25, active: 19, methods: 2228, open: 119}},
		{"instrumented-art-file.trace", "art", counts{events: 70341, enters: 35173, exits: 35168, threads: 70, active: 17, methods: 2507, open: 144, orphans: 139}},
		{"tiny-basic.trace", "dalvik3", counts{events: 9, enters: 4, exits: 5, threads: 11, active: 1, methods: 7, open: 2, orphans: 3}},
		{"tiny-basic-api10.trace", "dalvik1", counts{events: 10, enters: 5, exits: 5, threads: 8, active: 1, methods: 7, open: 2, orphans: 2}},
		{"tiny-exception.trace", "dalvik3", counts{events: 23, enters: 11, exits: 9, unwinds: 3, threads: 11, active: 1, methods: 14, open: 2, orphans: 3}},
		{"tiny-mismatched.trace", "dalvik3", counts{events: 9, enters: 3, exits: 6, threads: 11, active: 1, methods: 8, open: 2, orphans: 5}},
	} {
		f, err := Open(testdata.Path(t, "traces", test.file), ReadOptions{})
		if err != nil {
			t.Error(err)
			continue
		}
		defer f.Close()
		if got := count(t, &f.Recording); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.file, got, test.want)
		}
		if f.Source.Format != test.format {
			t.Errorf("%s: format %s, want %s", test.file, f.Source.Format, test.format)
		}
		for _, w := range f.Warnings {
			t.Logf("%s: unexpected warning %q", test.file, w)
		}
	}
}
