// Package report makes rows of a profile ([estimate.Profile]): a [View] of it has rows for methods,
// classes, packages or threads, for callers and callees of one method, for the tree of calls and
// for a call graph. It also finds single calls ([CallCollector]) and late frames of the display
// ([Frames]).
//
// The package neither reads files nor prints: events are written to it, and commands print rows as
// text, CSV or JSON. Package report/estimate has the intervals, report/diff compares traces,
// report/plan computes sample sizes, and report/dumps summarizes thread dumps.
package report
