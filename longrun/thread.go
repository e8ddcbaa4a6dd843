package longrun

import (
	"artifice/internal/dmformat"
	"artifice/trace"
)

// thread is one thread's buffer.
type thread struct {
	id      trace.ThreadID
	entries []entry
	used    int // words, with the placeholder
	atStart int // frames of the start still to come

	// placeholder is how many entries stand in front of the exit that is none: it
	// spares the tracer the question whether there is an entry before an exit.
	placeholder int
}

// entry is an enter of two words or an exit of one.
type entry struct{ event trace.Event }

func (e entry) words() int {
	if e.event.Action == trace.Enter {
		return 2
	}
	return 1
}

// afterExit reports whether the last thing in the buffer is an exit, be it the
// placeholder.
func (th *thread) afterExit() bool {
	n := len(th.entries)
	return n == th.placeholder || th.entries[n-1].event.Action != trace.Enter
}

func (th *thread) push(t *tracer, e trace.Event) {
	th.entries = append(th.entries, entry{e})
	th.used += entry{e}.words()
	if t.observer != nil {
		t.observer.Put(&th.entries[len(th.entries)-1].event)
	}
}

// enterAtStart takes a frame that was on the stack at the start. Frames beyond
// half of the buffer, the innermost ones, are left out. The placeholder stands
// behind these enters, so that their exits are kept.
func (th *thread) enterAtStart(t *tracer, e trace.Event) {
	if th.used > dmformat.LongRunWords-dmformat.LongRunKept {
		return
	}
	th.push(t, e)
	th.placeholder = len(th.entries)
}

func (th *thread) enter(t *tracer, e trace.Event) {
	if th.used+2 > dmformat.LongRunWords {
		th.makeRoom(t)
	}
	th.push(t, e)
}

func (th *thread) exit(t *tracer, e trace.Event) {
	if !th.afterExit() {
		enter := th.entries[len(th.entries)-1].event
		if t.ticks(e.Wall)-t.ticks(enter.Wall) < t.threshold {
			th.entries = th.entries[:len(th.entries)-1]
			th.used -= 2
			if t.observer != nil {
				t.observer.TakeBack(th.id)
			}
			return
		}
	}
	if th.used+1 > dmformat.LongRunWords {
		th.makeRoom(t)
	}
	th.push(t, e)
}

// makeRoom flushes the buffer up to its last exit. The enters behind it may
// still be taken back; if they are too many all go, and a call among them is
// kept however short it is.
func (th *thread) makeRoom(t *tracer) {
	last := len(th.entries)
	words := 0
	for last > 0 && last != th.placeholder && th.entries[last-1].event.Action == trace.Enter {
		last--
		words += 2
	}
	words++ // the exit
	if words > dmformat.LongRunKept {
		t.flush(th, len(th.entries))
		th.entries, th.used, th.placeholder = th.entries[:0], 1, 0
		return
	}
	if last != th.placeholder { // a true exit stays, and takes the placeholder's part
		last--
	}
	t.flush(th, last)
	rest := copy(th.entries, th.entries[last:])
	th.entries, th.used, th.placeholder = th.entries[:rest], words, 0
	if rest > 0 && th.entries[0].event.Action != trace.Enter {
		th.placeholder = -1 // none any more
	}
}
