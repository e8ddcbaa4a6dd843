package instrument

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"artifice/art"
	"artifice/trace"
)

// behind records a busy thread and three idle ones, with so few chunks in
// memory.
func behind(t *testing.T, dir string, memory int) (events []trace.Event, most int) {
	t.Helper()
	runtime, err := art.ByName("art13")
	if err != nil {
		t.Fatal(err)
	}
	l := &loop{threads: 3, left: 60_000}
	rec, err := Record(l.truth(), Config{Runtime: runtime, Streaming: true, Cost: Cost{Hook: 20 * time.Microsecond}, TempDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	tr := rec.Events.(*tracer)
	tr.merger.memory = memory
	batch := make([]trace.Event, 500)
	for {
		n, err := rec.Events.ReadEvents(batch)
		if n == 0 {
			if tr.err != nil {
				t.Fatal(err)
			}
			return events, most
		}
		events = append(events, batch[:n]...)
		if !tr.done {
			most = max(most, tr.merger.inMemory)
		}
	}
}

// TestSpill: what waits on disk comes back in its place, and the memory in use
// stays at the bound and two chunks a thread.
func TestSpill(t *testing.T) {
	dir := t.TempDir()
	want, unbounded := behind(t, dir, memoryChunks)
	got, most := behind(t, dir, 4)
	if !slices.Equal(got, want) {
		t.Error("other events when chunks wait on disk")
	}
	if len(want) != 60_000 || unbounded < 100 || most > 4+1+2*3 {
		t.Errorf("%d events, %d chunks without a bound, %d with one of 4", len(want), unbounded, most)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestSpillFails: a disk that cannot be written ends the recording with what is
// wrong.
func TestSpillFails(t *testing.T) {
	runtime, _ := art.ByName("art13")
	none := filepath.Join(t.TempDir(), "none")
	rec, err := Record((&loop{threads: 2, left: 60_000}).truth(), Config{
		Runtime: runtime, Streaming: true, Cost: Cost{Hook: 20 * time.Microsecond}, TempDir: none,
	})
	if err != nil {
		t.Fatal(err)
	}
	rec.Events.(*tracer).merger.memory = 1
	if _, err := trace.Copy(&trace.Buffer{}, rec.Events); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want that the folder is not there", err)
	}
}

// TestFullFileForgetsTheRest: what cannot get into the file any more does not
// wait for its turn, and is counted all the same.
func TestFullFileForgetsTheRest(t *testing.T) {
	run := func(limit int) ([]trace.Event, []trace.Warning) {
		runtime, _ := art.ByName("art12")
		rec, err := Record((&loop{threads: 3, left: 60_000}).truth(), Config{
			Runtime: runtime, BufferSize: 4096, Cost: Cost{Hook: 20 * time.Microsecond},
		})
		if err != nil {
			t.Fatal(err)
		}
		tr := rec.Events.(*tracer)
		if tr.merger.limit < 4096/14 {
			t.Fatalf("limit of %d items, fewer than a file holds", tr.merger.limit)
		}
		tr.merger.limit = limit
		events := read(t, rec)
		return events, rec.Warnings
	}
	want, warned := run(1 << 30)
	got, warnedToo := run(300)
	if !slices.Equal(got, want) || !slices.Equal(warned, warnedToo) || len(want) != (4096-32)/14 {
		t.Errorf("%d events and %q, want %d and %q", len(got), warnedToo, len(want), warned)
	}
}
