package eventlog

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// sorted is the specification of Merge: a stable sort by At.
func sorted(entries []Entry) []trace.Event {
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.At, b.At) })
	events := make([]trace.Event, len(entries))
	for i := range entries {
		events[i] = entries[i].Event
	}
	return events
}

// random returns events of the given number of threads; some threads have many events and some few.
// The At of one thread never goes back. Some events have decreasing times, call sites or maximum
// numbers.
func random(rng *rand.Rand, n, threads int) []Entry {
	wall, at := make([]time.Duration, threads), make([]time.Duration, threads)
	entries := make([]Entry, n)
	for i := range entries {
		id := min(rng.IntN(threads), rng.IntN(threads))
		wall[id] += time.Duration(rng.IntN(5000) - 100)
		e := trace.Event{Wall: wall[id], CPU: wall[id] / 2, Thread: trace.ThreadID(id), Method: trace.MethodID(rng.Uint32()),
			Action: trace.Action(rng.IntN(MaxAction + 1)), Site: trace.Site(rng.IntN(2) * rng.IntN(256))}
		at[id] = max(at[id], wall[id])
		if rng.IntN(3) == 0 {
			at[id] += time.Duration(rng.IntN(5000))
		}
		if rng.IntN(10000) == 0 {
			e.Wall, e.CPU = math.MaxInt64, math.MinInt64
		}
		entries[i] = Entry{Event: e, At: at[id]}
	}
	return entries
}

