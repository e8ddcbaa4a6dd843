package dmtrace

import (
	"math"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// tables map the ids in records to threads and methods, and contain each thread's open frames and
// clocks.
type tables struct {
	f         *File
	tidMask   uint32
	streaming bool      // thread id 0 marks an item that is not a record; decoding stops there
	deepest   int32     // maximum number of open frames of one thread
	threads   []*thread // by a record's tid; nil if unknown
	dense     []uint32  // 1 + index of the method, by its id divided by four; 0: see sparse
	sparse    map[uint32]uint32
	renamed   int // number of redefinitions of an id or a tid
}

func newTables(f *File, tidBytes int) *tables {
	return &tables{f: f, tidMask: 1<<(8*tidBytes) - 1, deepest: int32(f.options.Limits.Depth), sparse: map[uint32]uint32{}}
}

// addThread makes th the thread of its tid for the following records. A record contains only the
// low bits of the tid.
func (t *tables) addThread(th trace.Thread) (trace.ThreadID, error) {
	id, err := t.f.Symbols.AddThread(th)
	if err != nil {
		return 0, err
	}
	tid := th.TID & t.tidMask
	begun := thread{place: int32(id) + 1, frames: framesOf(0, t.deepest)}
	if t.streaming && tid == 0 {
		begun.frames = 0 // no event fits into 0 and 0, so items are not decoded as records
	}
	if old := t.thread(tid); old.place != 0 {
		t.renamed++
		begun.clocks = old.Begun()
	}
	*t.thread(tid) = begun
	return id, nil
}

// thread returns the state of the thread that a record's tid denotes now. The caller may change it.
// Its place is 0 if there is no such thread.
func (t *tables) thread(tid uint32) *thread {
	if more := int(tid) + 1 - len(t.threads); more > 0 {
		t.threads = append(t.threads, make([]*thread, more)...)
	}
	if t.threads[tid] == nil {
		t.threads[tid] = &thread{}
	}
	return t.threads[tid]
}

// threadOf returns 1 + the index of the thread that a record's tid denotes now, or 0.
func (t *tables) threadOf(tid uint32) int32 {
	if int(tid) < len(t.threads) && t.threads[tid] != nil {
		return t.threads[tid].place
	}
	return 0
}

// unlistedThread adds a thread that records use and the file does not define.
func (t *tables) unlistedThread(tid uint32) error {
	_, err := t.addThread(trace.Thread{TID: tid, Unlisted: true})
	return err
}

// lookup returns 1 + the index of the method that id denotes now, or 0.
func (t *tables) lookup(id uint32) uint32 {
	if i := id >> 2; int(i) < len(t.dense) && t.dense[i] != 0 {
		return t.dense[i]
	}
	return t.sparse[id]
}

// addMethod makes m the method of its id for the following records.
func (t *tables) addMethod(m trace.Method) trace.MethodID {
	id := t.f.Symbols.AddMethod(m)
	if m.ID>>32 == 0 && t.lookup(uint32(m.ID)) != 0 {
		t.renamed++
	}
	t.define(m.ID, id)
	return id
}

// define makes the method with this index the method of id for the following records.
func (t *tables) define(id uint64, index trace.MethodID) {
	if id>>32 != 0 {
		return // no record can contain such an id
	}
	// ART's ids are 0, 4, 8 …, so a slice holds them. Dalvik's ids are addresses.
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

// unlistedMethod adds a method that records use and no line defines. ART up to 13 lists proxy
// methods with an id that differs from the one in records.
func (t *tables) unlistedMethod(id uint32) uint32 {
	return uint32(t.addMethod(trace.Method{ID: uint64(id), Unlisted: true})) + 1
}

// addListed adds the threads and methods of a classic file's tables.
func (t *tables) addListed() error {
	for _, line := range t.f.Source.Threads {
		th, err := dmformat.ParseThreadLine(line)
		if err != nil {
			t.f.warnLine(err)
			continue
		}
		if old := t.threadOf(th.TID & t.tidMask); old != 0 {
			t.f.warnf(trace.WarnSharedThread, "threads %q and %q have the same id %d in records: all events with this id are assigned to %[2]q",
				t.f.Symbols.Threads[old-1].String(), th.String(), th.TID&t.tidMask)
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
			t.f.warnf(trace.WarnMethodTwice, "method id %#x is defined twice; the second definition is used", m.ID)
		}
		t.addMethod(m)
	}
	return t.f.tooManyMethods()
}

// methodLine parses a line of the tables or an announcement; ok is false if it defines no method.
func methodLine(f *File, line string) (m trace.Method, ok bool) {
	m, note, err := dmformat.ParseMethodLine(line)
	if err != nil {
		f.warnLine(err)
		return m, false
	}
	if note != "" {
		f.warnf(trace.WarnTableLine, "%s", note)
	}
	f.restore(&m)
	return m, true
}

// thread is the state of the thread that a record's tid denotes now.
type thread struct {
	frames
	clocks
	place int32 // 1 + the index of the thread; 0 for none
	// in a run that is decoded ahead: the minimum number of frames so far, from which frames counts
	low int32
}

// frames is the number of a thread's open frames, in the lower half, and the number of further
// frames that it may open, in the upper half. If an event would make one of them negative, adding
// its change sets the top bit of that half. The same happens at any event of a nonexistent thread,
// for which both are 0.
type frames uint64

func framesOf(open, left int32) frames { return frames(left)<<32 | frames(open) }

func (f frames) open() int32 { return int32(f) }
func (f frames) left() int32 { return int32(f >> 32) }

// closed is the change of frames by an exit: one frame fewer is open, and one more may be opened.
var closed frames = 1<<32 - 1

// changes contains the change of a thread's frames by an event, indexed by action. The change for
// the reserved action sets a top bit.
var changes = [4]frames{trace.Enter: -closed, trace.Exit: closed, trace.Unwind: closed, 3: 1 << 63}

// tops are the top bits of the two halves of frames, and of clock values.
const tops = 1<<63 | 1<<31

// widen counts an event with that action in a run that is decoded ahead. There the number of frames
// may fall below the number open at the beginning, or exceed the limit, because that number is
// unknown.
func (t *thread) widen(a trace.Action) {
	open, left := t.frames.open(), t.frames.left()
	switch {
	case a == trace.Enter:
		t.frames = framesOf(open+1, max(left-1, 0))
	case open == 0:
		t.low--
		t.frames = framesOf(0, left+1)
	default:
		t.frames = framesOf(open-1, left+1)
	}
}

// clocks unwraps one thread's times. A clock has 32 bits of microseconds, which wrap every 71.6
// minutes. A step back by more than half of that is a wrap.
type clocks struct {
	// the last values, wall time in the upper half and CPU time in the lower half, as in a record
	Shown     uint64
	Wall, CPU time.Duration // the times at which the clocks had the value 0, or would have had it
}

// clockWord returns the clock values of a record in the representation of clocks.
func clockWord(wall, cpu uint32) uint64 { return uint64(wall)<<32 | uint64(cpu) }

// turn is the time after which a clock has the same value again.
const turn = 1 << 32 * time.Microsecond

// Next sets the clocks to the values of the next record, and returns its times.
func (c *clocks) Next(shown uint64) (wall, cpu time.Duration) {
	if wraps(c.Shown>>32, shown>>32) {
		c.Wall += turn
	}
	if wraps(c.Shown&math.MaxUint32, shown&math.MaxUint32) {
		c.CPU += turn
	}
	c.Shown = shown
	return c.Times()
}

// wraps reports whether a clock wrapped between the values last and us.
func wraps(last, us uint64) bool { return us < last && last-us > 1<<31 }

// Times returns the times of the clocks' values.
func (c *clocks) Times() (wall, cpu time.Duration) {
	return c.Wall + time.Duration(c.Shown>>32)*time.Microsecond, c.CPU + time.Duration(uint32(c.Shown))*time.Microsecond
}

// Begun returns the clocks of a new thread, given those of another thread at that time: all threads
// share the wall clock.
func (c *clocks) Begun() clocks { return clocks{Shown: c.Shown &^ math.MaxUint32, Wall: c.Wall} }

// samplingThread is the name of ART's sampling thread. Only the first release of Android 14
// includes it in the list.
const samplingThread = "Sampling Profiler"

// atStop returns which threads of a *threads table were alive at the stop:
//
//   - Dalvik lists living threads only (dvmDumpThreads in vm/Profile.c).
//   - ART up to 13 prints exited threads by ascending tid, then living threads in the order in
//     which they attached, main first (Trace::DumpThreadList).
//   - ART from 14 on prints one list by ascending tid: the first release all threads, later ones
//     the threads with events. Main was alive; the list does not state which others were.
//
// A list that does not ascend was written by ART up to 13. In a sampled trace, so was an ascending
// list that contains threads without events but not the sampling thread; idle reports whether there
// are such threads. In a trace of every call the distinction does not matter: an exited thread has
// no open frames.
func atStop(listed []trace.Thread, info *trace.Info, idle bool) []trace.AtStop {
	states := make([]trace.AtStop, len(listed))
	main, ascends, sampling := -1, true, false
	for i := range listed {
		if main < 0 && info.IsMain(&listed[i]) {
			main = i
		}
		ascends = ascends && (i == 0 || listed[i-1].TID < listed[i].TID)
		sampling = sampling || listed[i].Name == samplingThread
	}
	grouped := !ascends || idle && !sampling
	for i := range listed {
		switch {
		case info.VM == "dalvik":
			states[i] = trace.Alive
		case main < 0:
		case i == main || i > main && grouped:
			states[i] = trace.Alive
		case grouped:
			states[i] = trace.Exited
		}
	}
	return states
}

// setAtStop sets the state at the stop of the listed threads. It is called after the last event.
func (t *tables) setAtStop() {
	var listed []trace.Thread
	idle := false
	for _, line := range t.f.Source.Threads {
		th, err := dmformat.ParseThreadLine(line)
		if err != nil {
			continue
		}
		listed = append(listed, th)
		idle = idle || t.idle(th.TID&t.tidMask)
	}
	for i, state := range atStop(listed, &t.f.Info, idle) {
		// Records do not distinguish threads with the same tid: their events are attributed to the
		// last one.
		if place := t.threadOf(listed[i].TID & t.tidMask); place != 0 {
			t.f.Symbols.Threads[place-1].AtStop = state
		}
	}
	t.f.setMainAtStop()
}

// setMainAtStop marks the main thread as alive: its process stopped the trace.
func (f *File) setMainAtStop() {
	for i := range f.Symbols.Threads {
		if th := &f.Symbols.Threads[i]; f.Info.IsMain(th) && th.AtStop == trace.NotStated {
			th.AtStop = trace.Alive
		}
	}
}

// idle reports whether a thread has no events.
func (t *tables) idle(tid uint32) bool {
	th := t.thread(tid)
	return th.clocks == (clocks{}) && th.frames.open() == 0
}
