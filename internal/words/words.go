// Package words formats and parses the words and numbers of messages and command
// lines: the names of small enumerations, counts with plurals, durations, percentages
// and shell quoting.
package words

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Parse returns the value named s: its index in words. what is the name of the enumeration for the
// error, which lists the words.
func Parse[T ~uint8](what string, words []string, s string) (T, error) {
	i := slices.Index(words, s)
	if i < 0 {
		return 0, fmt.Errorf("%s %q: must be one of %s", what, s, strings.Join(words, ", "))
	}
	return T(i), nil
}

// Of returns the name of v, which may be out of range.
func Of[T ~uint8](words []string, v T) string {
	if int(v) >= len(words) {
		return fmt.Sprintf("unknown(%d)", v)
	}
	return words[v]
}

// Signed formats v with its sign and one decimal, and without a sign if the result is 0.0.
func Signed(v float64) string {
	s := fmt.Sprintf("%+.1f", v)
	if s == "+0.0" || s == "-0.0" {
		return "0.0"
	}
	return s
}

// Count returns "1 event", "2 events", "12,345 events".
func Count[N ~int | ~int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Integer(n) + " " + noun + "s"
}

// And lists parts, of which there is at least one: "a, b and c".
func And(parts []string) string {
	last := len(parts) - 1
	if last == 0 {
		return parts[0]
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Integer formats n with a comma between groups of three digits: 12,345.
func Integer[N ~int | ~int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Duration formats d for prose and tables with three significant digits and a space before the
// unit, from 100 s on in minutes or hours: "1.87 ms", "550 ms", "34.6 s", "5 min 11 s", "2 h 3
// min". It returns "?" for math.MaxInt64, an unlimited duration.
func Duration(d time.Duration) string {
	value, unit := inUnit(d)
	return strings.TrimSuffix(value+" "+unit, " ")
}

// Setting formats a duration as the flags of commands take it: "1ms", "500us"; "-" for 0.
func Setting(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	if d < time.Millisecond && d%time.Microsecond == 0 {
		return fmt.Sprintf("%dus", d.Microseconds())
	}
	return d.String()
}

// Amount formats a number of a unit for prose and tables: nanoseconds (the unit may be empty) as
// [Duration] does, bytes in powers of 1,000 with three significant digits ("1.53 GB", "80 B"),
// counts as a number alone, and other units after the number.
func Amount(n int64, unit string) string {
	switch unit {
	case "", "nanoseconds":
		return Duration(time.Duration(n))
	case "count":
		return Integer(n)
	case "bytes":
		size, name := float64(n), "B"
		for _, larger := range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
			if math.Abs(size) < 999.5 {
				break
			}
			size, name = size/1000, larger
		}
		digits := 2 - int(math.Log10(max(1, math.Abs(size))))
		return strconv.FormatFloat(math.Round(size*math.Pow10(digits))/math.Pow10(digits), 'f', -1, 64) + " " + name
	}
	return Integer(n) + " " + unit
}

// Between formats the range from low to high for prose and tables, with the unit once if both have
// the same: "57–306 ms", "980 µs–1.2 ms".
func Between(low, high time.Duration) string {
	value, unit := inUnit(low)
	_, highUnit := inUnit(high)
	if low == 0 || unit != "" && unit == highUnit {
		return value + "–" + Duration(high)
	}
	return Duration(low) + "–" + Duration(high)
}

// inUnit formats d with three significant digits in a unit from ns to s. From 100 s on, value
// includes the units and unit is empty.
func inUnit(d time.Duration) (value, unit string) {
	switch {
	case d == math.MaxInt64:
		return "?", ""
	case d == 0:
		return "0", "s"
	case d.Abs() >= 100*time.Hour:
		return Integer(int64(d.Round(time.Hour)/time.Hour)) + " h", ""
	case d.Abs() >= time.Hour-30*time.Second:
		m := d.Round(time.Minute)
		return fmt.Sprintf("%d h %d min", m/time.Hour, (m%time.Hour).Abs()/time.Minute), ""
	case d.Abs() >= 99950*time.Millisecond:
		s := d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", s/time.Minute, (s%time.Minute).Abs()/time.Second), ""
	}
	step := time.Nanosecond // the value of the third digit
	for d.Abs() >= 1000*step-step/2 {
		step *= 10
	}
	d = d.Round(step)
	for _, u := range []struct {
		size time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d.Abs() >= u.size {
			return strconv.FormatFloat(float64(d)/float64(u.size), 'f', -1, 64), u.name
		}
	}
	return strconv.FormatInt(int64(d), 10), "ns"
}

// Number formats a float in its shortest exact form; empty for NaN.
func Number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// ParsePercent parses a percentage such as 5% as a share.
func ParsePercent(text string) (float64, error) {
	n, isPercent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%s is not a percentage; write 5%%", Quote(text))
	case !isPercent && v > 0:
		return 0, fmt.Errorf("%[1]s: missing unit: did you mean %[1]s%%?", Shorten(text))
	case !isPercent:
		return 0, fmt.Errorf("%s is not a percentage; write 5%%", Quote(text))
	}
	return v / 100, nil
}

// maxQuoted is the maximum number of characters of an input that a message quotes.
const maxQuoted = 60

// Quote returns s, a part of an input, quoted for a message: its first [maxQuoted] characters,
// followed by "…" if there are more. It does not read the rest of s.
func Quote[T ~string | ~[]byte](s T) string {
	short := Shorten(s)
	if len(short) == len(s) {
		return strconv.Quote(short)
	}
	return strconv.Quote(short) + "…"
}

// Shorten returns the first [maxQuoted] characters of s.
func Shorten[T ~string | ~[]byte](s T) string {
	head := string(s[:min(len(s), maxQuoted*utf8.UTFMax)])
	n := 0
	for i := range head {
		if n == maxQuoted {
			return head[:i]
		}
		n++
	}
	return head
}

// Shell quotes a word for a shell if necessary.
func Shell(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./,:=+@%", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
