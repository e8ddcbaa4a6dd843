// Package score measures an observed trace against the truth.
//
// [TrueState] follows what the app does. Beside it stands what a tracer reports:
// a [SampleScorer] looks on while a sampler takes samples, [Record] reads
// what a tracer of calls recorded, and [Compare] reads a trace file. Each fills an
// [Accumulator]: times and calls of every calling context, durations of calls, and
// the [measure.Timeline] of reported against true stacks. [Reference] holds an accumulator
// against the truth, and the [Comparison] has both sides as columns, from which
// package measure computes.
//
// The package knows nothing of sweeps, rows and reports. Package bench chooses the
// tracers and keeps the table of measures; bench/law says what an ideal sampler
// would get.
//
// # Whose call, whose time
//
// A thread of a recorded trace lives from its first to its last event, one of a
// synthetic truth as it says. Exits that do not fit are decided by
// [trace.EffectOf]. Frames of ART's own (flag [trace.RuntimeInternal]) count as their
// callers', since no stack walk shows them. A sample owns the time until the next
// one, also the last sample of a thread.
//
// Times of the two sides are compared as shares wherever a tracer may have
// stretched time: a trace of a slowed app is not wrong because it is longer.
package score
