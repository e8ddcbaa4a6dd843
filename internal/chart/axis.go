package chart

import (
	"math"
	"slices"
	"strconv"
)

// Axis is one axis of a chart. By default its range is that of the data.
type Axis struct {
	Title     string               // quantity and unit
	Log       bool                 // logarithmic: all values must be greater than 0
	Low, High float64              // the range; both 0: that of the data
	Ticks     []Tick               // nil: chosen from the range
	Format    func(float64) string // format of chosen ticks; required unless Ticks are given
}

// Tick is a labelled position on an axis.
type Tick struct {
	Value float64
	Label string
}

// cover extends the range of the axis to all values.
func (a *Axis) cover(values []float64) {
	if a.Low != 0 || a.High != 0 || len(values) == 0 {
		return
	}
	a.Low, a.High = slices.Min(values), slices.Max(values)
}

// place returns the position of a value between the ends of the axis, from 0 to 1.
func (a *Axis) place(v float64) float64 {
	low, high := a.Low, a.High
	if a.Log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	if high == low {
		return 0.5
	}
	return (v - low) / (high - low)
}

// marks returns the ticks within the range of the axis.
func (a *Axis) marks() []Tick {
	switch {
	case a.Ticks != nil:
		return a.Ticks
	case a.High <= a.Low:
		return []Tick{{a.Low, a.Format(a.Low)}}
	case a.Log:
		return a.decades()
	}
	return a.even()
}

// even returns the smallest set of ticks, at multiples of 1, 2 or 5 times a power of ten, that
// divides a linear axis into at least four parts.
func (a *Axis) even() (list []Tick) {
	const rounding = 1e-9
	span := a.High - a.Low
	power := math.Floor(math.Log10(span))
	parts, exponent := 1., power
	for _, s := range [][2]float64{{5, power - 1}, {2, power - 1}, {1, power - 1}} {
		if span/scaled(parts, exponent) >= 4-rounding {
			break
		}
		parts, exponent = s[0], s[1]
	}
	step := scaled(parts, exponent)
	for i := math.Ceil(a.Low/step - rounding); i*step <= a.High+rounding*span; i++ {
		v := scaled(i*parts, exponent) // computed as 3 / 10, because 3 x 0.1 is not 0.3
		list = append(list, Tick{v, a.Format(v)})
	}
	return list
}

// scaled returns v times a power of ten, rounded once.
func scaled(v, exponent float64) float64 {
	if exponent < 0 {
		return v / math.Pow(10, -exponent)
	}
	return v * math.Pow(10, exponent)
}

// decades returns the powers of ten on a logarithmic axis and, if there are few, their multiples
// by two and five.
func (a *Axis) decades() (list []Tick) {
	factors := []float64{1, 2, 5}
	if a.High/a.Low > 500 {
		factors = factors[:1]
	}
	for e := math.Floor(math.Log10(a.Low)); e <= math.Log10(a.High); e++ {
		for _, f := range factors {
			if v := scaled(f, e); v >= a.Low*(1-1e-9) && v <= a.High*(1+1e-9) {
				list = append(list, Tick{v, a.Format(v)})
			}
		}
	}
	return list
}

// Percent formats a share, such as 0.25 as "25 %".
func Percent(v float64) string { return Plain(100*v) + " %" }

// Plain formats a number with four digits.
func Plain(v float64) string {
	if v == 0 {
		return "0" // not -0
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
