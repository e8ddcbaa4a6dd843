package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"artifice/bench"
	"artifice/internal/testdata"
	"artifice/tracer"
)

// TestReducedRun runs a tenth of bench --verify. Every column of both tables and every tracing
// method is compared. All agree, both with threads delayed together and with individual delays.
func TestReducedRun(t *testing.T) {
	testdata.Seldom(t, 2)
	for _, oneClock := range testdata.SomeUnlessNamed(t, []bool{false, true}, 1) {
		t.Run(fmt.Sprintf("one clock %t", oneClock), func(t *testing.T) { quick(t, oneClock) })
	}
}

func quick(t *testing.T, oneClock bool) {
	values := map[string]int{} // by part and what
	shown := map[string]int{}
	err := Run(context.Background(), Config{Seed: 1, Quick: true, OneClock: oneClock}, nil, func(v Verdict) {
		values[v.Part+", "+v.What]++
		if !v.OK() {
			if shown[v.Part+v.What]++; shown[v.Part+v.What] < 4 {
				t.Errorf("%+v", v)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	for _, m := range bench.Measures() {
		if values["bench, "+m.Key()] < 100 || values["score, "+m.Key()] < 50 {
			t.Errorf("%s: %d values of bench and %d of score", m.Key(), values["bench, "+m.Key()], values["score, "+m.Key()])
		}
	}
	for _, way := range tracer.All() {
		if values["record, "+way.Name] == 0 {
			t.Errorf("%s was not recorded", way.Name)
		}
	}
}

// TestStops: an interrupted run returns an error.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Run(ctx, Config{Quick: true}, nil, func(Verdict) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestOK: OK accepts a deviation from a law within its tolerance, and from the reference
// implementation only for the order of summation.
func TestOK(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		v  Verdict
		ok bool
	}{
		{Verdict{Want: 1, Got: 1 + 1e-12, Z: nan}, true},
		{Verdict{Want: 1, Got: 1 + 1e-6, Z: nan}, false},
		{Verdict{Want: 1e-6, Got: 1.0000005e-6, Z: nan}, true}, // 1e-12 of shares and seconds
		{Verdict{Want: nan, Got: nan, Z: nan}, true},
		{Verdict{Want: nan, Got: 0, Z: nan}, false},
		{Verdict{Want: 0, Got: nan, Z: nan}, false},
		{Verdict{Want: 2, Got: 2, First: "enter of another method", Z: nan}, false},
		{Verdict{Want: 1, Got: 1.5, StdErr: 0.2, Z: 2.5}, true},
		{Verdict{Want: 1, Got: 2, StdErr: 0.2, Z: 4.5}, false},
		{Verdict{Want: 1, Got: 1.01, Tolerance: 0.02, Z: nan}, true},
	} {
		if test.v.OK() != test.ok {
			t.Errorf("%+v: OK is %t", test.v, !test.ok)
		}
	}
}

// TestMissingReference: a tracing method without a reference is one failure with a message, and is
// in no table; so is a measure without a witness, however many values it has.
func TestMissingReference(t *testing.T) {
	before := maps.Clone(witnesses)
	delete(witnesses, "matrix")
	t.Cleanup(func() { witnesses = before })
	var reported []Verdict
	r := &run{known: map[string]bool{}, tell: func(v Verdict) { reported = append(reported, v) }}
	r.unwitnessed()
	if len(reported) != 1 || reported[0].OK() || reported[0].What != "matrix" || !strings.Contains(reported[0].First, "witnesses of research/internal/verify/witnesses.go") {
		t.Errorf("reported %+v", reported)
	}
	if list := witnessed(bench.Modes()); len(list) != len(bench.Modes())-1 {
		t.Errorf("%d of %d modes have witnesses", len(list), len(bench.Modes()))
	}

	reported = nil
	for range 5 {
		r.measure("bench", bench.Overlap, map[string]float64{}, "somewhere", 0.5)
	}
	r.measure("bench", bench.Slowdown, map[string]float64{}, "early", 2)
	r.measure("bench", bench.Slowdown, map[string]float64{bench.Slowdown.Key(): 1}, "later", 1)
	r.measure("bench", bench.Timeline, map[string]float64{}, "not measured", math.NaN())
	r.doubts()
	var wrong []string
	for _, v := range reported {
		if !v.OK() {
			wrong = append(wrong, v.Part+" "+v.What)
		}
	}
	slices.Sort(wrong)
	if want := []string{"bench " + bench.Slowdown.Key(), "witness " + bench.Overlap.Key()}; !slices.Equal(wrong, want) {
		t.Errorf("%q are wrong, want %q", wrong, want)
	}
}
