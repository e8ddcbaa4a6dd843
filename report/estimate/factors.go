package estimate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// Intervals are the 95 % intervals of methods' self times in the form that a profile of
// package format/pprof has them: limits as multiples of a time, and comments.
type Intervals struct {
	*Estimator
	rec     *trace.Recording
	profile *Profile
	factors []factors // by trace.MethodID
}

// factors are a method's limits, lower and upper, as multiples of its time.
type factors struct{ wall, cpu [2]float64 }

// NewIntervals returns an estimator of the intervals of rec's times, as [New] does.
func NewIntervals(rec *trace.Recording, until calltree.EndPolicy) *Intervals {
	return &Intervals{Estimator: New(rec, Config{Until: until, MethodsOnly: true}), rec: rec}
}

// Finish ends the recording and reports whether it is known to be sampled.
func (i *Intervals) Finish() (sampled bool) {
	i.profile = i.Estimator.Finish()
	i.factors = make([]factors, len(i.rec.Symbols.Methods))
	for m := range i.factors {
		i.factors[m] = factors{limits(Time{}), limits(Time{})}
	}
	for m := range i.profile.Methods() {
		i.factors[m.ID] = factors{limits(m.Exclusive.Wall), limits(m.Exclusive.CPU)}
	}
	return i.profile.Sampled() && i.profile.Period > 0
}

// limits returns the limits of a time as multiples of it; 1 where it is 0.
func limits(t Time) [2]float64 {
	if t.Value <= 0 {
		return [2]float64{1, 1}
	}
	return [2]float64{float64(t.Low) / float64(t.Value), float64(t.High) / float64(t.Value)}
}

// Factors returns the lower and upper limits of a method's self times, as multiples of these. It
// may be called after Finish.
func (i *Intervals) Factors(m trace.MethodID) (wall, cpu [2]float64) {
	return i.factors[m].wall, i.factors[m].cpu
}

// maxComments is the maximum number of methods with a comment.
const maxComments = 3

// Comments returns a sentence for each of the longest wall times that are based on enough samples.
// It may be called after Finish.
func (i *Intervals) Comments() []string {
	longest := slices.DeleteFunc(slices.Collect(i.profile.Methods()), func(m Method) bool {
		return !m.Exclusive.Runs.Enough()
	})
	slices.SortStableFunc(longest, func(a, b Method) int {
		return cmp.Compare(b.Exclusive.Wall.Value, a.Exclusive.Wall.Value)
	})
	var comments []string
	for _, m := range longest[:min(maxComments, len(longest))] {
		t := m.Exclusive.Wall
		line := fmt.Sprintf("wall time %v, 95 %% interval %v to %v: %s", t.Value.Round(time.Microsecond), t.Low.Round(time.Microsecond), t.High.Round(time.Microsecond), i.rec.Symbols.Method(m.ID))
		if cycle := m.Exclusive.Cycle; cycle != nil {
			line += fmt.Sprintf(", aliased with the sampler (%d samples)", cycle.Samples)
		}
		comments = append(comments, line)
	}
	return comments
}
