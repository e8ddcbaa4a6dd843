package dmtrace

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// noTID and noMethod mark a thread or method without an event so far; neither is a valid id.
const (
	noTID    = ^uint32(0)
	noMethod = ^uint64(0)
)

// idRules describes the ids that a format can represent.
type idRules struct {
	tidMin, tidMax uint32
	methodMin      uint64
	methodMax      uint64
	methodMask     uint64 // bits that an id must not have
	methodFree     uint64 // start of the search for free ids

	// cutTID: a tid that is too large is truncated to its low bits in records, and complete in the
	// table, as in ART. Otherwise it is replaced.
	cutTID bool

	// shareTID: threads with equal tids keep them. The kernel reuses tids, and files represent
	// reuse in this way. Otherwise the second thread gets another tid.
	shareTID bool

	// reannounced: the file states from where on a tid denotes another thread.
	reannounced bool

	// index: ids are the indexes of the symbols (for methods, times 4). The records get their final
	// ids later.
	index bool

	// verbatim: no id is changed, because the file's layout states all of them.
	verbatim bool
}

// rules returns the rules for ids in records of v.
func rules(v *dmformat.Variant, follow bool) idRules {
	r := idRules{tidMax: v.MaxTID(), methodMax: 1<<32 - 4, methodMask: dmformat.ActionMask,
		cutTID: v.VM == "art", shareTID: true, verbatim: follow}
	if v.V2 != 0 {
		r.tidMax-- // the maximum is noTID
		r.methodMax = math.MaxUint64 &^ dmformat.ActionMask
		r.cutTID, r.reannounced = false, true
	}
	if v.V2 != 0 && !follow {
		// above all ids that other formats can have
		r.methodMin, r.methodFree = dmformat.MinMethodV2, moved+1<<24
	}
	if v.V2 == dmformat.V2of17 && follow {
		r.methodMask = 0 // ids have no action bits
	}
	if v.Streaming {
		r.tidMin = 1 // 0 marks an item that is not a record
		r.reannounced = true
	}
	return r
}

// noter receives notes on differences between the recording and the written file.
type noter interface {
	notef(format string, args ...any)
}

// wireIDs assigns the ids that threads and methods have in records. It keeps the ids of the symbols
// if the rules allow them and they are not used yet, and replaces others by free ids.
type wireIDs struct {
	idRules
	symbols  *trace.Symbols
	notes    noter
	threads  []uint32 // by thread index; noTID before its first event
	methods  []uint64 // by method index
	owners   map[uint32]uint32
	taken    map[uint64]bool
	replaced map[trace.ThreadID]bool
	nextTID  uint32
	nextID   uint64

	// The ids in the symbols, whether or not records use them. None of these is used as a free id,
	// so that its owner can keep it. Filled when a free id is first needed.
	tidsKnown map[uint32]bool
	idsKnown  map[uint64]bool
	seen      struct{ threads, methods int }
}

func newWireIDs(symbols *trace.Symbols, r idRules, n noter) *wireIDs {
	return &wireIDs{idRules: r, symbols: symbols, notes: n,
		owners: map[uint32]uint32{}, taken: map[uint64]bool{}, replaced: map[trace.ThreadID]bool{},
		tidsKnown: map[uint32]bool{}, idsKnown: map[uint64]bool{},
		nextTID: max(r.tidMin, 1), nextID: max(r.methodFree, r.methodMin, 4)}
}

// clone returns a copy with separate new ids and notes.
func (w *wireIDs) clone() *wireIDs {
	c := *w
	c.notes = &notes{}
	c.threads, c.methods = slices.Clone(w.threads), slices.Clone(w.methods)
	c.owners, c.taken, c.replaced = maps.Clone(w.owners), maps.Clone(w.taken), maps.Clone(w.replaced)
	c.tidsKnown, c.idsKnown = maps.Clone(w.tidsKnown), maps.Clone(w.idsKnown)
	return &c
}

// grow makes room for the symbols known so far.
func (w *wireIDs) grow() {
	for len(w.threads) < len(w.symbols.Threads) {
		id := noTID
		if w.index {
			id = uint32(len(w.threads))
		}
		w.threads = append(w.threads, id)
	}
	for len(w.methods) < len(w.symbols.Methods) {
		id := noMethod
		if w.index {
			id = uint64(len(w.methods)) << 2
		}
		w.methods = append(w.methods, id)
	}
}

