package diff

import (
	"math"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
)

// TestShares compares traces of one app at 0.1 ms and 10 ms on device A, which have different
// slowdowns. Without shares, its hottest method would appear faster. By share of running time, its
// change is within 3 standard errors. At most 5 % of tests have p ≤ 0.05, with a tolerance for
// pairs that share traces.
func TestShares(t *testing.T) {
	testdata.Seldom(t, 3)
	var fine, coarse []*report.View
	for run := range uint64(20) {
		fine = append(fine, sampledEvery(t, 100*time.Microsecond, run+1, 1, "", 0)...)
		coarse = append(coarse, sampledEvery(t, 10*time.Millisecond, run+101, 1, "", 0)...)
	}
	tests, small := 0, 0
	pairs(40, 10, fine, coarse, func(a, b []*report.View) {
		d, err := Compare(a, b, trace.Wall, Student)
		if err != nil {
			t.Fatal(err)
		}
		if !d.Shares || d.Unlike != Intervals {
			t.Fatalf("unlike %d, by shares: %v", d.Unlike, d.Shares)
		}
		for _, m := range d.Methods {
			if !math.IsNaN(m.Exclusive.P) {
				tests++
			}
			if m.Exclusive.P <= Significant {
				small++
			}
		}
	})
	t.Logf("%d of %d tests have p up to 0.05", small, tests)
	if share := float64(small) / float64(tests); tests < 1000 || share > 0.08 {
		t.Errorf("%d of %d tests have p up to 0.05", small, tests)
	}
	slowed := float64(fine[0].Busy(trace.Wall)) / float64(coarse[0].Busy(trace.Wall))
	if slowed < 1.05 {
		t.Errorf("the times differ by a factor of only %.3f between intervals", slowed)
	}
	d, err := Compare(fine, coarse, trace.Wall, Student)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Only("Zipf.method1()V"); err != nil {
		t.Fatal(err)
	}
	if c := d.Methods[0].Exclusive; c.Difference().Abs() > 3*c.Below || c.Below > c.Old/20 {
		t.Errorf("the hottest method: %s before, %s after, error %s", c.Old, c.New, c.Below)
	}
}

// TestSimilarPeriods checks that, as on a busy phone, periods of one interval that differ by less
// than a quarter are alike.
func TestSimilarPeriods(t *testing.T) {
	for _, c := range []struct {
		sides Sides
		want  Unlike
	}{
		{Sides{Sampled: true, Shortest: 1400, Period: 1460}, Alike},
		{Sides{Sampled: true, Shortest: 1400, Period: 2460}, Intervals},
		{Sides{Sampled: true, Called: true, Shortest: 1400, Period: 1400}, CallsAndSamples},
		{Sides{Called: true}, Alike},
		{Sides{Sampled: true, OfCPU: true, OfWall: true, Shortest: 1400, Period: 1400}, TimesOfCPU},
		{Sides{Sampled: true, OfCPU: true, Shortest: 1400, Period: 1400}, Alike},
	} {
		if got := c.sides.unlike(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.sides, got, c.want)
		}
	}
}

// TestCommonClock checks that traces are compared on a common clock. If only some are sampled by
// CPU time, the default is CPU time.
func TestCommonClock(t *testing.T) {
	for _, c := range []struct {
		sides Sides
		want  string
		clock trace.Clock
		fails bool
	}{
		{Sides{OfWall: true}, "", trace.ThreadCPU, false},
		{Sides{OfWall: true, UnsureCPU: true}, "", trace.Wall, false},
		{Sides{OfWall: true, UnsureCPU: true}, "cpu", trace.ThreadCPU, false},
		{Sides{OfWall: true, NoCPU: true}, "cpu", 0, true},
		{Sides{OfCPU: true}, "", trace.ThreadCPU, false},
		{Sides{OfCPU: true}, "wall", 0, true},
		{Sides{OfCPU: true, OfWall: true, UnsureCPU: true}, "", trace.ThreadCPU, false},
		{Sides{OfCPU: true, OfWall: true, UnsureCPU: true}, "wall", trace.Wall, false},
		{Sides{OfCPU: true, OfWall: true, NoCPU: true}, "", 0, true},
		{Sides{OfCPU: true, OfWall: true, NoCPU: true}, "wall", trace.Wall, false},
		{Sides{NoWall: true, NoCPU: true}, "", 0, true},
		{Sides{}, "sun", 0, true},
	} {
		if clock, err := c.sides.Clock(c.want); (err != nil) != c.fails || clock != c.clock {
			t.Errorf("%+v, %q: %v, %v", c.sides, c.want, clock, err)
		}
	}
}

// TestUnknownPeriod checks one trace a side, one of them without a known sampling period: no change
// is tested, however large it is. With the period it is tested.
func TestUnknownPeriod(t *testing.T) {
	old := &measured{times: []estimate.Time{between(80, 100, 120)}, known: true}
	now := &measured{times: []estimate.Time{between(480, 500, 520)}, known: true}
	s := Sides{Traces: [2]int{1, 1}, Sampled: true, Period: time.Millisecond}
	if c := s.compare(old, now, true); !(c.P < 1e-6) {
		t.Errorf("with the period: p %v", c.P)
	}
	s.NoPeriod = true
	if c := s.compare(old, now, true); !math.IsNaN(c.P) {
		t.Errorf("without the period: p %v", c.P)
	}
}
