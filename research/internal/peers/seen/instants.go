package seen

import (
	"slices"
	"time"
)

// Instants contains the stacks of every thread in time order.
type Instants map[int][]instant

type instant struct {
	at     time.Duration
	frames string // from then on
}

// Stacks returns the stacks of every thread, at the times that viewers draw.
func (t *Trace) Stacks() Instants {
	m := Instants{}
	open := make(map[int][]string)
	for _, e := range t.Events {
		at := t.Time(e)
		if before := m[e.Thread]; len(before) > 0 {
			at = max(at, before[len(before)-1].at)
		}
		if e.Enter {
			open[e.Thread] = append(open[e.Thread], e.Method)
		} else if n := len(open[e.Thread]); n > 0 {
			open[e.Thread] = open[e.Thread][:n-1]
		}
		m[e.Thread] = append(m[e.Thread], instant{at, Frames(open[e.Thread])})
	}
	return m
}

// At returns the stacks of a thread at an instant, from the one before the first event of the
// instant to the one after its last.
func (m Instants) At(thread int, at time.Duration) []string {
	of := m[thread]
	i, _ := slices.BinarySearchFunc(of, at, func(x instant, at time.Duration) int { return int(x.at - at) })
	stacks := []string{""}
	if i > 0 {
		stacks[0] = of[i-1].frames
	}
	for ; i < len(of) && of[i].at == at; i++ {
		stacks = append(stacks, of[i].frames)
	}
	return stacks
}

// Apart returns the trace without exits that have no open frame, with an exit of each frame open at
// the end, and with times of a thread at least 1 ns apart: an event that is not later than the
// previous one is moved to 1 ns after it. Times are those that viewers draw.
func (t *Trace) Apart() *Trace {
	apart := *t
	apart.Events = nil
	open, last := make(map[int]int), make(map[int]time.Duration)
	add := func(e Event) {
		at := t.Time(e)
		if before, seen := last[e.Thread]; seen {
			at = max(at, before+1)
		}
		last[e.Thread] = at
		e.Wall, e.CPU = at, at
		apart.Events = append(apart.Events, e)
	}
	for _, e := range t.Events {
		if e.Enter {
			open[e.Thread]++
		} else if open[e.Thread] == 0 {
			continue
		} else {
			open[e.Thread]--
		}
		add(e)
	}
	for thread, n := range open {
		for range n {
			add(Event{Thread: thread})
		}
	}
	return &apart
}

// Enclosed returns the trace with an added enter, at the first event of the thread, for each call
// that has only an exit.
func (t *Trace) Enclosed() *Trace {
	enclosed := *t
	enclosed.Events = make([]Event, 0, len(t.Events)+len(t.Events)/8)
	open, alone := make(map[int]int), make(map[int][]string)
	for _, e := range t.Events {
		switch {
		case e.Enter:
			open[e.Thread]++
		case open[e.Thread] > 0:
			open[e.Thread]--
		default:
			alone[e.Thread] = append(alone[e.Thread], e.Method)
		}
	}
	for _, e := range t.Events {
		for _, method := range slices.Backward(alone[e.Thread]) { // the last to end is the outermost
			begin := e
			begin.Enter, begin.Method, begin.Inherited = true, method, true
			enclosed.Events = append(enclosed.Events, begin)
		}
		delete(alone, e.Thread)
		enclosed.Events = append(enclosed.Events, e)
	}
	return &enclosed
}
