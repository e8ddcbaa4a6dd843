package trace

// Nesting counts the exits that do not fit: those of another method than the
// innermost, which close the innermost frame all the same (see [EffectOf]), so
// that a reader of stacks can say that it did. Exits with no
// frame open are not counted: every trace that begins in the middle has them. The
// zero value has counted nothing.
type Nesting struct {
	Mismatches int64
	First      Event // the first of them

	stacks Stacks
}

// Add takes in the events that follow those before on their threads.
func (n *Nesting) Add(events []Event) {
	for len(events) > 0 {
		k, misfit := n.stacks.ApplyMany(events)
		if misfit == Mismatch {
			if n.Mismatches == 0 {
				n.First = events[k-1]
			}
			n.Mismatches++
		}
		events = events[k:]
	}
}

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
