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
// Frames are the same when they show the same method in the same place, which is
// ART's rule. [Stack] has two that tell more calls apart: [Stack.SameSites] asks
// for the same call site, too, [Stack.Unchanged] for the very same call, which
// only the truth knows. A literal comparison by another rule is [Literal] on
// numbers for whatever is the same by it, as package stackdump does.
//
// The package knows no clock, no thread list and no cost: package sampler
// decides when stacks are compared and stamps the events.
package diffstack