// fill adds entries to a new Log.
func fill(t testing.TB, dir string, memory int, entries []Entry) *Log {
	t.Helper()
	l := NewLog(dir, memory)
	for i := range entries {
		if err := l.Add(&entries[i]); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// readAll reads until io.EOF; any other error fails the test.
func readAll(t testing.TB, r trace.Reader) []trace.Event {
	t.Helper()
	var b trace.Buffer
	if _, err := trace.Copy(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Events
}

// TestLog checks that events are read in order, twice, with much and little memory, for few and
// many threads.
func TestLog(t *testing.T) {
	testdata.Seldom(t, 4)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, threads := range []int{1, 3, 200, 2000} {
		entries := random(rng, 30_000, threads)
		want := sorted(entries)
		for _, memory := range []int{0, 16 << 10, 128 << 10, math.MaxInt32} {
			dir := t.TempDir()
			l := fill(t, dir, memory, entries)
			used, disk := l.Size()
			if used > int64(max(memory, blockSize*threads)) || (disk > 0) != (memory < math.MaxInt32) {
				t.Errorf("%d threads, %d bytes of memory: %d in use, %d on disk", threads, memory, used, disk)
			}
			if disk > 0 && used < int64(memory/4*3-longBlock) {
				t.Errorf("%d threads, %d bytes of memory: only %d in use, %d on disk", threads, memory, used, disk)
			}
			for range 2 {
				m, err := l.Merge(io.EOF)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(readAll(t, m), want) {
					t.Fatalf("%d threads, %d bytes of memory: the merge differs from a stable sort", threads, memory)
				}
				if inMemory, inFile := l.Size(); inMemory != used || inFile != disk {
					t.Errorf("%d threads, %d bytes of memory: %d in use and %d on disk once it is read, before %d and %d", threads, memory, inMemory, inFile, used, disk)
				}
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
				t.Errorf("files remain: %q", left)
			}
		}
	}
}

// TestLogEnds checks that a merge ends with the given error, even without events.
func TestLogEnds(t *testing.T) {
	for _, n := range []int{0, 5} {
		l := fill(t, t.TempDir(), Memory, random(rand.New(rand.NewPCG(1, 2)), n, 2))
		m, err := l.Merge(io.ErrUnexpectedEOF)
		if err != nil {
			t.Fatal(err)
		}
		var b trace.Buffer
		if k, err := trace.Copy(&b, m); k != int64(n) || err != io.ErrUnexpectedEOF {
			t.Errorf("%d events and error %v, want %d and %v", k, err, n, io.ErrUnexpectedEOF)
		}
	}
}

// TestLogFails checks that a missing folder and a truncated file are errors.
func TestLogFails(t *testing.T) {
	entries := random(rand.New(rand.NewPCG(1, 2)), 10_000, 3)
	l := NewLog(filepath.Join(t.TempDir(), "none"), 4096)
	var err error
	for i := range entries {
		err = errors.Join(err, l.Add(&entries[i]))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one of the missing folder", err)
	}
	for _, rest := range []int64{0, 20, 50_000} {
		l = fill(t, t.TempDir(), 4096, entries)
		defer l.Close()
		m, err := l.Merge(io.EOF)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.file.Truncate(rest); err != nil {
			t.Fatal(err)
		}
		var b trace.Buffer
		if n, err := trace.Copy(&b, m); n >= 10_000 || err == nil {
			t.Errorf("%d events, error %v from a file of %d bytes", n, err, rest)
		}
		if _, err := l.Merge(io.EOF); rest < 20 && err == nil {
			t.Error("Merge of an empty file: no error, want one")
		}
	}
}

// TestSorter checks that events that are alternately added and taken are in order, with much and
// little memory. The file is no longer than the waiting events need.
func TestSorter(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 2))
		threads := 1 + rng.IntN(20)
		entries := random(rng, 12_000, threads)
		memory := []int{0, 2048, 1 << 16, Memory}[seed%4]
		s := NewLog(t.TempDir(), memory)
		pending := make([][]Entry, threads) // waiting events, by thread
		waiting, most := 0, 0
		take := func() {
			first := -1
			for id := range pending {
				if len(pending[id]) > 0 && (first < 0 || cmp.Or(cmp.Compare(pending[id][0].At, pending[first][0].At), cmp.Compare(pending[id][0].Seq, pending[first][0].Seq)) < 0) {
					first = id
				}
			}
			if got := s.Peek(); *got != pending[first][0] {
				t.Fatalf("seed %d: %+v, want %+v", seed, *got, pending[first][0])
			}
			pending[first] = pending[first][1:]
			waiting--
			s.Pop()
		}
		for i := range entries {
			e := &entries[i]
			e.Seq = uint64(i + 1)
			s.Push(e.Event, e.At)
			pending[e.Event.Thread] = append(pending[e.Event.Thread], *e)
			waiting++
			for waiting > 2000*(i/4000%2) && rng.IntN(3) > 0 { // the number of waiting events grows and shrinks
				take()
			}
			most = max(most, waiting)
			used, disk := s.Size()
			if used > int64(memory+threads*blockSize) || disk > int64(4*maxEntryBytes*most+1<<16) {
				t.Fatalf("seed %d: %d bytes in memory and %d on disk for %d events and %d bytes of memory", seed, used, disk, most, memory)
			}
			if s.Len(e.Event.Thread) != len(pending[e.Event.Thread]) {
				t.Fatalf("seed %d: %d events wait, want %d", seed, s.Len(e.Event.Thread), len(pending[e.Event.Thread]))
			}
		}
		for waiting > 0 {
			take()
		}
		if s.Peek() != nil || s.Err() != nil || s.Added() != 12_000 {
			t.Errorf("seed %d: first %+v, error %v, %d added", seed, s.Peek(), s.Err(), s.Added())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSorterFails checks that the first error remains, and that the existing events can still be
// taken.
func TestSorterFails(t *testing.T) {
	s := NewLog(filepath.Join(t.TempDir(), "none"), 512)
	for i := range 1000 {
		s.Push(trace.Event{Wall: time.Duration(i) * time.Second}, time.Duration(i))
	}
	if !errors.Is(s.Err(), fs.ErrNotExist) || s.Len(0) >= 1000 || s.Len(1) != 0 {
		t.Errorf("error %v, %d events wait", s.Err(), s.Len(0))
	}
	for s.Peek() != nil {
		s.Pop()
	}
	s = NewLog(t.TempDir(), 512)
	defer s.Close()
	for i := range 1000 {
		s.Push(trace.Event{Wall: time.Duration(i) * time.Second}, time.Duration(i))
	}
	s.file.Truncate(0)
	n := 0
	for ; s.Peek() != nil; n++ {
		s.Pop()
	}
	if s.Err() == nil || n >= 1000 {
		t.Errorf("error %v, %d events of a truncated file", s.Err(), n)
	}
}

// TestEntryBytes checks the maximum size of an entry, and the size of an entry in a realistic
// trace, with 100 methods and 1 us between events.
func TestEntryBytes(t *testing.T) {
	worst := Entry{trace.Event{Wall: math.MinInt64, CPU: math.MinInt64, Method: math.MaxUint32, Action: MaxAction, Site: trace.MaxSite}, math.MinInt64 + 1, math.MaxUint64}
	b := make([]byte, 0, maxEntryBytes)
	if b := new(coder).append(b, &worst); len(b) != maxEntryBytes {
		t.Errorf("maximum size %d bytes, want %d", len(b), maxEntryBytes)
	}
	l := NewLog("", math.MaxInt32)
	for i := range 100_000 {
		at := time.Duration(i) * time.Microsecond
		l.Add(&Entry{Event: trace.Event{Wall: at, CPU: at, Method: trace.MethodID(i % 100)}, At: at})
	}
	s := NewLog("", math.MaxInt32)
	for i := range 100_001 { // the first one is not encoded
		at := time.Duration(i) * time.Microsecond
		s.Push(trace.Event{Wall: at, CPU: at, Method: trace.MethodID(i % 100)}, at)
	}
	inLog, _ := l.Size()
	inSorter, _ := s.Size()
	if inLog > 9*100_000 || inSorter > 9*100_000 {
		t.Errorf("%d bytes for 100000 events in a log, %d in a sorter", inLog, inSorter)
	}
}
