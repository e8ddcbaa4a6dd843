package score

import (
	"math/rand/v2"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/trace/calltree"
)

// TestAgainstCallTree compares the sums by method and by edge with those of package calltree, for a
// truth and an observed trace.
func TestAgainstCallTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 50 {
		rec := randomTruth(rng, 2, 400)
		var all trace.Buffer
		trace.Copy(&all, rec.Events)
		events, _ := testdata.Calls(all.Events)

		builder := calltree.NewBuilder()
		builder.WriteEvents(events)
		tree, _ := builder.Finish(&trace.Recording{}, trace.UnknownTechnique, calltree.UntilLastEvent)

		c := newState(rec, events)
		reported := NewEventScorer(c, AllSamples, 0)
		trace.Copy(reported, c)
		c.finish(events[len(events)-1].Wall)
		r := NewReference(c)
		seen := r.Compare(&reported.Accumulator).Seen
		for _, m := range tree.Methods() {
			for _, p := range []Side{r.side, seen} {
				if p.Exclusive[m.Method] != m.Exclusive.Wall || p.Inclusive[m.Method] != m.Inclusive.Wall || p.Calls[m.Method] != m.Calls+m.Recursive {
					t.Fatalf("method %d: exclusive %v, inclusive %v, %d calls; want %+v as in calltree", m.Method, p.Exclusive[m.Method], p.Inclusive[m.Method], p.Calls[m.Method], m)
				}
			}
		}
		var want, got []time.Duration
		for _, e := range tree.Edges() {
			want = append(want, e.Exclusive.Wall)
		}
		got = seen.Edges
		if len(got) != len(want) || total(got) != total(want) || squares(got) != squares(want) {
			t.Fatalf("edges %v, want %v as in calltree", got, want)
		}
	}
}

func total(column []time.Duration) (sum time.Duration) {
	for _, d := range column {
		sum += d
	}
	return sum
}

func squares(column []time.Duration) (sum float64) {
	for _, d := range column {
		sum += float64(d/us) * float64(d/us)
	}
	return sum
}

// TestReadings checks the duration that each reading computes for a stack from 7 to 30 ms (23 ms).
func TestReadings(t *testing.T) {
	from, to := 7*time.Millisecond, 30*time.Millisecond
	for _, c := range []struct {
		reading Reading
		want    time.Duration
	}{
		{ExactStamps, 23 * time.Millisecond},
		{Resampled, 24 * time.Millisecond}, // three samples of 8 ms, at 8, 16 and 24
		{RoundedUp, 30 * time.Millisecond},
	} {
		if got := c.reading.span(from, to, 8*time.Millisecond); got != c.want {
			t.Errorf("reading %d: span = %v, want %v", c.reading, got, c.want)
		}
	}
	if got := RoundedUp.span(from, from, 0); got != 0 {
		t.Errorf("RoundedUp.span of an empty interval = %v, want 0", got)
	}
}
