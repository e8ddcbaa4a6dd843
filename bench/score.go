package bench

import (
	"errors"
	"fmt"
	"math"
	"time"

	"artifice/bench/metric"
	"artifice/trace"
)

// Score is how a trace that was really recorded compares with the truth.
type Score struct {
	Truth    Truth
	Scores   Scores // measures that events alone do not tell are NaN: samples, calls seen, what an ideal sampler would reach
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
// Less than that may be an interval's delay at the end. Only the time line
// depends on it: sums are compared as shares.
//
// Both traces are read twice: their ends, which the first reading tells, say how
// the second has to align them. Memory is that of the distinct stacks.
func Compare(truth, observed Opener) (*Score, error) {
	c, err := newComparison(truth, observed)
	if err != nil {
		return nil, err
	}
	if err := c.readTruth(); err != nil {
		return nil, err
	}
	if err := c.readObserved(); err != nil {
		return nil, err
	}
	if c.known.events == 0 || c.seen.events == 0 {
		return nil, errors.New("a trace without events cannot be compared")
	}
	c.course.symbols = c.match.symbols()
	reference := newReference(c.course)
	line, err := c.compareAgain(truth, observed)
	if err != nil {
		return nil, err
	}
	return c.score(reference, line), nil
}

// comparison is what the first reading tells of two traces.
type comparison struct {
	truth, observed *trace.Recording
	course          *course
	heard           *listener
	match           *matcher
	known, seen     summary
}

// open opens two traces.
func open(truth, observed Opener) (t, o *trace.Recording, err error) {
	if t, err = truth(); err != nil {
		return nil, nil, err
	}
	o, err = observed()
	return t, o, err
}

func newComparison(truth, observed Opener) (*comparison, error) {
	t, o, err := open(truth, observed)
	if err != nil {
		return nil, err
	}
	if !t.Info.Clock.HasWall() || !o.Info.Clock.HasWall() {
		return nil, errors.New("a trace without wall clock cannot be compared: its threads have no common time")
	}
	c := &comparison{truth: t, observed: o, course: newCourse(t.Events, t)}
	c.course.alone = true
	c.heard = newListener(c.course)
	if t.Info.Clock.HasCPU() && o.Info.Clock.HasCPU() {
		c.course.withCPU()
		c.heard.withCPU()
	}
	return c, nil
}

// readTruth follows the truth to its end.
func (c *comparison) readTruth() error {
	if _, err := trace.Copy(&c.known, c.course); err != nil {
		return fmt.Errorf("the truth: %w", err)
	}
	return c.course.finish(c.course.length())
}

// readObserved tallies the observed trace. Its methods and threads get their
// numbers beside those of the whole truth.
func (c *comparison) readObserved() error {
	c.match = newMatcher(c.truth.Symbols, c.observed.Symbols)
	for e, err := range trace.All(c.observed.Events) {
		if err == nil {
			err = c.match.translate(&e)
		}
		if err != nil {
			return fmt.Errorf("the observed trace: %w", err)
		}
		c.heard.hear(&e)
		c.seen.add(&e)
	}
	return nil
}

// score puts together what both readings told.
func (c *comparison) score(reference *reference, line *timeLine) *Score {
	c.heard.line = line.finish()
	s := &Score{Truth: reference.truth(), Matching: c.matching(), Scale: line.scale}
	s.Truth.Events = c.known.events
	s.Scores, _ = reference.compare(&c.heard.tally)
	s.Scores.forgetSamples()
	n := c.seen.events
	fillCost(&s.Scores, metric.Cost{
		AppTime: c.known.span, WallTime: c.seen.span, TrueCPU: c.course.cpu(), CPU: c.seen.cpu, Events: n, Bytes: n * recordBytes,
	})
	s.Scores[LongestPause], s.Scores[Overflow] = math.NaN(), math.NaN()
	return s
}

// matching lists who has a partner, of those with events.
func (c *comparison) matching() Matching {
	s := c.course.symbols
	return Matching{
		Threads: partners(c.known.usedThreads(), c.seen.usedThreads(), func(i int) string { return s.Threads[i].String() }),
		Methods: partners(c.known.methods, c.seen.methods, func(i int) string { return s.Methods[i].String() }),
	}
}

// summary is what one reading tells of a trace.
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
