package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"artifice/internal/words"
	"artifice/report"
)

// Headline says what is compared, and what the errors are from.
func (t *Changes) Headline() string {
	d := t.Diff
	head := fmt.Sprintf("%s before, %s after; ", words.Count(d.OldTraces, "trace"), words.Count(d.NewTraces, "trace"))
	if d.Threads != "" {
		head += d.Threads + ", "
	}
	head += t.clockName() + " time; "
	switch {
	case d.Named:
		head += "one method, tested by itself"
	case d.Basis == Nothing:
		head += words.Count(len(d.Methods), "method")
	default:
		head += fmt.Sprintf("%s, %d tested", words.Count(len(d.Methods), "method"), d.Tested)
	}
	switch {
	case d.Basis == Runs:
		head += " against the variation between runs (" + d.Test.String() + ")"
	case d.Basis == Sampling:
		head += " against the error of sampling alone"
	case d.NoPeriod:
		head += "; no errors, as it is not known how often a side was sampled"
	default:
		head += "; no error of sampling, as every call was recorded"
	}
	if d.Basis == Runs && d.Test == MannWhitney {
		head += "\nThe intervals are of Welch's test, and q is of the ranks: they can disagree."
	}
	return head + t.unlike()
}

// unlike says that tracing slowed the traces differently, and how that is dealt with.
func (t *Changes) unlike() string {
	d := t.Diff
	how := ""
	switch d.Unlike {
	case Alike:
		return ""
	case Intervals:
		how = fmt.Sprintf("Sampled at different intervals, %s to %s", words.Digits(d.Shortest), words.Digits(d.Longest))
	case CallsAndSamples:
		how = "Some traces are sampled, others have every call, which makes short methods and their callers look longer"
	}
	if !d.Shares {
		return "\n" + how + ": what tracing costs at one and not at the other is in the changes."
	}
	if d.Unlike == TimesOfCPU {
		return "\n" + t.ofCPU()
	}
	share := "running time; methods that wait are not tested"
	if !t.Clock.HasWall() {
		share = "CPU time"
	}
	return "\n" + how + ": compared by shares of the " + share + ". Times are those of the old side's share."
}

// ofCPU says what is compared of traces that were sampled by CPU time and others, and what is not.
func (t *Changes) ofCPU() string {
	const some = "Some traces were sampled by CPU time, in which a thread that waits has no part, others were not: "
	if t.Clock.HasWall() {
		return some + "the running time of these, less methods that wait, is compared with the CPU time of those, by shares. Times are those of the old side's share. Where cores are short, running is longer than CPU time."
	}
	return some + "CPU time is compared, which both know, by shares; waiting is left out, and where a thread waited between two samples of the others, whose the CPU time is. Times are those of the old side's share. --clock wall compares the running time of the others instead, and tests more methods."
}

// notes are the lines below the table: what it leaves open and, in the last, what to do next.
func (t *Changes) notes() (notes []string) {
	if t.More > 0 {
		notes = append(notes, fmt.Sprintf("%d more; --top 0 lists all", t.More))
	}
	if !slices.ContainsFunc(t.Diff.Methods, func(m MethodChange) bool { return t.Certain(&m) }) {
		notes = append(notes, noChange)
	}
	if !t.Diff.Shares {
		notes = append(notes, t.sum())
	}
	if t.Diff.Others > 0 {
		notes = append(notes, fmt.Sprintf("%s ran, too: --thread NAME, --thread %s.", words.Count(t.Diff.Others, "other thread"), report.AllThreads))
	}
	first, middle := t.tested()
	if seen := t.seen(first, middle); seen != "" {
		notes = append(notes, seen)
	}
	return append(notes, t.advice(first, middle))
}

// noChange is the line of a table in which nothing changed for certain.
const noChange = "no significant change"

// sum is the time of all methods together.
func (t *Changes) sum() string {
	return fmt.Sprintf("all methods: %s before, %s after, %s", words.Digits(t.Diff.OldTotal), words.Digits(t.Diff.NewTotal), signed(t.Diff.NewTotal-t.Diff.OldTotal))
}

