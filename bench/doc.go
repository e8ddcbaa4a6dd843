// Package bench measures how wrong and how costly ways of tracing are. Emulated
// tracers observe one truth, all in one pass, and what each reports is compared
// with what happened.
//
// [Run] sweeps modes, devices, intervals and phases over a truth and returns a
// [Result]: one [Cell] for every tracer that ran, one [Row] for every group of
// cells that differ in nothing but chance. The table of measures, with the
// columns of CSV, JSON and the page, is in measure.go; the ways of tracing are in modes.go.
//
// The comparison itself is in bench/score, the closed forms beside it in
// bench/law, page and plots in bench/report. bench/verify holds all of
// it against a second implementation, bench/literal. The tracers are those of
// packages sampler and instrument. The package reads and writes no files.
//
// # How a sweep works
//
// The truth is read once. Its events are handed in batches to as many workers as
// there are cores; each runs a part of the tracers over them and follows the true
// state beside them. Memory is two numbers for every tracer and calling context
// and a log for every tracer, whatever the length of the truth.
//
// Every cell depends on its own configuration only. Results are the same for any
// number of cores, and for any choice of other cells in the sweep. (The laws
// beside them are integrated somewhat more coarsely where many rows have one.)
package bench
