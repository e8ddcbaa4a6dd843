package theory

import "math"

// binomialPMF is the probability of k successes in n trials, accurate to a few
// units in the last place for n up to 2⁵³: C. Loader's saddle-point form, in
// which no large logarithms cancel.
func binomialPMF(k, n, p float64) float64 {
	q := 1 - p
	switch {
	case k < 0 || k > n:
		return 0
	case p == 0:
		return indicator(k == 0)
	case q == 0:
		return indicator(k == n)
	case k == 0:
		return math.Exp(n * math.Log1p(-p))
	case k == n:
		return math.Exp(n * math.Log(p))
	}
	logC := stirlingError(n) - stirlingError(k) - stirlingError(n-k) - deviance(k, n*p) - deviance(n-k, n*q)
	return math.Exp(logC) * math.Sqrt(n/(2*math.Pi*k*(n-k)))
}

// stirlingError is log n! − log(√(2πn)(n/e)ⁿ).
func stirlingError(n float64) float64 {
	if n < 16 {
		lg, _ := math.Lgamma(n + 1)
		return lg - (n+0.5)*math.Log(n) + n - 0.5*math.Log(2*math.Pi)
	}
	n2 := n * n
	return (1./12 - (1./360-(1./1260-(1./1680-1./(1188*n2))/n2)/n2)/n2) / n
}

// deviance is x·log(x/m) + m − x, by its series where x and m are close.
func deviance(x, m float64) float64 {
	if math.Abs(x-m) >= 0.1*(x+m) {
		return x*math.Log(x/m) + m - x
	}
	v := (x - m) / (x + m)
	sum := (x - m) * v
	term := 2 * x * v
	for j := 1.; ; j++ {
		term *= v * v
		next := sum + term/(2*j+1)
		if next == sum {
			return sum
		}
		sum = next
	}
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
