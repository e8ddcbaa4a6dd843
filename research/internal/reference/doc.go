// Package reference computes plainly what bench computes fast: what a sampler or a tracer
// of calls records of a truth, and each measure of that. It looks at every stack of every thread at every tick, compares frames one by
// one, keeps all events and computes measures as they are defined.
//
// It is the second witness of package research/internal/verify, written from the definitions alone
// (the comments of trace, sampler, instrument and bench/score, and the sources that
// those name). It shares nothing with them but the vocabulary of package trace, which
// is all that it imports of this module: a fault of one has to be made again here to
// go unnoticed.
//
// It is for truths of package workload in which no method is the runtime's own, no thread
// waits for another one and none starts or ends, and for devices whose pause does not
// depend on frames. Of the others the closed loop of research/internal/verify is the witness, which needs
// no rule for who waits for whom. It is slow, and the whole truth is in memory.
package reference
