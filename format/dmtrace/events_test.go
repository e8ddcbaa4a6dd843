package dmtrace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/internal/eventlog"
	"artifice/internal/testdata"
	"artifice/trace"
)

// inOrder is the reference implementation of InTimeOrder: a stable sort by time. The time of an
// event is the maximum wall time of its thread up to the event.
func inOrder(events []trace.Event) []trace.Event {
	type keyed struct {
		key time.Duration
		e   trace.Event
	}
	latest := map[trace.ThreadID]time.Duration{}
	all := make([]keyed, len(events))
	for i, e := range events {
		latest[e.Thread] = max(latest[e.Thread], e.Wall)
		e.Wall = latest[e.Thread]
		all[i] = keyed{latest[e.Thread], e}
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	sorted := make([]trace.Event, len(all))
	for i, k := range all {
		sorted[i] = k.e
	}
	return sorted
}

// readAll reads a trace to its end, which must be io.EOF.
func readAll(t testing.TB, r trace.Reader) []trace.Event {
	t.Helper()
	var b trace.Buffer
	if _, err := trace.Copy(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Events
}

// TestInTimeOrderOfRuns checks files with runs of threads. The thread that began first can be last
// in the file, because ART buffers events by thread and writes the buffers when tracing stops.
func TestInTimeOrderOfRuns(t *testing.T) {
	var recs []rec
	for _, run := range []struct {
		tid   uint16
		start uint32
	}{{2, 500}, {2, 900}, {1, 100}} { // thread 1 began first, and is last in the file
		for i := range uint32(4) {
			recs = append(recs, rec{run.tid, 0x10 | i%2, []uint32{i, run.start + 10*i}})
		}
	}
	file := append([]byte(madeKey(3, "clock=dual", "vm=art")), madeHeader(3, 14)...)
	file = append(file, madeRecords(2, recs...)...)
	f, err := New(bytes.NewReader(file), "runs", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, e := range readAll(t, f.Events) {
		got = append(got, int(e.Wall/time.Microsecond))
	}
	want := []int{100, 110, 120, 130, 500, 510, 520, 530, 900, 910, 920, 930}
	if !slices.Equal(got, want) {
		t.Errorf("wall times %d, want %d", got, want)
	}
}

func TestInTimeOrderOfRealFiles(t *testing.T) {
	for _, name := range []string{"instrumented-art-file.trace", "sampled-art-file.trace", "sampled-streaming.trace"} {
		path := testdata.Path(t, "traces", name)
		plain, err := Open(path, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer plain.Close()
		sorted, err := Open(path, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer sorted.Close()
		if err := sorted.InTimeOrder(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(readAll(t, sorted.Events), inOrder(readAll(t, plain.Events))) {
			t.Errorf("%s: the merge differs from a stable sort", name)
		}
	}
}

func TestInTimeOrderReturnsReadError(t *testing.T) {
	whole := madeFiles()["art"]
	f, err := New(bytes.NewReader(whole[:len(whole)-5]), "cut", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	var b trace.Buffer
	n, err := trace.Copy(&b, f.Events)
	if n != 5 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d events and error %v, want 5 and %v", n, err, io.ErrUnexpectedEOF)
	}
}

// TestRewind checks that Rewind returns to the first event, from the middle and after the end, also
// for a pipe and a damaged file.
func TestRewind(t *testing.T) {
	whole := madeFiles()["art-stream"]
	for name, data := range map[string][]byte{"whole": whole, "cut": whole[:len(whole)-60]} {
		f, err := New(io.MultiReader(bytes.NewReader(data)), name, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.Rewind(); err == nil {
			t.Errorf("%s: rewinding a file in file order: no error", name)
		}
		if err := f.InTimeOrder(); err != nil {
			t.Fatal(err)
		}
		outer := f.Events // wrapped by callers
		var first trace.Buffer
		_, firstErr := trace.Copy(&first, outer)
		if len(first.Events) != 6 || (firstErr == nil) != (name == "whole") {
			t.Fatalf("%s: %d events, error %v", name, len(first.Events), firstErr)
		}
		for _, read := range []int{4, 2} { // events before the next rewinding
			if err := f.Rewind(); err != nil {
				t.Fatal(err)
			}
			outer.ReadEvents(make([]trace.Event, read))
		}
		f.Rewind()
		var again trace.Buffer
		if _, err := trace.Copy(&again, outer); !slices.Equal(again.Events, first.Events) || err != firstErr {
			t.Errorf("%s: after Rewind: %+v and error %v, want %+v and %v", name, again.Events, err, first.Events, firstErr)
		}
	}
}

func TestInTimeOrderAfterRead(t *testing.T) {
	f, err := New(bytes.NewReader(madeFiles()["art"]), "late", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f.Events.ReadEvents(make([]trace.Event, 1))
	if err := f.InTimeOrder(); err == nil {
		t.Error("InTimeOrder after a read succeeded")
	}
}

// TestInTimeOrderWithoutWall checks that events without a wall clock remain in file order.
func TestInTimeOrderWithoutWall(t *testing.T) {
	f, err := New(bytes.NewReader(madeFiles()["dalvik1"]), "cpu", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	if events := readAll(t, f.Events); len(events) != 6 || events[2].Thread != 1 || events[2].CPU != 125*time.Microsecond {
		t.Errorf("events %+v", events)
	}
}

// BenchmarkInTimeOrder merges a real file, repeated 31 times, and generated files of 2, 10 and 100
// threads. The generated files are in time order, like those of ART up to 14, and in blocks of one
// thread each, like those of format V2.
func BenchmarkInTimeOrder(b *testing.B) {
	b.Run("real", func(b *testing.B) {
		f, err := Open(testdata.Path(b, "traces", "instrumented-art-file.trace"), ReadOptions{})
		if err != nil {
			b.Fatal(err)
		}
		events := readAll(b, f.Events)
		for i, n := 0, len(events); i < 30*n; i++ {
			e := events[i]
			e.Wall += 302982 * time.Microsecond
			events = append(events, e)
		}
		benchmarkOrder(b, events)
	})
	for _, threads := range []int{2, 10, 100} {
		happened := alternating(2_000_000, threads)
		b.Run(fmt.Sprintf("%d threads, as it happened", threads), func(b *testing.B) { benchmarkOrder(b, happened) })
		b.Run(fmt.Sprintf("%d threads, blocks", threads), func(b *testing.B) { benchmarkOrder(b, inBlocks(happened, 50_000)) })
	}
}

func benchmarkOrder(b *testing.B, events []trace.Event) {
	batch, dir := make([]trace.Event, trace.BatchSize), b.TempDir()
	for b.Loop() {
		m, err := eventlog.Order(trace.NewSliceReader(events), dir)
		if err != nil {
			b.Fatal(err)
		}
		for n, _ := m.ReadEvents(batch); n > 0; n, _ = m.ReadEvents(batch) {
		}
		m.Close()
	}
	perEvent(b, len(events))
}

// alternating returns n events of random threads, each up to 2 us after the previous one; one in a
// thousand is up to 30 us before it.
func alternating(n, threads int) []trace.Event {
	rng := rand.New(rand.NewPCG(1, 2))
	cpu, latest := make([]time.Duration, threads), make([]time.Duration, threads)
	events, now := make([]trace.Event, n), time.Duration(0)
	for i := range events {
		now += time.Duration(rng.IntN(2000))
		id := rng.IntN(threads)
		wall := now
		if rng.IntN(1000) == 0 {
			wall -= time.Duration(rng.IntN(30_000))
		}
		latest[id] = max(latest[id], wall)
		cpu[id] += time.Duration(rng.IntN(2000))
		events[i] = trace.Event{Wall: latest[id], CPU: cpu[id], Thread: trace.ThreadID(id),
			Method: trace.MethodID(rng.IntN(2000)), Action: trace.Action(rng.IntN(2))}
	}
	return events
}

// inBlocks returns the events in the order of format V2: a thread's block is written when it is
// full, and at the end.
func inBlocks(events []trace.Event, size int) (blocks []trace.Event) {
	open := map[trace.ThreadID][]trace.Event{}
	for _, e := range events {
		open[e.Thread] = append(open[e.Thread], e)
		if len(open[e.Thread]) == size {
			blocks = append(blocks, open[e.Thread]...)
			open[e.Thread] = nil
		}
	}
	for _, id := range slices.Sorted(maps.Keys(open)) {
		blocks = append(blocks, open[id]...)
	}
	return blocks
}

// TestInTimeOrderOfManyThreads: for any order of the file, the result is that of a stable sort.
func TestInTimeOrderOfManyThreads(t *testing.T) {
	for _, threads := range []int{1, 2, 10, 100} {
		happened := alternating(60_000, threads)
		for i := range happened { // many events have equal times
			happened[i].Wall = happened[i].Wall.Truncate(5 * time.Microsecond)
		}
		for name, events := range map[string][]trace.Event{
			"as it happened": happened, "blocks": inBlocks(happened, 500), "backwards": reversed(happened),
		} {
			m, err := eventlog.Order(trace.NewSliceReader(events), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(readAll(t, m), inOrder(events)) {
				t.Errorf("%d threads, %s: the merge differs from a stable sort", threads, name)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func reversed(events []trace.Event) []trace.Event {
	events = slices.Clone(events)
	slices.Reverse(events)
	return events
}

// TestInTimeOrderSetsEnds checks that InTimeOrder sets the time of each thread's last event, which
// a replay needs in advance. Threads with open frames outlive the trace, by the rule of
// dmtracedump.
func TestInTimeOrderSetsEnds(t *testing.T) {
	f, err := Open(testdata.Path(t, "traces", "instrumented-art-file.trace"), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	got := slices.Clone(f.Symbols.Threads)
	f.Symbols.SetEnds(readAll(t, f.Events))
	if !slices.Equal(got, f.Symbols.Threads) {
		t.Errorf("threads %+v, want the ends of their last events, %+v", f.Symbols.Threads, got)
	}
}
