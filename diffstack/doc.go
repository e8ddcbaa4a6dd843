// Package diffstack turns a sequence of a thread's stacks into method events,
// as ART's sampling profiler does.
//
// It has this operation twice. [Compare] follows ART's
// Trace::CompareAndUpdateStackTrace step by step on two whole stacks: it is the
// reference implementation, and the only one possible if only stacks are known
// (recorded dumps, sampled files). [Stack] is for emulators, which process every
// call: it numbers the frames by the order of their entry, so that comparing a
// stack with an earlier state of itself costs the changed part only. Both give the
// same events; tests compare them.
//
// Frames are the same if they show the same method in the same place, which is
// ART's rule. [Stack] has two finer rules: [Stack.SameSites] also requires the
// same call site, [Stack.Unchanged] the same call, which only a truth has.
// [Compare] applies any other rule to numbers for the frames that are equal by it,
// as package stackdump does.
//
// [Rediff] compares the stacks of a recorded sampled trace again, to validate its
// form.
//
// The package has no clock, no thread list and no costs: package sampler
// decides when stacks are compared and sets the events' times.
package diffstack
