package bench

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/bench/score"
	"artifice/internal/testdata"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
)

// Loop is a frame loop: a path that is alternately on the stack for On and absent for Off.
type Loop struct {
	On, Off time.Duration
}

// Period is L = On + Off.
func (l Loop) Period() time.Duration { return l.On + l.Off }

// Duty is the share of time on the stack.
func (l Loop) Duty() float64 { return float64(l.On) / float64(l.Period()) }

// timerKind is the kind of timer of a periodic sampler.
type timerKind int

const (
	// sleepLoop sleeps after each sample, so deviations accumulate, as in ART's sampler.
	sleepLoop timerKind = iota
	// absoluteTimer expires at multiples of the interval, each with an independent deviation, like
	// a timerfd or SIGPROF.
	absoluteTimer
)

// aliasing is a [Loop] and a sampler with a random phase and Gaussian jitter of the interval.
//
// With the Fourier coefficients c_m of the loop's indicator, the variance of its
// estimated share from N samples is
//
//	Σ_{m≠0} |c_m|² · (1/N)·[1 + 2 Σ_{k=1}^{N−1} (1 − k/N) Re ρ_m(k)]
//
// where ρ_m(k) is the correlation at lag k of e^{2πi·m·t/L} over the samples:
// e^{2πi·mkT/L} times φ^k for a sleep loop and times φ² for an absolute timer,
// φ = e^{−2π²m²σ²/L²}.
//
// Source: variance of a mean of correlated terms, by Fourier series; Parseval
// gives the tail of the sum.
//
// Example: duty 0.3, T = L, no jitter: √(0.3·0.7) = 0.46 however many samples.
// Jitter of 1 % of L brings 2000 samples of a sleep loop down to 0.238, those of
// an absolute timer to 0.455.
type aliasing struct {
	Loop     Loop
	Interval time.Duration // mean time between samples
	Jitter   time.Duration // σ of one gap (sleep loop) or one sample (absolute)
	timer    timerKind
	Samples  int
}

// harmonics is the number of Fourier coefficients in the sum. The others contribute less than
// 1/(π²·harmonics) of the variance of one sample, and count as independent.
const harmonics = 20000

// ShareStdDev is the standard deviation of the estimated share.
func (a aliasing) ShareStdDev() float64 {
	duty := a.Loop.Duty()
	tail := duty * (1 - duty)
	n := float64(a.Samples)
	var variance float64
	for m := 1; m <= harmonics; m++ {
		x := math.Pi * float64(m)
		c2 := math.Pow(math.Sin(x*duty)/x, 2)
		tail -= 2 * c2
		variance += 2 * c2 * a.inflation(m) / n
	}
	return math.Sqrt(variance + max(tail, 0)/n)
}

// inflation is the factor in brackets of the formula, for harmonic m. It is 1 if samples are
// independent at this harmonic, and N if all have the same phase.
func (a aliasing) inflation(m int) float64 {
	l := float64(a.Loop.Period())
	turn := math.Mod(float64(m)*float64(a.Interval%a.Loop.Period()), l) / l
	s := float64(m) * float64(a.Jitter) / l
	phi := math.Exp(-2 * math.Pi * math.Pi * s * s)
	z := cmplx.Rect(1, 2*math.Pi*turn)
	if a.timer == absoluteTimer {
		return 1 + 2*phi*phi*fejer(z, a.Samples)
	}
	return 1 + 2*fejer(z*complex(phi, 0), a.Samples)
}

// fejer returns Re Σ_{k=1}^{n−1} (1 − k/n) z^k for |z| ≤ 1. The closed form is z/(1−z) −
// z(1−z^n)/(n(1−z)²). If z is so close to 1 that this cancels, the result is (n−1)/2.
func fejer(z complex128, n int) float64 {
	d := 1 - z
	if cmplx.Abs(d)*float64(n) < 1e-4 {
		return float64(n-1) / 2
	}
	zn := cmplx.Pow(z, complex(float64(n), 0))
	return real(z/d - z*(1-zn)/(complex(float64(n), 0)*d*d))
}

