// Package dist contains the distributions of workload files: of times, and of the number of
// iterations of a loop. It draws from them and computes their means.
package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// distKind is the family of a distribution of times.
type distKind uint8

const (
	Fixed distKind = iota // constant
	uniform
	exponential
	logNormal
	pareto
)

// Time is a distribution of times, rounded to whole ns.
type Time struct {
	Kind  distKind      // which family
	Value time.Duration // fixed: the time
	a, b  float64       // uniform: least, most ns; exponential: rate per ns; log-normal: mu, sigma of ln ns; Pareto: least ns, alpha
}

// distHelp is the notation of distributions.
const distHelp = "write a time like 2ms, or exp MEAN, uniform MINIMUM..MAXIMUM, lognormal MEDIAN SIGMA, pareto MINIMUM ALPHA"

// MaxDraw is the maximum of a drawn time, so that adding it to a time cannot overflow.
const MaxDraw = time.Duration(1) << 61

// Draw returns a time. It is never negative nor above [MaxDraw].
func (d *Time) Draw(src rand.Source) time.Duration {
	var ns float64
	switch d.Kind {
	case Fixed:
		return d.Value
	case uniform:
		ns = distuv.Uniform{Min: d.a, Max: d.b, Src: src}.Rand()
	case exponential:
		ns = distuv.Exponential{Rate: d.a, Src: src}.Rand()
	case logNormal:
		ns = distuv.LogNormal{Mu: d.a, Sigma: d.b, Src: src}.Rand()
	case pareto:
		ns = distuv.Pareto{Xm: d.a, Alpha: d.b, Src: src}.Rand()
	}
	if ns >= float64(MaxDraw) {
		return MaxDraw
	}
	return time.Duration(ns + 0.5)
}

// Mean returns the expected time in ns, before rounding.
func (d *Time) Mean() float64 {
	switch d.Kind {
	case uniform:
		return distuv.Uniform{Min: d.a, Max: d.b}.Mean()
	case exponential:
		return distuv.Exponential{Rate: d.a}.Mean()
	case logNormal:
		return distuv.LogNormal{Mu: d.a, Sigma: d.b}.Mean()
	case pareto:
		return distuv.Pareto{Xm: d.a, Alpha: d.b}.Mean()
	}
	return float64(d.Value)
}

// Parse reads the notation of distHelp.
func Parse(s string) (Time, error) {
	words := strings.Fields(s)
	if len(words) == 1 {
		t, err := parseTime(words[0])
		return Time{Kind: Fixed, Value: t}, err
	}
	if len(words) == 2 {
		switch words[0] {
		case "exp":
			return parseExponential(words[1])
		case "uniform":
			return parseUniform(words[1])
		}
	}
	if len(words) == 3 {
		switch words[0] {
		case "lognormal":
			return parseLogNormal(words[1], words[2])
		case "pareto":
			return parsePareto(words[1], words[2])
		}
	}
	return Time{}, fmt.Errorf("not a distribution of times; %s", distHelp)
}

func parseTime(s string) (time.Duration, error) {
	t, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return 0, fmt.Errorf("not a time; %s", distHelp)
	case t < 0:
		return 0, fmt.Errorf("a negative time")
	case t > MaxDraw:
		return 0, fmt.Errorf("a time above %v", MaxDraw)
	}
	return t, nil
}

// parsePositive reads a time that must be above 0.
func parsePositive(s string) (float64, error) {
	t, err := parseTime(s)
	if err == nil && t == 0 {
		err = fmt.Errorf("the time must be above 0")
	}
	return float64(t), err
}

func parseExponential(mean string) (Time, error) {
	ns, err := parsePositive(mean)
	return Time{Kind: exponential, a: 1 / ns}, err
}

