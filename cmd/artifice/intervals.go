package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// intervalsValue is a flag with sampling intervals: 1ms,2ms or 0.1ms..20ms.
type intervalsValue []time.Duration

// maxIntervals bounds a list.
const maxIntervals = 1000

func (v *intervalsValue) String() string {
	if len(*v) == 0 {
		return "100us..20ms"
	}
	var words []string
	for _, d := range *v {
		words = append(words, short(d))
	}
	return strings.Join(words, ",")
}

func (v *intervalsValue) Set(text string) error {
	*v = nil
	for _, word := range strings.Split(text, ",") {
		from, to, isRange := strings.Cut(word, "..")
		low, err := parseInterval(from)
		if err != nil {
			return err
		}
		if !isRange {
			*v = append(*v, low)
			continue
		}
		high, err := parseInterval(to)
		if err != nil {
			return err
		}
		if high < low {
			return fmt.Errorf("%q ends before it begins", word)
		}
		*v = append(*v, steps(low, high)...)
	}
	if len(*v) > maxIntervals {
		return fmt.Errorf("%d intervals: want at most %d", len(*v), maxIntervals)
	}
	return nil
}

func (v *intervalsValue) Type() string { return "durations" }

func parseInterval(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no interval; write 500us, 1ms, or 0.1ms..20ms", text)
	}
	return d, nil
}

// steps returns low, high, and what lies between of 1, 2, 5, 10, 20, … ns.
func steps(low, high time.Duration) []time.Duration {
	list := []time.Duration{low}
	for decade := time.Duration(1); decade <= high && decade < math.MaxInt64/10; decade *= 10 {
		for _, n := range []time.Duration{1, 2, 5} {
			if d := n * decade; low < d && d < high {
				list = append(list, d)
			}
		}
	}
	if high > low {
		list = append(list, high)
	}
	return list
}

// number prints a float as short as it can be read back; empty for none.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
