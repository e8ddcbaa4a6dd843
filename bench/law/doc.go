// Package law holds the closed forms that stand beside measurements in a
// benchmark: what a sampled trace must look like, computed from the truth alone,
// without running a sampler. There is one law in each file, with its assumptions,
// its source and a worked example.
//
// [New] takes what is to be known of each sampler of a sweep and returns [Laws],
// which read the truth once and say what to expect of each. [ZScore] says how far
// a measurement is off. [Floor] and [Universal] are curves that need no truth.
//
// The package knows no modes, devices or rows: package bench hands it gaps and
// costs as numbers. What is measured is defined in bench/score.
//
// # Words
//
// T is the time that the app runs between two samples: interval plus overshoot.
// An activation is one call while it is on the stack, a calling context the
// methods on the stack from the outermost to the innermost. A sample sees a call
// that is on the stack when it is taken. A call is reported when the trace has
// its enter, merged when the trace has one enter for several.
//
// Times are on one thread's own axis: the time it would have run unobserved.
package law