// aliasingCase is an [aliasing] with a name.
type aliasingCase struct {
	name string
	aliasing
}

// aliasingCases are a loop of duty 0.3 at and off resonance.
func aliasingCases() []aliasingCase {
	l := 10 * time.Millisecond
	loop := Loop{On: 3 * l / 10, Off: 7 * l / 10}
	at := func(turns, sigma float64, timer timerKind) aliasingCase {
		name := fmt.Sprintf("T=%gL σ=%gL %s", turns, sigma, map[timerKind]string{sleepLoop: "sleep", absoluteTimer: "absolute"}[timer])
		return aliasingCase{name, aliasing{loop, time.Duration(turns * float64(l)), time.Duration(sigma * float64(l)), timer, 2000}}
	}
	return []aliasingCase{
		at(1, 0, sleepLoop),
		at(1, 0.01, sleepLoop), at(1, 0.01, absoluteTimer),
		at(1, 0.03, sleepLoop), at(1, 0.03, absoluteTimer),
		at(1, 0.1, sleepLoop), at(1, 0.1, absoluteTimer),
		at(1, 0.3, sleepLoop), at(1, 0.3, absoluteTimer),
		at(1.0333, 0, sleepLoop), at(1.41421356, 0, sleepLoop), at(2.5, 0, sleepLoop),
	}
}

// frameCases are samplers of an app at 60 frames per second, for 30 s. A method takes a tenth of
// every frame.
func frameCases() []aliasingCase {
	frame := ms(16.6667) // with exactly 1/60 s, 101 Hz has only 101 phases, and an error of 0.29 points
	loop := Loop{On: frame / 10, Off: frame - frame/10}
	at := func(name string, interval, sigma time.Duration) aliasingCase {
		return aliasingCase{"60 fps, " + name, aliasing{loop, interval, sigma, sleepLoop, int(30 * time.Second / interval)}}
	}
	return []aliasingCase{
		at("100 Hz", ms(10), 0),
		at("101 Hz", time.Second/101, 0),
		at("100 Hz sleep σ=30µs", ms(10), ms(0.03)),
		at("100 Hz sleep σ=100µs", ms(10), ms(0.1)),
		at("sleep 10 ms + 80±20 µs", ms(10.08), ms(0.02)),
	}
}

// ms is x milliseconds.
func ms(x float64) time.Duration { return time.Duration(math.Round(x * 1e6)) }

// TestAliasing compares standard deviations of a loop's share with published figures. These are
// simulations of a few hundred runs, exact to some percent.
func TestAliasing(t *testing.T) {
	want := map[string]float64{
		"T=1L σ=0L sleep": 0.456, "T=1L σ=0.01L sleep": 0.238, "T=1L σ=0.01L absolute": 0.455, "T=1L σ=0.03L sleep": 0.089, "T=1L σ=0.03L absolute": 0.427,
		"T=1L σ=0.1L sleep": 0.027, "T=1L σ=0.1L absolute": 0.317, "T=1L σ=0.3L sleep": 0.0115, "T=1L σ=0.3L absolute": 0.063,
		"T=1.0333L σ=0L sleep": 0.0017, "T=1.41421356L σ=0L sleep": 0.0004, "T=2.5L σ=0L sleep": 0.243,
	}
	for _, c := range aliasingCases() {
		got := c.ShareStdDev()
		w, ok := want[c.name]
		if !ok {
			t.Errorf("%s: no published figure", c.name)
		}
		if math.Abs(got-w) > 0.03*w+0.00006 {
			t.Errorf("%s: %.5f, want %.4f", c.name, got, w)
		}
	}
}

