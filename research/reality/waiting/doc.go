// Package waiting holds what artifice predicts of threads that wait against programs that do: one sleeps, one draws
// frames by an absolute ticker, two form a pipeline over a channel, three queue for a lock. Each runs untraced, traced, untraced and
// traced again, with the same random numbers and a second of rest before each run; no run is left out:
//
//   - sampled: a thread sleeps for 4 ms and calls runtime.Stack, which stops the world until it has walked all stacks, of which
//     1,600 are there for it to take some milliseconds. Stops of one millisecond are too short here: those that
//     run are stopped 50 us longer than those that want to wake, which no device of artifice's tells apart;
//   - instrumented: each enter and leave burns 40 us.
//
// The first untraced run's log is the truth that artifice traces. How long the stops are, and how far apart, comes from the sampler's own
// clock; how much longer a thread stands still than that shows, and what an enter or leave takes, from a thread that does nothing else, in 40 stretches of
// a tenth of a second before all runs.
//
// What is measured of the first traced run is to lie where 95 % of such runs do. The middle of that is the mean of what is predicted with all phases of
// the sampler and with eleven quantiles of the costs that the stretches have measured. Its half-width has two parts, of which the root of the sum of squares is
// taken. One is how much traced runs differ: two standard deviations of the predictions, or, if that is more, by Student's t what the
// differences of the program's two traced runs with the same random numbers tell, in five pairs. The other is how much the untraced run that is the truth is off itself, by Student's t of
// the differences of all pairs of untraced runs of the program, ten, times the prediction, as what is off in the truth is made longer as all else is. Neither
// knows what was predicted.
//
// Beside it stands the prediction that puts each delay into one clock of all threads, with a half-width by the same rule: it has to fail, or
// the test has no power.
package waiting
