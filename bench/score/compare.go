package score

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"artifice/bench/measure"
	"artifice/trace"
	"artifice/trace/filter"
)

// Score is the result of comparing a recorded trace with the truth. Values that events do not
// contain are [measure.Unknown]: samples, calls seen, pauses and dropped events.
type Score struct {
	*Comparison
	Truth     Truth
	Matching  Matching
	Alignment Alignment

	Impossible Impossible
}

// Opener opens a trace with its events in time order. Every call returns the same events, from the
// first on, and invalidates the recording of the call before.
type Opener func() (*trace.Recording, error)

// Compare scores an observed trace against the truth.
//
// cfg aligns time 0 of the truth with the observed trace. If the length of the observed run differs
// by at least 1 %, its time is scaled uniformly. The length of a sampled trace of ART includes the
// last sleep of the sampler, for which the stop waits, so its slowdown is too high by up to a
// period. Only slowdown and timeline depend on the alignment: sums are compared as shares.
//
// Threads and open frames end as [trace.Lifetimes] determines, in both traces. If these rules do
// not determine the end of a thread of the observed trace, the thread ends with its partner in the
// truth.
//
// Both traces are read twice: the first pass determines the alignment for the second. They are read
// once more if the overloads of the truth's methods have to be joined ([Matching]). Memory is
// proportional to the number of distinct stacks.
//
// Profiles converted from a trace attribute the time before an exit without an enter to the method
// of the exit; a sampler of the same app may have missed this call. If the truth has such exits and
// the observed trace has no times, the truth is compared both with and without these calls. The
// result is the better match by context or, if both match equally well, by method.
func Compare(truth, observed Opener, cfg Config) (*Score, error) {
	p, err := read(truth, observed, cfg)
	if err != nil {
		return nil, err
	}
	if p.truth.Symbols.HasSignatures() && !p.observed.Symbols.HasSignatures() {
		truth = truth.joinOverloads()
		if p, err = read(truth, observed, cfg); err != nil {
			return nil, err
		}
		p.joined = true
	}
	if p.known.events == 0 || p.seen.events == 0 {
		return nil, errors.New("a trace without events cannot be compared")
	}
	if cfg.By == ByNothing {
		s := p.scoreSums()
		if p.orphans.Count() == 0 {
			return s, nil
		}
		enclosed, err := read(truth.enclosing(p.orphans), observed, cfg)
		if err != nil {
			return nil, err
		}
		enclosed.joined, enclosed.made = p.joined, p.orphans.Count()
		if other := enclosed.scoreSums(); other.overlaps(s) > 0 {
			return other, nil
		}
		return s, nil
	}
	alignments, err := candidates(cfg, p.runs(), p.known, p.seen, p.state.contexts.Thread)
	if err != nil {
		return nil, err
	}
	p.state.symbols = p.match.symbols()
	reference := NewReference(p.state)
	if err := p.lay(alignments, truth, observed); err != nil {
		return nil, err
	}
	return p.score(reference), nil
}

// overlaps compares two scores by the overlap of contexts or, if that is equal, by that of methods.
// It is equal if the observed trace does not identify threads.
func (s *Score) overlaps(other *Score) int {
	contexts := func(s *Score) float64 { return measure.Overlap(s.True.Contexts, s.Seen.Contexts) }
	methods := func(s *Score) float64 { return measure.Overlap(s.True.Exclusive, s.Seen.Exclusive) }
	return cmp.Or(cmp.Compare(contexts(s), contexts(other)), cmp.Compare(methods(s), methods(other)))
}

// scoreSums compares without an alignment.
func (p *traces) scoreSums() *Score {
	p.alignment = Alignment{By: ByNothing, Scale: 1}
	p.state.symbols = p.match.symbols()
	return p.score(NewReference(p.state))
}

// joinOverloads returns an opener of the same traces with joined overloads
// ([filter.JoinOverloads]).
func (o Opener) joinOverloads() Opener {
	return func() (*trace.Recording, error) {
		rec, err := o()
		if err != nil {
			return nil, err
		}
		return filter.JoinOverloads(rec), nil
	}
}

// enclosing returns an opener of the same trace with calls for its exits without an enter.
func (o Opener) enclosing(found *filter.Orphans) Opener {
	return func() (*trace.Recording, error) {
		rec, err := o()
		if err != nil {
			return nil, err
		}
		return found.Enclose(rec), nil
	}
}

// read reads two traces to their ends.
func read(truth, observed Opener, cfg Config) (*traces, error) {
	p, err := newTraces(truth, observed, cfg)
	if err != nil {
		return nil, err
	}
	if err := p.readTruth(); err != nil {
		return nil, err
	}
	return p, p.readObserved()
}

// traces are a truth and an observed trace that are being compared.
type traces struct {
	cfg             Config
	truth, observed *trace.Recording
	state           *TrueState
	reported        *EventScorer
	match           *matcher
	known, seen     *summary
	alignment       Alignment
	joined          bool            // overloads count as one method
	orphans         *filter.Orphans // of the truth
	made            int64           // events of the truth added for these
}

// open opens two traces.
func open(truth, observed Opener) (t, o *trace.Recording, err error) {
	if t, err = truth(); err != nil {
		return nil, nil, err
	}
	o, err = observed()
	return t, o, err
}