// TestFrames compares the standard deviations of the 60-fps example, in percentage points, with
// published figures. They agree within 10 % and the rounding to two digits.
func TestFrames(t *testing.T) {
	want := []float64{9.9, 0.11, 5.2, 1.7, 0.13}
	for i, c := range frameCases() {
		got := 100 * c.ShareStdDev()
		digit := math.Pow(10, math.Floor(math.Log10(want[i]))-1)
		if math.Abs(got-want[i]) > 0.1*want[i]+0.5*digit {
			t.Errorf("%s: %.3f points, want %.2f", c.name, got, want[i])
		}
	}
}

// frames returns an app with a method 1 that takes a tenth of every frame of 16.6667 ms, for 30 s,
// inside method 0.
func frames() *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: 30 * time.Second}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{Name: "main"})
	rec.Symbols.AddMethod(trace.Method{Name: "loop"})
	rec.Symbols.AddMethod(trace.Method{Name: "frame"})
	const period = 16666700 * time.Nanosecond
	events := []trace.Event{{Method: 0}}
	for at := time.Duration(0); at+period < rec.Info.Elapsed; at += period {
		events = append(events, trace.Event{Wall: at, CPU: at, Method: 1}, trace.Event{Wall: at + period/10, CPU: at + period/10, Method: 1, Action: trace.Exit})
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// shareStdDev returns the standard deviation of the frame method's reported share, in percentage
// points, over many emulated samplers with random phases.
func shareStdDev(t *testing.T, config sampler.Config) float64 {
	t.Helper()
	rec := frames()
	j := &samplingJob{}
	rng := rand.New(rand.NewPCG(51, 52))
	for range 400 {
		c := config
		c.Phase = 1 + time.Duration(rng.Int64N(int64(50*time.Millisecond)))
		c.Seed = rng.Uint64()
		j.cells = append(j.cells, &cell{run: tracer.Samples(c), mode: &Mode{reading: score.CountTimesInterval}})
	}
	if err := j.sample(rec); err != nil {
		t.Fatal(err)
	}
	for _, s := range j.scorers {
		s.Finish()
	}
	reference := score.NewReference(j.state)
	var sum, squares float64
	for _, a := range j.sums {
		exclusive := reference.Compare(a).Seen.Exclusive
		share := 100 * float64(exclusive[1]) / float64(exclusive[0]+exclusive[1])
		sum += share
		squares += share * share
	}
	n := float64(len(j.sums))
	return math.Sqrt((squares - sum*sum/n) / (n - 1))
}

// TestFramesEmulated compares the five standard deviations of the 60-fps example, from emulated
// samplers, with the closed form. They agree within 10 % (the closed form agrees with published
// figures, see TestFrames).
func TestFramesEmulated(t *testing.T) {
	testdata.Seldom(t, 4)
	overshoot := func(interval, overshoot, spread time.Duration) sampler.Config {
		return sampler.Config{Interval: interval, Cost: sampler.Cost{Overshoot: overshoot, OvershootSpread: spread}}
	}
	ms := time.Millisecond
	for _, c := range []struct {
		name   string
		config sampler.Config
		jitter time.Duration
	}{
		{"100 Hz", sampler.Config{Interval: 10 * ms}, 0},
		{"101 Hz", sampler.Config{Interval: time.Second / 101}, 0},
		{"100 Hz, sleep loop, σ = 30 µs", overshoot(9*ms, 1*ms, 30*us), 30 * us},
		{"100 Hz, sleep loop, σ = 100 µs", overshoot(9*ms, 1*ms, 100*us), 100 * us},
		{"10 ms + 80 ± 20 µs", overshoot(10*ms, 80*us, 20*us), 20 * us},
	} {
		mean := c.config.Interval + c.config.Cost.Overshoot
		law := 100 * aliasing{
			Loop: Loop{On: 1666670, Off: 16666700 - 1666670}, Interval: mean, Jitter: c.jitter, Samples: int(30 * time.Second / mean),
		}.ShareStdDev()
		got := shareStdDev(t, c.config)
		// The standard error of a standard deviation from 400 runs is 3.5 %.
		if math.Abs(got/law-1) > 0.1 {
			t.Errorf("%s: %.3f points, want %.3f by the closed form", c.name, got, law)
		}
	}
}
