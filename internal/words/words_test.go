package words

import (
	"bytes"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestWords checks that every word is parsed as its value, that other words are rejected with a
// list of the words, and that a value without a word is formatted as its number.
func TestWords(t *testing.T) {
	type colour uint8
	colours := []string{"red", "green"}
	for i, word := range colours {
		if got, err := Parse[colour]("colour", colours, word); err != nil || got != colour(i) || Of(colours, got) != word {
			t.Errorf("%s: %d, %v", word, got, err)
		}
	}
	if _, err := Parse[colour]("colour", colours, "blue"); err == nil || err.Error() != `colour "blue": must be one of red, green` {
		t.Errorf("blue: %v", err)
	}
	if got := Of(colours, colour(2)); got != "unknown(2)" {
		t.Errorf("colour 2 is %q", got)
	}
}

func TestCount(t *testing.T) {
	if got := Count(0, "event") + ", " + Count(1, "event") + ", " + Count(int64(2), "event"); got != "0 events, 1 event, 2 events" {
		t.Error(got)
	}
}

func TestSigned(t *testing.T) {
	if got := Signed(-1.26) + ", " + Signed(-0.04) + ", " + Signed(0.04) + ", " + Signed(0.05); got != "-1.3, 0.0, 0.0, +0.1" {
		t.Error(got)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"":                               `""`,
		"a\tb":                           `"a\tb"`,
		strings.Repeat("é", 60):          `"` + strings.Repeat("é", 60) + `"`,
		strings.Repeat("é", 61):          `"` + strings.Repeat("é", 60) + `"…`,
		strings.Repeat("\xff", 61):       `"` + strings.Repeat(`\xff`, 60) + `"…`,
		strings.Repeat("\U0001F600", 99): `"` + strings.Repeat("\U0001F600", 60) + `"…`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
		if got := Quote([]byte(in)); got != want {
			t.Errorf("bytes of %q: %s, want %s", in, got, want)
		}
	}
}

// TestQuoteLong checks that the work does not grow with the length of the input.
func TestQuoteLong(t *testing.T) {
	long := bytes.Repeat([]byte(";"), 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Quote(long)
	runtime.ReadMemStats(&after)
	allocated := after.TotalAlloc - before.TotalAlloc
	if allocated > 10_000 {
		t.Errorf("%d bytes are allocated to quote 60 characters", allocated)
	}
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0 s"}, {1, "1 ns"}, {999, "999 ns"}, {1000, "1 µs"}, {1868 * time.Microsecond, "1.87 ms"},
		{550 * time.Millisecond, "550 ms"}, {999600 * time.Microsecond, "1 s"}, {-1500 * time.Microsecond, "-1.5 ms"},
		{34567 * time.Millisecond, "34.6 s"}, {99949 * time.Millisecond, "99.9 s"}, {99951 * time.Millisecond, "1 min 40 s"},
		{311 * time.Second, "5 min 11 s"}, {3599500 * time.Millisecond, "1 h 0 min"}, {123 * time.Minute, "2 h 3 min"},
		{10000 * time.Hour, "10,000 h"}, {math.MaxInt64, "?"},
	} {
		if got := Duration(c.d); got != c.want {
			t.Errorf("Duration(%d) = %q, want %q", c.d, got, c.want)
		}
	}
}

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		low, high time.Duration
		want      string
	}{
		{57300 * time.Microsecond, 306 * time.Millisecond, "57.3–306 ms"},
		{980 * time.Microsecond, 1200 * time.Microsecond, "980 µs–1.2 ms"},
		{0, 1200 * time.Microsecond, "0–1.2 ms"},
		{100 * time.Second, 200 * time.Second, "1 min 40 s–3 min 20 s"},
		{5 * time.Second, math.MaxInt64, "5 s–?"},
	} {
		if got := Between(c.low, c.high); got != c.want {
			t.Errorf("Between(%d, %d) = %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

func TestInteger(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 100000: "100,000"} {
		if got := Integer(n); got != want {
			t.Errorf("Integer(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSetting(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "-", time.Millisecond: "1ms", 500 * time.Microsecond: "500us", 1500: "1.5µs", 999_999: "999.999µs", 1_500_000: "1.5ms"} {
		if got := Setting(d); got != want {
			t.Errorf("Setting(%d) = %q, want %q", d, got, want)
		}
	}
}

// TestAmount: bytes have three significant digits, in the unit that leaves at most three before the
// point.
func TestAmount(t *testing.T) {
	for _, c := range []struct {
		n    int64
		unit string
		want string
	}{
		{0, "bytes", "0 B"}, {80, "bytes", "80 B"}, {999, "bytes", "999 B"}, {1000, "bytes", "1 kB"}, {1534, "bytes", "1.53 kB"}, {15_340, "bytes", "15.3 kB"},
		{153_400, "bytes", "153 kB"}, {999_499, "bytes", "999 kB"}, {999_500, "bytes", "1 MB"}, {-1_534_000_000, "bytes", "-1.53 GB"}, {2e12, "bytes", "2 TB"}, {2e15, "bytes", "2 PB"}, {9e18, "bytes", "9 EB"},
		{12_345, "count", "12,345"}, {12_345, "cycles", "12,345 cycles"}, {1_870_000, "nanoseconds", "1.87 ms"}, {1_870_000, "", "1.87 ms"},
	} {
		if got := Amount(c.n, c.unit); got != c.want {
			t.Errorf("%d %s: %s, want %s", c.n, c.unit, got, c.want)
		}
	}
}
