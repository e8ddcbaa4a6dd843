package bench

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// line is the points that a straight line is put through: true times of the method, and what traces
// show of it, s.
type line struct{ x, y []float64 }

func (l *line) add(x, y float64) { l.x, l.y = append(l.x, x), append(l.y, y) }

// ends returns the true times of the first and of the last level.
func (l *line) ends() (from, to float64) { return l.x[0], l.x[len(l.x)-1] }

// fill fits y = a + b (x - from) by least squares, and sets what the row shows: b (to - from)/a. Its
// interval is that of a ratio of two estimates by the delta method, with Student's t and n - 2 degrees
// of freedom (Draper and Smith, Applied Regression Analysis, 1998, chapter 1: the variances and the
// covariance of a and b).
func (l *line) fill(row *ChangeRow) {
	n := float64(len(l.x))
	from, to := l.ends()
	var mx, my, sxx, sxy float64
	for i := range l.x {
		mx, my = mx+(l.x[i]-from)/n, my+l.y[i]/n
	}
	for i := range l.x {
		dx := l.x[i] - from - mx
		sxx += dx * dx
		sxy += dx * (l.y[i] - my)
	}
	b := sxy / sxx
	a := my - b*mx
	var rss float64
	for i := range l.x {
		e := l.y[i] - a - b*(l.x[i]-from)
		rss += e * e
	}
	variance := rss / (n - 2)
	va, vb, cov := variance*(1/n+mx*mx/sxx), variance/sxx, -variance*mx/sxx
	row.Shown, row.Low, row.High, row.Pair = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if len(l.x) > ChangeLevels && a > 0 {
		row.Pair = math.Sqrt(2*variance) / a
	}
	if !(a > surely*math.Sqrt(va)) {
		return
	}
	ratio := b / a
	se := math.Sqrt(max(0, vb-2*ratio*cov+ratio*ratio*va)) / a
	reach := distuv.StudentsT{Sigma: 1, Nu: n - 2}.Quantile(0.975) * se * (to - from)
	row.Shown = ratio * (to - from)
	row.Low, row.High = row.Shown-math.Abs(reach), row.Shown+math.Abs(reach)
}

// surely is how many standard errors the time at the first level must be above 0 for a change relative to it.
const surely = 10
