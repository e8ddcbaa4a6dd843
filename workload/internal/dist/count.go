package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

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
