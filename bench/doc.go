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
// bench/law, page and plots in bench/report. research/internal/verify holds all of
// it against a second implementation, research/internal/reference. The tracers are those of
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
//
// # How many phases
//
// A row has [DefaultPhases], or [FewerPhases] where the truth lasts for 6 s or more. What is
// printed is a mean and, behind it, the standard deviation of the phases, both to a tenth of a
// per cent. The mean is surer than what stands behind it by √n, 3.5 of 12 phases and 4.9 of 24,
// or more: phases are stratified. Of a real trace repeated to 12.6 s and 3 million events, the standard error of the
// mean ([law.Stratified]) is 0.04, 0.09, 0.15 and 0.19 % of running time at intervals of 100 µs,
// 1, 5 and 20 ms with 12 phases, and 0.03, 0.05, 0.10 and 0.12 % with 24; of the methods 0.09,
// 0.18, 0.22 and 0.26 with 12, and 0.07, 0.13, 0.19 and 0.20 with 24. The standard deviation
// itself is known to 1/√(2(n−1)) of it: 21 % of 12, 15 % of 24. Shorter truths have larger errors,
// and 24 phases of them take little time. The truth is read once, and not known before: a number
// of phases can follow from its length, but not from its results.
//
// # Notes on speed
//
// With an interval of 1 ms, 960 samplers look at 12.7 threads for each event of a truth whose
// threads take turns at nearly every event. Each look is 1,090 instructions and 4 misses of a
// cache of 512 KiB, one for each thing that a sampler alone knows: itself, the stack it
// reported, its log, its columns (valgrind --tool=cachegrind of the benchmark SweepLength at two
// lengths, whose difference is what events cost). Each of these saves less than a tenth:
//
//   - no comparison for a sample that finds the context of the one before: 8 % of samples do;
//   - the law in one job with another: 1.5 % of the instructions;
//   - the threads of a tick in any order: 3 % of the time;
//   - depth and thread in the log's entries: as many misses, for the longer log;
//   - logs of other lengths than 4,096 entries: 512 cost 4 % more, 64 a quarter.
package bench
