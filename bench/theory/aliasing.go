package theory

import (
	"math"
	"math/cmplx"
	"time"
)

// Timer says how the samples of a periodic sampler stray from their times.
type Timer int

const (
	// SleepLoop sleeps anew after each sample, so strays add up: ART's sampler.
	SleepLoop Timer = iota
	// Absolute fires at multiples of the interval, each with its own stray: a
	// timerfd or SIGPROF.
	Absolute
)

// Aliasing is a [Loop] watched by a sampler whose interval has Gaussian jitter,
// from a random phase.
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
type Aliasing struct {
	Loop     Loop
	Interval time.Duration // mean time between samples
	Jitter   time.Duration // σ of one gap (sleep loop) or one sample (absolute)
	Timer    Timer
	Samples  int
}

// harmonics is how many Fourier coefficients are summed; the rest, less than
// 1/(π²·harmonics) of the variance of one sample, counts as independent.
const harmonics = 20000

// ShareStdDev is the standard deviation of the estimated share.
func (a Aliasing) ShareStdDev() float64 {
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

// inflation is the bracket of the formula for harmonic m: 1 when the samples
// are independent for it, N when they all see the same phase.
func (a Aliasing) inflation(m int) float64 {
	l := float64(a.Loop.Period())
	turn := math.Mod(float64(m)*float64(a.Interval%a.Loop.Period()), l) / l
	s := float64(m) * float64(a.Jitter) / l
	phi := math.Exp(-2 * math.Pi * math.Pi * s * s)
	z := cmplx.Rect(1, 2*math.Pi*turn)
	if a.Timer == Absolute {
		return 1 + 2*phi*phi*fejer(z, a.Samples)
	}
	return 1 + 2*fejer(z*complex(phi, 0), a.Samples)
}

// fejer is Re Σ_{k=1}^{n−1} (1 − k/n) z^k for |z| ≤ 1, in closed form
// z/(1−z) − z(1−z^n)/(n(1−z)²), and (n−1)/2 where z is so near 1 that it cancels.
func fejer(z complex128, n int) float64 {
	d := 1 - z
	if cmplx.Abs(d)*float64(n) < 1e-4 {
		return float64(n-1) / 2
	}
	zn := cmplx.Pow(z, complex(float64(n), 0))
	return real(z/d - z*(1-zn)/(complex(float64(n), 0)*d*d))
}
