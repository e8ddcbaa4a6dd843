// Package coverage measures how often the intervals of package report/estimate contain the
// truth, and how wide they are.
//
// 95 of 100 intervals are meant to contain the true value. Emulated samplers of many phases
// record a truth with known times; each trace is estimated by itself, and every interval is
// compared with the truth. The rules that are compared differ in their estimate of the variance.
//
// What a trace is right about is the run that was recorded, which the sampler's
// pauses made longer. The truth has each pause in the time of what was paused.
package coverage
