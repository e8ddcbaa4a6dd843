package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sizeValue is a flag with a size in bytes: 4096, 64KiB, 8MiB, 1GiB.
type sizeValue int64

func (s *sizeValue) String() string {
	n := int64(*s)
	for _, u := range sizeUnits {
		if n != 0 && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.suffix
		}
	}
	return strconv.FormatInt(n, 10)
}

var sizeUnits = []struct {
	suffix string
	bytes  int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

func (s *sizeValue) Set(text string) error {
	number, unit := text, int64(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(text, u.suffix); ok {
			number, unit = rest, u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%q is no size; write 4096, 64KiB, 8MiB or 1GiB", text)
	}
	*s = sizeValue(n * unit)
	return nil
}

func (s *sizeValue) Type() string { return "size" }

// microsValue is a flag with an interval in whole microseconds, as Android's
// "am profile start --sampling" takes it. It sets a duration.
type microsValue struct{ d *time.Duration }

func (m microsValue) String() string {
	if m.d == nil {
		return ""
	}
	return strconv.FormatInt(m.d.Microseconds(), 10)
}

func (m microsValue) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/1000 {
		return fmt.Errorf("%q is no interval in microseconds; write 1000 for 1ms", text)
	}
	*m.d = time.Duration(n) * time.Microsecond
	return nil
}

func (m microsValue) Type() string { return "us" }

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

// didYouMean returns " (did you mean …?)" with the known word that is nearest to
// an unknown one, or nothing when none is near.
func didYouMean(word string, known []string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, k := range known {
		d := editDistance(strings.ToLower(word), strings.ToLower(k))
		if len(word) >= 3 && strings.HasPrefix(k, word) {
			d = min(d, 1)
		}
		if d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// editDistance is how many letters have to be put in, left out, replaced or
// swapped with their neighbour to make b of a: the restricted
// Damerau-Levenshtein distance, in bytes.
func editDistance(a, b string) int {
	var last, row []int // of the two letters of a before
	next := make([]int, len(b)+1)
	for j := range next {
		next[j] = j
	}
	for i := 1; i <= len(a); i++ {
		last, row, next = row, next, make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := row[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			next[j] = min(replaced, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], last[j-2]+1)
			}
		}
	}
	return next[len(b)]
}

// names returns the names of entries of artifice list.
func names(list []entry) []string {
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = e.Name
	}
	return all
}

// commandNames returns the names of cmd's subcommands.
func commandNames(cmd *cobra.Command) []string {
	var all []string
	for _, c := range cmd.Commands() {
		all = append(all, c.Name())
	}
	return all
}

// likeFlag returns the flag of cmd that is meant by one that err does not know.
func likeFlag(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return ""
	}
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, "--"+f.Name) })
	return didYouMean("--"+unknown.GetSpecifiedName(), all)
}
