package theory

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// TestChecks holds every law against its simulation.
func TestChecks(t *testing.T) {
	for _, c := range Checks() {
		v := c.Run(1)
		if !v.OK() {
			t.Errorf("%v", v)
		}
		if testing.Verbose() {
			t.Log(v)
		}
	}
}

// TestWatchHasNoEdges: on average even the shortest run of a sampler reports as
// many of its calls as the law says, and as much of their time. Were the first
// call one of them, before which no sample can be, 0.93 calls a run would lack.
func TestWatchHasNoEdges(t *testing.T) {
	a := Alternating{On: ms(1.2), Off: ms(2)}
	interval := a.Correlation() / 5
	rng := rand.New(rand.NewPCG(31, 32))
	calls, times := &tally{}, &tally{}
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
		if z := ZScore(m, 0, 0); math.Abs(z) > MaxZ {
			t.Errorf("%s: %v ± %v too many reported in a run, z %.1f", name, m.Value, m.StdErr, z)
		}
	}
}

// TestStdDevOfTwoValues: values that are 0 or 1, 40 and 60 of 100, where both are
// as likely: ½ from the mean all of them, which is known to every digit. Of 0 and
// 1 with probabilities ¾ and ¼ the squares are 1/16 and 9/16.
func TestStdDevOfTwoValues(t *testing.T) {
	values := &tally{values: make([]float64, 100)}
	for i := range 60 {
		values.values[i] = 1
	}
	if e := values.stdDevEstimate(0.5); math.Abs(e.Value-0.5) > 1e-12 || e.StdErr > 1e-12 {
		t.Errorf("%v ± %v from ½, want ½", e.Value, e.StdErr)
	}
	// mean square (40/16 + 60·9/16)/100 = 0.3625, its error √(0.24/(4·99))
	want := Estimate{math.Sqrt(0.3625), math.Sqrt(0.24/(4*99)) / (2 * math.Sqrt(0.3625)), 100}
	if e := values.stdDevEstimate(0.25); math.Abs(e.Value-want.Value) > 1e-12 || math.Abs(e.StdErr-want.StdErr) > 1e-12 || e.N != want.N {
		t.Errorf("%+v from ¼, want %+v", e, want)
	}
}
