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

// Headline returns the lines above the answer: a warning if a side has a single trace, the compared
// times and the test, and how traces are compared that tracing slowed differently.
func (t *Changes) Headline() string {
	d := t.Diff
	head := ""
	switch {
	case d.Basis == Runs:
	case d.OldTraces == 1 && d.NewTraces == 1:
		head = "1 trace of each build: differences may be noise between runs; record at least 5 of each.\n"
	default:
		head = "1 trace of one build: differences may be noise between runs; record at least 5 of each.\n"
	}
	head += fmt.Sprintf("%s before, %d after; ", words.Count(d.OldTraces, "trace"), d.NewTraces)
	if d.Threads != "" {
		head += d.Threads + ", "
	}
	head += fmt.Sprintf("%s, %s", t.clockName(), t.testing())
	if d.Basis == Runs && d.Test == MannWhitney {
		head += "\nIntervals are from Welch's test and q is from ranks, so they can disagree."
	}
	return head + t.unlike()
}

// testing returns the number of methods tested, with the test.
func (t *Changes) testing() string {
	d := t.Diff
	methods := fmt.Sprintf("%d of %s tested", d.Tested, words.Count(len(d.Methods), "method"))
	if d.Named {
		methods = "1 method tested"
	}
	correction := ", FDR 5 %"
	if d.Named {
		correction = ", no correction"
	}
	switch {
	case d.Basis == Runs:
		return fmt.Sprintf("%s (%s%s)", methods, d.Test, correction)
	case d.Basis == Sampling:
		return fmt.Sprintf("%s (sampling error only%s)", methods, correction)
	case d.Quantity.IsSet():
		return words.Count(len(d.Methods), "method") + " (no test: a profile of this value does not count samples; record several of each build)"
	case d.NoPeriod:
		return words.Count(len(d.Methods), "method") + " (no test: the sampling period of a trace is unknown)"
	}
	return words.Count(len(d.Methods), "method") + " (every call recorded: no sampling error)"
}

// unlike returns the lines on traces that tracing slowed differently; empty if it did not.
func (t *Changes) unlike() string {
	d := t.Diff
	how := ""
	switch d.Unlike {
	case Alike:
		return ""
	case Intervals:
		how = fmt.Sprintf("Sampling periods differ (%s)", words.Between(d.Shortest, d.Longest))
	case CallsAndSamples:
		how = "Some traces are sampled, others contain every call, and recording every call lengthens short methods and their callers"
	}
	if !d.Shares {
		return "\n" + how + ": the changes include the difference in tracing overhead."
	}
	if d.Unlike == TimesOfCPU {
		return "\n" + t.ofCPU()
	}
	if !t.Clock.HasWall() {
		return "\n" + how + ". Methods are compared by their shares of CPU time, scaled to the total of the old traces."
	}
	return "\n" + how + ". Methods are compared by their shares of running time (wall time of methods that do not wait), scaled to the total of the old traces. Waiting methods are not tested."
}

// ofCPU returns how traces sampled by CPU time are compared with others.
func (t *Changes) ofCPU() string {
	const some = "Some traces are sampled by CPU time, which excludes waiting threads, others are not: "
	if t.Clock.HasWall() {
		return some + "shares of CPU time are compared with shares of running time (wall time of methods that do not wait), scaled to the total of the old traces. Running time includes waits for a core, CPU time does not."
	}
	return some + "shares of CPU time are compared, scaled to the total of the old traces. Waiting methods are not compared. CPU time of the other traces is omitted between two samples if the thread waited in between, because its method is unknown. --clock wall compares running time instead and tests more methods."
}

// answer returns the line after the headline: how many methods changed, and the total of all
// methods.
func (t *Changes) answer() string {
	n := 0
	for i := range t.Diff.Methods {
		if t.Certain(&t.Diff.Methods[i]) {
			n++
		}
	}
	text := words.Count(n, "significant change") + "."
	switch {
	case t.Diff.Basis == Nothing && n == 0:
		text = "No difference."
	case t.Diff.Basis == Nothing:
		text = words.Count(n, "difference") + "."
	case n == 0:
		text = "No significant change."
	}
	if t.Diff.Shares {
		return text
	}
	total := "Total"
	if t.Diff.Named {
		total = "All methods:"
	}
	return fmt.Sprintf("%s %s %s → %s (%s).", text, total, t.amount(t.Diff.OldTotal), t.amount(t.Diff.NewTotal), t.signed(t.Diff.NewTotal-t.Diff.OldTotal))
}

