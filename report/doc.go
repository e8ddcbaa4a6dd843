// Package report converts a profile ([estimate.Profile]) to rows. A [View] of a profile has rows
// for methods, classes, packages or threads, for the callers and callees of a method, for the call
// tree and for a call graph. It also finds single calls ([CallCollector]) and late frames of the
// display ([Frames]).
//
// The package neither reads files nor prints: events are written to it, and commands print rows as
// text, CSV or JSON. Package report/estimate computes the intervals, report/diff compares traces,
// report/plan computes sample sizes, and report/dumps summarizes thread dumps.
//
// # Example
//
//	profile, err := estimate.Read(rec, estimate.Config{})
//	all := report.New(profile, rec.Symbols, report.Filter{})
//	for _, row := range all.Rows(report.ByMethod) {
//		fmt.Println(row.Name)
//	}
//
// # Units and errors
//
// Times are time.Durations per trace, shares are from 0 to 1 of the chosen threads' time.
// FindMethod and View.Find return an error that states candidates if a name is not unique.
package report
