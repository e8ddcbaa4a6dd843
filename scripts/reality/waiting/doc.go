// Package waiting holds what artifice predicts of threads that wait against programs that do: one sleeps, one draws
// frames by an absolute ticker, two form a pipeline over a channel, three queue for a lock. Each runs untraced, then traced, then
// untraced again, with the same random numbers:
//
//   - sampled: a thread sleeps for 4 ms and calls runtime.Stack, which stops the world until it has walked all stacks, of which
//     1,600 are there for it to take some milliseconds. Stops of one millisecond are too short here: those that
//     run are stopped 50 us longer than those that want to wake, which no device of artifice's tells apart;
//   - instrumented: each enter and leave burns 40 us.
//
// The first untraced run's log is the truth that artifice traces. How long the stops are, and how far apart, comes from the sampler's own
// clock, and how much longer a thread stands still than that shows from one that only looks at the clock, before all runs. What is measured of the traced run is to lie in the middle 95 % of what is
// predicted: the spread of tracers of all phases, and by how much two untraced runs of the same program differ. Beside it
// stands the prediction that puts each delay into one clock of all threads: it has to fail, or the test has no power.
package waiting