// thread assigns an id to thread i if it has none.
func (w *wireIDs) thread(i trace.ThreadID) error {
	if w.threads[i] != noTID {
		return nil
	}
	whole := w.symbols.Thread(i).TID
	id := whole
	if w.cutTID || w.verbatim && w.tidMax < noTID-1 {
		id &= w.tidMax
	}
	owner, taken := w.owners[id]
	shared := taken && owner == whole && w.shareTID
	if w.verbatim || id >= w.tidMin && id <= w.tidMax && (!taken || shared) {
		w.owners[id], w.threads[i] = whole, id
		if id != whole && w.symbols.Thread(i).Unlisted && !w.verbatim {
			w.notes.notef("tids of more than 16 bits are truncated if no table lists them: %d becomes %d", whole, id)
		}
		if shared && !w.verbatim && !w.reannounced {
			w.notes.notef("this format cannot distinguish threads with the same tid: thread %s has tid %d, like an earlier thread", w.symbols.Thread(i), id)
		}
		return nil
	}
	w.learn()
	for ; w.nextTID <= w.tidMax; w.nextTID++ {
		if _, taken := w.owners[w.nextTID]; !taken && !w.tidsKnown[w.nextTID] {
			w.owners[w.nextTID], w.threads[i], w.replaced[i] = whole, w.nextTID, true
			w.notes.notef("thread ids that do not fit or are in use are replaced: the id of thread %s changes from %d to %d",
				w.symbols.Thread(i), whole, w.nextTID)
			return nil
		}
	}
	return fmt.Errorf("the trace has more threads than the format can number (%d)", w.tidMax)
}

// method assigns an id to method i if it has none.
func (w *wireIDs) method(i trace.MethodID) error {
	if w.methods[i] != noMethod {
		return nil
	}
	id := w.symbols.Method(i).ID
	fits := id >= w.methodMin && id <= w.methodMax && id&w.methodMask == 0
	if w.verbatim && !fits {
		return fmt.Errorf("method id %#x is not a multiple of 4 from %d to %#x", id, w.methodMin, w.methodMax)
	}
	if fits && (w.verbatim || !w.taken[id]) {
		w.taken[id], w.methods[i] = true, id
		return nil
	}
	free, err := w.freeMethod(id)
	if err != nil {
		return err
	}
	w.taken[free], w.methods[i] = true, free
	w.notes.notef("method ids that do not fit or are in use are replaced: the id of %s changes from %#x to %#x", w.symbols.Method(i), id, free)
	return nil
}

// moved is added to an id that is invalid in V2, where ids are addresses. It is subtracted when the
// file is converted back.
const moved = 1 << 32

// freeMethod returns a free id for a method with an id that cannot be kept.
func (w *wireIDs) freeMethod(id uint64) (uint64, error) {
	w.learn()
	if swapped := id ^ moved; swapped < moved+1<<24 && swapped >= w.methodMin && swapped <= w.methodMax &&
		swapped&w.methodMask == 0 && !w.taken[swapped] && !w.idsKnown[swapped] {
		return swapped, nil
	}
	for ; w.nextID <= w.methodMax; w.nextID += 4 {
		if !w.taken[w.nextID] && !w.idsKnown[w.nextID] {
			return w.nextID, nil
		}
	}
	return 0, fmt.Errorf("the trace has more methods than the format can number")
}

// learn processes the ids of the symbols added since its last call.
func (w *wireIDs) learn() {
	for _, t := range w.symbols.Threads[w.seen.threads:] {
		w.tidsKnown[t.TID] = true
		if w.cutTID {
			w.tidsKnown[t.TID&w.tidMax] = true
		}
	}
	for i := range w.symbols.Methods[w.seen.methods:] {
		w.idsKnown[w.symbols.Methods[w.seen.methods+i].ID] = true
	}
	w.seen.threads, w.seen.methods = len(w.symbols.Threads), len(w.symbols.Methods)
}

// listed returns the thread for the table: with its complete tid, unless the tid was replaced.
func (w *wireIDs) listed(i trace.ThreadID) trace.Thread {
	t := *w.symbols.Thread(i)
	if w.replaced[i] {
		// a thread without a name gets one from its original tid
		t.Name, t.TID = t.String(), w.threads[i]
	}
	return t
}
