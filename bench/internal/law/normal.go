package law

import (
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// certain is a number of standard deviations beyond which the tail of the normal distribution is
// smaller than the error of the table.
const certain = 7

// normalSteps is the number of table entries per standard deviation.
const normalSteps = 128

// normalTable is the standard normal distribution at equally spaced points from -certain to certain,
// with the slope per step of the table.
type normalTable [2*certain*normalSteps + 1]struct{ cdf, slope float64 }

// normal is the table. It is computed when it is first needed.
var normal = sync.OnceValue(func() *normalTable {
	var table normalTable
	for i := range table {
		z := float64(i)/normalSteps - certain
		table[i].cdf, table[i].slope = distuv.UnitNormal.CDF(z), distuv.UnitNormal.Prob(z)/normalSteps
	}
	return &table
})

// cdf returns the probability that a standard normal variable is below z, in a tenth of the time of
// distuv.UnitNormal.CDF. It interpolates between two table entries by a cubic with their values and
// slopes.
//
// Source: the error of Hermite's cubic is at most h⁴/384 times the greatest fourth derivative,
// which is 1.4: with h = 1/128 less than 2e-11.
func (n *normalTable) cdf(z float64) float64 {
	x := (z + certain) * normalSteps
	if !(x > 0) {
		return 0
	}
	if x >= float64(len(n)-1) {
		return 1
	}
	i := int(x)
	a, b, t := &n[i], &n[i+1], x-float64(i)
	rise := b.cdf - a.cdf
	return a.cdf + t*(a.slope+t*(3*rise-2*a.slope-b.slope+t*(a.slope+b.slope-2*rise)))
}

// below returns the probability that a normal variable with this mean and standard deviation is
// below a value.
func (n *normalTable) below(value, mean, deviation float64) float64 {
	if deviation > 0 {
		return n.cdf((value - mean) / deviation)
	}
	if value > mean {
		return 1
	}
	return 0
}
