package instrument

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"artifice/art"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// behind records three busy threads with a limited number of bytes in memory.
func behind(t *testing.T, dir string, memory int) (events []trace.Event, most, disk int64) {
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
	tr.sorter = eventlog.NewLog(dir, memory)
	batch := make([]trace.Event, 500)
	for {
		n, err := rec.Events.ReadEvents(batch)
		if n == 0 {
			if err != io.EOF {
				t.Fatal(err)
			}
			return events, most, disk
		}
		events = append(events, batch[:n]...)
		if tr.err == nil {
			inMemory, onDisk := tr.sorter.Size()
			most, disk = max(most, inMemory), max(disk, onDisk)
		}
	}
}

// TestSpill checks that events that wait on disk return in order, and that the memory in use stays
// within the limit plus a block of 512 bytes per thread.
func TestSpill(t *testing.T) {
	dir := t.TempDir()
	want, unbounded, none := behind(t, dir, eventlog.Memory)
	got, most, disk := behind(t, dir, 4096)
	if !slices.Equal(got, want) {
		t.Error("events differ if some wait on disk")
	}
	if len(want) != 60_000 || unbounded < 100_000 || none > 0 || most > 4096+3*512 || disk < 100_000 {
		t.Errorf("%d events, %d bytes in memory without a bound and %d on disk, %d and %d with one of 4096", len(want), unbounded, none, most, disk)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("files remain: %v", left)
	}
}

// TestSpillFails checks that a write error of the disk ends the recording with that error.
func TestSpillFails(t *testing.T) {
	runtime, _ := art.ByName("art13")
	none := filepath.Join(t.TempDir(), "none")
	rec, err := Record((&loop{threads: 2, left: 60_000}).truth(), Config{
		Runtime: runtime, Streaming: true, Cost: Cost{Hook: 20 * time.Microsecond}, TempDir: none,
	})
	if err != nil {
		t.Fatal(err)
	}
	rec.Events.(*tracer).sorter = eventlog.NewLog(none, 512)
	if _, err := trace.Copy(&trace.Buffer{}, rec.Events); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want one of the missing folder", err)
	}
}

// TestEventsBeyondCapacityAreCounted checks that events beyond the file's capacity do not wait for
// their place, but are counted.
func TestEventsBeyondCapacityAreCounted(t *testing.T) {
	run := func(limit int) ([]trace.Event, []trace.Warning) {
		runtime, _ := art.ByName("art12")
		rec, err := Record((&loop{threads: 3, left: 60_000}).truth(), Config{
			Runtime: runtime, BufferSize: 4096, Cost: Cost{Hook: 20 * time.Microsecond},
		})
		if err != nil {
			t.Fatal(err)
		}
		tr := rec.Events.(*tracer)
		if tr.limit < 4096/14 {
			t.Fatalf("limit of %d items, less than the capacity of a file", tr.limit)
		}
		tr.limit = limit
		events := read(t, rec)
		return events, rec.Warnings
	}
	want, warned := run(1 << 30)
	got, warnedToo := run(300)
	if !slices.Equal(got, want) || !slices.Equal(warned, warnedToo) || len(want) != (4096-32)/14 {
		t.Errorf("%d events and %q, want %d and %q", len(got), warnedToo, len(want), warned)
	}
}
