package diff

import (
	"cmp"
	"math"
	"slices"
)

// correct corrects p-values and intervals for the number of methods tested.
func (d *Diff) correct() {
	d.Tested = d.correctOf(func(m *MethodChange) *Change { return &m.Exclusive })
	d.correctOf(func(m *MethodChange) *Change { return &m.Inclusive })
}

// correctOf corrects the changes of exclusive or inclusive time, and returns the number of methods
// tested. Steady methods are tested only if they are named.
//
// If R of m methods are significant (Benjamini and Hochberg), the intervals have the level
// 1 − 5 % × R/m. They agree with the q-values: an interval excludes 0 exactly when its change is
// significant. At most 5 % of the intervals of significant changes miss the true change. If no
// change is significant, R is 1, which is Bonferroni's correction.
//
// Source: Benjamini and Yekutieli, False Discovery Rate-Adjusted Multiple Confidence Intervals
// for Selected Parameters, JASA 100 (2005).
func (d *Diff) correctOf(change func(*MethodChange) *Change) (tested int) {
	p := make([]float64, len(d.Methods))
	for i := range d.Methods {
		c := change(&d.Methods[i])
		if p[i] = c.P; c.Steady && !d.Named {
			p[i] = math.NaN()
		}
	}
	significant := 0
	for i, q := range falseDiscovery(p) {
		c := change(&d.Methods[i])
		if c.Q = q; !math.IsNaN(q) {
			tested++
		}
		if c.IsSignificant() {
			significant++
		}
	}
	alpha := Significant * float64(max(1, significant)) / float64(max(1, tested))
	for i := range d.Methods {
		change(&d.Methods[i]).setInterval(alpha)
	}
	return tested
}

// falseDiscovery returns the q-values of p-values (Benjamini and Hochberg): at most 5 % of the
// changes with q ≤ 5 % are false discoveries. NaN is not tested.
func falseDiscovery(p []float64) []float64 {
	var order []int
	q := make([]float64, len(p))
	for i := range p {
		if q[i] = math.NaN(); !math.IsNaN(p[i]) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	least := 1.0
	for rank := len(order); rank > 0; rank-- {
		i := order[rank-1]
		least = min(least, p[i]*float64(len(order))/float64(rank))
		q[i] = least
	}
	return q
}