// tested returns the method with the most time of those that were tested, and the middle one, of methods that
// run if there are any: nobody looks for a change of a wait. nil: there is none.
func (t *Changes) tested() (first, middle *MethodChange) {
	var tested []*MethodChange
	for i := range t.Diff.Methods {
		if c := t.Of(&t.Diff.Methods[i]); !math.IsNaN(c.Q) && c.toZero() > 0 && c.Old > 0 {
			tested = append(tested, &t.Diff.Methods[i])
		}
	}
	if len(tested) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(tested, func(a, b *MethodChange) int { return cmp.Compare(t.Of(b).Old, t.Of(a).Old) })
	if run := slices.DeleteFunc(slices.Clone(tested), func(m *MethodChange) bool { return m.symbol().Waits() }); len(run) > 0 {
		tested = run
	}
	return tested[0], tested[len(tested)/2]
}

// seenShare is the smallest change of a method that would have been found, as a share of its time.
func (t *Changes) seenShare(m *MethodChange) float64 {
	return float64(t.Of(m).Seen(t.Diff.Tested)) / float64(t.Of(m).Old)
}

// seen says how small a change would have been found in the method with the most time, and in the
// middle one of those that were tested; "" where no error is known.
func (t *Changes) seen(first, middle *MethodChange) string {
	if first == nil || t.Diff.Basis == Nothing {
		return ""
	}
	text := fmt.Sprintf("%s in %s would have been found in 80 of 100 such comparisons", orNone("A change of ", t.seenShare(first), "No change"), first.Name)
	if first != middle {
		text += fmt.Sprintf(", and %s in the middle method", orNone("of ", t.seenShare(middle), "none"))
	}
	if t.Diff.Basis == Sampling {
		text += ", if runs of the app did not vary"
	}
	return text + "."
}

// orNone is a share behind of, or none where no change would have been found.
func orNone(of string, share float64, none string) string {
	if share < mostSeen {
		return of + twoDigits(share)
	}
	return none
}

// twoDigits is a share in percent with two digits at least.
func twoDigits(share float64) string {
	if share >= 0.1 {
		return fmt.Sprintf("%.0f %%", 100*share)
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

// goals are changes that people look for, as shares of a method's time.
var goals = []float64{0.1, 0.05, 0.02, 0.01}

// advice says whether to record more, and how much.
func (t *Changes) advice(first, middle *MethodChange) string {
	if t.Diff.Basis != Runs {
		return "One trace a side does not show how much runs of an app vary: record five of each, and give all."
	}
	if first == nil {
		if t.Diff.Named && t.Diff.Tested == 0 {
			return "The method has too few samples to be tested: record for longer, or more traces a side."
		}
		return "Recording more would tell nothing: runs do not vary."
	}
	m := first
	if t.seenShare(first) <= goals[0] {
		m = middle
	}
	i := slices.IndexFunc(goals, func(goal float64) bool { return goal < t.seenShare(m) })
	if i < 0 {
		return "That is enough: more traces would find changes of less than 1 % only."
	}
	name := m.Name
	if m != first {
		name = "the middle method"
	}
	goal := fmt.Sprintf("To find a change of %.0f %% in %s", 100*goals[i], name)
	if n := t.tracesFor(t.Of(m), goals[i]); n <= mostTraces {
		return fmt.Sprintf("%s, record %d traces a side.", goal, n)
	}
	return fmt.Sprintf("%s, %d traces a side are too few: record for longer.", goal, mostTraces)
}

// mostTraces is up to how many traces a side are advised.
const mostTraces = 1000

// tracesFor returns how many traces a side find a change of a share of the old time in 80 of 100
// comparisons; mostTraces+1: more. The traces of the old side vary as those here do.
func (t *Changes) tracesFor(c *Change, share float64) int {
	deviation := c.middleError() / math.Sqrt(1/float64(t.Diff.OldTraces)+1/float64(t.Diff.NewTraces))
	return 2 + sort.Search(mostTraces-1, func(i int) bool {
		n := float64(2 + i)
		return deviation*math.Sqrt(2/n)*seenErrors(2*n-2, t.Diff.Tested)*c.growth(share) <= share*float64(c.Old)
	})
}