// notes returns the lines below the table: omitted rows and threads, the minimum detectable change
// and, last, the next step.
func (t *Changes) notes() (notes []string) {
	if t.More > 0 {
		notes = append(notes, fmt.Sprintf("%s: --top 0 lists all.", words.Count(t.More, "more method")))
	}
	if t.Diff.Others > 0 {
		notes = append(notes, fmt.Sprintf("%s not compared: --thread NAME or --thread %s.", words.Count(t.Diff.Others, "other thread"), report.AllThreads))
	}
	largest, median := t.tested()
	if detectable := t.detectable(largest, median); detectable != "" {
		notes = append(notes, detectable)
	}
	if t.Diff.Quantity.IsSet() {
		return notes
	}
	return append(notes, t.advice(largest, median))
}

// tested returns the tested method with the longest old time, and the median one. Methods that wait
// count only if no others are tested, because changes of a wait are rarely of interest. Both are
// nil if no method is tested.
func (t *Changes) tested() (largest, median *MethodChange) {
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
	if run := slices.DeleteFunc(slices.Clone(tested), func(m *MethodChange) bool { return m.Waits }); len(run) > 0 {
		tested = run
	}
	return tested[0], tested[len(tested)/2]
}

// detectableShare returns the minimum detectable change of a method, as a share of its old time.
func (t *Changes) detectableShare(m *MethodChange) float64 {
	return float64(t.Of(m).MinimumDetectable(t.Diff.Tested)) / float64(t.Of(m).Old)
}

// detectable returns the line on the minimum detectable change of the largest and the median tested
// method; empty if the errors are unknown.
func (t *Changes) detectable(largest, median *MethodChange) string {
	if largest == nil || t.Diff.Basis == Nothing {
		return ""
	}
	condition := ""
	if t.Diff.Basis == Sampling {
		condition = " without between-run variance"
	}
	text := fmt.Sprintf("Minimum detectable change%s (80 %% power): %s in %s", condition, detectablePercent(t.detectableShare(largest)), largest.Name)
	if largest != median {
		text += ", " + detectablePercent(t.detectableShare(median)) + " in the median method"
	}
	return text + "."
}

// detectablePercent formats a minimum detectable change in percent, with at least two digits.
func detectablePercent(share float64) string {
	switch {
	case share >= maxDetectable:
		return fmt.Sprintf("above %s %%", words.Integer(100*maxDetectable))
	case share >= 0.1:
		return fmt.Sprintf("%s %%", words.Integer(int64(math.Round(100*share))))
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

// goals are the changes that the advice aims at, as shares of a method's time.
var goals = []float64{0.1, 0.05, 0.02, 0.01}

// advice returns the next step: how many traces detect the next smaller goal.
func (t *Changes) advice(largest, median *MethodChange) string {
	if t.Diff.Basis != Runs {
		return "artifice plan estimates how many traces detect a given change."
	}
	if largest == nil {
		if t.Diff.Named && t.Diff.Tested == 0 {
			return "The method has too few samples to be tested: record longer traces, or more of each build."
		}
		return "Runs do not vary: more traces would not change the result."
	}
	m := largest
	if t.detectableShare(largest) <= goals[0] {
		m = median
	}
	i := slices.IndexFunc(goals, func(goal float64) bool { return goal < t.detectableShare(m) })
	if i < 0 {
		return "More traces would only detect changes below 1 %."
	}
	name := m.Name
	if m != largest {
		name = "the median method"
	}
	goal := fmt.Sprintf("To detect +%.0f %% in %s", 100*goals[i], name)
	if n := t.tracesFor(t.Of(m), goals[i]); n <= maxTraces {
		return fmt.Sprintf("%s: %d traces of each build (artifice plan).", goal, n)
	}
	return fmt.Sprintf("%s: longer traces, as %s of each build do not suffice.", goal, words.Integer(maxTraces))
}

// maxTraces is the largest number of traces a side that is advised.
const maxTraces = 1000

// tracesFor returns the number of traces a side that detect a change with 80 % power, given as a
// share of the old time; maxTraces+1 if maxTraces do not suffice. The old side is assumed to vary
// as the traces read.
func (t *Changes) tracesFor(c *Change, share float64) int {
	deviation := c.medianError() / math.Sqrt(1/float64(t.Diff.OldTraces)+1/float64(t.Diff.NewTraces))
	return 2 + sort.Search(maxTraces-1, func(i int) bool {
		n := float64(2 + i)
		return deviation*math.Sqrt(2/n)*detectableErrors(2*n-2, t.Diff.Tested)*c.growth(share) <= share*float64(c.Old)
	})
}
