// Package reference is the reference implementation: a plain, slow form of the fast computations of
// bench. It computes the record that a sampler or an instrumenting tracer makes of a truth, and
// each measure of that record. It looks at every stack of every thread at every tick, compares
// frames one by one, keeps all events and computes measures by their definitions.
//
// It is the second witness of package research/internal/verify, written from the definitions alone
// (the comments of trace, sampler, instrument and bench/score, and the sources they name). It
// imports only the vocabulary of this module, package trace. A fault of the emulation stays
// undetected only if it is repeated here.
//
// It supports truths of package workload in which no method is the runtime's own, no thread waits
// for another one and none starts or ends, and devices with a pause that does not depend on frames.
// The closed loop of research/internal/verify verifies the others; it needs no rule for waits
// between threads. The implementation is slow and keeps the whole truth in memory.
package reference
