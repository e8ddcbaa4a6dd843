// Package report turns what a trace tells (package estimate) into rows: of methods,
// classes, packages or threads, of the callers and callees of one method, and of
// the tree of calls. Rows have numbers; the program prints them as text, CSV or JSON. The
// package reads no file.
//
// Package report/diff compares the traces of two versions; report prints what other
// programs print, report single calls, and report what thread dumps show.
package report
