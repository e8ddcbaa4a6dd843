package bench

import (
	"io"
	"time"

	"artifice/bench/paths"
	"artifice/bench/theory"
	"artifice/diffstack"
	"artifice/sampler"
	"artifice/trace"
)

// lawJob computes, from the truth alone, what the rows that sample are to
// expect.
type lawJob struct {
	rows    map[int]gapLaw // by number of the row
	sleep   gapSet         // of samplers whose phase is uniform
	poisson gapSet
	bySite  gapSet // of samplers that know call sites
	stays   *theory.Stays
	sites   *siteLaw      // nil when no row asks for call sites
	last    time.Duration // of the truth's events
	listed  int           // threads that a sample walks; -1 when they come and go

	// collections are those of garbage, for whose end samples wait. A sleep loop
	// begins anew there, so its phase is not uniform any more and the laws of such
	// rows are none; those of Poisson samplers go on.
	collections collections
}

// newLawJob returns the laws of the rows that sample, nil when there is none.
func newLawJob(rows [][]*cell) *lawJob {
	j := &lawJob{rows: map[int]gapLaw{}}
	parts := newGapParts(rows)
	for i, row := range rows {
		c := row[0]
		if c.mode.watch == nil {
			continue
		}
		cfg := c.mode.watch(c.config)
		law := gapsOf(&cfg, parts)
		j.rows[i] = law
		for _, a := range law.atoms {
			j.set(&cfg).add(a.gap)
		}
	}
	if len(j.rows) == 0 {
		return nil
	}
	var laws []theory.StayLaw
	if gaps := j.sleep.gaps; len(gaps) > 0 {
		count, _ := theory.NewCallCount(gaps...) // all above 0
		j.sleep.law, laws = count, append(laws, count)
	}
	if gaps := j.poisson.gaps; len(gaps) > 0 {
		count, _ := theory.NewPoissonCount(gaps...) // all above 0
		j.poisson.law, laws = count, append(laws, count)
	}
	if gaps := j.bySite.gaps; len(gaps) > 0 {
		j.sites = newSiteLaw(gaps)
		j.bySite.law = j.sites.count
	}
	j.stays = theory.NewStays(&paths.Table{}, laws...)
	return j
}

// set returns where the gaps of a sampler belong. No mode samples at random and
// knows call sites.
func (j *lawJob) set(cfg *sampler.Config) *gapSet {
	switch {
	case cfg.Schedule == sampler.Poisson:
		return &j.poisson
	case cfg.Identity == diffstack.BySite:
		return &j.bySite
	}
	return &j.sleep
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
			batch[i].Wall = j.collections.play(truth.Symbols, &batch[i])
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
		end = j.collections.counts(end)
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
	if !ok || j.collections.any() && !law.poisson {
		return s
	}
	cfg := mode.watch(c)
	if cost := cfg.Cost; j.listed >= 0 && cost.PerFrame == 0 && !law.poisson {
		pause := theory.Pause{Run: law.mean, Stop: cost.PerTick + cost.PerThread*time.Duration(j.listed)}
		s[Period], s[Slowdown] = pause.Period().Seconds(), pause.Slowdown()
	}
	if cfg.Leaves != sampler.LeavesSeen || cfg.BufferSize > 0 {
		return s // what is reported is not what is on the stack
	}
	if !j.collections.any() { // else there are fewer: of those that wait for one end, one is taken
		s[Samples] = float64(j.stays.InMethod()) / float64(law.mean)
	}
	set := j.set(&cfg)
	calls := float64(j.stays.Calls())
	var reportedAt, seenAt []float64
	for _, a := range law.atoms {
		// The longer a gap is the more of the time belongs to it.
		i, part := set.place[a.gap], float64(a.gap)/float64(law.mean)
		reportedAt = append(reportedAt, part*set.law.Reported(i))
		seenAt = append(seenAt, part*set.law.Seen(i))
	}
	reported, seen := law.expect(reportedAt), law.expect(seenAt)
	s[CallRecall], s[CallRatio], s[MergeFactor] = seen/calls, reported/calls, seen/reported
	if cfg.Identity == diffstack.ByCall {
		s[CallRatio], s[MergeFactor] = s[CallRecall], 1 // each call seen is a call reported
	}
	return s
}
