package bench

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestAnswers checks the sentence on the goal: whether a mode meets it, and by which cost modes are
// compared.
func TestAnswers(t *testing.T) {
	overlap := Goal{Measure: OverlapRunning, Wanted: 0.9}
	cheap, cheapest := overlap, Goal{Measure: OverlapRunning, Budget: 0.05}
	cheap.Budget = 0.05
	none := Goal{Measure: HottestInOrder, Wanted: 1, assumed: true}
	rows := func(n int) []ModeAdvice { return make([]ModeAdvice, n) }
	const goal, within = "Goal: at least 90 % of CPU time correctly attributed, in 95 % of traces", ", at a slowdown of at most 1.050"
	for _, c := range []struct {
		a    Advice
		want string
	}{
		{Advice{Goal: overlap, Best: 0}, goal + "."},
		{Advice{Goal: overlap, Best: 0, several: true, Device: "A"}, "Device A. " + goal + "."},
		{Advice{Goal: overlap, Best: -1, Near: -1}, goal + ". No tracer tried can be recommended."},
		{Advice{Goal: overlap, Best: -1, Near: 1}, goal + ". No tracer tried meets the goal."},
		{Advice{Goal: cheap, Best: -1}, goal + within + ". No tracer tried meets the goal within the budget."},
		{Advice{Goal: cheapest, Best: -1}, "Goal: best accuracy at a slowdown of at most 1.050. No tracer tried is within the budget."},
		{Advice{Goal: cheap, Best: 0, byOverhead: true}, goal + ", at a CPU overhead of at most 5 %. Tracers are compared by CPU overhead, because the slowdown is a range."},
		{Advice{Goal: none, Best: 0}, "No goal is set (--goal). One tracer is at least as accurate as every other and costs no more:"},
		{Advice{Goal: none, Best: -1, Modes: rows(0)}, "No recommendation without a goal."},
		{Advice{Goal: none, Best: -1, several: true, Device: "B"}, "Device B. No recommendation without a goal."},
	} {
		if got := c.a.Answer(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestNextStep: the next step is the command of the recommended mode, of the closest one within the
// budget or, without a goal, to set one.
func TestNextStep(t *testing.T) {
	sample := ModeAdvice{At: Row{Mode: ARTSampling.Name, Interval: 5 * msec}}
	within := sample
	within.Within = &Row{Mode: ARTSampling.Name, Interval: 50 * msec}
	calls := ModeAdvice{At: Row{Mode: InstrumentedDual.Name}}
	baseline := ModeAdvice{At: Row{Mode: PoissonSampling.Name, Interval: msec}}
	const start = "; from process start: adb shell am start -n PACKAGE/ACTIVITY --start-profiler FILE"
	for _, c := range []struct {
		a    Advice
		want string
	}{
		{Advice{Best: -1, Near: -1, Goal: AssumedGoal}, "For a recommendation, set --goal hottest, overlap=90, recall=95 or methods=NAME; --budget 5% limits the slowdown."},
		{Advice{Best: -1, Near: -1}, ""},
		{Advice{Best: 1, Modes: []ModeAdvice{sample, calls}}, "Record: adb shell am profile start PACKAGE FILE" + start},
		{Advice{Best: 0, Near: 1, Modes: []ModeAdvice{within, calls}}, "Record: adb shell am profile start --sampling 5000 PACKAGE FILE (Android 8 and later)" + start + " --sampling 5000"},
		{Advice{Best: -1, Near: 0, Modes: []ModeAdvice{within, calls}}, "Record: adb shell am profile start --sampling 50000 PACKAGE FILE (Android 8 and later)" + start + " --sampling 50000"},
		{Advice{Best: -1, Near: 0, Modes: []ModeAdvice{baseline}}, ""},
	} {
		if got := c.a.ToDo(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestNoAdvice: a source that was sampled, or that has only sections, has no advice.
func TestNoAdvice(t *testing.T) {
	for want, r := range map[string]*Result{
		"No recommendation: the source was itself sampled. ":                             {Sampled: true},
		"No recommendation: the source has sections that the app marks, not its calls. ": {Marked: true},
	} {
		got := r.NoAdvice()
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, " Record every call of the app for some seconds (adb shell am profile start PACKAGE FILE, without --sampling) and run bench on that trace.") || r.Advise() != nil {
			t.Errorf("%s; advice %v", got, r.Advise())
		}
	}
	if got := (&Result{}).NoAdvice(); got != "" {
		t.Error(got)
	}
}

// TestAdviceWords checks the parts of a mode's line.
func TestAdviceWords(t *testing.T) {
	tried := ModeAdvice{Shortest: msec, Longest: 20 * msec}
	limited := func(l ...time.Duration) string {
		w := tried
		copy(w.Limit[:], l)
		return w.limits()
	}
	unconfirmed, single := tried, tried
	unconfirmed.Limit, unconfirmed.unconfirmed = [3]time.Duration{msec, msec, msec}, &Row{}
	single.Limit, single.Longest = [3]time.Duration{msec, msec, msec}, msec
	goal, budget := &Advice{Goal: hottest}, &Advice{Goal: Goal{Budget: 0.05}}
	named := Advice{Goal: Goal{Measure: NamedSeen, Wanted: 1}}
	recall := Advice{Goal: Goal{Measure: RecallRunning, Wanted: 0.9}}
	row := Row{Reaching: 0.75, Cells: 4, Interval: msec}
	row.Mean[RecallRunning], row.Mean[OverlapRunning] = 0.95, 0.8
	confirmed := row
	confirmed.confirmed = &confirmation{traces: 8, runs: 2, reaching: 0.5}
	overhead := Row{}
	overhead.Mean[Slowdown], overhead.Mean[CPUOverhead] = 1.25, 0.125
	unknown := overhead
	unknown.Mean[CPUOverhead] = math.NaN()
	for _, c := range []struct{ got, want string }{
		{limited(0, 0, 0), ""}, {unconfirmed.limits(), ""}, {single.limits(), ""},
		{limited(Beyond, msec, Beyond), "; meets the goal at every interval tried, up to 20 ms"},
		{limited(5*msec, 5*msec, 5*msec), "; meets the goal at intervals up to 5 ms"},
		{limited(5*msec, 0, 8*msec), "; meets the goal at intervals up to 5 ms (95 % CI below 1 ms to 8 ms)"},
		{limited(5*msec, 2*msec, Beyond), "; meets the goal at intervals up to 5 ms (95 % CI 2 ms to above 20 ms)"},
		{goal.verdict(&ModeAdvice{blind: true}, true), " has no CPU clock"},
		{goal.verdict(&ModeAdvice{}, true), ""},
		{budget.verdict(&ModeAdvice{}, false), " is over the budget"}, {budget.verdict(&ModeAdvice{Fits: true}, false), " is within the budget"},
		{goal.verdict(&ModeAdvice{Fits: true}, false), " does not meet the goal"}, {goal.verdict(&ModeAdvice{Reached: true}, false), " meets the goal, but exceeds the budget"},
		{goal.verdict(&ModeAdvice{Reached: true, Fits: true}, false), " meets the goal"},
		{goal.value(row), "correct order in 3 of 4 traces"}, {named.value(row), "all seen in 3 of 4 traces"},
		{recall.value(row), "95 % seen (at least 90 % in 3 of 4 traces)"},
		{goal.value(confirmed), "correct order in 3 of 4 traces here, and in 4 of 8 traces of 2 validation runs"},
		{goal.value(Row{Cells: 1, Reaching: 1}), "correct order in every trace"}, {goal.value(Row{Cells: 1}), "correct order in no trace"},
		{(&Advice{}).correct(row), "80 % of CPU time correctly attributed"}, {(&Advice{byCPU: true}).correct(row), "80 % of wall time of methods that do not wait correctly attributed"},
		{(&Advice{}).cost(overhead), "slowdown 1.25"}, {(&Advice{byOverhead: true}).cost(overhead), "slowdown 1.25, CPU overhead 12.5 %"}, {(&Advice{byOverhead: true}).cost(unknown), "slowdown 1.25"},
		{(&ModeAdvice{blind: true}).clock(), " (no CPU clock)"}, {(&ModeAdvice{}).clock(), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
