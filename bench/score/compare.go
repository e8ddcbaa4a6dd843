package score

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"artifice/trace"
	"artifice/trace/stats"
)

// Score is how a recorded trace compares with the truth. What
// events alone do not tell is [Unknown]: samples, calls seen, pauses and events
// that were lost.
type Score struct {
	*Comparison
	Truth    Truth
	Matching Matching
	Scale    float64 // how many times longer the observed run was taken to be
}

// Opener opens a trace, whose events come in time order. Every call returns the
// same ones, from the first on; what an earlier call returned is read no more.
type Opener func() (*trace.Recording, error)

// Compare scores an observed trace against the truth.
//
// Clocks are aligned at time 0 of both traces; where the observed run is longer
// or shorter by 1 % or more, its time is taken to run evenly faster or slower.
// Less than that may be an interval's delay at the end. Only the timeline depends
// on it: sums are compared as shares.
//
// Both traces are read twice: their ends, which the first reading tells, say how
// the second has to align them. Memory is that of the distinct stacks.
func Compare(truth, observed Opener) (*Score, error) {
	p, err := newTraces(truth, observed)
	if err != nil {
		return nil, err
	}
	if err := p.readTruth(); err != nil {
		return nil, err
	}
	if err := p.readObserved(); err != nil {
		return nil, err
	}
	if p.known.events == 0 || p.seen.events == 0 {
		return nil, errors.New("a trace without events cannot be compared")
	}
	p.state.symbols = p.match.symbols()
	reference := NewReference(p.state)
	if err := p.readAgain(truth, observed); err != nil {
		return nil, err
	}
	return p.score(reference), nil
}

// traces are a truth and an observed trace that are being compared.
type traces struct {
	truth, observed *trace.Recording
	state           *TrueState
	reported        *EventScorer
	match           *matcher
	known, seen     summary
	scale           float64 // how many times longer the observed run is
}

// open opens two traces.
func open(truth, observed Opener) (t, o *trace.Recording, err error) {
	if t, err = truth(); err != nil {
		return nil, nil, err
	}
	o, err = observed()
	return t, o, err
}

func newTraces(truth, observed Opener) (*traces, error) {
	t, o, err := open(truth, observed)
	if err != nil {
		return nil, err
	}
	if !t.Info.Clock.HasWall() || !o.Info.Clock.HasWall() {
		return nil, errors.New("a trace without wall clock cannot be compared: its threads have no common time")
	}
	p := &traces{truth: t, observed: o, state: NewTrueState(t), scale: 1}
	p.state.immediate = true
	p.reported = NewEventScorer(p.state, AllSamples, 0)
	p.reported.Samples = Unknown
	if t.Info.Clock.HasCPU() && o.Info.Clock.HasCPU() {
		p.state.WithCPU()
		p.reported.WithCPU()
	}
	return p, nil
}

// readTruth reads the truth to its end.
func (p *traces) readTruth() error {
	if _, err := trace.Copy(&p.known, p.state); err != nil {
		return fmt.Errorf("the truth: %w", err)
	}
	return p.state.Finish(p.truth)
}

// readObserved sums up the observed trace. Its methods and threads get their
// numbers beside those of the whole truth.
func (p *traces) readObserved() error {
	p.match = newMatcher(p.truth.Symbols, p.observed.Symbols)
	for e, err := range trace.All(p.observed.Events) {
		if err == nil {
			err = p.match.translate(&e)
		}
		if err != nil {
			return fmt.Errorf("the observed trace: %w", err)
		}
		p.reported.add(&e)
		p.seen.add(&e)
	}
	return nil
}

// score puts together what both readings told.
func (p *traces) score(reference *Reference) *Score {
	p.reported.Seen = Unknown
	s := &Score{Comparison: reference.Compare(&p.reported.Accumulator), Truth: reference.Truth(), Matching: p.matching(), Scale: p.scale}
	s.Truth.Events = p.known.events
	s.Cost = Cost{
		Length: p.state.end, Delay: p.delay(), TrueCPU: reference.CPU(), CPU: p.seen.cpu,
		Events: p.seen.events, LongestPause: Unknown, Dropped: Unknown,
	}
	return s
}

// delay returns how much later the observed run ends. Both end when their traces
// are stopped. Where one does not say when that was, the last events have to do,
// though a sampled trace's can be early: an unchanged stack leaves none.
func (p *traces) delay() time.Duration {
	known, seen := p.truth.Info.Elapsed, p.observed.Info.Elapsed
	if known < p.known.span || seen < p.seen.span {
		known, seen = p.known.span, p.seen.span
	}
	if known == 0 || seen == 0 {
		return 0
	}
	return seen - known
}

