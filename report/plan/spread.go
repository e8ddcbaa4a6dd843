package plan

import "gonum.org/v1/gonum/stat/distuv"

// spread is a variance, in ns², with its degrees of freedom.
type spread struct{ variance, freedom float64 }

// scaled returns the spread with the variance multiplied.
func (s spread) scaled(by float64) spread { return spread{s.variance * by, s.freedom} }

// estimated is a variance with the limits within which it is with 90 %.
type estimated struct{ variance, low, high float64 }

func (e estimated) scaled(by float64) estimated {
	return estimated{e.variance * by, e.low * by, e.high * by}
}

func (s spread) estimated() estimated {
	limit := func(p float64) float64 {
		return s.variance * s.freedom / distuv.ChiSquared{K: s.freedom}.Quantile(p)
	}
	return estimated{s.variance, limit(0.95), limit(0.05)}
}

// fewTraces is up to how many degrees of freedom the variance between traces is so much less sure than that within them
// that the latter is taken where both are alike.
const fewTraces = 20

// like reports whether the variance between traces may be that within them: the ratio of two estimates of one variance has
// the F distribution, and is between its quantiles of 5 % and of 90 % (Snedecor). A level that makes traces differ by more
// has to be seen more than one that makes them differ by less, which there is not.
func (s spread) like(within spread) bool {
	f := distuv.F{D1: s.freedom, D2: within.freedom}
	ratio := s.variance / within.variance
	return ratio >= f.Quantile(0.05) && ratio <= f.Quantile(0.9)
}
