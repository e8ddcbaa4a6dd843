package dmtrace

import (
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"artifice/internal/dmformat"
	"artifice/internal/words"
	"artifice/trace"
)

// wallClock unwraps the wall clock of records, which contain 32 bits of microseconds.
//
// Runtimes up to ART 14 have one buffer, so records are in the order of time, and each wrap of the
// clock is a step back of the file's times. The wrap applies to all threads, because the next event
// of a thread may be hours later. Later runtimes have a buffer for each thread (art.PerThread).
// Their records, and those of merged files, are in time order within each thread only. A wrap is
// then a step back of a thread's own times ([clocks.Next]).
//
// The file does not state its order. It is assumed to be in time order until a time steps back
// between two threads by more than mayLag and less than a wrap, or until a wrap would exceed the
// stated duration of the trace.
type wallClock struct {
	f      *File
	steady bool   // no clock wraps before the stated end of the trace
	last   uint64 // the values of the previous record, in the representation of [clocks]
	// for a file in time order: the time at which the wall clock had the value 0 at the last wrap,
	// or would have had it
	base      time.Duration
	perThread bool          // records are in time order within each thread only
	end       time.Duration // the latest possible time; 0: not stated
	// the thread that begins at the first wrap, if no other thread shows the order of the file
	ambiguous string
	gaps      int64 // gaps between events of a thread in which its CPU clock may have wrapped unseen
}

// mayLag is the maximum time, in µs, by which a record of a file in time order can be earlier than
// the previous record: its thread read the clock and was suspended before it wrote the record.
const mayLag = 10_000_000

// stepsBack reports whether the value us is earlier than the previous value last by more than a
// file in time order allows.
func stepsBack(last, shown uint64) bool { return last > shown && last-shown > mayLag<<32 }

// newWallClock returns the clock of a file with a header that has been read.
func newWallClock(f *File) wallClock {
	w := wallClock{f: f}
	if d := statedDuration(f); d > 0 {
		w.end = d + mayLag*time.Microsecond
		w.steady = w.end < turn
	}
	return w
}

// plain reports whether the rule of a thread is sufficient for the times of dual records: no clock
// can wrap, or no clock has wrapped so far and no record is earlier than the previous one.
func (w *wallClock) plain(raw []byte) bool {
	if w.steady {
		return true
	}
	if w.perThread || w.base > 0 {
		return false
	}
	const size = 14
	last := w.last
	for ; len(raw) >= size; raw = raw[size:] {
		shown := binary.LittleEndian.Uint64(raw[size-8:])
		if stepsBack(last, shown) {
			return false
		}
		last = shown
	}
	return w.end == 0 || micros(last>>32) <= w.end
}

// next sets a thread's clocks to the values of its next record, and returns the record's times.
func (w *wallClock) next(r *records, t *thread, shown uint64) (wall, cpu time.Duration) {
	if w.steady {
		return t.clocks.Next(shown)
	}
	last := w.last
	w.last = shown
	if w.perThread || w.base == 0 && !stepsBack(last, shown) {
		return w.ofThread(t, shown)
	}
	base := w.baseOf(r, t, last, shown)
	if w.perThread {
		return w.ofThread(t, shown)
	}
	first := t.clocks == clocks{}
	wasWall, wasCPU := t.Times()
	t.clocks.Next(shown)
	t.Wall = base
	if wall, cpu = t.Times(); !first && wall-wasWall >= turn {
		t.CPU += w.unseen(wall-wasWall, cpu-wasCPU)
	}
	return t.Times()
}

// ofThread is next for a file in which records are in time order within each thread only.
func (w *wallClock) ofThread(t *thread, shown uint64) (wall, cpu time.Duration) {
	if stepsBack(t.Shown, shown) && !wraps(t.Shown>>32, shown>>32) && w.fits(t.Wall+turn+micros(shown>>32)) {
		t.Wall += turn
	}
	return t.clocks.Next(shown)
}

