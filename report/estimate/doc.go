// Package estimate estimates times of methods and calling contexts from a trace alone, with a 95 %
// interval for each, and the share of time in methods without a sample.
//
// An [Estimator] is a [trace.Writer] of one recording's events; [Read] runs one over a whole
// recording. The result is a [Profile]. The package does not use the ground truth:
// research/internal/coverage measures the coverage of its intervals. Package report prints
// profiles, trace/calltree has the tree of calling contexts, and bench/internal/law the closed
// forms for known truths.
//
// # Contents of an interval
//
// An interval contains the sampling error and bounds of what the trace does not show. doc.go derives
// them:
//
//   - runs of samples: their ends are uncertain by up to a period;
//   - aliasing of the app with the sampling interval (Cycle);
//   - equal errors after native code that ends in pauses (NativeEnds);
//   - pauses of samples that stop threads;
//   - times without samples, during garbage collections (Silence);
//   - native code, which samples do not stop, and late samples (Late);
//   - running time that no sample shows (Profile.Unsampled);
//   - incomplete stacks (Profile.Hidden).
//
// Numbers of calls have no interval: those of a sampled trace are lower bounds.
//
// # Example
//
//	profile, err := estimate.Read(rec, estimate.Config{})
//	for m := range profile.Methods() {
//		fmt.Println(rec.Symbols.Method(m.ID), m.Exclusive.Wall)
//	}
//
// # Units and errors
//
// Times are time.Durations of all threads together, with limits of a 95 % interval; shares are
// from 0 to 1. Read returns the errors of the recording's reader, with the profile of the events
// before.
package estimate

