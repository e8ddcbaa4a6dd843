// Package bench measures the accuracy and overhead of tracers. Emulated tracers observe one ground
// truth, all in one pass, and the report of each is compared with the truth.
//
// [Run] sweeps modes, devices, intervals and phases over a truth and returns a [Result]: one [Cell]
// for every tracer, and one [Row] for every group of cells that differ in phase and seed only.
// [MeasureChange] measures the change that traces report if a method gets slower. measures.go
// contains the table of measures with the columns of CSV, JSON and the page, and modes.go the
// tracers.
//
// Package score implements the comparison, package measure the formulas, package law the closed
// forms, and bench/report the page and the charts. The tracers are those of packages sampler and
// instrument. research/internal/verify validates the results with a second implementation. Package
// bench reads and writes no files.
//
// # How a sweep works
//
// The truth is read once. A fan-out hands its events in batches to one worker per core. Each worker
// runs a part of the tracers, and follows the true state in parallel. Memory is needed for two
// numbers per tracer and calling context and for a log per tracer, independent of the length of the
// truth.
//
// A cell depends on its own configuration only. Results are the same for any number of cores and
// for any other cells in the sweep. (The exception are laws: if many rows have one, they are
// integrated somewhat more coarsely.)
//
// # Example
//
//	app, err := workload.ByName("scroll-60hz")
//	truth, err := app.Truth(workload.Config{Duration: time.Second})
//	result, err := bench.Run(ctx, truth, bench.Config{Intervals: []time.Duration{5 * time.Millisecond}})
//	fmt.Println(result.Rows[0].Mean.Accuracy().WallCorrect)
//
// # Units and errors
//
// Shares are from 0 to 1, a slowdown of 1 is none, and times are time.Durations of the truth. Run
// returns an error for a configuration that no tracer can have and for an error of the truth's
// reader. The end of ctx is no error: the result states that the truth ended early.
//
// # How many phases
//
// A row has [DefaultPhases], or [FewerPhases] where the truth lasts for 6 s or more. Reports print
// the mean and the standard deviation of the phases, both to a tenth of a per cent. The mean is
// more precise than the standard deviation suggests by √n, 3.5 of 12 phases and 4.9 of 24, or more:
// phases are stratified. For a real trace repeated to 12.6 s and 3 million events, the standard
// error of the mean ([law.Stratified]) is 0.04, 0.09, 0.15 and 0.19 % of running time at intervals
// of 100 µs, 1, 5 and 20 ms with 12 phases, and 0.03, 0.05, 0.10 and 0.12 % with 24; of the methods
// 0.09, 0.18, 0.22 and 0.26 with 12, and 0.07, 0.13, 0.19 and 0.20 with 24. The relative error of
// the standard deviation itself is 1/√(2(n−1)): 21 % with 12, 15 % with 24. Shorter truths have
// larger errors, and 24 phases of them take little time. Since the truth is read once, the number
// of phases can depend on its length but not on its results.
//
// # Notes on speed
//
// In a truth in which the running thread changes at nearly every event, 960 samplers with an
// interval of 1 ms sample 12.7 threads per event. Such a sample takes 1,090 instructions and 4
// misses of a cache of 512 KiB, one for each data structure of a sampler: its state, the reported
// stack, its log and its columns (valgrind --tool=cachegrind of the benchmark SweepLength at two
// lengths; the difference is the cost of events). Each of these changes saves less than a tenth:
//
//   - no comparison for a sample with the same context as the one before: 8 % of samples;
//   - the law in one job with another: 1.5 % of the instructions;
//   - the threads of a tick in any order: 3 % of the time;
//   - depth and thread in the log's entries: as many misses, for the longer log;
//   - logs of other lengths than 4,096 entries: 512 cost 4 % more, 64 a quarter.
package bench
