package report

import (
	"math"
	"slices"
	"strconv"
)

// axis is one axis of a chart. Its range, unless it is given, is that of what is
// drawn.
type axis struct {
	title     string
	log       bool
	low, high float64              // both 0: not given
	ticks     []tick               // nil: chosen from the range
	format    func(float64) string // of chosen ticks
}

// tick is a labelled place on an axis.
type tick struct {
	value float64
	label string
}

// cover gives the axis a range that has all values.
func (a *axis) cover(values []float64) {
	if a.low != 0 || a.high != 0 || len(values) == 0 {
		return
	}
	a.low, a.high = slices.Min(values), slices.Max(values)
}

// place returns where a value lies between the ends of the axis, from 0 to 1.
func (a *axis) place(v float64) float64 {
	low, high := a.low, a.high
	if a.log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	if high == low {
		return 0.5
	}
	return (v - low) / (high - low)
}

// marks returns the ticks that lie on the axis.
func (a *axis) marks() []tick {
	switch {
	case a.ticks != nil:
		return a.ticks
	case a.high <= a.low:
		return []tick{{a.low, a.format(a.low)}}
	case a.log:
		return a.decades()
	}
	return a.even()
}

// even returns the fewest ticks at multiples of 1, 2 or 5 times a power of ten that
// divide a linear axis into four parts or more.
func (a *axis) even() (list []tick) {
	const rounding = 1e-9
	span := a.high - a.low
	power := math.Floor(math.Log10(span))
	parts, exponent := 1., power
	for _, s := range [][2]float64{{5, power - 1}, {2, power - 1}, {1, power - 1}} {
		if span/scaled(parts, exponent) >= 4-rounding {
			break
		}
		parts, exponent = s[0], s[1]
	}
	step := scaled(parts, exponent)
	for i := math.Ceil(a.low/step - rounding); i*step <= a.high+rounding*span; i++ {
		v := scaled(i*parts, exponent) // 3 x 0.1 is not 0.3, but 3 / 10 is
		list = append(list, tick{v, a.format(v)})
	}
	return list
}

// scaled is v times a power of ten, rounded once.
func scaled(v, exponent float64) float64 {
	if exponent < 0 {
		return v / math.Pow(10, -exponent)
	}
	return v * math.Pow(10, exponent)
}

// decades returns the powers of ten on a logarithmic axis and, where these are few,
// their doubles and fives.
func (a *axis) decades() (list []tick) {
	factors := []float64{1, 2, 5}
	if a.high/a.low > 500 {
		factors = factors[:1]
	}
	for e := math.Floor(math.Log10(a.low)); e <= math.Log10(a.high); e++ {
		for _, f := range factors {
			if v := scaled(f, e); v >= a.low*(1-1e-9) && v <= a.high*(1+1e-9) {
				list = append(list, tick{v, a.format(v)})
			}
		}
	}
	return list
}

// percent writes a share.
func percent(v float64) string { return plain(100*v) + " %" }

// plain writes a number in four digits.
func plain(v float64) string {
	if v == 0 {
		return "0" // and not -0
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
