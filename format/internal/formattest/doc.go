// Package formattest has the helpers that tests of several formats share: for formats of nested
// calls (calls.go) and of stack dumps (dumps.go), readers of small files given as text or bytes,
// comparisons of the resulting events, fuzz properties, and cuts of a file at every byte.
//
// It contains no tests and no test files; each format's package has its own.
//
// # Example
//
//	s := formattest.Parse(t, format.DumpConfig{}, formattest.ANR)
//	fmt.Println(formattest.Text(t, s))
//
// # Units and errors
//
// Times are in ns, as in package format/text. Helpers report errors to the test.
package formattest
