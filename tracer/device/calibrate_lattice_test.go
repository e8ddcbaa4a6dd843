package device

import (
	"math"
	"testing"
	"time"

	"artifice/trace"
)

// kindsAt returns kinds of 100 stamps each at multiples of a cost per thread of 9.157 µs, read in
// whole microseconds at all phases.
func kindsAt(multiples ...float64) *neighbors {
	n := &neighbors{}
	for i, m := range multiples {
		k := neighborKind{from: trace.ThreadID(2 * i), to: trace.ThreadID(2*i + 1)}
		for phase := range 100 {
			at := float64(phase) * 10
			k.stamps = append(k.stamps, 1000*(math.Floor((at+m*9157)/1000)-math.Floor(at/1000)))
			k.frames = append(k.frames, 0)
		}
		k.measure(k.stamps)
		n.kinds = append(n.kinds, k)
	}
	n.sort()
	n.fitUnit()
	return n
}

// TestNeighbors: the cost per thread is determined by two pairs of neighbors at one distance, or by
// distances that are multiples of the shortest one. It is not determined by a single pair, which
// may have threads in between, or by distances of 2 and 3 threads.
func TestNeighbors(t *testing.T) {
	for _, test := range []struct {
		multiples []float64
		certain   bool
	}{
		{[]float64{1, 1}, true}, {[]float64{1, 2, 6}, true}, {[]float64{1}, false}, {[]float64{2, 3}, false}, {[]float64{1, 2.5, 3.5}, false},
	} {
		n := kindsAt(test.multiples...)
		if n.certain != test.certain {
			t.Errorf("%v: certain %t, unit %v", test.multiples, n.certain, n.unit)
		}
		if off := time.Duration(n.unit - 9157).Abs(); test.certain && off > 200 {
			t.Errorf("%v: unit %v, want 9157", test.multiples, n.unit)
		}
	}
}
