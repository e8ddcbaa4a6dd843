package encode

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// TestAppendInt compares numbers around every power of ten, the minimum and the maximum with
// strconv.
func TestAppendInt(t *testing.T) {
	numbers := []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1}
	for power := int64(1); power <= 1e18 && power > 0; power *= 10 {
		for d := int64(-12); d <= 12; d++ {
			numbers = append(numbers, power+d, -power+d, 7*(power/10)+d)
		}
	}
	for v := int64(0); v < 12000; v++ {
		numbers = append(numbers, v, -v)
	}
	for _, v := range numbers {
		if got, want := string(AppendInt([]byte("x"), v)), "x"+strconv.FormatInt(v, 10); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got, want := string(AppendUint(nil, uint64(v))), strconv.FormatUint(uint64(v), 10); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestFractions checks that fractions have all digits, including leading zeros, and that
// AppendFraction omits trailing zeros like strconv.
func TestFractions(t *testing.T) {
	for v := uint32(0); v < 1e6; v += 37 {
		if got, want := string(AppendMillionths(nil, v)), fmt.Sprintf("%06d", v); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	for v := range uint32(1e6) {
		want := strings.TrimPrefix(strconv.FormatFloat(float64(v)/1e6, 'f', -1, 64), "0")
		if got := string(AppendFraction(nil, v)); got != want {
			t.Fatalf("%d millionths: %q, want %q", v, got, want)
		}
	}
}

// BenchmarkAppendInt appends times in ns of a trace of some minutes.
func BenchmarkAppendInt(b *testing.B) {
	for _, c := range []struct {
		name   string
		append func([]byte, int64) []byte
	}{
		{"groups", AppendInt},
		{"strconv", func(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			text := make([]byte, 0, 32)
			at := int64(123_456_789_012)
			for b.Loop() {
				at += 1234
				text = c.append(text[:0], at)
			}
		})
	}
}