// matching lists which threads and methods with events are on both sides.
func (p *traces) matching() Matching {
	s := p.state.symbols
	return Matching{
		Threads: partners(p.known.usedThreads(), p.seen.usedThreads(), func(i int) string { return s.Threads[i].String() }),
		Methods: partners(p.known.methods, p.seen.methods, func(i int) string { return s.Methods[i].String() }),
	}
}

// worthScaling is by how much two runs differ in length before one is scaled.
const worthScaling = 0.01

// readAgain reads both traces once more, in the order of the truth's time, and
// compares their stacks.
func (p *traces) readAgain(truth, observed Opener) error {
	t, o, err := open(truth, observed)
	if err != nil {
		return err
	}
	if scale := stats.Slowdown(p.state.end, p.delay()); scale > 0 && math.Abs(scale-1) >= worthScaling {
		p.scale = scale
	}
	state := &TrueState{symbols: p.state.symbols} // threads begin with their first events
	stacks := stackComparison{state: state}
	known := &peeker{src: t.Events, admit: p.knows}
	seen := &peeker{src: o.Events, admit: func(e *trace.Event) error {
		e.Wall = time.Duration(math.Round(float64(e.Wall) / p.scale))
		return p.match.translate(e)
	}}
	for {
		e, o := known.peek(), seen.peek()
		if e == nil && o == nil {
			break
		}
		if o == nil || e != nil && e.Wall <= o.Wall {
			state.apply(e)
			known.next++
			continue
		}
		stacks.apply(o, state.alive(o.Thread, o.Wall))
		seen.next++
	}
	if err := known.finish(p.known.events); err != nil {
		return fmt.Errorf("the truth, read again: %w", err)
	}
	if err := seen.finish(p.seen.events); err != nil {
		return fmt.Errorf("the observed trace, read again: %w", err)
	}
	if err := state.finish(p.state.end); err != nil {
		return err
	}
	p.reported.Line = stacks.finish()
	return nil
}

// knows refuses events that the first reading cannot have had.
func (p *traces) knows(e *trace.Event) error {
	if int(e.Thread) >= len(p.known.threads) || int(e.Method) >= len(p.known.methods) {
		return fmt.Errorf("it has changed: event at %v of thread %d and method %d", e.Wall, e.Thread, e.Method)
	}
	return nil
}

// summary is what the first reading tells of a trace.
type summary struct {
	events  int64
	span    time.Duration // wall time of the last event
	cpu     time.Duration // that all threads used between their first and last events
	threads []summaryThread
	methods []bool // which have events
}

type summaryThread struct {
	used bool          // has events
	cpu  time.Duration // of the last one
}

// WriteEvents implements [trace.Writer]. It never fails.
func (s *summary) WriteEvents(events []trace.Event) error {
	for i := range events {
		s.add(&events[i])
	}
	return nil
}

func (s *summary) add(e *trace.Event) {
	for int(e.Thread) >= len(s.threads) {
		s.threads = append(s.threads, summaryThread{})
	}
	for int(e.Method) >= len(s.methods) {
		s.methods = append(s.methods, false)
	}
	t := &s.threads[e.Thread]
	if t.used {
		s.cpu += max(0, e.CPU-t.cpu)
	}
	t.used, t.cpu = true, e.CPU
	s.methods[e.Method] = true
	s.span = e.Wall
	s.events++
}

func (s *summary) usedThreads() (used []bool) {
	for _, t := range s.threads {
		used = append(used, t.used)
	}
	return used
}

// peeker reads a trace whose next event can be looked at.
type peeker struct {
	src   trace.Reader
	admit func(*trace.Event) error // checks an event and changes it as needed
	batch []trace.Event
	next  int // of batch
	read  int64
	err   error
}

// peek returns the next event, nil at the end or when it cannot be read.
func (p *peeker) peek() *trace.Event {
	if p.next == len(p.batch) && p.err == nil {
		p.fill()
	}
	if p.err != nil {
		return nil
	}
	return &p.batch[p.next]
}

func (p *peeker) fill() {
	if p.batch == nil {
		p.batch = make([]trace.Event, 0, trace.BatchSize)
	}
	n, err := p.src.ReadEvents(p.batch[:cap(p.batch)])
	p.batch, p.next = p.batch[:n], 0
	p.read += int64(n)
	if n == 0 {
		p.err = err
	}
	for i := range p.batch {
		if err := p.admit(&p.batch[i]); err != nil {
			p.err = err
			return
		}
	}
}

// finish returns what was wrong with the reading, of which so many events were
// expected.
func (p *peeker) finish(want int64) error {
	if p.err != io.EOF {
		return p.err
	}
	if p.read != want {
		return fmt.Errorf("it has changed: %d events instead of %d", p.read, want)
	}
	return nil
}
