// Package law contains the closed forms that benchmarks show next to measurements. They are the
// expected contents of a sampled trace, computed from the truth alone, without running a sampler.
// Each law states its assumptions, its source and a worked example.
//
// [New] takes the parameters of each sampler of a sweep and returns [Laws], which read the truth
// once and return the expected values of each sampler. [ZScore] is the distance of a measurement
// from its law in standard errors. [Floor] and [Universal] are curves that need no truth.
//
// The package has no modes, devices or rows: package bench passes gaps and costs as numbers.
// Package score defines the measured quantities.
//
// # Terms
//
// T is the time that the app runs between two samples: interval plus overshoot. An activation is
// one call while it is on the stack. A calling context is the methods on the stack from the
// outermost to the innermost. A sample sees a call that is on the stack when it is taken. A call is
// reported when the trace has its enter, and merged when the trace has one enter for several calls.
//
// Times are on the axis of one thread, that is, the time for which it would have run untraced.
//
// # Example
//
//	floor := law.Floor([]float64{0.7, 0.2, 0.1}, 100) // expected overlap of 100 random samples
//	fmt.Printf("%.3f\n", floor)
//
// # Units and errors
//
// Shares and overlaps are from 0 to 1. Functions return no errors. A prediction is NaN where no
// law applies.
package law
