package tracer

import (
	"cmp"
	"fmt"
	"time"

	"artifice/diffstack"
	"artifice/instrument"
	"artifice/internal/dmformat"
	"artifice/internal/recorder"
	"artifice/internal/words"
	"artifice/sampler"
	"artifice/sampler/thread"

	"artifice/trace"
)

// Run is a tracer configured to record a truth. [Filter] is the simplest implementation.
type Run interface {
	// Record returns the recording of a truth, which is read as the recording is read. If the
	// recording's Reader is a [recorder.Source], it provides the app times of events; if it is a
	// [recorder.CostReporter], the tracing overhead.
	Record(truth *trace.Recording) (*trace.Recording, error)

	// Summary returns a line about a recording that has been read to its end, given its number of
	// events; "": none.
	Summary(rec *trace.Recording, events int64) string

	// Empty returns the reason why the recording of a source, read to its end, has no content; nil
	// if it has content.
	Empty(name string, rec *trace.Recording) error
}

// Sampling is a run that samples. Its first sample can come at any time within a gap.
type Sampling interface {
	Run

	// Gap returns the mean app time between two samples; 0 if the first sample comes at random.
	Gap() time.Duration
}

// plain has the Summary and Empty of runs without statistics.
type plain struct{}

// Summary implements [Run].
func (plain) Summary(rec *trace.Recording, events int64) string {
	return fmt.Sprintf("wrote %s, duration %s", words.Count(events, "event"), rec.Info.Elapsed)
}

// Empty implements [Run].
func (plain) Empty(string, *trace.Recording) error { return nil }

// Filter is the simplest run: a function from a truth to its recording.
type Filter func(truth *trace.Recording) (*trace.Recording, error)

// Record implements [Run].
func (f Filter) Record(truth *trace.Recording) (*trace.Recording, error) { return f(truth) }

// Summary implements [Run].
func (Filter) Summary(rec *trace.Recording, events int64) string { return plain{}.Summary(rec, events) }

// Empty implements [Run].
func (Filter) Empty(string, *trace.Recording) error { return nil }

// Samples samples the stacks of all threads ([sampler.Record]).
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
	text := fmt.Sprintf("%s in %s", words.Count(stats.Ticks, "sample"), words.Duration(stats.AppTime))
	if p := stats.MeanPeriod(); p > 0 {
		text += fmt.Sprintf(" (period %s)", words.Duration(p))
	}
	late := ""
	if stats.Late > 0 {
		late = fmt.Sprintf("; samples were delayed by %s on average (CPU contention)", words.Duration(stats.MeanLate()))
	}
	if stats.Live && stats.Paused > 0 {
		return text + fmt.Sprintf(": %s; live app, paused for %s in total", words.Count(stats.Events, "event"), words.Duration(stats.Paused)) + late
	}
	return text + fmt.Sprintf(": %s, slowdown %.3f", words.Count(stats.Events, "event"), stats.Slowdown()) + late
}

// Empty implements [Run].
func (s Samples) Empty(name string, rec *trace.Recording) error {
	stats := rec.Events.(*sampler.Reader).Stats()
	if stats.Ticks > 0 {
		return nil
	}
	return fmt.Errorf("%s: no sample: the app ends at %s, before the first sample is due; use a shorter --interval or --phase", name, stats.AppTime)
}

// Threads samples single threads ([thread.Record]).
type Threads thread.Config

// Record implements [Run].
func (t Threads) Record(truth *trace.Recording) (*trace.Recording, error) {
	return thread.Record(truth, thread.Config(t))
}

// Gap implements [Sampling]. The first samples of all threads come at the same readings of their
// timers, unless the tool randomizes them.
func (t Threads) Gap() time.Duration { return t.Interval }

// Summary implements [Run].
func (t Threads) Summary(rec *trace.Recording, events int64) string {
	s := rec.Events.(*thread.Reader).Stats()
	text := fmt.Sprintf("%s, each of one thread, in %s (interval %s)", words.Count(s.Samples, "sample"), words.Duration(rec.Info.Elapsed), words.Duration(rec.Info.Interval))
	if lost := s.Unrecorded(); lost > 0 {
		text += fmt.Sprintf(", %s lost", words.Integer(lost))
	}
	return text + ": " + words.Count(events, "event")
}

// Empty implements [Run].
func (t Threads) Empty(name string, rec *trace.Recording) error {
	if rec.Events.(*thread.Reader).Stats().Samples > 0 {
		return nil
	}
	return fmt.Errorf("%s: no sample: no thread ran or passed a hook when a sample was due; use a shorter --interval or --phase", name)
}

// insertedCalls records the calls reported by code in the app ([instrument.RecordCalls]).
type insertedCalls struct {
	plain
	cfg instrument.CallsConfig
}

// Record implements [Run].
func (c insertedCalls) Record(truth *trace.Recording) (*trace.Recording, error) {
	return instrument.RecordCalls(truth, c.cfg)
}

// Empty implements [Run].
func (insertedCalls) Empty(name string, rec *trace.Recording) error {
	if rec.Events.(*recorder.Reader).Recorded() > 0 {
		return nil
	}
	return fmt.Errorf("%s has no call that the tracer records; artifice help tracers lists what each tracer records", name)
}

// everyCall is ART's instrumented mode ([instrument.Record]).
type everyCall struct {
	plain
	cfg instrument.Config
}

// Record implements [Run].
func (c everyCall) Record(truth *trace.Recording) (*trace.Recording, error) {
	return instrument.Record(truth, c.cfg)
}

// Summary implements [Run].
func (c everyCall) Summary(rec *trace.Recording, events int64) string {
	return fmt.Sprintf("instrumented by %s: %s in %s, event cost %s", c.cfg.Runtime.Name, words.Count(events, "event"),
		words.Duration(rec.Info.Elapsed), words.Duration(c.cfg.Cost.Event(c.cfg.Runtime, c.cfg.Clock)))
}

// longCalls is ART's tracing of long-running methods ([instrument.RecordLongRunning]).
type longCalls struct {
	plain
	cfg instrument.LongRunningConfig
}

// Record implements [Run].
func (c longCalls) Record(truth *trace.Recording) (*trace.Recording, error) {
	return instrument.RecordLongRunning(truth, c.cfg)
}

// Summary implements [Run]: it states the generation and the threshold.
func (c longCalls) Summary(rec *trace.Recording, events int64) string {
	threshold := c.cfg.Threshold
	if threshold == 0 {
		hz := cmp.Or(c.cfg.CounterHz, dmformat.DefaultCounterHz)
		threshold, _ = dmformat.TicksToTime(dmformat.LongRunByName(rec.Source.Format).Threshold, hz)
	}
	return fmt.Sprintf("%s: kept %s of calls that took %s or longer, in %s of %s", rec.Source.Format, words.Count(events, "event"),
		threshold.Round(100*time.Microsecond), words.Count(len(rec.Source.Blocks), "block"), rec.Info.Elapsed.Round(time.Microsecond))
}

// rediff compares the stacks of a sampled trace again ([diffstack.Rediff]) without changing the
// trace.
type rediff struct{ plain }

// Record implements [Run].
func (rediff) Record(rec *trace.Recording) (*trace.Recording, error) { return diffstack.Rediff(rec) }

// Summary implements [Run].
func (rediff) Summary(*trace.Recording, int64) string { return "" }
