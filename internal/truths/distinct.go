package truths

import (
	"fmt"
	"math/rand/v2"
	"time"

	"artifice/trace"
)

// Distinct is a truth of one thread whose stacks never repeat: a random walk between
// 8 and 40 frames over 2000 methods, an event each microsecond. It does not end.
type Distinct struct {
	Symbols *trace.Symbols

	rng  *rand.Rand
	open []trace.MethodID
	at   time.Duration
}

// NewDistinct returns the walk, the same one each time.
func NewDistinct() *Distinct {
	const methods = 2000
	d := &Distinct{Symbols: &trace.Symbols{}, rng: rand.New(rand.NewPCG(1, 2))}
	d.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	for i := range methods {
		d.Symbols.AddMethod(trace.Method{ID: uint64(4 * (i + 1)), Class: "C", Name: fmt.Sprint("m", i), Signature: "()V"})
	}
	return d
}

// ReadEvents implements [trace.Reader]. It always fills p.
func (d *Distinct) ReadEvents(p []trace.Event) (int, error) {
	for i := range p {
		d.at += time.Microsecond
		p[i] = trace.Event{Wall: d.at, CPU: d.at, Action: trace.Exit}
		if depth := len(d.open); depth < 8 || depth < 40 && d.rng.IntN(2) == 0 {
			p[i].Method, p[i].Action = trace.MethodID(d.rng.IntN(len(d.Symbols.Methods))), trace.Enter
			d.open = append(d.open, p[i].Method)
		} else {
			p[i].Method, d.open = d.open[depth-1], d.open[:depth-1]
		}
	}
	return len(p), nil
}
