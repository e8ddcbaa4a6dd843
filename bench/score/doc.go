// Package score compares an observed trace with the ground truth.
//
// [TrueState] tracks the app. An observed trace has one of three sources: a [SampleScorer] or
// [ThreadScorer] observes the samples of a sampler, [Record] runs an event-driven tracer and reads
// its recording, and [Compare] reads a trace file. Each fills an [Accumulator]: times and calls of
// every calling context, durations of calls, and the [measure.Timeline] of reported against true
// stacks. [Reference.Compare] combines an accumulator with the truth into a [Comparison]. A
// Comparison contains both sides as columns, from which package measure computes its results.
//
// The package has no sweeps, rows or reports: package bench chooses the tracers and keeps the table
// of measures, and bench/internal/law computes what an ideal sampler would report.
//
// # Attribution of time
//
// A thread of a recorded trace lives from its first to its last event, a thread of a synthetic
// truth from its start to its end. [trace.EffectOf] defines the effect of unmatched exits. The time
// of frames of the runtime (flag [trace.RuntimeInternal]) is attributed to their callers, because
// no stack walk shows these frames. A sample counts up to the next sample of its thread, and the
// last one up to the end of the thread.
//
// If a tracer may have slowed the app, times of the two sides are compared as shares, because a
// longer run does not make a trace wrong.
//
// # Alignment
//
// [Compare] aligns a trace file with the truth: it determines which instant of the file is the
// truth's zero, and how much longer the observed run is. A first pass sums up both traces and
// provides candidates: the offsets that the headers allow, a given offset, or the offsets at which
// most calls begin on both sides. Further passes compare the stacks for each candidate, and the one
// with most correct frames is used.
//
// # Matching of threads and methods
//
// Ids do not identify a thread or method in two traces: they are numbered by first appearance, and
// formats keep different parts of a name.
//
// Threads are matched by name, by number if they have no name, or else by the kernel's name
// ([trace.Thread.KernelName]). Among threads with the same name, those with the same number match,
// as in two files of one run. Otherwise the first is matched with the first, the second with the
// second, and so on.
//
// Methods are matched by class, name and signature, in any spelling of the class. Stack dumps,
// profiles and timelines have no signatures: a method without one is matched by class and name with
// the only such method on the other side. A method with a signature is matched with the truth's
// method without one, which represents every overload. If a whole trace has no signatures, the
// overloads of the other are joined ([artifice/trace/filter.JoinOverloads]).
//
// # Example
//
//	app, err := workload.ByName("scroll-60hz")
//	truth := func() (*trace.Recording, error) { return app.Truth(workload.Config{}) }
//	in, err := format.Open("app.trace", format.Config{Order: format.ByTime})
//	s, err := score.Compare(truth, in.FromStart, score.Config{})
//	fmt.Println(s.Line.DepthWeighted())
//
// # Units and errors
//
// Times are time.Durations of the truth, shares are from 0 to 1. Compare returns
// ErrNothingInCommon if no offset aligns the traces, and an error if a trace has no events or no
// wall clock, or differs when it is read again.
package score
