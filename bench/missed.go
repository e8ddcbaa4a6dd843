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

// missedMethod is a method that the goal requires and that traces of a row miss.
type missedMethod struct {
	score.Method
	cells float64 // share of the row's cells that miss it
}

// missedBy returns the methods that cells of a row miss, in descending order of the number of
// cells.
func missedBy(cells []*cell, r *score.Reference) (list []missedMethod) {
	times := map[trace.MethodID]int{}
	for _, c := range cells {
		for _, id := range c.missed {
			times[id]++
		}
	}
	for id, n := range times {
		if !r.HasMethod(id) {
			continue // the job of r was stopped earlier
		}
		list = append(list, missedMethod{r.Method(id), float64(n) / float64(len(cells))})
	}
	slices.SortFunc(list, func(a, b missedMethod) int {
		return cmp.Or(cmp.Compare(b.cells, a.cells), cmp.Compare(b.Running, a.Running), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// minGaps is the total time of scattered calls, in gaps between samples, from which a method is
// seen with 95 % probability: 1 - exp(-3).
const minGaps = 3

// why returns the reason for which samples with this gap miss the method.
func (m *missedMethod) why(gap time.Duration) string {
	each := m.On / time.Duration(max(1, m.Calls))
	switch {
	case m.Collected > 0.5:
		return "part of the garbage collector, which delays samples"
	case m.On < minGaps*gap:
		return fmt.Sprintf("%s on the stack in total, samples are %s apart", words.Duration(m.On), words.Duration(gap))
	case each < gap:
		return fmt.Sprintf("calls of %s that cluster between samples %s apart", words.Duration(each), words.Duration(gap))
	}
	return "its calls are aliased with the sampling interval, or occur while samples are delayed"
}

// shortName returns the class and the name of a method, without the package.
func shortName(name string) string {
	if i := strings.LastIndex(name, "."); i >= 0 {
		return name[strings.LastIndex(name[:i], ".")+1:]
	}
	return name
}

// fewMissed is the number of methods that are named; the others are counted.
const fewMissed = 3

// missed names the methods that the mode misses at its closest interval, with reasons; "" for goals
// that are not about methods.
func (w *ModeAdvice) missed(m Measure) string {
	row := w.At
	missed := row.missed
	if m == HottestInOrder {
		missed = slices.DeleteFunc(slices.Clone(missed), func(one missedMethod) bool { return !slices.Contains(w.hottest, one.Name) })
	}
	if m == OverlapRunning || len(missed) == 0 {
		return ""
	}
	gap := time.Duration(0) // between samples of all threads; 0 for samplers of single threads
	if period := row.Mean[Period]; row.Interval > 0 && !math.IsNaN(period) {
		gap = time.Duration(period * float64(time.Second))
	}
	var list []string
	for _, m := range missed[:min(fewMissed, len(missed))] {
		s := fmt.Sprintf("%s (%s of CPU time", shortName(m.Name), inPercent(m.Running))
		if m.cells < 1 {
			s += fmt.Sprintf(", in %s of traces", inPercent(m.cells))
		}
		if gap > 0 {
			s += ": " + m.why(gap)
		}
		s += ")"
		list = append(list, s)
	}
	s := "misses " + strings.Join(list, ", ")
	if more := len(missed) - fewMissed; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// wrong names the methods with the largest errors of their shares.
func (w *ModeAdvice) wrong() string {
	var list []string
	for _, m := range w.worst {
		list = append(list, fmt.Sprintf("%s %s instead of %s", shortName(m.name), inPercent(m.reported), inPercent(m.truth)))
	}
	if len(list) == 0 {
		return ""
	}
	return "largest errors in shares of the time: " + strings.Join(list, ", ")
}
