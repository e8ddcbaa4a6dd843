package law

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/internal/testdata"
)

// check compares one value of a law with a simulation that does not use the law.
type check struct {
	Law    string  // subject of the law
	Case   string  // its parameters
	Value  float64 // by the law
	Within float64 // maximum error of the law itself if it is an approximation; else 0

	// Simulate measures the law's value by brute force.
	Simulate func(rng *rand.Rand) Estimate
}

// verdict is a check and the value that its simulation measured.
type verdict struct {
	check
	Measured Estimate
	Z        float64 // [ZScore] of the deviation beyond the allowed one; NaN if there is none
}

// OK reports whether law and simulation agree.
func (v verdict) OK() bool { return math.IsNaN(v.Z) || math.Abs(v.Z) <= MaxZ }

// String formats the verdict as one line.
func (v verdict) String() string {
	text := fmt.Sprintf("%-28s %-34s law %.5g, measured %.5g ± %.2g", v.Law, v.Case, v.Value, v.Measured.Value, v.Measured.StdErr)
	if v.Within > 0 || math.IsNaN(v.Z) {
		text += fmt.Sprintf(", %+.2g off where %.2g is allowed", v.Measured.Value-v.Value, v.allowed())
	}
	if !math.IsNaN(v.Z) {
		text += fmt.Sprintf(", z %+.1f", v.Z)
	}
	return text
}

// allowed returns the deviation of the simulation from the law that is allowed in addition to
// chance: the law's own tolerance, and the rounding error of long sums.
func (v verdict) allowed() float64 { return v.Within + 1e-9*math.Max(1, math.Abs(v.Value)) }

// Run simulates the check with random numbers that depend only on the seed and the check.
func (c check) Run(seed uint64) verdict {
	m := c.Simulate(rand.New(rand.NewPCG(seed, hash(c.Law+"\x00"+c.Case))))
	v := verdict{c, m, math.NaN()}
	if off := m.Value - c.Value; math.Abs(off) > v.allowed() {
		beyond := Estimate{off - math.Copysign(v.allowed(), off), m.StdErr, m.Freedom}
		v.Z = ZScore(beyond, 0)
	}
	return v
}

// hash returns the FNV-1a hash of a name, which selects a random stream.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// sampled collects independent values from a simulation.
type sampled struct {
	values []float64
}

func (t *sampled) add(x float64) { t.values = append(t.values, x) }

// meanEstimate returns the mean of the values.
func (t *sampled) meanEstimate() Estimate {
	n := float64(len(t.values))
	var mean, variance float64
	for _, x := range t.values {
		mean += x / n
	}
	for _, x := range t.values {
		variance += (x - mean) * (x - mean) / (n - 1)
	}
	return Estimate{mean, math.Sqrt(variance / n), n - 1}
}

// stdDevEstimate returns the standard deviation of the values from a known mean: the root of the
// mean square. The delta method gives its error. With the measured mean, two equally likely values
// would have no error of first order, and the estimated error would be far too small.
func (t *sampled) stdDevEstimate(mean float64) Estimate {
	squares := &sampled{}
	for _, x := range t.values {
		squares.add((x - mean) * (x - mean))
	}
	e := squares.meanEstimate()
	if e.Value == 0 {
		return Estimate{}
	}
	sd := math.Sqrt(e.Value)
	return Estimate{sd, e.StdErr / (2 * sd), e.Freedom}
}

// repeat calls f n times and collects the results.
func repeat(n int, f func() float64) *sampled {
	t := &sampled{values: make([]float64, 0, n)}
	for range n {
		t.add(f())
	}
	return t
}

// ms returns x milliseconds.
func ms(x float64) time.Duration { return time.Duration(math.Round(x * 1e6)) }

// inMS returns d in milliseconds.
func inMS(d time.Duration) float64 { return float64(d) / 1e6 }

// TestChecks compares every law with its simulation.
func TestChecks(t *testing.T) {
	all := checksOf(loopChecks, alternatingChecks, poissonChecks, pauseChecks, floorChecks)
	for _, c := range testdata.SomeUnlessNamed(t, all, len(all)/2) {
		v := c.Run(1)
		if !v.OK() {
			t.Errorf("%v", v)
		}
		if testing.Verbose() {
			t.Log(v)
		}
	}
}

// TestWatchEdgeEffects checks that even the shortest run of a sampler reports the law's mean number
// of calls and their mean time. If the first call, which no sample precedes, counted as a reported
// one, 0.93 calls a run would be missing.
func TestWatchEdgeEffects(t *testing.T) {
	a := Alternating{On: ms(1.2), Off: ms(2)}
	interval := a.Correlation() / 5
	rng := rand.New(rand.NewPCG(31, 32))
	calls, times := &sampled{}, &sampled{}
	for range 4000 {
		w := watch(rng, interval, interval+10*(a.On+a.Off), 20, func(on bool) time.Duration {
			mean := a.Off
			if on {
				mean = a.On
			}
			return time.Duration(rng.ExpFloat64() * float64(mean))
		})
		calls.add(float64(w.reported) - a.ReportedPerTrue(interval)*float64(w.trueCalls))
		times.add(inMS(w.reportedOn - w.on))
	}
	for name, m := range map[string]Estimate{"calls": calls.meanEstimate(), "time": times.meanEstimate()} {
		if z := ZScore(m, 0); math.Abs(z) > MaxZ {
			t.Errorf("%s: %v ± %v more reported in a run than by the law, z %.1f", name, m.Value, m.StdErr, z)
		}
	}
}

// TestStdDevOfTwoValues checks values that are 0 or 1. With equal probabilities, all 100 values are
// ½ from the mean, so the result is exact. With probabilities ¾ and ¼, the squares of the 40 zeros
// and the 60 ones are 1/16 and 9/16.
func TestStdDevOfTwoValues(t *testing.T) {
	values := &sampled{values: make([]float64, 100)}
	for i := range 60 {
		values.values[i] = 1
	}
	if e := values.stdDevEstimate(0.5); math.Abs(e.Value-0.5) > 1e-12 || e.StdErr > 1e-12 {
		t.Errorf("%v ± %v from ½, want ½", e.Value, e.StdErr)
	}
	// mean square (40/16 + 60·9/16)/100 = 0.3625, with a standard error of √(0.24/(4·99))
	want := Estimate{math.Sqrt(0.3625), math.Sqrt(0.24/(4*99)) / (2 * math.Sqrt(0.3625)), 99}
	if e := values.stdDevEstimate(0.25); math.Abs(e.Value-want.Value) > 1e-12 || math.Abs(e.StdErr-want.StdErr) > 1e-12 || e.Freedom != want.Freedom {
		t.Errorf("%+v from ¼, want %+v", e, want)
	}
}

// checksOf joins the checks of several laws.
func checksOf(laws ...func() []check) (all []check) {
	for _, law := range laws {
		all = append(all, law()...)
	}
	return all
}

// indicator returns 1 for true and 0 for false.
func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
