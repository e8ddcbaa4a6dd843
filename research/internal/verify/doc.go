// Package verify compares the results of bench, record and score for the built-in workloads with
// two witnesses: the closed forms of bench/internal/law, and the reference implementation in
// research/internal/reference, which shares no code with the emulation.
//
// Each tracing method runs as a user would run it: the recording is written to a file, read back
// and scored. Each event, and each column of score and of bench's table, must equal the reference
// implementation's; means over phases must be within 4 standard errors of the closed forms.
//
// research/faults shows that the comparison detects injected faults.
package verify
