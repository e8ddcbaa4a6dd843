package dmtrace

import (
	"artifice/internal/dmformat"
	"artifice/trace"
)

// samplingThread is the name of ART's sampling thread. Only the first release of Android 14 lists it.
const samplingThread = "Sampling Profiler"

// atStop returns which threads of a *threads table were alive at the stop:
//
//   - Dalvik lists living threads only (dvmDumpThreads in vm/Profile.c).
//   - ART up to 13 prints exited threads by ascending tid, then living threads in the order in which
//     they attached, main first (Trace::DumpThreadList).
//   - ART from 14 on prints one list by ascending tid: the first release all threads, later ones the
//     threads with events. Main was alive; the list does not state which others were.
//
// A list that does not ascend is one of ART up to 13. So is, of a sampled trace, an ascending list that
// contains threads without events but not the sampling thread; idle reports that there are some. In a
// trace of every call the distinction does not matter: an exited thread has no open frames.
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

// setAtStop sets the state at the stop of the listed threads, at the end of the events.
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
		// Of several threads with one tid, which records do not distinguish, the last one has the events.
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
