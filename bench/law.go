package bench

import (
	"io"
	"time"

	"artifice/bench/paths"
	"artifice/bench/theory"
	"artifice/sampler"
	"artifice/trace"

	"gonum.org/v1/gonum/stat/distuv"
)

// gapLaw is the distribution of the app time between two samples, as the laws
// take it.
type gapLaw struct {
	poisson bool
	mean    time.Duration
	atoms   []gapAtom // of a sleep loop
}

type gapAtom struct {
	gap    time.Duration
	weight float64
}

// A spread of the overshoot is replaced by equally likely gaps: so many for each
// row, fewer when there are many rows, since every one has its cost per event.
const (
	fewestParts = 4
	mostParts   = 24
	allParts    = 192
)

// gapsOf returns the law of a sampler's gaps, a spread in so many parts.
func gapsOf(c sampler.Config, parts int) gapLaw {
	if c.Schedule == sampler.Poisson {
		return gapLaw{poisson: true, mean: c.Interval}
	}
	spread := float64(c.Cost.OvershootSpread)
	if spread == 0 {
		gap := c.Interval + c.Cost.Overshoot
		return gapLaw{mean: gap, atoms: []gapAtom{{gap, 1}}}
	}
	overshoot := distuv.Normal{Mu: float64(c.Cost.Overshoot), Sigma: spread}
	// The sampler cuts the normal distribution off at 0, which raises its mean.
	standard := distuv.UnitNormal
	z := overshoot.Mu / spread
	mean := spread*standard.Prob(z) + overshoot.Mu*standard.CDF(z)
	overshoots := make([]float64, parts)
	var sum float64
	for i := range overshoots {
		overshoots[i] = max(0, overshoot.Quantile((float64(i)+0.5)/float64(parts)))
		sum += overshoots[i]
	}
	law := gapLaw{mean: c.Interval + time.Duration(mean)}
	for _, o := range overshoots {
		gap := c.Interval + time.Duration(o*mean*float64(parts)/sum) // with the mean that it must have
		law.atoms = append(law.atoms, gapAtom{gap, 1 / float64(parts)})
	}
	return law
}

// lawJob computes, from the truth alone, what the rows that sample are to
// expect.
type lawJob struct {
	rows   map[int]gapLaw // by number of the row
	place  map[time.Duration]int
	count  *theory.CallCount
	stays  *theory.Stays
	sites  *siteLaw      // nil when no row asks for call sites
	last   time.Duration // of the truth's events
	listed int           // threads that a sample walks; -1 when they come and go

	// collects is whether the garbage collector ran: samples wait for its end,
	// so they do not come when the laws think.
	collects bool
}

// newLawJob returns the laws of the rows that sample, nil when there is none.
func newLawJob(rows [][]*cell) *lawJob {
	j := &lawJob{rows: map[int]gapLaw{}, place: map[time.Duration]int{}}
	var intervals []time.Duration
	bySite := false
	parts := min(mostParts, max(fewestParts, allParts/max(1, len(rows))))
	for i, row := range rows {
		c := row[0]
		if c.mode.watch == nil {
			continue
		}
		cfg := c.mode.watch(c.config)
		bySite = bySite || cfg.Identity == sampler.BySite
		law := gapsOf(cfg, parts)
		j.rows[i] = law
		for _, a := range law.atoms {
			if _, ok := j.place[a.gap]; !ok && a.gap > 0 {
				j.place[a.gap] = len(intervals)
				intervals = append(intervals, a.gap)
			}
		}
	}
	if len(j.rows) == 0 {
		return nil
	}
	j.count, _ = theory.NewCallCount(intervals...) // all above 0
	j.stays = theory.NewStays(&paths.Table{}, j.count)
	if bySite {
		j.sites = newSiteLaw(intervals)
	}
	return j
}

// run implements job.
func (j *lawJob) run(truth *trace.Recording) error {
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := truth.Events.ReadEvents(batch)
		if n == 0 {
			j.end(truth)
			j.listed = listedThreads(truth)
			return notEOF(err)
		}
		j.last = batch[n-1].Wall
		if j.sites != nil {
			j.sites.take(truth.Symbols, batch[:n])
		}
		events := batch[:0]
		for i := range batch[:n] {
			if truth.Symbols.Method(batch[i].Method).Flags&trace.Collector != 0 {
				j.collects = true
			}
			if !hidden(truth.Symbols, &batch[i]) {
				events = append(events, batch[i])
			}
		}
		j.stays.WriteEvents(events)
	}
}

// end ends the threads when the truth says.
func (j *lawJob) end(truth *trace.Recording) {
	stays := []*theory.Stays{j.stays}
	if j.sites != nil {
		stays = append(stays, j.sites.stays)
	}
	for id, t := range truth.Symbols.Threads {
		end := j.last
		switch {
		case t.End > 0:
			end = t.End
		case truth.Info.Technique == trace.Truth:
			end = truth.Info.Elapsed
		}
		for _, s := range stays {
			s.End(trace.ThreadID(id), end)
		}
	}
	for _, s := range stays {
		s.Close()
	}
}

// listedThreads returns how many threads every sample walks. A recorded trace
// says which threads there were, not when: all are walked every time.
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

// notEOF returns err, unless it is the proper end of a trace.
func notEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// expected returns what the laws say of a row; NaN where they say nothing.
func (j *lawJob) expected(row int, mode *Mode, c cellConfig) Scores {
	s := noScores()
	law, ok := j.rows[row]
	if !ok || j.collects {
		return s
	}
	cfg := mode.watch(c)
	if cost := cfg.Cost; j.listed >= 0 && cost.PerFrame == 0 && !law.poisson {
		pause := theory.Pause{Run: law.mean, Stop: cost.PerTick + cost.PerThread*time.Duration(j.listed)}
		s[Period], s[Slowdown] = pause.Period().Seconds(), pause.Slowdown()
	}
	if cfg.Leaves != sampler.LeavesSeen || cfg.Buffer > 0 {
		return s // what is reported is not what is on the stack
	}
	s[Samples] = float64(j.stays.InMethod()) / float64(law.mean)
	if law.poisson {
		return s
	}
	calls, count := float64(j.stays.Calls()), j.count
	if cfg.Identity == sampler.BySite {
		count = j.sites.count
	}
	var reported, seen float64
	for _, a := range law.atoms {
		i := j.place[a.gap]
		part := a.weight * float64(a.gap) / float64(law.mean)
		reported += part * count.Reported(i)
		seen += part * count.Seen(i)
	}
	s[CallRecall], s[CallRatio], s[MergeFactor] = seen/calls, reported/calls, seen/reported
	if cfg.Identity == sampler.ByCall {
		s[CallRatio], s[MergeFactor] = s[CallRecall], 1 // each call seen is a call reported
	}
	return s
}
