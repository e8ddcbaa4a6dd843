// Package estimate says what a trace tells of the app and how sure that is, from
// the trace alone: times of methods and calling contexts with an interval around
// each, and how much of the time is in methods that no sample met.
//
// An [Estimator] is a trace.Writer of one recording's events; [Read] runs one
// over a whole recording. The result is a [Profile]. The package knows no truth;
// research/internal/coverage measures how often its intervals contain it. Package report prints
// a profile, package calltree has the tree that the times are added up in.
//
// # Times of a sampled trace
//
// A run is a maximal sequence of consecutive samples of a thread that show the method
// innermost (for inclusive time: on the stack). The time of a method is that of
// its runs, and its error is made at their ends: a stretch of execution begins
// and ends anywhere between two samples. With T the time between samples,
//
//   - a run of one sample is likely a short stretch that happened to be hit, and
//     many like it were not: it adds T² to the variance, as a Poisson count does;
//   - a gap of one sample between two runs is likely a short absence, and adds
//     the same, because what is missing here was given to another method;
//   - every other end of a run or gap lies evenly between two samples: T²/12.
//
// For independent samples with the share p the sum is the binomial N p(1−p) T²;
// for stretches much longer than T it is T²/6 for each, the mean of r(T−r) over
// the remainders r of systematic sampling.
//
// Profiles and folded stacks are sums: which samples were neighbours is not known. Each
// counts as a run of one sample, √n as for samples at random.
//
// The upper end of the interval is that of the score interval, which is right for
// small counts; the lower end is 1.96 standard deviations below the time. It
// cannot go below zero.
//
// # In step
//
// Where the app repeats itself after a whole number of samples, the errors of its
// repetitions are equal, and do not cancel each other. This shows in the trace:
// runs begin again after the same number of samples, far more often than by
// chance ([Cycle]). The variance is then multiplied by how many repetitions are
// alike. A cycle that drifts slowly along the samples is no harm and is told
// apart by its direction. Nor is one that comes again after about as many samples, and the sampler somewhere
// else in it each time, for its sleeps overshoot at random: where a thread has a period, and samples are irregular, what
// counts is whether their places in the period are the same (sameError).
//
// # Threads that wake
//
// A thread that wants to go on while a sample stops the app does so when the sample is over, and has a whole
// interval until the next. So short work between two waits is met less often than it takes time. The upper ends have a pause more
// for each stretch of work that was met, and the lower ends of waits as much less. What waits, the name of
// a method says, or else the CPU clock, where several samples in a row show a method and it hardly moves.
//
// # Times without samples
//
// ART's sampler waits while the garbage collector runs, and the trace gives that time
// to what each thread showed before. Where threads change at nearly every sample, it
// shows: none changes for a while, and then several at once ([Silence]). A run that
// ends or begins in such a silence has the square of its length as variance. It is not T²/12,
// because the thread may have got to where it is next at once, and have
// waited for the collector there. Where samples show few changes a silence cannot be told
// from an app in which nothing happens, but then it also misplaces little.
//
// # Late samples
//
// Where cores are short the sampling thread has to wait for one, and often gets that of a thread
// which begins to wait: ART 11 on two busy cores, research/reality -art, comes late for 12 to 15 %
// of its samples of 1 and 2 ms. When it comes then depends on what the app does. A gap between
// two samples that is of no number of periods shows it ([Late]), where it is off by more than
// chance makes of so many: where sleeps are too long by up to a fifth of a period, as on device A at 1 ms, no gap tells. An end at a late sample can be misplaced
// by the whole gap, and ends of one kind all have the same sign, so that the gaps are added
// up, and not their squares. That is not a bound: a stretch that began and ended within a late gap is
// not in the trace at all.
//
// # Running that samples do not show
//
// A sampler that comes when threads begin to wait shows less running than there is. CPU clocks go on whenever it comes. So the CPU time that was
// used while samples show a thread waiting is held against what is missing while they show it running (balance): samples that come whatever
// the app does leave as much of the one as of the other. Where there is more of the one, by more than chance makes of it, of a thread or of all together
// ([Profile].Unshown), any of the thread's methods may have the difference, and any may have been shown instead. A
// thread that waits for a core misses CPU time as well while samples show it running; that makes up for nothing, but for the last period
// of each stretch. What waits the names of methods tell, and of others the CPU time that was used while several samples in a row
// showed them, where some gaps between samples are of no number of periods; a method that nothing names may else run for as long as
// the clock says.
//
// So long as nothing is missing no one can tell: of 50 threads that want one lock, and of which two run at times, samples that wait for a core
// never see the second, and show as much running as there is CPU time.
//
// # Callers that were not found
//
// A profiler of native stacks does not find all callers, and Perfetto's traces say so with a frame ([trace.Method.WalkEnd]). The times of the
// innermost methods are right all the same, but any method of the thread may be among the callers. The upper ends of inclusive times
// have the time of all these samples more that do not show the method ([Profile].Hidden), those of exclusive times that of samples which show no
// method at all. That is a bound and no interval: nothing says that the stacks which are not found are like the others.
//
// # What a sampled trace does not tell
//
// How often a method was called. Reported calls are a lower bound: one call is never
// reported twice, but several can be taken for one, or be missed. Thinning
// does not tell by how much. Where calls and the gaps between them have exponential
// lengths, the number reported at k times the interval falls as (1−e^−kx)/kx does,
// and can be followed back to 0 ([Calls].Begins). Where it does not, calls that follow
// each other within a sample leave no trace in any thinning, and the thinnings agree
// with the form none the less. research/internal/coverage measures this rule for methods of 200 runs and more,
// with at least 70 % of them left by every 2nd sample, and all thinnings within
// 2 % of the form: of its 95 % intervals all hold for w3-on-off sampled every 200 us,
// which is of that kind, of network-client 73 % on an ideal device and 11 % on device A,
// and of cold-start none. So there is no estimate.
//
// The start of the first run, up to one period before the first sample, which the
// upper end of a wall time includes.
//
// The end of the last run: the file has an event only where a stack changes, and
// none where a thread ends. The upper end of a wall time includes the time from
// the thread's last event to the stop.
//
// Whose the CPU time is between two samples of a thread that waits in between: a
// trace gives it to the earlier stack, also where that one waited and the later
// one ran. Then the ends of CPU time are bounds ([Share].NoCPU). At most it is
//
//   - the upper end of its wall time, in which what runs has its CPU time;
//   - the CPU time of its threads;
//   - of a method that mostly waits, the CPU time that the trace gives it, with all that strayed to others of its
//     threads, each between two samples between which the thread waited;
//
// and at least what the trace gives it without what may be another's, or 0 where that is more than half: a method that
// waits for a short time now and then wakes up so soon after a sample that nothing shows it.
package estimate
