// Package waiting compares artifice's predictions for threads that wait with real programs: one
// sleeps, one draws frames by an absolute ticker, two form a pipeline over a channel, three queue
// for a lock. Each runs untraced, traced, untraced and traced again, with the same random numbers
// and a second of rest before each run; every run counts:
//
//   - sampled: a thread sleeps for 4 ms and calls runtime.Stack, which stops the world until it has
//     walked all stacks. 1,600 extra stacks make the stop some milliseconds long. Stops of 1 ms are
//     too short here: running threads are stopped 50 us longer than waking ones, a difference that
//     no device of artifice models;
//   - instrumented: each enter and leave burns 40 us.
//
// The log of the first untraced run is the truth that artifice traces. The duration and distance of
// the stops come from the sampler's own clock. How much longer than that a thread is stopped, and
// the cost of an enter or leave, are measured on a thread that does nothing else, in 40 stretches
// of 0.1 s before all runs.
//
// The measured value of the first traced run should lie in the 95 % interval of such runs. The
// center of the interval is the mean of the predictions with all phases of the sampler and with
// eleven quantiles of the costs measured in the stretches. Its half-width is the root of the sum of
// squares of two parts. The first is the variation of traced runs: two standard deviations of the
// predictions or, if larger, by Student's t, the variation estimated from the differences of the
// program's two traced runs with the same random numbers, in five pairs. The second is the error of
// the untraced run used as truth: by Student's t of the differences of all ten pairs of untraced
// runs of the program, times the prediction, since an error of the truth is scaled like everything
// else. Neither part uses the prediction's agreement.
//
// A second prediction puts each delay into one clock of all threads, with a half-width by the same
// rule: it has to fail, or the test has no power.
package waiting
