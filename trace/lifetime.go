package trace

import (
	"fmt"
	"time"
)

// AtStop is the state of a thread when tracing stopped, as far as a source states it.
type AtStop uint8

const (
	NotStated AtStop = iota
	Alive            // the thread outlived the trace
	Exited           // the thread had exited; when is not stated
)

var atStopNames = [...]string{"", "alive", "exited"}

// String returns "alive", "exited", or "" for NotStated.
func (a AtStop) String() string { return atStopNames[a] }

// ParseAtStop is the inverse of [AtStop.String] for stated states.
func ParseAtStop(s string) (AtStop, error) {
	for a := Alive; a <= Exited; a++ {
		if a.String() == s {
			return a, nil
		}
	}
	return 0, fmt.Errorf("state %.40q of a thread at the stop: must be alive or exited", s)
}

// Lifetimes determines when the threads of a recording, and the frames open at their ends, end.
// Every command, measure and conversion uses it:
//
//  1. A thread ends at its recorded End if the source has one.
//  2. A thread that was alive at the stop ends there. Its last event can come long before the
//     stop: in a trace of every call it then neither entered nor left a method, and in a sampled
//     trace every sample found the same stack.
//  3. A thread without open frames ends at its last event.
//  4. Open frames last to the stop in a trace of every call, which records every exit. In a sampled
//     trace they last to the thread's last event, and the time from there to the stop is uncertain.
//     The same holds if the thread had exited.
//
// The sources are the thread table of ART 13 and older (Trace::DumpThreadList in trace.cc prints
// exited threads before living ones), Dalvik's (living threads only), and, for the main thread, the
// process: it ends with main.
type Lifetimes struct {
	symbols   *Symbols
	technique Technique
	stop      time.Duration
}

// NewLifetimes returns the lifetimes of a recording that has been read to its end. The technique is
// detected if the source does not state it; last is the wall time of the last event.
func NewLifetimes(rec *Recording, technique Technique, last time.Duration) *Lifetimes {
	return &Lifetimes{rec.Symbols, technique, rec.Stop(last)}
}

// maxIdle is the longest time from the last event of a recorded trace to its stop. A later stop is
// assumed to be a damaged number.
const maxIdle = 24 * time.Hour

// Stop returns the wall time at which tracing stopped, after all events have been read, the last
// one at last. It is [Info.Elapsed]; in a recorded trace it is last if Elapsed is earlier,
// implausible, or after an overflow of the buffer, since nothing is recorded from there on.
func (r *Recording) Stop(last time.Duration) time.Duration {
	if r.Info.Technique != Truth && (r.Info.Overflow || r.Info.Elapsed-last > maxIdle) {
		return last
	}
	return max(last, r.Info.Elapsed)
}

// Stop returns the wall time of the stop.
func (l *Lifetimes) Stop() time.Duration { return l.stop }

// End returns the wall time at which a thread ends, and the latest time at which it can have ended.
// last is the time of its last event; open is set if frames are open after it. The two results
// differ only if the source does not determine the end of open frames.
func (l *Lifetimes) End(id ThreadID, last time.Duration, open bool) (end, latest time.Duration) {
	var t Thread
	if l.symbols != nil && int(id) < len(l.symbols.Threads) {
		t = l.symbols.Threads[id]
	}
	switch {
	case t.End > 0:
		end = max(t.End, last)
	case l.technique == Truth || t.AtStop == Alive:
		end = max(l.stop, last)
	case !open:
		end = last
	case t.AtStop == Exited || l.technique == Sampled:
		return last, max(l.stop, last)
	default:
		end = max(l.stop, last)
	}
	return end, end
}

// IsMain reports whether t is the main thread: its tid is the process id, or it is named main.
func (i *Info) IsMain(t *Thread) bool {
	return t.Name == "main" || i.PID != 0 && int(t.TID) == i.PID
}
