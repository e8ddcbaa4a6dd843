// Package check validates method-trace files. It reports each problem as a named finding with its
// position in the file, and predicts how existing tools read the file.
//
// A [Rule] describes one problem: of the layout, of the tables, of the nesting or the times of
// events. Errors make a file, or events in it, unusable to a reader that relies on the format;
// warnings are problems of some readers; notes are normal in real traces. [Rules] lists all rules
// with their explanations. [Report.Verdict] returns the behaviour of a [Tool].
//
// Package format/dmtrace stops at the first error. This package scans the text of a classic file
// line by line, so that a malformed line does not hide the next one. It reads events with
// format/dmtrace and checks the invariants of package trace ([trace.Checker]). It does not repair
// files.
//
// # Example
//
//	report, err := check.File("app.trace", check.Config{})
//	for _, f := range report.Findings {
//		fmt.Println(f)
//	}
//	fmt.Println(report.Verdict(check.Perfetto))
//
// # Units and errors
//
// Offsets are in bytes from the begin of the file. Damage of the file is a finding and not an
// error: File returns an error only if the file cannot be opened or read.
package check
