// Package report turns what a trace tells (package estimate) into rows: of methods,
// classes, packages or threads, of the callers and callees of one method, and of
// the tree of calls. It writes them in the layout of Debian's dmtracedump where
// that is asked for.
//
// Rows have numbers; the program prints them as text, CSV or JSON. The package reads
// no file.
package report
