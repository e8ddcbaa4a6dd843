package words

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// TestWords: every word is read back as its value, others are refused with the
// words there are, and a value without a word says its number.
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

// TestQuoteLong: the work does not grow with the length of the input.
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
