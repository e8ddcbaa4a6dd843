package view

// inOrder finds, for each observed call, the true call that it reports, where the
// observed thread has every call with a time of its own: the calls of one caller come
// in the same order on both sides.
func (s *sweep) inOrder() {
	truth, observed := callees(&s.truth), callees(&s.observed)
	calls, reported := truth.calls, observed.calls
	pairs := [][2]int32{{-1, -1}} // callers: observed, true; -1: none
	for len(pairs) > 0 {
		pair := pairs[len(pairs)-1]
		pairs = pairs[:len(pairs)-1]
		left := truth.of(pair[1])
		for _, o := range observed.of(pair[0]) {
			i := 0
			for i < len(left) && calls[left[i]].Method != reported[o].Method {
				i++
			}
			if i == len(left) {
				continue // the truth has no further call of it here
			}
			s.pair(o, left[i])
			pairs = append(pairs, [2]int32{o, left[i]})
			left = left[i+1:]
		}
	}
}

// children are the calls of a thread by caller; those of frames that no stack walk
// shows count as their callers'.
type children struct {
	calls []Call
	list  []int32 // callees, caller by caller
	begin []int32 // by caller + 1: where its callees begin; one more at the end
}

func (c *children) of(caller int32) []int32 { return c.list[c.begin[caller+1]:c.begin[caller+2]] }

func callees(w *walk) *children {
	calls := w.thread.Calls()
	callers := make([]int32, len(calls)) // -2: not shown
	var shown []int32                    // by depth: the innermost shown call
	for i := range calls {
		depth := int(calls[i].Depth)
		shown = shown[:depth]
		caller := int32(-1)
		if depth > 0 {
			caller = shown[depth-1]
		}
		callers[i] = caller
		if w.symbols.IsRuntime(calls[i].Method) {
			callers[i] = -2
			shown = append(shown, caller)
		} else {
			shown = append(shown, int32(i))
		}
	}
	c := &children{calls: calls, begin: make([]int32, len(calls)+3)}
	for _, caller := range callers {
		if caller != -2 {
			c.begin[caller+2]++
		}
	}
	for i := 1; i < len(c.begin); i++ {
		c.begin[i] += c.begin[i-1]
	}
	c.list = make([]int32, c.begin[len(c.begin)-1])
	place := append([]int32(nil), c.begin...)
	for i, caller := range callers {
		if caller != -2 {
			c.list[place[caller+1]] = int32(i)
			place[caller+1]++
		}
	}
	return c
}
