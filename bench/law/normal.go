package law

import (
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// certain is by how many standard deviations a normal variable is above or below a value for
// certain: what is left is less than the table is off.
const certain = 7

// normalSteps are the places of the table in a standard deviation.
const normalSteps = 128

// normalTable is the standard normal distribution at places from -certain to certain.
type normalTable [2*certain*normalSteps + 1]struct{ cdf, slope float64 } // slope: for a step

// normal is the table, which is made when it is first needed.
var normal = sync.OnceValue(func() *normalTable {
	var table normalTable
	for i := range table {
		z := float64(i)/normalSteps - certain
		table[i].cdf, table[i].slope = distuv.UnitNormal.CDF(z), distuv.UnitNormal.Prob(z)/normalSteps
	}
	return &table
})

// cdf returns the probability that a standard normal variable is below z, in a tenth of the time
// that distuv.UnitNormal.CDF takes: by a cubic between two places that has their values and slopes.
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

// below returns the probability that a variable of this mean and standard deviation is below a
// value.
func (n *normalTable) below(value, mean, deviation float64) float64 {
	if deviation > 0 {
		return n.cdf((value - mean) / deviation)
	}
	if value > mean {
		return 1
	}
	return 0
}
