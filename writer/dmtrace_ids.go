package writer

import (
	"fmt"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// noID marks a thread or method that no event has used so far. It is no id: no
// multiple of 4, and above every thread id.
const noID = ^uint32(0)

// wireIDs gives threads and methods the ids that records have for them.
//
// Ids stay what they are where the format can hold them. ART writes the low 16
// bits of a tid and lists it whole; two different tids with equal low bits, ids
// too wide, and method ids that are taken or no 32-bit multiple of 4 are
// replaced by free ones. Two threads with one tid keep it: the kernel used it
// again, and a file says so in this way.
type wireIDs struct {
	d        *Dmtrace
	threads  []uint32 // by thread index; noID before its first event
	methods  []uint32 // by method index
	byTID    map[uint32]uint32
	byMethod map[uint32]trace.MethodID
	renamed  map[trace.ThreadID]bool
	nextTID  uint32
	nextID   uint64
}

func newWireIDs(d *Dmtrace) *wireIDs {
	return &wireIDs{d: d, byTID: map[uint32]uint32{}, byMethod: map[uint32]trace.MethodID{},
		renamed: map[trace.ThreadID]bool{}, nextTID: 1, nextID: 4}
}

// grow makes room for the symbols that there are by now.
func (w *wireIDs) grow() {
	for len(w.threads) < len(w.d.rec.Symbols.Threads) {
		w.threads = append(w.threads, noID)
	}
	for len(w.methods) < len(w.d.rec.Symbols.Methods) {
		w.methods = append(w.methods, noID)
	}
}

// thread gives thread i its id.
func (w *wireIDs) thread(i trace.ThreadID) error {
	whole, limit := w.d.rec.Symbols.Thread(i).TID, w.d.variant.MaxTID()
	id := whole & limit
	if w.d.follow {
		w.threads[i] = id
		return nil
	}
	if w.d.variant.VM == "art" || whole <= limit {
		owner, taken := w.byTID[id]
		if (!taken || owner == whole) && !(id == 0 && w.d.variant.Streaming) {
			w.byTID[id], w.threads[i] = whole, id
			if taken && !w.d.variant.Streaming {
				w.d.notef("several threads have the tid %d; in this format their events cannot be told apart", whole)
			}
			return nil
		}
	}
	for ; w.nextTID <= limit; w.nextTID++ {
		if _, taken := w.byTID[w.nextTID]; !taken {
			w.byTID[w.nextTID], w.threads[i], w.renamed[i] = whole, w.nextTID, true
			w.d.notef("threads whose ids do not fit or are taken got others")
			return nil
		}
	}
	return fmt.Errorf("the trace has more threads than %s can number (%d)", w.d.variant.Name, limit)
}

// method gives method i its id.
func (w *wireIDs) method(i trace.MethodID) error {
	id := w.d.rec.Symbols.Method(i).ID
	fits := id>>32 == 0 && id&dmformat.ActionMask == 0
	if w.d.follow {
		if !fits {
			return fmt.Errorf("method id %#x is no multiple of 4 below 2^32", id)
		}
		w.methods[i] = uint32(id)
		return nil
	}
	if fits {
		if _, taken := w.byMethod[uint32(id)]; !taken {
			w.byMethod[uint32(id)], w.methods[i] = i, uint32(id)
			return nil
		}
	}
	for ; w.nextID>>32 == 0; w.nextID += 4 {
		if _, taken := w.byMethod[uint32(w.nextID)]; !taken {
			w.byMethod[uint32(w.nextID)], w.methods[i] = i, uint32(w.nextID)
			w.d.notef("methods whose ids do not fit or are taken got others")
			return nil
		}
	}
	return fmt.Errorf("the trace has more methods than %s can number", w.d.variant.Name)
}

// listed returns the thread as the table has it: with its whole tid, unless it
// got another one.
func (w *wireIDs) listed(i trace.ThreadID) trace.Thread {
	t := *w.d.rec.Symbols.Thread(i)
	if w.renamed[i] {
		t.TID = w.threads[i]
	}
	return t
}
