package dmformat

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"
)

// TestPacketLimits: texts of packets have lengths of 16 bits: 65535 bytes are written, and one more is
// an error that leaves the file as it is.
func TestPacketLimits(t *testing.T) {
	before := []byte("before")
	for _, c := range []struct {
		what string
		add  func(n int) ([]byte, error)
		head string // before the text of 65535 bytes
		want string
	}{
		{"thread", func(n int) ([]byte, error) { return AppendThreadPacket(before, 0x01020304, strings.Repeat("x", n)) }, "\x00\x04\x03\x02\x01\xff\xff", "name of thread 16909060 has 65536 bytes; format V2 allows at most 65535"},
		{"method", func(n int) ([]byte, error) { return AppendMethodPacket(before, 0x10, strings.Repeat("x", n)) }, "\x01\x10\x00\x00\x00\x00\x00\x00\x00\xff\xff", "line of method 0x10 has 65536 bytes; format V2 allows at most 65535: \"" + strings.Repeat("x", 60) + "\"…"},
		{"summary", func(n int) ([]byte, error) { return AppendSummaryPacket(before, bytes.Repeat([]byte("x"), n)) }, "\x03\xff\xff", "the summary has 65536 bytes; format V2 allows at most 65535"},
	} {
		whole, err := c.add(math.MaxUint16)
		if want := "before" + c.head + strings.Repeat("x", math.MaxUint16); err != nil || string(whole) != want {
			t.Errorf("%s: %d bytes that begin %q, want %d, error %v", c.what, len(whole), whole[:min(20, len(whole))], len(want), err)
		}
		rest, err := c.add(math.MaxUint16 + 1)
		if err == nil || err.Error() != c.want || string(rest) != "before" {
			t.Errorf("%s: %d bytes, error %v, want %s", c.what, len(rest), err, c.want)
		}
	}
}

// TestTicks: times are rounded up to a tick, and a counter that overflows is at its maximum. At 1 GHz
// a tick is 1 ns.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		t    time.Duration
		hz   uint64
		want uint64
	}{
		{0, 1000, 0}, {1, 1000, 1}, {time.Millisecond, 1000, 1}, {time.Millisecond + 1, 1000, 2}, {5, 1e9, 5},
		{math.MaxInt64, 1e9, math.MaxInt64}, {math.MaxInt64, 2e9, math.MaxUint64 - 1}, {math.MaxInt64, 3e9, math.MaxUint64}, {math.MaxInt64, math.MaxUint64, math.MaxUint64},
		{time.Second, math.MaxUint64, math.MaxUint64},
	} {
		if got := TimeToTicks(c.t, c.hz); got != c.want {
			t.Errorf("%d ns at %d Hz: %d ticks, want %d", c.t, c.hz, got, c.want)
		}
	}
	for _, c := range []struct {
		ticks, hz uint64
		want      time.Duration
		ok        bool
	}{
		{0, 1, 0, true}, {7, 1e9, 7, true}, {3, 2e9, 1, true}, {math.MaxInt64, 1e9, math.MaxInt64, true}, {1 << 63, 1e9, math.MinInt64, false},
		{math.MaxUint64, 1, 0, false}, {1 << 34, 1, 0, false}, {9_223_372_036, 1, 9_223_372_036e9, true}, {9_223_372_037, 1, 0, false},
	} {
		if got, ok := TicksToTime(c.ticks, c.hz); ok != c.ok || ok && got != c.want {
			t.Errorf("%d ticks at %d Hz: %d ns %t, want %d %t", c.ticks, c.hz, got, ok, c.want, c.ok)
		}
	}
}
