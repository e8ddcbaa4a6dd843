package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/internal/words"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Minimum shares for which a note is printed.
const (
	manyUnseen  = 0.25 // of time in methods that were never sampled
	manyDelayed = 0.05 // of delayed samples
)

// minUnseenSamples is the number of samples that are the only ones of their method, from which on the
// time in methods without samples is stated: the standard error of its estimate, √n of n samples, is
// at most half of it.
const minUnseenSamples = 4

// notes returns the lines below the table: what the table omits, what limits its conclusions, and
// at the end what to do next.
func (t *reportTable) notes() (notes []string) {
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	t.addOmitted(add)
	if left := t.p.LeftOut; left > 0 && t.until != calltree.UntilLastEvent && (t.kind == report.Wall || t.kind == report.Running && !t.p.ByClock()) {
		add("%s", t.uncertainEnds(left))
	}
	t.addHottest(add)
	t.addSampling(add)
	if t.p.Hidden > 0 {
		add("For %s (%s) the stacks are incomplete, and the rows ERROR state the reasons. The total times of callers can be too short by this time; the confidence intervals (--csv) include the missing time.",
			words.Duration(t.p.Hidden), percent(t.p.Hidden, t.sum()))
	}
	t.addOverhead(add)
	t.addNext(add)
	return notes
}

// addOmitted adds the numbers of rows and threads that are not printed.
func (t *reportTable) addOmitted(add func(string, ...any)) {
	var omitted []string
	if more := len(t.all) - len(t.rows); more > 0 {
		omitted = append(omitted, fmt.Sprintf("%s more %s: --top 0 lists all.", words.Integer(more), plural(t.what, more)))
	}
	if busy := t.busiest(); busy != "" {
		omitted = append(omitted, busy)
	}
	if len(omitted) > 0 {
		add("%s", strings.Join(omitted, " "))
	}
}

// uncertainEnds states the time from the last events of threads to the stop, for threads that may
// have ended before.
func (t *reportTable) uncertainEnds(left time.Duration) string {
	if t.until == calltree.UntilStop {
		return fmt.Sprintf("Times include %s after the last events of threads, up to the end of tracing. The threads may have ended earlier.", words.Duration(left))
	}
	return fmt.Sprintf("Not counted: up to %s between the last events of threads and the end of tracing, because these threads may have ended (--until stop counts this time).", words.Duration(left))
}

// plural returns the singular or plural form of a noun for n.
func plural(noun string, n int) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "s"):
		return noun + "es"
	}
	return noun + "s"
}

// busiest names the other threads with the most CPU time, or running time without a CPU clock; it
// is empty if no other thread ran.
func (t *reportTable) busiest() string {
	const shown = 2
	c := t.threads
	if c == nil || c.OthersRan == 0 {
		return ""
	}
	cpu := t.p.Clock.HasCPU()
	others := slices.DeleteFunc(slices.Clone(c.All), func(o report.ThreadTime) bool { return c.Keeps(o.ID) || o.Active(cpu) <= 0 })
	slices.SortStableFunc(others, func(a, b report.ThreadTime) int { return cmp.Compare(b.Active(cpu), a.Active(cpu)) })
	clock := ""
	if cpu {
		clock = " CPU"
	}
	var names []string
	for _, o := range others[:min(shown, len(others))] {
		names = append(names, fmt.Sprintf("%s (%s%s)", t.symbols.Thread(o.ID), t.amount(o.Active(cpu)), clock))
	}
	if len(others) == 1 {
		return "Other thread: " + names[0] + ". --thread NAME selects it."
	}
	return fmt.Sprintf("Busiest of %d other threads: %s. --thread NAME selects a thread.", len(others), strings.Join(names, ", "))
}

// isInstrumented reports whether the trace is of every call and states the cost of its clock.
func (t *reportTable) isInstrumented() bool {
	return t.p.Technique == trace.Instrumented && t.info.ClockOverhead > 0
}

// mostlySure is the probability above which no note on the order of the first methods is printed.
const mostlySure = 0.95

