package dumps

import (
	"slices"

	"artifice/format"
)

// lockState is a thread in one dump, with its locks and stack.
type lockState struct {
	id    format.ThreadKey
	vm    int64 // the runtime's number of the thread
	locks format.Locks
	stack []format.FrameID // innermost first
}

func lockStateOf(t *format.DumpThread, state string, frames []format.FrameID) lockState {
	w := lockState{id: t.ID, vm: t.Managed, locks: t.Locks, stack: slices.Clone(frames)}
	w.locks.State = state
	w.locks.Holds = slices.Clone(w.locks.Holds)
	return w
}

// holder returns the thread that holds the lock for which w waits. It returns nil if w waits for no
// lock, if the holder is unknown, or if w waits to be notified (Object.wait, Thread.sleep).
func holder(w *lockState, all []lockState) *lockState {
	wants := w.locks.Waits
	if wants == nil || wants.How == format.ToWake {
		return nil
	}
	for i := range all {
		other := &all[i]
		switch {
		case other.id == w.id:
		case wants.Holder != 0 && other.vm == wants.Holder:
			return other
		case wants.Holder == 0 && wants.Object != "" && other.holds(wants.Object):
			return other
		}
	}
	return nil
}

// holds reports whether the thread holds the monitor of an object. In Object.wait it has released
// it.
func (w *lockState) holds(object string) bool {
	if waits := w.locks.Waits; waits != nil && waits.Object == object {
		return false
	}
	return slices.ContainsFunc(w.locks.Holds, func(l format.Lock) bool { return l.Object == object })
}

// chain returns w and the lock holders that it waits for, directly or indirectly. The last one
// waits for no other thread, or, in a deadlock, is already in the chain.
func chain(w *lockState, all []lockState) (list []lockState, deadlock bool) {
	list = []lockState{*w}
	for at := holder(w, all); at != nil; at = holder(at, all) {
		if slices.ContainsFunc(list, func(o lockState) bool { return o.id == at.id }) {
			return append(list, *at), true
		}
		list = append(list, *at)
	}
	return list, false
}

// deadlocks returns the cycles of threads that wait for each other, each once.
func deadlocks(all []lockState) (circles [][]lockState) {
	in := map[format.ThreadKey]bool{}
	for i := range all {
		list, dead := chain(&all[i], all)
		if !dead || in[list[len(list)-1].id] {
			continue
		}
		last := list[len(list)-1]
		from := slices.IndexFunc(list, func(w lockState) bool { return w.id == last.id })
		circle := list[from : len(list)-1]
		for _, w := range circle {
			in[w.id] = true
		}
		circles = append(circles, circle)
	}
	return circles
}
