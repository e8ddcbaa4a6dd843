// Package bench measures how wrong and how costly ways of tracing are: it lets
// emulated tracers watch one truth, all in one pass, and compares what each
// reports with what happened.
//
// [Run] sweeps modes, devices, intervals and phases over a truth and returns a
// [Result]: one [Cell] for every tracer that ran, one [Row] for every group of
// cells that differ in nothing but chance. [Score] compares traces that were
// really recorded. The measures are in bench/metric, the closed forms beside
// them in bench/theory.
//
// The package emulates nothing itself: packages sampler and instrument do. It
// reads no files and writes none but reports; command artifice opens and names
// them.
//
// # How a sweep works
//
// The truth is read once. A relay hands its events to as many goroutines as
// there are cores; each runs a part of the tracers over them. Beside its tracers
// a goroutine keeps the true course of every thread, and whenever a sample is
// taken looks up there what the thread has done since that tracer's last one:
// how long the stack it had reported was the true one, how many calls began. What
// the sample reports is noted down and added up later, a page of notes at a time. So
// a sample costs what changed, and memory is two numbers per tracer and calling
// context, and a page per tracer, whatever the length of the truth.
//
// A tracer that records calls reads the truth through its time line, which holds
// what it recorded against what happened: event by event where each is recorded,
// else by differences of the course's sums. It too keeps only what the tracer
// itself keeps.
//
// Every cell depends on its own configuration only. Results are the same for
// any number of cores, and for any choice of other cells in the sweep. (The laws
// beside them are integrated somewhat more coarsely where many rows have one.)
//
// # Whose call, whose time
//
// A thread of a recorded trace lives from its first to its last event, one of a
// synthetic truth as it says. An exit without an open frame, or of another method
// than the innermost, changes nothing. Frames of ART's own (flag trace.RuntimeInternal)
// count as their callers', as no walk shows them. A sample owns the time until
// the next one, also the last sample of a thread: what a trace file loses there
// is a step of the error ladder.
//
// Which frames of two samples are one call is the mode's to say: by method as in
// ART, by method and caller's line, or as only the truth can tell. The call-count
// law goes with it. Lines are the call sites that the truths of package workload
// have; others have none, and by line is by method there.
package bench