// baseOf returns the time at which the wall clock of a record had the value 0. It also determines
// the order of the file.
func (w *wallClock) baseOf(r *records, t *thread, last, shown uint64) time.Duration {
	was, now := last>>32, shown>>32
	own := t.clocks != clocks{} && t.Shown>>32 == was // the step since the thread's previous record
	ownWall, _ := t.Times()
	switch {
	case now > was && w.base > 0 && now-was > 1<<32-mayLag && ownWall < w.base:
		w.last = last // the record was written late, after a wrap in another thread's record
		return w.base - turn
	case now >= was || was-now <= mayLag:
		w.perThread = !own && w.exceeds(w.base+micros(now))
	case own && (wraps(was, now) || w.fits(w.base+turn+micros(now))), !own && wraps(was, now) && w.wrapped(r, t, micros(now)):
		w.base += turn
	case !own:
		w.perThread = true
	}
	return w.base
}

func micros(us uint64) time.Duration { return time.Duration(us) * time.Microsecond }

// wrapped reports whether the clock has wrapped, given that a thread's record is earlier than the
// previous one of another thread.
func (w *wallClock) wrapped(r *records, t *thread, now time.Duration) bool {
	if w.exceeds(w.base + turn + now) {
		return false
	}
	others := 0
	for _, o := range r.threads {
		if o != nil && o != t && o.clocks != (clocks{}) {
			others++
		}
	}
	if others < 2 && t.clocks == (clocks{}) && w.base == 0 {
		w.ambiguous = w.f.Symbols.Thread(trace.ThreadID(t.place - 1)).String()
	}
	return true
}

// exceeds reports whether a time is after the end of the trace, if the file states it.
func (w *wallClock) exceeds(at time.Duration) bool { return w.end > 0 && at > w.end }

// fits reports whether a time is in the trace, if the file states its end.
func (w *wallClock) fits(at time.Duration) bool { return at <= w.end }

// statedDuration returns the duration of a trace, 0 if unknown. A streaming file states it at its
// end.
func statedDuration(f *File) time.Duration {
	if f.Info.Elapsed > 0 || f.plain == nil || f.Source.Format != dmformat.ARTStream {
		return f.Info.Elapsed
	}
	options, err := summaryOptions(f.plain, f.size, 7)
	if err != nil {
		return 0
	}
	us, err := strconv.ParseInt(options[dmformat.KeyElapsed], 10, 64)
	if err != nil || us < 0 || us > math.MaxInt64/1000 {
		return 0
	}
	return time.Duration(us) * time.Microsecond
}

// unseen returns the time of undetected wraps of a thread's CPU clock in a gap longer than a turn.
// cpu is the advance according to the record; the clock can have wrapped as often as the gap
// allows. If the maximum number of wraps makes the thread run for at least 99 % of the gap, the
// thread is assumed to have run all the time, because otherwise the result would be a coincidence.
// In all other cases the minimum is returned, and the case is counted.
func (w *wallClock) unseen(gap, cpu time.Duration) time.Duration {
	if cpu < 0 || cpu+turn > gap+mayLag*time.Microsecond || w.f.Info.Clock != trace.Dual {
		return 0
	}
	more := (gap + mayLag*time.Microsecond - cpu) / turn * turn
	if gap-cpu-more <= gap/100 {
		return more
	}
	w.gaps++
	return 0
}

// warn adds warnings about ambiguous times, after the last record.
func (w *wallClock) warn(r *records) {
	if w.steady {
		return
	}
	if w.ambiguous != "" && !w.perThread {
		w.f.warnf(warnWraps, "thread %s begins where the clock steps back: artifice assumes that the clock, which wraps every 71.6 minutes, had wrapped before; "+
			"if each thread had its own buffer (Android 14 QPR2 and later), the thread may have begun 71.6 minutes earlier", w.ambiguous)
	}
	if w.gaps > 0 {
		w.f.warnf(warnWraps, "the CPU time of %s between two events of a thread is ambiguous, because its clock wraps every 71.6 minutes: the smallest value is used",
			words.Count(w.gaps, "gap"))
	}
	if !w.perThread {
		return
	}
	early := int64(0)
	for _, t := range r.threads {
		if t == nil || t.clocks == (clocks{}) {
			continue
		}
		if wall, _ := t.Times(); wall+turn <= w.f.Info.Elapsed {
			early++
		}
	}
	if early > 0 {
		w.f.warnf(warnWraps, "the trace lasts %s, and each thread has its own buffer: the times of %s are ambiguous, because the clock wraps every 71.6 minutes; "+
			"the earliest times are used", words.Duration(w.f.Info.Elapsed), words.Count(early, "thread"))
	}
}