// addHottest adds the probability that the method with the most self time is the hottest, unless that
// is [mostlySure]. If it is too small to be stated, the note names methods whose intervals overlap
// that of the first. The rows that --sort and --top select do not matter.
func (t *reportTable) addHottest(add func(string, ...any)) {
	if !t.p.Sampled() || t.p.Period == 0 || t.what != "method" {
		return
	}
	self := func(r *report.Row) estimate.Time { return r.Self(t.kind) }
	rows := slices.DeleteFunc(slices.Clone(t.all), func(r report.Row) bool { return r.WalkEnd() != "" })
	slices.SortStableFunc(rows, func(a, b report.Row) int { return cmp.Compare(self(&b).Value, self(&a).Value) })
	if len(rows) < 2 || self(&rows[0]).Value == 0 {
		return
	}
	first := self(&rows[0])
	rows = slices.DeleteFunc(rows, func(r report.Row) bool { return self(&r).High < first.Low })
	if slices.ContainsFunc(rows, func(r report.Row) bool { return t.bounded(&r) }) {
		return
	}
	var times []estimate.Time
	var names []string
	for i := range rows {
		times, names = append(times, self(&rows[i])), append(names, rows[i].Name())
	}
	switch p, usable := report.Hottest(times); {
	case p >= mostlySure:
	case usable:
		add("%s is the hottest method with %.0f %% probability.", names[0], 100*p)
	default:
		add("It is uncertain whether %s is the hottest method: its confidence interval overlaps %s.", names[0], intervalsOf(names[1:]))
	}
}

// intervalsOf lists the intervals of the first two methods, and counts the others.
func intervalsOf(names []string) string {
	switch n := len(names); {
	case n == 1:
		return "that of " + names[0]
	case n > 2:
		names = []string{names[0], names[1], words.Count(n-2, "other method")}
	}
	return "those of " + words.And(names)
}

// addSampling adds notes about causes that widen the intervals, or that replace them by bounds.
func (t *reportTable) addSampling(add func(string, ...any)) {
	for i := range t.rows {
		if c := t.rows[i].Figures().Exclusive.Cycle; t.aliased(&t.rows[i]) {
			add("* aliased with the sampling interval: %s repeats every %s, which is %d sampling periods, so samples hit the same points of each repetition. Aliasing widens the confidence interval: record with another sampling interval.",
				t.rows[i].Name(), words.Duration(time.Duration(c.Samples)*t.p.Period), c.Samples)
			break // one example is enough
		}
	}
	if n := t.p.NativeEnds; n > 0 {
		add("Native code ended during the pauses of %s. After such a pause, the next samples are at the same points of the following code. Errors at equal points do not cancel, so the confidence intervals are wider. Record with another sampling interval for a better estimate.",
			words.Count(n, "sample"))
	}
	if slices.ContainsFunc(t.rows, func(r report.Row) bool { return t.bounded(&r) }) {
		add("If a thread both runs and waits between two samples, the trace does not record which method used the CPU. Instead of 95 %% confidence intervals, CPU times therefore have bounds; --clock running prints confidence intervals.")
	}
	if t.p.Sampled() && t.p.Period > 0 && t.p.Unseen >= manyUnseen && t.p.Unseen*float64(t.p.Samples) >= minUnseenSamples {
		limit := ""
		if !t.anyAliased {
			limit = fmt.Sprintf(", each with at most %s", words.Duration(estimate.UnseenSamples*t.p.Period))
		}
		add("An estimated %.0f %% of the time was in methods that no sample contains%s.", 100*t.p.Unseen, limit)
	}
	if s := t.p.Silence; s.Total >= t.p.Span/100 && s.Count > 0 {
		add("Samples are missing for %s in total (%s, the longest %s), usually because ART's sampler waits during garbage collections. Gaps between samples widen the confidence intervals.",
			words.Duration(s.Total), words.Count(s.Count, "gap"), words.Duration(s.Longest))
	}
	if l := t.p.Late; float64(l.Samples) > manyDelayed*float64(l.Of) {
		add("%.0f %% of samples were delayed by CPU contention or garbage collection (by %s on average, %s at most). Delayed samples widen the confidence intervals.",
			100*float64(l.Samples)/float64(max(1, l.Of)), words.Duration(l.Mean), words.Duration(l.Longest))
	}
	if t.p.Unsampled > 0 {
		add("The CPU clocks count %s more CPU time than the samples show, usually because the sampler gets no core until a thread blocks. The trace does not record which methods ran in this CPU time, so the confidence intervals are wider.",
			words.Duration(t.p.Unsampled))
	}
}

