package testdata

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"artifice/trace"
)

// Calls returns the events that are part of a complete call, enter and exit, and a time after
// which all of them can be repeated. Benchmarks use it to extend a real trace.
func Calls(events []trace.Event) (calls []trace.Event, span time.Duration) {
	whole := make([]bool, len(events))
	open := make(map[trace.ThreadID][]int)
	for i, e := range events {
		stack := open[e.Thread]
		if e.Action == trace.Enter {
			open[e.Thread] = append(stack, i)
		} else if n := len(stack); n > 0 {
			whole[i], whole[stack[n-1]] = true, true
			open[e.Thread] = stack[:n-1]
		}
	}
	for i, e := range events {
		if whole[i] {
			calls = append(calls, e)
			span = max(span, e.Wall, e.CPU)
		}
	}
	return calls, span + time.Microsecond
}

// Shift adds by to both times of all events.
func Shift(events []trace.Event, by time.Duration) {
	for i := range events {
		events[i].Wall += by
		events[i].CPU += by
	}
}

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

// Loop is a truth of N events of one thread, a microsecond apart: two nested calls, repeated. It
// is a [trace.Reader] that stores no events.
type Loop struct {
	N  int
	at int
}

// ReadEvents implements [trace.Reader].
func (l *Loop) ReadEvents(p []trace.Event) (int, error) {
	k := 0
	for ; k < len(p) && l.at < l.N; k++ {
		at := time.Duration(l.at) * time.Microsecond
		p[k] = [...]trace.Event{{Method: 0}, {Method: 1}, {Method: 1, Action: trace.Exit}, {Method: 0, Action: trace.Exit}}[l.at%4]
		p[k].Wall, p[k].CPU = at, at
		l.at++
	}
	if k == 0 {
		return 0, io.EOF
	}
	return k, nil
}

// Zipf returns n shares that fall as 1/rank^s and sum to 1.
func Zipf(s float64, n int) []float64 {
	shares := make([]float64, n)
	var sum float64
	for i := range shares {
		shares[i] = math.Pow(float64(i+1), -s)
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}
