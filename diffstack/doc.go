// Package diffstack turns a sequence of a thread's stacks into method events,
// as ART's sampling profiler does.
//
// It has the same operation twice. [Literal] follows ART's
// Trace::CompareAndUpdateStackTrace step by step on two whole stacks: the
// reference, and all there is where only stacks are known (recorded dumps,
// sampled files). [Stack] is what an emulator can do that sees every call: it
// numbers the frames by the order of their entry, so that comparing a stack
// with an earlier state of itself costs the changed part only. Both name the
// same events; tests hold them against each other.
//
// The package knows no clock, no thread list and no cost: package sampler
// decides when stacks are compared and stamps the events.
package diffstack