func parseUniform(s string) (Time, error) {
	least, most, ok := strings.Cut(s, "..")
	if !ok {
		return Time{}, fmt.Errorf("write a range as MINIMUM..MAXIMUM")
	}
	a, err := parseTime(least)
	if err != nil {
		return Time{}, err
	}
	b, err := parseTime(most)
	if err == nil && a > b {
		err = fmt.Errorf("the range is empty")
	}
	return Time{Kind: uniform, a: float64(a), b: float64(b)}, err
}

func parseLogNormal(median, sigma string) (Time, error) {
	ns, err := parsePositive(median)
	if err != nil {
		return Time{}, err
	}
	s, err := strconv.ParseFloat(sigma, 64)
	if err != nil || !(s > 0 && s <= 5) {
		return Time{}, fmt.Errorf("the log-normal sigma must be above 0 and at most 5")
	}
	return Time{Kind: logNormal, a: math.Log(ns), b: s}, nil
}

func parsePareto(least, alpha string) (Time, error) {
	ns, err := parsePositive(least)
	if err != nil {
		return Time{}, err
	}
	a, err := strconv.ParseFloat(alpha, 64)
	if err != nil || !(a > 1 && a <= 1000) {
		return Time{}, fmt.Errorf("the Pareto alpha must be above 1 (or there is no mean) and at most 1000")
	}
	return Time{Kind: pareto, a: ns, b: a}, nil
}

// Multiply multiplies the drawn times by factor.
func (d *Time) Multiply(factor float64) {
	d.Value = time.Duration(math.Round(float64(d.Value) * factor))
	switch d.Kind {
	case uniform:
		d.a, d.b = d.a*factor, d.b*factor
	case exponential:
		d.a /= factor
	case logNormal:
		d.a += math.Log(factor)
	case pareto:
		d.a *= factor
	}
}

// maxCount is the maximum number of iterations of a counted loop.
const maxCount = 1_000_000_000

// Count is the number of iterations of a loop: a whole number, constant or uniform over a range,
// both ends included.
type Count struct {
	Min, Max int64 // both included
}

// ParseCount reads "5" or "uniform 2..8".
func ParseCount(s string) (Count, error) {
	s = strings.ReplaceAll(s, "_", "")
	text, isRange := strings.CutPrefix(s, "uniform ")
	least, most := text, text
	if isRange {
		least, most, _ = strings.Cut(strings.TrimSpace(text), "..")
	}
	a, err1 := strconv.ParseInt(least, 10, 64)
	b, err2 := strconv.ParseInt(most, 10, 64)
	if err1 != nil || err2 != nil || a < 0 || b < a || b > maxCount {
		return Count{}, fmt.Errorf("not a number of iterations; write a number from 0 to %d, uniform MINIMUM..MAXIMUM, or forever", maxCount)
	}
	return Count{a, b}, nil
}

// Draw returns a number of iterations.
func (c Count) Draw(src rand.Source) int64 {
	if c.Min == c.Max {
		return c.Min
	}
	return c.Min + rand.New(src).Int64N(c.Max-c.Min+1)
}

// mean returns the expected number of iterations.
func (c Count) mean() float64 { return float64(c.Min+c.Max) / 2 }

// Survive returns E[s^N], the probability that all iterations end normally if each does with
// probability s.
func (c Count) Survive(s float64) float64 {
	n := float64(c.Max - c.Min + 1)
	switch {
	case s >= 1:
		return 1
	case c.Min == c.Max:
		return math.Pow(s, float64(c.Min))
	}
	// sum of s^k for k = Min..Max, over their number
	return (math.Pow(s, float64(c.Min)) - math.Pow(s, float64(c.Max+1))) / ((1 - s) * n)
}

// Rounds returns the expected number of iterations begun if each ends normally with probability s
// and the first that does not is the last: E[1 + s + … + s^(N-1)].
func (c Count) Rounds(s float64) float64 {
	if s >= 1 {
		return c.mean()
	}
	return (1 - c.Survive(s)) / (1 - s)
}
