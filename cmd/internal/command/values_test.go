package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestIntervals: a range has its ends, and 1, 2 and 5 times each power of ten between them.
func TestIntervals(t *testing.T) {
	const us, ms = time.Microsecond, time.Millisecond
	for text, want := range map[string][]time.Duration{
		"1ms": {ms}, "1us": {us}, "5ms, 1ms": {5 * ms, ms}, "10000h": {10_000 * time.Hour}, "1ms..1ms": {ms},
		"1ms..5ms": {ms, 2 * ms, 5 * ms}, "0.7ms..21ms": {700 * us, ms, 2 * ms, 5 * ms, 10 * ms, 20 * ms, 21 * ms}, "1us..3us,4us": {us, 2 * us, 3 * us, 4 * us},
	} {
		var v Intervals
		if err := v.Set(text); err != nil || !slices.Equal(v, want) {
			t.Errorf("%s: %v, want %v, error %v", text, v, want, err)
		}
	}
	for text, want := range map[string]string{
		"": `"" is not an interval; write 500us, 1ms, or 0.1ms..20ms`, "5": `"5" is not an interval`, "999ns": `"999ns" is not an interval`, "10000h0m0.000000001s": "is not an interval",
		"1ms..x": `"x" is not an interval`, "x..1ms": `"x" is not an interval`, "5ms..1ms": `the range "5ms..1ms" ends before it begins`,
		strings.Repeat("1ms,", 1000) + "1ms": "1001 intervals: at most 1000 are allowed",
	} {
		var v Intervals
		if err := v.Set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
	var v Intervals
	if err := v.Set(strings.Repeat("1ms,", 999) + "1ms"); err != nil || len(v) != 1000 {
		t.Errorf("1000 intervals: %d, error %v", len(v), err)
	}
}

// TestPercentFlag: a percentage is above 0.
func TestPercentFlag(t *testing.T) {
	for text, want := range map[string]string{"5%": "5%", "12.5%": "12.5%", "0.001%": "0.001%", "250%": "250%"} {
		var p Percent
		if err := p.Set(text); err != nil || p.String() != want {
			t.Errorf("%s: %s, want %s, error %v", text, p.String(), want, err)
		}
	}
	var p Percent
	if p.String() != "" {
		t.Errorf("the default is %q", p.String())
	}
	for _, text := range []string{"0%", "-5%"} {
		if err := p.Set(text); fmt.Sprint(err) != fmt.Sprintf("%q is not above 0%%", text) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "x%"} {
		if err := p.Set(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
