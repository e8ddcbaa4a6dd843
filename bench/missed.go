package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"artifice/bench/score"
	"artifice/internal/words"
	"artifice/trace"
)

// missedMethod is a method that the goal needs and that a row's traces lack.
type missedMethod struct {
	score.Method
	cells float64 // share of the row's cells that do not have it
}

// missedBy returns the methods that cells of a row miss, those first that most miss.
func missedBy(cells []*cell, r *score.Reference) (list []missedMethod) {
	times := map[trace.MethodID]int{}
	for _, c := range cells {
		for _, id := range c.missed {
			times[id]++
		}
	}
	for id, n := range times {
		if !r.HasMethod(id) {
			continue // the job that r is of was stopped earlier
		}
		list = append(list, missedMethod{r.Method(id), float64(n) / float64(len(cells))})
	}
	slices.SortFunc(list, func(a, b missedMethod) int {
		return cmp.Or(cmp.Compare(b.cells, a.cells), cmp.Compare(b.Running, a.Running), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// enoughGaps is how many gaps between samples a method has to be on the stack for,
// in scattered calls, to be seen with 95 % probability: 1 - exp(-3).
const enoughGaps = 3

// why says why samples that are a gap apart miss the method.
func (m *missedMethod) why(gap time.Duration) string {
	each := m.On / time.Duration(max(1, m.Calls))
	switch {
	case m.Collected > 0.5:
		return "it belongs to the garbage collector, which holds samples up"
	case m.On < enoughGaps*gap:
		return fmt.Sprintf("it is on the stack for %s in all and samples are %s apart", words.Digits(m.On), words.Digits(gap))
	case each < gap:
		return fmt.Sprintf("its calls take %s each, samples are %s apart, and many calls come between the same two", words.Digits(each), words.Digits(gap))
	}
	return "its calls come in step with the samples, or while they are held up"
}

// fewMissed are named; others are counted.
const fewMissed = 3

// missed names, behind a blank, the methods that the way misses where it comes nearest, and why.
func (w *Way) missed(m Measure) string {
	row := w.At
	missed := row.missed
	if m == HottestInOrder {
		missed = slices.DeleteFunc(slices.Clone(missed), func(one missedMethod) bool { return !slices.Contains(w.hottest, one.Name) })
	}
	if m == OverlapRunning || len(missed) == 0 {
		return ""
	}
	gap := time.Duration(0) // between samples of all threads, where there are such
	if period := row.Mean[Period]; row.Interval > 0 && !math.IsNaN(period) {
		gap = time.Duration(period * float64(time.Second))
	}
	var list []string
	for _, m := range missed[:min(fewMissed, len(missed))] {
		s := fmt.Sprintf("%s (%s of the running time", m.Name, inPercent(m.Running))
		if m.cells < 1 {
			s += fmt.Sprintf(", in %s of the traces", inPercent(m.cells))
		}
		s += ")"
		if gap > 0 {
			s += ", because " + m.why(gap)
		}
		list = append(list, s)
	}
	s := " It misses " + strings.Join(list, "; ")
	if more := len(missed) - fewMissed; more > 0 {
		s += fmt.Sprintf("; and %d more", more)
	}
	return s + "."
}

// wrong names, behind a blank, the methods whose share is most wrong.
func (w *Way) wrong() string {
	var list []string
	for _, m := range w.worst {
		list = append(list, fmt.Sprintf("%s (reported %s, truly %s)", m.name, inPercent(m.reported), inPercent(m.truth)))
	}
	if len(list) == 0 {
		return ""
	}
	return " Most wrong are " + strings.Join(list, ", ") + "."
}
