package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/internal/words"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
)

// notes are the lines below the table: what it leaves open, and what to do about it.
func (t *reportTable) notes() (notes []string) {
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if more := len(t.all) - len(t.rows); more > 0 {
		add("%d more: --top 0 lists all.", more)
	}
	t.addHottest(add)
	t.addUncertain(add)
	for i := range t.rows {
		if c := t.rows[i].Figures().Exclusive.Cycle; t.inStep(&t.rows[i]) {
			add("* is in step with the sampler: %s comes again after %s (%d samples). Its interval is wider for that; a trace with another interval would tell more.",
				t.rows[i].Name(), words.Digits(time.Duration(c.Samples)*t.p.Period), c.Samples)
			break // one is enough to be warned
		}
	}
	if slices.ContainsFunc(t.rows, func(r report.Row) bool { return t.bounded(&r) }) {
		add("Where a thread waits between two samples, the trace does not tell which method used the CPU: such times have bounds, and no interval. --clock running has intervals.")
	}
	if t.p.Sampled() && t.p.Period > 0 {
		most := ""
		if !t.anyInStep {
			most = fmt.Sprintf("; each of these ran for at most %s", words.Digits(estimate.UnseenSamples*t.p.Period))
		}
		add("About %.1f %% of the time is in methods that no sample met%s.", 100*t.p.Unseen, most)
	}
	if s := t.p.Silence; s.Total >= t.p.Span/100 && s.Count > 0 {
		add("No samples were taken for %s in all, %d times, the longest %s long, as happens while ART's sampler waits for the garbage collector; the intervals are wider because of it.",
			words.Digits(s.Total), s.Count, words.Digits(s.Longest))
	}
	if l := t.p.Late; l.Samples > 0 {
		add("%s, as happens where it has to wait for a core; when it comes then depends on what the app does, and the intervals are wider because of it.", sentence(l.String()))
	}
	if t.p.Unsampled > 0 {
		add("Threads used %s more CPU time than samples show them running, as happens where the sampler waits for a core until a thread begins to wait; which methods ran then the trace does not tell, and each interval has room for it.",
			words.Digits(t.p.Unsampled))
	}
	if t.p.Hidden > 0 {
		add("The stacks of %s (%s) were not walked to the end, for the reasons in rows ERROR: any method may be among the callers that are missing. Times with calls can be longer by as much, and their intervals (--csv) have room for it.",
			words.Digits(t.p.Hidden), percent(t.p.Hidden, t.sum()))
	}
	if maybe := t.p.Sampled() || t.p.Technique == trace.UnknownTechnique; maybe && t.p.Period == 0 && !t.p.NoSamples && !t.counts && t.p.Clock.HasWall() {
		add("To get intervals, state how often it was sampled: --sampled 1ms, if that is what the sampler was asked for.")
	}
	if t.p.Overhead > 0 && t.p.Sampled() {
		more := ""
		if !t.p.Clock.HasCPU() {
			more = " Of native code that is too much, as it goes on in a sample."
		}
		add("%s are subtracted, which samples took from what ran.%s", words.Digits(t.p.Overhead), more)
	} else if t.p.Overhead > 0 {
		add("%s of the tracer's cost subtracted; %s more would be below zero somewhere.", words.Digits(t.p.Overhead), words.Digits(t.p.Remains))
	}
	if t.p.LeftOut > 0 && t.kind != report.CPU {
		add("Frames open at the end go on for %s after their threads' last events, to the stop: --until stop counts it.", words.Digits(t.p.LeftOut))
	}
	if t.isInstrumented() && t.p.Overhead == 0 && t.info.VM != "" {
		add("The tracer's own cost is in these times, most in short methods: --subtract-overhead header takes it out as far as it is known.")
	}
	if c := t.threads; c != nil && c.Part() {
		add("%s ran: --thread NAME, --thread %s.", otherThreads(c.OthersRan, len(c.All)-len(c.Kept)), report.AllThreads)
	}
	return notes
}

// otherThreads says how many of the threads that are not listed there are.
func otherThreads(some, all int) string {
	if some == all {
		return words.Count(all, "other thread")
	}
	return fmt.Sprintf("%d of the other %d threads", some, all)
}

// sentence returns a text with a capital letter first.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func (t *reportTable) isInstrumented() bool {
	return t.p.Technique == trace.Instrumented && t.info.ClockOverhead > 0
}

// addHottest says how sure it is that the first method is the one with the most time, where
// that is not certain.
func (t *reportTable) addHottest(add func(string, ...any)) {
	if !t.p.Sampled() || t.p.Period == 0 || len(t.rows) < 2 || t.what != "method" || t.rows[0].Self(t.kind).Value == 0 {
		return
	}
	var times []estimate.Time
	for i := range t.rows {
		if t.bounded(&t.rows[i]) {
			return
		}
		if t.rows[i].WalkEnd() == "" {
			times = append(times, t.rows[i].Self(t.kind))
		}
	}
	if p := report.Hottest(times); p < 0.99 {
		add("%s is the hottest with a probability of %.0f %%.", t.rows[0].Name(), 100*p)
	}
}

// bounded reports whether a row's ends are bounds, for the trace does not tell whose CPU time
// some is, and no interval.
func (t *reportTable) bounded(r *report.Row) bool {
	return t.kind == report.CPU && r.Figures().Exclusive.NoCPU
}

// addUncertain says up to which time a method's can be off by half, and what recording would
// tell more.
func (t *reportTable) addUncertain(add func(string, ...any)) {
	if !t.p.Sampled() || t.p.Period == 0 || t.what != "method" {
		return
	}
	var most time.Duration
	for i := range t.rows {
		if own := t.rows[i].Self(t.kind); own.Low < own.Value/2 && !t.inStep(&t.rows[i]) && !t.bounded(&t.rows[i]) {
			most = max(most, own.Value)
		}
	}
	if most == 0 {
		return
	}
	longer := "record 4 times as long"
	if t.info.VM == "art" && t.p.Period >= 2*time.Millisecond && !t.p.OfCPU {
		longer += " or every millisecond (adb shell am profile start --sampling 1000 PACKAGE FILE)"
	}
	add("Times up to %s (%s) can be off by half or more. To tell such methods apart, %s.", words.Digits(most), percent(most, t.sum()), longer)
}
