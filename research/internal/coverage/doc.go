// Package trust measures how often the intervals of package estimate contain the
// truth, and how wide they are.
//
// An interval is a claim: 95 of 100 contain what they are about. Emulated samplers
// of many phases look at a truth whose times are known; each trace is estimated by
// itself, as if nothing else were known, and every interval is held against the
// truth. The rules that are compared differ in what they take for the variance.
//
// What a trace is right about is the run that was recorded, which the sampler's
// pauses made longer. The truth has each pause in the time of what was paused.
package coverage
