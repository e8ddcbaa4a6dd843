package trace

// Nesting counts the exits that do not fit (see [EffectOf]). Those of another method than
// the innermost close the innermost frame all the same, so that a reader of stacks has
// something to warn of; every trace that begins in the middle has exits with no frame open. The
// zero value has counted nothing.
type Nesting struct {
	Mismatches int64 // exits of another method than the innermost
	First      Event // the first of them
	Orphans    int64 // exits with no frame open

	stacks Stacks
}

// Add takes in the events that follow those before on their threads.
func (n *Nesting) Add(events []Event) {
	for len(events) > 0 {
		k, _ := n.next(events)
		events = events[k:]
	}
}

// next takes in events up to the first exit that does not fit, as [Stacks.ApplyMany] does.
func (n *Nesting) next(events []Event) (k int, misfit Effect) {
	k, misfit = n.stacks.ApplyMany(events)
	switch misfit {
	case Orphan:
		n.Orphans++
	case Mismatch:
		if n.Mismatches == 0 {
			n.First = events[k-1]
		}
		n.Mismatches++
	}
	return k, misfit
}

// Depth returns how many frames a thread has open.
func (n *Nesting) Depth(id ThreadID) int { return len(n.stacks.Of(id)) }

// Deepest returns how many frames a thread had open at most.
func (n *Nesting) Deepest() int { return n.stacks.deepest() }

// Warning returns what there is to say of the trace in the file of that name,
// which clock its times are of and which symbols its events have; ok is false
// when every exit fitted.
func (n *Nesting) Warning(name string, clock Clock, s *Symbols) (w Warning, ok bool) {
	if n.Mismatches == 0 {
		return w, false
	}
	place := [...]any{n.First.Time(clock), s.Thread(n.First.Thread).String(), s.Method(n.First.Method).FullName()}
	if n.Mismatches == 1 {
		return Warnf(WarnNesting, name, "the exit at %s on thread %s is of %s, which is not the innermost method; it closes the innermost frame", place[:]...), true
	}
	return Warnf(WarnNesting, name, "%d exits are not of the innermost method, the first at %s on thread %s (of %s); each closes the innermost frame",
		append([]any{n.Mismatches}, place[:]...)...), true
}