// addOverhead adds the tracing overhead that was subtracted.
func (t *reportTable) addOverhead(add func(string, ...any)) {
	switch {
	case t.p.Overhead > 0 && t.p.Sampled():
		native := ""
		if !t.p.Clock.HasCPU() {
			native = " The trace has no CPU clock, so too much is subtracted from native code, which keeps running during samples."
		}
		add("Subtracted sampling overhead: %s; %s.%s", words.Duration(t.p.Overhead), t.p.OverheadText, native)
	case t.p.Overhead > 0 && t.p.Remains > 0:
		add("Subtracted tracing overhead: %s; %s. Another %s cannot be subtracted, because some gaps between events are shorter than the cost of an event.", words.Duration(t.p.Overhead), t.p.OverheadText, words.Duration(t.p.Remains))
	case t.p.Overhead > 0:
		add("Subtracted tracing overhead: %s; %s.", words.Duration(t.p.Overhead), t.p.OverheadText)
	}
}

// addNext adds the next step if the report suggests one.
func (t *reportTable) addNext(add func(string, ...any)) {
	maybeSampled := t.p.Sampled() || t.p.Technique == trace.UnknownTechnique
	if maybeSampled && t.p.Period == 0 && !t.p.NoSamples && !t.counts && t.p.Clock.HasWall() {
		add("For confidence intervals, state the sampling interval of the recording, such as --sampled 1ms.")
	}
	if t.isInstrumented() && t.p.Overhead == 0 && t.info.VM != "" {
		add("Times include tracing overhead, mostly in short methods: --subtract-overhead own subtracts the overhead.")
	}
	if most := t.uncertain(); most > 0 {
		add("Times of up to %s (%s) can be wrong by more than 50 %%. For smaller errors, %s", words.Duration(most), percent(most, t.sum()), t.rerecord())
	}
}

// bounded reports whether a row's CPU time has bounds instead of an interval, because the trace
// does not record which method used the CPU.
func (t *reportTable) bounded(r *report.Row) bool {
	return t.kind == report.CPU && r.Figures().Exclusive.NoCPU
}

// uncertain returns the longest self time of a method with an error that can exceed 50 %; 0 if
// there is none.
func (t *reportTable) uncertain() (most time.Duration) {
	if !t.p.Sampled() || t.p.Period == 0 || t.what != "method" {
		return 0
	}
	for i := range t.rows {
		if own := t.rows[i].Self(t.kind); own.Low < own.Value/2 && !t.aliased(&t.rows[i]) && !t.bounded(&t.rows[i]) {
			most = max(most, own.Value)
		}
	}
	return most
}

// minFaster is the minimum sampling interval of a trace for which sampling every millisecond is
// recommended.
const minFaster = 2 * time.Millisecond

// rerecord returns advice for recording a trace with smaller errors.
func (t *reportTable) rerecord() string {
	canSampleFaster := t.info.VM == "art" && t.p.Interval >= minFaster && !t.p.OfCPU
	switch {
	case t.info.VM == "art" && report.BeginsAtStart(t.symbols):
		sampling, interval := "record more starts of the app", "N"
		if canSampleFaster {
			sampling, interval = "record more starts of the app, sampled every 1 ms", "1000"
		}
		return fmt.Sprintf("%s (adb shell am start -n PACKAGE/ACTIVITY --start-profiler FILE --sampling %s).", sampling, interval)
	case canSampleFaster:
		return "record 4 times as long, or sample every 1 ms (adb shell am profile start --sampling 1000 PACKAGE FILE)."
	}
	return "record 4 times as long."
}
