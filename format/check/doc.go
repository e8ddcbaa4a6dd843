// Package check says what is wrong or unusual with a method-trace file, each
// point as a named finding with its place, and what existing tools will make of
// the file.
//
// A [Rule] is one thing that can be wrong: of the layout, of the tables, of the
// nesting and the times of events. Errors are what makes a file, or what is in
// it, unusable to a reader that trusts the format; warnings are what some reader
// is known to stumble over; notes are normal in real traces and worth knowing.
// [Rules] lists them all with their explanations.
//
// The package goes on where package reader stops: the text of a classic file is
// scanned on its own, line by line, so that one broken line does not hide the
// next. Events come from package reader and are held against the invariants of
// package trace. It changes nothing; package format/dmtrace makes files that pass.
package check
