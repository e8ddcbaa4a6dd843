package law

import (
	"io"
	"math"
	"slices"
	"time"

	"artifice/bench/internal/spill"
	"artifice/diffstack"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Sampler contains the parameters of a sampler that the laws use.
type Sampler struct {
	Interval  time.Duration // nominal
	Overshoot time.Duration // mean of the excess of sleeps
	Spread    time.Duration // its standard deviation
	// quantiles of the overshoot at equal steps from 0 to 1; empty: the overshoot is normal, cut
	// off at 0
	Overshoots []time.Duration
	Poisson    bool               // gaps are exponential with mean Interval
	Identity   diffstack.Identity // rule by which frames of two samples are the same call
	PerTick    time.Duration      // fixed part of the pause of one sample
	PerThread  time.Duration      // additional pause for each thread
	PerFrame   time.Duration      // additional pause for each frame
	Resume     time.Duration      // part of a sleep in which the app does not run yet
	OneClock   bool               // waiting threads are delayed as much as running ones
	// the sampler waits for a core until a thread of the app waits. There is no law for it, because
	// its gaps depend on the app
	NoCore bool
	// the trace lacks some results of samples, so there is no law for its calls
	Altered bool
}

// Expected contains the predictions of the laws for a sampler, on average over all phases; NaN
// without a prediction.
type Expected struct {
	Gap         time.Duration // mean app time between two samples
	Period      float64       // wall time from one sample to the next, in s
	Slowdown    float64
	Stretch     float64 // ratio of running time with tracing to that without
	Met         float64 // number of pauses that all threads meet while they run
	Samples     float64 // number of samples that find a thread in a method
	CallRecall  float64 // share of the true calls that a sample sees
	CallRatio   float64 // reported over true calls
	MergeFactor float64 // true calls seen per reported call
}

// Laws compute expected values for samplers from the truth alone.
type Laws struct {
	samplers []Sampler
	gaps     []gapLaw // by sampler
	sleep    gapSet   // gaps of samplers with a uniform phase
	poisson  gapSet
	bySite   gapSet // gaps of samplers with call sites
	calls    *activations
	sites    *siteLaw // nil if no sampler has call sites
	last     time.Duration
	length   time.Duration // length of the truth
	listed   int           // number of threads that every sample walks; -1 if it varies
	memory   spill.Memory  // memory of the contexts, until the truth ends

	// collections are garbage collections; samples wait for their ends. A sleep loop starts again
	// at such an end, so its phase is no longer uniform and there is no law for it. The laws for
	// Poisson samplers remain valid.
	collections collections

	waits  waits
	bursts runs
}

// New returns the laws of these samplers. Their intervals must be above 0.
func New(samplers []Sampler) *Laws {
	l := &Laws{samplers: samplers}
	parts := newGapParts(samplers)
	for i := range samplers {
		s := &samplers[i]
		gaps := gapsOf(s, parts)
		l.gaps = append(l.gaps, gaps)
		for _, a := range gaps.atoms {
			l.set(s).add(a.gap)
		}
	}
	var laws []activationLaw
	if gaps := l.sleep.gaps; len(gaps) > 0 {
		count := newCallCount(gaps...)
		l.sleep.law, laws = count, append(laws, count)
	}
	if gaps := l.poisson.gaps; len(gaps) > 0 {
		count := newPoissonCount(gaps...)
		l.poisson.law, laws = count, append(laws, count)
	}
	if gaps := l.bySite.gaps; len(gaps) > 0 {
		l.sites = newSiteLaw(gaps)
		l.bySite.law = l.sites.count
	}
	l.calls = newActivations(&calltree.Contexts{}, laws...)
	l.spill()
	return l
}

// spill moves data of contexts beyond the first megabytes to a file.
func (l *Laws) spill() {
	l.calls.contexts.Memory = &l.memory
	for _, law := range []callLaw{l.sleep.law, l.bySite.law} {
		if count, ok := law.(*callCount); ok {
			count.contexts.Memory = &l.memory
		}
	}
	if l.sites != nil {
		l.sites.calls.contexts.Memory = &l.memory
	}
}

// set returns the set of a sampler's gaps. No sampler is both Poisson and with call sites.
func (l *Laws) set(s *Sampler) *gapSet {
	switch {
	case s.Poisson:
		return &l.poisson
	case s.Identity == diffstack.BySite:
		return &l.bySite
	}
	return &l.sleep
}

// Read reads the truth to its end.
func (l *Laws) Read(truth *trace.Recording) error {
	defer l.memory.Close()
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := truth.Events.ReadEvents(batch)
		if n == 0 {
			l.end(truth)
			l.length = truth.Stop(l.last)
			l.waits.end(truth, l.length)
			l.bursts.end(truth, l.length)
			l.listed = listedThreads(truth)
			if err == io.EOF {
				return nil
			}
			return err
		}
		l.last = batch[n-1].Wall
		if l.sites != nil {
			l.sites.take(truth.Symbols, batch[:n])
		}
		shown := batch[:0]
		for i := range batch[:n] {
			if !l.waits.any && l.waits.apply(truth, &batch[i]) {
				l.dropCalls()
			}
			if truth.Info.Technique == trace.Truth {
				l.bursts.apply(truth, &batch[i])
			}
			batch[i].Wall = l.collections.apply(truth.Symbols, &batch[i])
			if !truth.Symbols.IsRuntime(batch[i].Method) {
				shown = append(shown, batch[i])
			}
		}
		l.calls.WriteEvents(shown)
	}
}

