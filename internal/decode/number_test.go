package decode

import (
	"testing"
	"time"
)

func TestTime(t *testing.T) {
	for _, c := range []struct {
		text string
		unit time.Duration
		want time.Duration
		ok   bool
	}{
		{"12", time.Second, 12 * time.Second, true},
		{"12.000000001", time.Second, 12*time.Second + 1, true},
		{"683202.115809", time.Second, 683202115809 * time.Microsecond, true},
		{"0.000001", time.Second, 1000, true},
		{"12345678.901234", time.Second, 12345678901234 * time.Microsecond, true},
		{"123456789.012345", time.Second, 123456789012345 * time.Microsecond, true},
		{"-1.000001", time.Second, -1000001 * time.Microsecond, true},
		{"-0.5", time.Microsecond, -500, true},
		{"1.2345", time.Microsecond, 1235, true}, // 1234.5 ns
		{"1.23449", time.Microsecond, 1234, true},
		{"7", time.Nanosecond, 7, true},
		{"7.5", time.Nanosecond, 8, true},
		{"1.5e3", time.Microsecond, 1500 * time.Microsecond, true},
		{"1E-3", time.Microsecond, 1, true},
		{"2305843009.213693951", time.Second, 1<<61 - 1, true}, // 2^61 - 1 ns
		{"2305843010", time.Second, 0, false},
		{"99999999999999999999999", time.Second, 0, false},
		{"000000000000000000000012.5", time.Second, 12500 * time.Millisecond, true}, // leading zeros are ignored
		{"1e99", time.Second, 0, false},
		{"", time.Second, 0, false}, {"-", time.Second, 0, false}, {".5", time.Second, 0, false}, {"5.", time.Second, 0, false},
		{"+5", time.Second, 0, false}, {" 5", time.Second, 0, false}, {"5:", time.Second, 0, false}, {"1e", time.Second, 0, false}, {"5.x", time.Second, 0, false},
		{"12.34567/", time.Second, 0, false}, {"12.:34567", time.Second, 0, false}, {"1\xff.345678", time.Second, 0, false}, {"12.3456\x8a8", time.Second, 0, false},
		{"/2.345678", time.Second, 0, false}, {".2.345678", time.Second, 0, false}, {" 2.345678", time.Second, 0, false}, {"12 345678", time.Second, 0, false},
	} {
		if got, ok := Time([]byte(c.text), c.unit); got != c.want || ok != c.ok {
			t.Errorf("%q in %v: %v, %t, want %v, %t", c.text, c.unit, got, ok, c.want, c.ok)
		}
	}
}

func TestUint(t *testing.T) {
	for text, want := range map[string]uint64{"0": 0, "4711": 4711, "999999999999999999": 999999999999999999} {
		if n, ok := Uint([]byte(text)); !ok || n != want {
			t.Errorf("%q: %d, %t", text, n, ok)
		}
	}
	for _, text := range []string{"", "-1", "1 ", "0x1", "1000000000000000000"} {
		if n, ok := Uint([]byte(text)); ok {
			t.Errorf("%q: %d", text, n)
		}
	}
}

// FuzzTime checks that the fast path for seconds with six decimals returns the same times as the
// general path.
func FuzzTime(f *testing.F) {
	for _, text := range []string{"683202.115809", "0.000001", "12345678.901234", "123456789.012345", "1.0000001", "-1.000001", "1\xff.345678", "1e1.345678"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := Time(text, time.Second)
		if want, wantOK := timeOf(text, time.Second); got != want || ok != wantOK {
			t.Errorf("%q: %v, %t, want %v, %t", text, got, ok, want, wantOK)
		}
	})
}
