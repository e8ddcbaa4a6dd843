// Package verify holds what bench, record and score say of the built-in workloads
// against two witnesses: the closed forms of bench/law, and the second implementation
// in research/internal/reference, which shares no code with the first.
//
// Every way of tracing runs as a user would run it: the recording is written to a file,
// read back and scored. Each of its events, and each column of score and of bench's
// table, must come out as the second implementation has it; means over phases must be
// within 4 standard errors of the closed forms.
//
// research/faults shows that it notices faults.
package verify