// dropCalls drops the laws of calls that no sampler needs any more because threads wait.
func (l *Laws) dropCalls() {
	needed := map[*gapSet]bool{}
	for i := range l.samplers {
		if s := &l.samplers[i]; !s.wakes() {
			needed[l.set(s)] = true
		}
	}
	l.calls.laws = slices.DeleteFunc(l.calls.laws, func(a activationLaw) bool {
		return a == any(l.sleep.law) && !needed[&l.sleep] || a == any(l.poisson.law) && !needed[&l.poisson]
	})
	if !needed[&l.bySite] {
		l.sites = nil
	}
}

// end ends the threads at their ends in the truth.
func (l *Laws) end(truth *trace.Recording) {
	followed := []*activations{l.calls}
	if l.sites != nil {
		followed = append(followed, l.sites.calls)
	}
	for id, t := range truth.Symbols.Threads {
		end := truth.Stop(l.last)
		if t.End > 0 {
			end = t.End
		}
		end = l.collections.counts(end)
		for _, a := range followed {
			a.end(trace.ThreadID(id), end)
		}
	}
	for _, a := range followed {
		a.close()
	}
}

// listedThreads returns the number of threads that every sample walks. A recorded trace contains no
// start times of threads, so every sample walks all of them.
func listedThreads(truth *trace.Recording) int {
	if truth.Info.Technique == trace.Truth {
		for _, t := range truth.Symbols.Threads {
			if t.Start > 0 || t.End > 0 {
				return -1
			}
		}
	}
	return len(truth.Symbols.Threads)
}

// stops reports whether a sample takes time.
func (s *Sampler) stops() bool { return s.PerTick+s.PerThread+s.PerFrame+s.Resume > 0 }

// wakes reports whether the calls of a thread depend on the position, in a gap or in a pause, at
// which it wakes.
func (s *Sampler) wakes() bool { return !s.OneClock && s.stops() }

// stop returns the time for which a sample stops the app, walking the listed threads and the
// sampling thread.
func (s *Sampler) stop(listed int) time.Duration {
	return s.PerTick + s.PerThread*time.Duration(listed+1) + s.Resume
}

// Expected returns the predictions of the laws for the i-th sampler. The truth must have been read.
func (l *Laws) Expected(i int) Expected {
	s, gaps := &l.samplers[i], &l.gaps[i]
	nan := math.NaN()
	e := Expected{gaps.mean, nan, nan, nan, nan, nan, nan, nan, nan}
	if s.NoCore || l.collections.any() && !gaps.poisson {
		return e
	}
	if l.listed >= 0 && s.PerFrame == 0 && !gaps.poisson {
		pause := pause{Run: gaps.mean, Stop: s.stop(l.listed)}
		e.Period = pause.period().Seconds()
		if !l.waits.any || s.OneClock || pause.Stop == 0 {
			e.Slowdown = pause.slowdown()
		}
		if l.bursts.ran > 0 && !l.bursts.linked && !s.OneClock && pause.Stop > 0 {
			lost, met, late := l.bursts.lost(gaps, pause.Stop)
			e.Stretch, e.Met = 1+lost/l.bursts.ran, met
			// with several threads, the stretch is that of the thread that ends last
			if l.waits.any && l.listed == 1 && !l.bursts.ticks {
				e.Slowdown = 1 + late/float64(l.length)
			}
		}
	}
	if s.Altered {
		return e
	}
	if l.waits.any && s.wakes() {
		l.expectWoken(&e, s, gaps)
		return e
	}
	// otherwise there are fewer samples: one replaces all that wait for the end of a collection
	if !l.collections.any() {
		e.Samples = float64(l.calls.inMethod) / float64(gaps.mean)
	}
	l.expectCalls(&e, s, gaps)
	return e
}

// expectWoken sets the expected values of calls if threads wait, as far as they are known.
func (l *Laws) expectWoken(e *Expected, s *Sampler, gaps *gapLaw) {
	if math.IsNaN(e.Stretch) {
		return
	}
	e.CallRecall = l.bursts.calls.seen(gaps, float64(s.stop(l.listed))) / float64(l.calls.calls)
	if s.Identity == diffstack.ByCall {
		e.CallRatio, e.MergeFactor = e.CallRecall, 1
	}
}

// expectCalls sets the expected values of calls.
func (l *Laws) expectCalls(e *Expected, s *Sampler, gaps *gapLaw) {
	set := l.set(s)
	var reportedAt, seenAt []float64
	for _, a := range gaps.atoms {
		// A gap covers time in proportion to its length.
		i, part := set.place[a.gap], float64(a.gap)/float64(gaps.mean)
		reportedAt = append(reportedAt, part*set.law.Reported(i))
		seenAt = append(seenAt, part*set.law.Seen(i))
	}
	calls := float64(l.calls.calls)
	reported, seen := gaps.expect(reportedAt), gaps.expect(seenAt)
	e.CallRecall, e.CallRatio, e.MergeFactor = seen/calls, reported/calls, seen/reported
	if s.Identity == diffstack.ByCall {
		e.CallRatio, e.MergeFactor = e.CallRecall, 1 // each call seen is a call reported
	}
}

// callLaw returns the mean numbers of calls reported and seen at the i-th of its gaps.
type callLaw interface {
	Reported(i int) float64
	Seen(i int) float64
}

// gapSet contains the gaps for which a call law is computed.
type gapSet struct {
	gaps  []time.Duration
	place map[time.Duration]int
	law   callLaw
}

// add adds a gap once.
func (s *gapSet) add(gap time.Duration) {
	if s.place == nil {
		s.place = map[time.Duration]int{}
	}
	if _, ok := s.place[gap]; !ok && gap > 0 {
		s.place[gap] = len(s.gaps)
		s.gaps = append(s.gaps, gap)
	}
}
