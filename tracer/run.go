package tracer

import (
	"cmp"
	"fmt"
	"time"

	"artifice/instrument"
	"artifice/internal/dmformat"
	"artifice/internal/recorder"
	"artifice/internal/words"
	"artifice/sampler"
	"artifice/sampler/thread"

	"artifice/trace"
)

// Run is a tracer that is set up to record a truth. The smallest one is a [Filter].
type Run interface {
	// Record returns what is recorded of a truth. Nothing is read of the truth before the
	// recording is. Where its Reader is a [recorder.Source] it says when in the app events
	// happened, where it is a [recorder.CostReporter] what recording takes.
	Record(truth *trace.Recording) (*trace.Recording, error)

	// Summary says in a line what a recording came to that has been read to its end, and
	// has so many events; "": there is nothing to say.
	Summary(rec *trace.Recording, events int64) string

	// Empty says why a recording of the source of that name has nothing, once it has been
	// read to its end; nil: it has something.
	Empty(name string, rec *trace.Recording) error
}

// Sampling is a run that samples. Its first sample can come at any time within a gap.
type Sampling interface {
	Run

	// Gap is the mean app time between two samples; 0 where the first comes at random.
	Gap() time.Duration
}

// Filter is a run of which only the recording is known.
type Filter func(truth *trace.Recording) (*trace.Recording, error)

// Record implements [Run].
func (f Filter) Record(truth *trace.Recording) (*trace.Recording, error) { return f(truth) }

// Summary implements [Run].
func (f Filter) Summary(rec *trace.Recording, events int64) string {
	return fmt.Sprintf("wrote %s, %s", words.Count(events, "event"), rec.Info.Elapsed)
}

// Empty implements [Run].
func (f Filter) Empty(string, *trace.Recording) error { return nil }

// Samples looks at the stacks of all threads now and then ([sampler.Record]).
type Samples sampler.Config

// Record implements [Run].
func (s Samples) Record(truth *trace.Recording) (*trace.Recording, error) {
	return sampler.Record(truth, sampler.Config(s))
}

// Gap implements [Sampling].
func (s Samples) Gap() time.Duration {
	if s.Schedule == sampler.Poisson {
		return 0
	}
	return s.Interval + s.Cost.Overshoot - s.Cost.Resume
}

// Summary implements [Run].
func (s Samples) Summary(rec *trace.Recording, _ int64) string {
	stats := rec.Events.(*sampler.Reader).Stats()
	text := fmt.Sprintf("sampled %s in %s", words.Count(stats.Ticks, "time"), stats.AppTime.Round(time.Microsecond))
	if p := stats.MeanPeriod(); p > 0 {
		text += fmt.Sprintf(", every %s", p.Round(time.Microsecond))
	}
	late := ""
	if stats.Late > 0 {
		late = fmt.Sprintf("; the sampling thread waited %s for a core, on average", stats.MeanLate().Round(time.Microsecond))
	}
	if stats.Live && stats.Paused > 0 {
		return text + fmt.Sprintf(": %s; the app ran meanwhile, and was stopped for %s in all", words.Count(stats.Events, "event"), stats.Paused.Round(time.Microsecond)) + late
	}
	return text + fmt.Sprintf(": %s, slowdown %.3f", words.Count(stats.Events, "event"), stats.Slowdown()) + late
}

// Empty implements [Run].
func (s Samples) Empty(name string, rec *trace.Recording) error {
	stats := rec.Events.(*sampler.Reader).Stats()
	if stats.Ticks > 0 {
		return nil
	}
	return fmt.Errorf("%s: no sample was taken, as it ends at %s, before the first one is due; try a shorter --interval or --phase", name, stats.AppTime)
}

// Threads samples threads one by one ([thread.Record]).
type Threads thread.Config

// Record implements [Run].
func (t Threads) Record(truth *trace.Recording) (*trace.Recording, error) {
	return thread.Record(truth, thread.Config(t))
}

// Gap implements [Sampling]. The first samples of all threads come at the same time of
// their timers, unless the tool makes it random.
func (t Threads) Gap() time.Duration { return t.Interval }

// Summary implements [Run].
func (t Threads) Summary(rec *trace.Recording, events int64) string {
	s := rec.Events.(*thread.Reader).Stats()
	text := fmt.Sprintf("took %s of threads, every %s, in %s", words.Count(s.Samples, "sample"), rec.Info.Interval, rec.Info.Elapsed.Round(time.Microsecond))
	if lost := s.Unrecorded(); lost > 0 {
		text += fmt.Sprintf(", and lost %d", lost)
	}
	return text + ": " + words.Count(events, "event")
}

// Empty implements [Run].
func (t Threads) Empty(name string, rec *trace.Recording) error {
	if rec.Events.(*thread.Reader).Stats().Samples > 0 {
		return nil
	}
	return fmt.Errorf("%s: no sample was taken, as no thread ran or passed a hook when one was due; try a shorter --interval or --phase", name)
}

// callbacks is told of calls by code in the app ([instrument.RecordCalls]).
type callbacks struct {
	Filter
}

func (callbacks) Empty(name string, rec *trace.Recording) error {
	if rec.Events.(*recorder.Reader).Recorded() > 0 {
		return nil
	}
	return fmt.Errorf("%s has no call that this way of tracing records; docs/ways.md lists the calls that each way records", name)
}

// everyCall is ART's instrumented mode ([instrument.Record]).
type everyCall struct {
	Filter
	cfg instrument.Config
}

func (c everyCall) Summary(rec *trace.Recording, events int64) string {
	return fmt.Sprintf("instrumented by %s: %s, %s at %s an event", c.cfg.Runtime.Name, words.Count(events, "event"),
		rec.Info.Elapsed.Round(time.Microsecond), c.cfg.Cost.Event(c.cfg.Runtime, c.cfg.Clock))
}

// longCalls is ART's tracing of long-running methods ([instrument.RecordLongRunning]).
type longCalls struct {
	Filter
	cfg instrument.LongRunningConfig
}

// Summary says which generation kept what, and how long calls had to be.
func (c longCalls) Summary(rec *trace.Recording, events int64) string {
	threshold := c.cfg.Threshold
	if threshold == 0 {
		hz := cmp.Or(c.cfg.CounterHz, dmformat.DefaultCounterHz)
		threshold, _ = dmformat.TicksToTime(dmformat.LongRunByName(rec.Source.Format).Threshold, hz)
	}
	return fmt.Sprintf("%s: kept %s of calls of %s and longer, in %s of %s", rec.Source.Format, words.Count(events, "event"),
		threshold.Round(100*time.Microsecond), words.Count(len(rec.Source.Blocks), "block"), rec.Info.Elapsed.Round(time.Microsecond))
}

// rediffed is the comparison of a sampled trace's stacks ([diffstack.Rediff]): the trace is as
// it was.
type rediffed struct{ Filter }

func (rediffed) Summary(*trace.Recording, int64) string { return "" }
