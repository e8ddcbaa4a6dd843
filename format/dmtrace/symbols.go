package dmtrace

import (
	"fmt"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// tables find a record's thread and method, and keep what is known of each
// thread's frames and clocks.
type tables struct {
	f         *File
	tidMask   uint32
	streaming bool      // a record of thread 0 is an item, where decoding stops
	deepest   int32     // how many frames may be open on one thread
	threads   []*thread // by a record's tid; nil for none
	dense     []uint32  // 1 + index of the method whose id is four times the place; 0: see sparse
	sparse    map[uint32]uint32
	renamed   int // how often an id or a tid that stood for something began to stand for something else
}

func newTables(f *File, tidBytes int) *tables {
	return &tables{f: f, tidMask: 1<<(8*tidBytes) - 1, deepest: int32(f.Config.Limits.Depth), sparse: map[uint32]uint32{}}
}

// addThread makes th the thread that its tid stands for from here on. A record
// has the low bits of the tid only.
func (t *tables) addThread(th trace.Thread) (trace.ThreadID, error) {
	id, err := t.f.Symbols.AddThread(th)
	if err != nil {
		return 0, err
	}
	tid := th.TID & t.tidMask
	begun := thread{place: int32(id) + 1, frames: framesOf(0, t.deepest)}
	if t.streaming && tid == 0 {
		begun.frames = 0 // so that items are no plain records
	}
	if old := t.thread(tid); old.place != 0 {
		t.renamed++
		begun.Clocks = old.Begun()
	}
	*t.thread(tid) = begun
	return id, nil
}

// thread returns the thread that a record's tid names now, to be changed; one with
// place 0 for none.
func (t *tables) thread(tid uint32) *thread {
	if more := int(tid) + 1 - len(t.threads); more > 0 {
		t.threads = append(t.threads, make([]*thread, more)...)
	}
	if t.threads[tid] == nil {
		t.threads[tid] = &thread{}
	}
	return t.threads[tid]
}

// threadOf returns 1 + the index of the thread that a record's tid names now, 0
// for none.
func (t *tables) threadOf(tid uint32) int32 {
	if int(tid) < len(t.threads) && t.threads[tid] != nil {
		return t.threads[tid].place
	}
	return 0
}

// unlistedThread adds a thread that records use and nothing names.
func (t *tables) unlistedThread(tid uint32) error {
	_, err := t.addThread(trace.Thread{TID: tid, Unlisted: true})
	return err
}

// lookup returns 1 + the index of the method that id names now, 0 for none.
func (t *tables) lookup(id uint32) uint32 {
	if i := id >> 2; int(i) < len(t.dense) && t.dense[i] != 0 {
		return t.dense[i]
	}
	return t.sparse[id]
}

// addMethod makes m the method that its id stands for from here on.
func (t *tables) addMethod(m trace.Method) trace.MethodID {
	id := t.f.Symbols.AddMethod(m)
	if m.ID>>32 == 0 && t.lookup(uint32(m.ID)) != 0 {
		t.renamed++
	}
	t.define(m.ID, id)
	return id
}

// define makes index the method that id stands for from here on.
func (t *tables) define(id uint64, index trace.MethodID) {
	if id>>32 != 0 {
		return // no record can name it
	}
	// ART's ids are 0, 4, 8 …: a slice holds them. Dalvik's are addresses.
	i := int(id >> 2)
	if i >= len(t.dense) && i < 4*(int(index)+1)+1<<14 {
		t.dense = append(t.dense, make([]uint32, i+1-len(t.dense))...)
	}
	if i < len(t.dense) {
		t.dense[i] = uint32(index) + 1
	} else {
		t.sparse[uint32(id)] = uint32(index) + 1
	}
}

// unlistedMethod adds a method that records use and no line defines. ART up to
// 13 lists proxy methods under another id than the one it records.
func (t *tables) unlistedMethod(id uint32) uint32 {
	return uint32(t.addMethod(trace.Method{ID: uint64(id), Unlisted: true})) + 1
}

// addListed adds the threads and methods of a classic file's tables.
func (t *tables) addListed() error {
	for _, line := range t.f.Source.Threads {
		th, err := dmformat.ParseThreadLine(line)
		if err != nil {
			t.f.Warnf(trace.WarnTableLine, "%v; the line is ignored", err)
			continue
		}
		if old := t.threadOf(th.TID & t.tidMask); old != 0 {
			t.f.Warnf(trace.WarnSharedThread, "threads %s and %s have the same id %d in records: all events with it are assigned to the second",
				t.f.Symbols.Threads[old-1], th, th.TID&t.tidMask)
		}
		if _, err := t.addThread(th); err != nil {
			return err
		}
	}
	for _, line := range t.f.Source.Methods {
		m, ok := methodLine(t.f, line)
		if !ok {
			continue
		}
		if m.ID>>32 == 0 && t.lookup(uint32(m.ID)) != 0 {
			t.f.Warnf(trace.WarnMethodTwice, "method id %#x is defined twice; the second definition is used", m.ID)
		}
		t.addMethod(m)
	}
	return t.f.TooManyMethods()
}

// methodLine parses a line of the tables or an announcement; ok is false when
// it defines nothing.
func methodLine(f *File, line string) (m trace.Method, ok bool) {
	m, note, err := dmformat.ParseMethodLine(line)
	if err != nil {
		note = fmt.Sprintf("%v; the line is ignored", err)
	}
	if note != "" {
		f.Warnf(trace.WarnTableLine, "%s", note)
	}
	return m, err == nil
}