// How intervals are computed:
//
// # Sampling error
//
// A run is a maximal sequence of consecutive samples of a thread in which the method is innermost
// (for inclusive time: on the stack). The time of a method is that of its runs. Errors arise at the
// ends of runs, because a stretch of execution begins and ends anywhere between two samples. With T
// the time between samples,
//
//   - a run of one sample is probably a short stretch that happened to be hit while many like it
//     were not: it adds T² to the variance, as a Poisson count does;
//   - a gap of one sample between two runs is likely a short absence and adds the same;
//   - every other end of a run or gap is uniformly distributed between two samples: T²/12.
//
// For independent samples with the share p the sum is the binomial N p(1−p) T²; for stretches much
// longer than T it is T²/6 for each, the mean of r(T−r) over the remainders r of systematic
// sampling.
//
// An app that spends equal times in a method again and again has smaller errors. The counts of
// samples in windows of equal lengths vary at least as much as the errors, so their variance is an
// upper bound (windows). It is used for threads without a period and without native code that ends
// in pauses, with at least 40 windows.
//
// A sample that stops a thread is attributed correctly, with its pause P: only the rest of the
// period errs, so errors are multiplied by (T−P)/T (stopped).
//
// Profiles and folded stacks are sums, in which the order of samples is not known: each sample
// counts as a run of its own, as for samples at random (√n).
//
// The upper limit of the interval is that of the score interval, which is right for small counts.
// The lower limit is 1.96 standard deviations below the time, and at least 0. The bounds of
// uncertain times (the following sections) extend an interval. It then misses the truth at one side
// only, and fewer standard deviations are enough, down to 1.645 (Imbens and Manski, Econometrica
// 72, 2004; quantile95).
//
// # Aliasing with the sampling interval
//
// If the app repeats itself after a whole number of samples, the errors of its repetitions are
// equal and do not cancel. The trace shows this: runs begin again after the same number of samples,
// far more often than by chance ([Cycle]). The variance is then multiplied by the number of
// repetitions with equal errors. A cycle that drifts slowly relative to the samples does no harm
// and is recognized by its direction. Nor does one in which the sampler's phase varies because its
// sleeps overshoot at random: for threads with a period and irregular samples, the phases decide
// (sameError).
//
// # Pauses
//
// A thread that wakes up while a sample stops the app continues after the sample, a whole interval
// before the next one. So the first work after a wait is sampled less often than its time warrants,
// and the work a whole interval later more often. Upper limits of methods that are sampled first
// after a wait have one more pause for each such sample, and lower limits one less, as those of
// waits. The CPU clock shows which waits ended in a pause. If these make samples of a method too
// rare or too frequent by a larger time (heldByPauses), the limits have that time instead.
//
// A wait without a sample shows on the CPU clock. A method waits if its name is that of a waiting
// method, or if most of its samples are in runs of four and more during which the CPU clock hardly
// advances. Shorter runs can be separate calls with waits in between.
//
// # Times without samples
//
// ART's sampler waits while the garbage collector runs, and the trace attributes that time to what
// each thread showed before. If threads change at nearly every sample this is visible: no thread
// changes for a while, and then several change at once ([Silence]). A run that ends or begins in a
// silence has half the square of the silence's length as variance instead of T²/12, because the
// thread may have changed at once and waited for the collector. If samples show few changes, the
// clocks of a thread decide: a gap with a silence is no multiple of the period, or contains fewer
// pauses than samples fit into it. If chance can explain that no thread changes, a gap that is a
// multiple of the period, or that contains all pauses, is no silence.
//
// # Native code
//
// Samples do not stop native code. If it ends in a pause, the code that follows has no sample for a
// whole interval, and the native method has that time instead. The CPU clock shows such ends
// (natives). Each sets the phase between app and sampler, so runs that begin a number of samples
// after one such end often begin after the same number of another. Their errors are then equal, and
// the variance is multiplied as for a cycle (resets). If native calls have nearly equal lengths, the
// code that follows can have no sample at all, and intervals can still miss it.
//
// # Late samples
//
// If cores are short, the sampling thread has to wait for one, and often gets that of a thread that
// begins to wait. On two busy cores ART 11 is late for 12 to 15 % of its samples of 1 and 2 ms
// (research/reality -art). The time of a late sample depends on what the app does. Gaps between
// samples that are no multiple of the period reveal it ([Late]), if there are more than chance
// explains; if sleeps overshoot by up to a fifth of a period, as on device A at 1 ms, no gap does.
// Ends of runs at late samples can be off by the whole gap, all with the same sign, so that gaps
// are added and not their squares. This is not a bound: a stretch that began and ended within a
// late gap is not in the trace at all.
//
// # Unsampled running time
//
// A sampler that samples when threads begin to wait underestimates running time, but CPU clocks
// advance regardless. The CPU time used while samples show a thread waiting is compared with the
// CPU time missing while they show it running (balance): if samples are independent of the app, the
// two are equal on average. If the former exceeds the latter by more than chance explains, in one
// thread or in all together ([Profile].Unsampled), the difference may belong to any of the thread's
// methods, and any may have been shown instead. A thread that waits for a core misses CPU time
// while samples show it running, too; this offsets nothing beyond the last period of each stretch.
// If no sample shows a thread running, nothing reveals that it ran. Example: 50 threads queue for
// one lock, and sometimes two of them run. Samples that wait for a core never meet the second one.
//
// # Incomplete stacks
//
// A profiler of native stacks does not find all callers; Perfetto's traces mark this with a frame
// ([trace.Method.WalkEnd]). The exclusive times of methods are nevertheless correct, but any method
// of the thread may be among the missing callers. Upper limits of inclusive times include the time
// of all such samples that do not show the method ([Profile].Hidden), those of exclusive times that
// of samples that show no method at all. That is a bound and not an interval, because incomplete
// stacks need not be like the others.
//
// # What a sampled trace does not contain
//
// Numbers of calls: those reported are a lower bound. One call is never reported twice, but several
// can be merged, or missed. Thinning does not estimate by how much. If calls and the gaps between
// them have exponential lengths, the number reported at k times the interval falls as (1−e^−kx)/kx
// and can be extrapolated to 0 ([Calls].Begins). If they do not, calls that follow each other
// within a sample leave no trace in any thinning, and the thinnings fit the form all the same.
// research/internal/coverage measures this for methods of 200 runs and more, with at least 70 % of
// them left by every 2nd sample and all thinnings within 2 % of the form: of its 95 % intervals all
// hold for w3-on-off sampled every 200 us, which is of that kind, 73 % for network-client on an
// ideal device and 11 % on device A, and none for cold-start. So there is no estimate.
//
// The beginning of the first run, up to one period before the first sample, and the end of the last
// run, up to the stop: the file contains an event only when a stack changes, and none when a thread
// ends. Upper limits of wall times include both.
//
// The owner of CPU time between two samples of a thread that waits in between: a trace attributes
// the time to the earlier stack, even if that stack waited and the later one ran. The limits of CPU
// time are then bounds ([Share].NoCPU). The upper one is the least of
//
//   - the upper limit of its wall time, as what runs uses no more CPU time;
//   - the CPU time of its threads;
//   - for a method that mostly waits, the CPU time that the trace attributes to it, and what may be
//     misattributed to others of its threads between samples around a wait.
//
// The lower one is what the trace attributes to it less what may be misattributed, or 0 if that is
// more than half: a method that waits briefly now and then wakes up so soon after a sample that
// nothing shows it.
