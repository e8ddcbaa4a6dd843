package coverage

import "math"

// callRows compares the numbers of calls in a trace with the truth: the reported number, a lower
// bound, and the extrapolation from thinned samples.
func callRows(t *truth, seen [][]claims) []Row {
	bound, thinned := Row{Time: Calls, Rule: AtLeast}, Row{Time: Calls, Rule: Thinned}
	subjects := map[int]bool{}
	var reported, made float64
	for _, list := range seen {
		held, bounds, heldThinned, claimed := 0, 0, 0, 0
		for i := range list {
			c := &list[i]
			if c.calls.Reported == 0 {
				continue
			}
			subjects[c.subject] = true
			bounds++
			reported += float64(c.calls.Reported)
			made += float64(t.calls[c.subject])
			if c.calls.Reported <= t.calls[c.subject] {
				held++
			}
			if low, high, ok := followBack(c.calls.Begins); ok && c.inclusive.Cycle == nil {
				claimed++
				if n := float64(t.outermost[c.subject]); low <= n && n <= high {
					heldThinned++
				}
			}
		}
		bound.add(held, bounds)
		thinned.add(heldThinned, claimed)
	}
	bound.Methods, thinned.Methods = len(subjects), len(subjects)
	bound.finish()
	thinned.finish()
	none := math.NaN()
	thinned.Width = [3]float64{none, none, none}
	bound.Width = [3]float64{none, reported / made, none}
	return []Row{bound, thinned}
}

// The conditions that followBack requires.
const (
	enoughRuns = 200
	leastAlike = 0.4  // of neighbouring samples with the same call: e^−x
	misfit     = 0.02 // of the thinnings, relative to the number of runs
)

// followBack extrapolates the number of runs at 2, 3 and 4 times the interval to interval 0, where
// it equals the number of calls. If calls and gaps have exponential lengths, n(kT)/n(0) =
// (1−e^−kx)/kx: each further sample adds e^−x times the addition of the previous one. The 95 %
// interval contains the error of counting and of e^−x, widened by the deviation of the thinnings
// from the form.
func followBack(begins [4]float64) (low, high float64, ok bool) {
	n := begins[0]
	if n < enoughRuns {
		return 0, 0, false
	}
	var added [4]float64
	for i := 1; i < len(added); i++ {
		added[i] = (float64(i+1)*begins[i] - float64(i)*begins[i-1]) / n
	}
	alike := added[1]
	wrong := max(math.Abs(added[2]-alike*alike), math.Abs(added[3]-alike*alike*alike))
	if alike < leastAlike || alike > 0.999 || wrong > misfit {
		return 0, 0, false
	}
	margin := 1.96*1.5*math.Sqrt(alike*(1-alike)/n) + wrong
	calls := func(alike float64) float64 {
		alike = min(max(alike, 1e-3), 0.9999)
		return n * -math.Log(alike) / (1 - alike)
	}
	counted := 1.96 * math.Sqrt(n)
	return calls(alike+margin) - counted, calls(alike-margin) + counted, true
}
