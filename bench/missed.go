package bench

import (
	"cmp"
	"fmt"
	"slices"
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
