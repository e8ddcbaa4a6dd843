// Package diff compares traces of two builds of an app: how the time of each method changed, and
// whether the change is significant.
//
// [Compare] takes the traces of both sides. Each [MethodChange] contains the mean times of the old
// and the new side, a confidence interval of their difference, and a q-value: the false discovery
// rate among all changes that are at least as significant. If a side has a single trace, the error
// is the sampling error; otherwise it is the variance between traces ([Basis], [Test]). [Sides]
// computes the same incrementally, for traces that are read on several machines. [Changes] prints
// the result, and [Difference] returns the merged call tree with the changes.
//
// Package report/estimate computes the times and their sampling errors, package report/plan the
// sample size that detects a change.
//
// # Example
//
//	profile, err := estimate.Read(rec, estimate.Config{})
//	before := report.New(profile, rec.Symbols, report.Filter{})
//	d, err := diff.Compare([]*report.View{before}, []*report.View{after}, trace.Wall, diff.Student)
//	for _, m := range d.Methods {
//		fmt.Println(m)
//	}
//
// # Units and errors
//
// Times are time.Durations per trace; p and q are from 0 to 1. Compare returns an error if a trace
// does not have the clock, or if the profiles are of different quantities.
package diff
