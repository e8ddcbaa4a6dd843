// Package literal computes plainly what bench computes fast: what a sampler or a tracer
// of calls records of a truth, and each measure of that. It looks at every stack of every thread at every tick, compares frames one by
// one, keeps all events and computes measures as they are defined.
//
// It is the second witness of package bench/verify, written from the definitions alone
// (the comments of trace, sampler, instrument and bench/score, and the sources that
// those name). It shares nothing with them but the vocabulary of package trace, which
// is all that it imports of this module: a fault of one has to be made again here to
// go unnoticed.
//
// It is for truths of package workload in which nothing collects garbage, no method is
// the runtime's own and no thread starts or ends, and for devices whose pause does not
// depend on frames. It is slow, and the whole truth is in memory.
package literal
