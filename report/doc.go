// Package report converts a profile ([estimate.Profile]) to rows. A [View] of a profile has rows
// for methods, classes, packages or threads, for the callers and callees of a method, for the call
// tree and for a call graph. It also finds single calls ([CallCollector]) and late frames of the
// display ([Frames]).
//
// The package neither reads files nor prints: events are written to it, and commands print rows as
// text, CSV or JSON. Package report/estimate computes the intervals, report/diff compares traces,
// report/plan computes sample sizes, and report/dumps summarizes thread dumps.
package report
