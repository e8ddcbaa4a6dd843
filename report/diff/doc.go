// Package diff compares the traces of two versions of an app: by how much the time of each method
// changed, and whether the change is significant.
//
// [Compare] takes the traces of both sides. Each [MethodChange] has the mean of the old and of the new
// side, a confidence interval of their difference, and a q-value, the false discovery rate among all
// changes that are at least as significant. Where a side has one trace, the error is that of
// sampling; with more, it is the variance between them ([Basis], [Test]). [Sides] computes the same
// incrementally, for traces that are read on several machines. [Changes] prints the result, and
// [Difference] is the merged tree of calls with the changes.
//
// Times and their sampling errors are those of package report/estimate. Package report/plan computes
// how many traces detect a change.
package diff
