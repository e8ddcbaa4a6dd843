// Package diff compares the traces of two versions of an app: by how much the time of each
// method changed, and whether that is more than chance.
//
// [Compare] takes the traces of both sides. Each [MethodChange] has the mean of the old side
// and of the new one, an interval around their difference, and a q-value, which is the share of
// false alarms among all changes that are at least as clear. Where a side has one trace, the error is
// that of sampling; with more, it is the spread between them ([Basis], [Test]). [Sides] does the
// same piece by piece, for whoever reads the traces on several machines. [Changes] prints what
// came out, and [Difference] is the tree of all calls with what changed.
//
// The times are those of package report, which knows what a trace tells of each method.
package diff