func newTraces(truth, observed Opener, cfg Config) (*traces, error) {
	t, o, err := open(truth, observed)
	if err != nil {
		return nil, err
	}
	if !t.Info.Clock.HasWall() || !o.Info.Clock.HasWall() {
		return nil, errors.New("a trace without wall clock cannot be compared: its threads have no common time")
	}
	p := &traces{cfg: cfg, truth: t, observed: o, state: NewTrueState(t), orphans: filter.NewOrphans(t.Symbols)}
	p.known, p.seen = newSummary(t, cfg), newSummary(o, cfg)
	p.reported = NewEventScorer(p.state, AllSamples, 0)
	p.reported.Samples = measure.Unknown
	if t.Info.Clock.HasCPU() && o.Info.Clock.HasCPU() {
		p.state.WithCPU()
		p.reported.WithCPU()
	}
	return p, nil
}

// readTruth reads the truth to its end.
func (p *traces) readTruth() error {
	for e, err := range trace.All(p.truth.Events) {
		if err != nil {
			return fmt.Errorf("the truth: %w", err)
		}
		p.state.apply(&e)
		p.orphans.Add(&e)
		p.known.add(&e, p.state.threads[e.Thread].context())
	}
	if p.truth.Info.Technique != trace.Truth {
		lives := p.known.lifetimes()
		for id := range p.truth.Symbols.Threads {
			open := id < len(p.state.threads) && p.state.threads[id].begun() && p.state.threads[id].depth() > 0
			p.truth.Symbols.Threads[id].End, _ = lives.End(trace.ThreadID(id), p.known.last(trace.ThreadID(id)), open)
		}
	}
	return p.state.Finish(p.truth)
}

// readObserved sums up the observed trace. Its methods and threads are numbered together with those
// of the whole truth.
func (p *traces) readObserved() error {
	p.match = newMatcher(p.truth.Symbols, p.observed.Symbols)
	for e, err := range trace.All(p.observed.Events) {
		id := e.Thread
		if err == nil {
			err = p.match.translate(&e)
		}
		if err != nil {
			return fmt.Errorf("the observed trace: %w", err)
		}
		if p.observed.Info.Technique == trace.Truth {
			p.reported.begin(e.Thread, p.observed.Symbols.Thread(id).Start, e.CPU)
		}
		p.reported.add(&e)
		p.seen.add(&e, p.reported.threads[e.Thread].context)
	}
	lives := p.seen.lifetimes()
	for id, to := range p.match.threadOf {
		if !p.seen.used(to) {
			continue
		}
		last := p.seen.last(to)
		if p.cfg.By == ByNothing { // no event follows the last one of the sums
			p.reported.addRun(to, last+p.observed.Info.Interval)
			continue
		}
		end, _ := lives.End(trace.ThreadID(id), last, p.reported.isOpen(to))
		if end == last && p.outlives(to) {
			// the truth determines the ends that the observed trace does not contain
			end = max(last, min(lives.Stop(), p.runs().observed))
		}
		p.reported.addRun(to, end)
	}
	return nil
}

// outlives reports whether a thread of the truth is alive at the end.
func (p *traces) outlives(id trace.ThreadID) bool {
	if int(id) >= len(p.truth.Symbols.Threads) {
		return false
	}
	end := p.truth.Symbols.Threads[id].End
	return end == 0 || end >= p.state.end
}

// score combines the results of both readings.
func (p *traces) score(reference *Reference) *Score {
	p.reported.Seen = measure.Unknown
	s := &Score{Comparison: reference.Compare(&p.reported.Accumulator), Truth: reference.Truth(), Alignment: p.alignment}
	s.Untimed = p.cfg.By == ByNothing
	s.True.OfCPU, s.Seen.OfCPU = !p.truth.Info.Clocks().HasWall(), !p.observed.Info.Clocks().HasWall()
	s.Matching = p.matching(s.Seen.Exclusive)
	s.Impossible = reference.impossible(&s.Seen)
	s.Truth.Events = p.known.events - p.made
	s.Cost = measure.Cost{
		Length: p.state.end, Delay: p.runs().delay(p.alignment.Offset), Floating: p.cfg.Dumps != nil, TrueCPU: reference.CPU(), CPU: p.seen.cpu,
		Events: p.seen.events, LongestPause: measure.Unknown, Dropped: measure.Unknown,
	}
	if !p.truth.Info.Clock.HasCPU() || !p.observed.Info.Clock.HasCPU() || s.Untimed {
		s.Cost.CPU = measure.Unknown
	}
	return s
}

// runs returns the lengths of both runs.
func (p *traces) runs() runLengths { return newRunLengths(p.cfg, p.state.end, p.known, p.seen) }

// matching lists the threads and methods with events on both sides.
func (p *traces) matching(exclusive []time.Duration) Matching {
	s := p.state.symbols
	return Matching{
		Time:    p.matchedTime(exclusive),
		Joined:  p.joined,
		Threads: newPartners(p.known.usedThreads(), p.seen.usedThreads(), func(i int) string { return s.Threads[i].String() }),
		Methods: newPartners(p.known.methods, p.seen.methods, func(i int) string { return s.Methods[i].String() }),
	}
}

// matchedTime returns the share of exclusive time in methods with events in the truth; 1 if there
// is no time.
func (p *traces) matchedTime(exclusive []time.Duration) float64 {
	matched := slices.Clone(exclusive)
	for i := range matched {
		if i >= len(p.known.methods) || !p.known.methods[i] {
			matched[i] = 0
		}
	}
	if measure.Sum(exclusive) == 0 {
		return 1
	}
	return measure.Share(measure.Sum(matched), measure.Sum(exclusive))
}
