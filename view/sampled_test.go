package view

import (
	"testing"
	"time"

	"artifice/bench/score"
	"artifice/format/formattest"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
)

// both are two observers of one sampler.
type both struct{ a, b sampler.Observer }

func (o both) Sample(s *sampler.Sample) { o.a.Sample(s); o.b.Sample(s) }
func (o both) Ended(s *sampler.Sample)  { o.a.Ended(s); o.b.Ended(s) }

// TestReadSampled holds what the page says of samples, from call lists that are laid
// side by side afterwards, against what bench/score counts while the samples are
// taken: the true calls that a sample fell into, and how long the reported stack is
// the true one.
func TestReadSampled(t *testing.T) {
	for _, name := range []string{"w3-on-off", "w6-random-tree", "w10-two-lines", "cold-start", "mid-program", "scroll-60hz"} {
		for _, interval := range []time.Duration{300 * time.Microsecond, 5 * time.Millisecond} {
			t.Run(name+" "+interval.String(), func(t *testing.T) {
				a, err := device.Open("A")
				if err != nil {
					t.Fatal(err)
				}
				truth := formattest.Workload(t, name, time.Second)
				state := score.NewTrueState(truth)
				in := NewIntake(truth, Options{})
				in.alive = true
				truth.Events = &tee{state, in}
				s, err := sampler.New(truth, sampler.Config{Interval: interval, KeepSymbols: true, Cost: a.Sampling}, nil)
				if err != nil {
					t.Fatal(err)
				}
				l := &look{rec: s.Recording(), most: maxAsked}
				l.estimators = newEstimators(l.rec, Options{})
				scorer := score.NewSampleScorer(state, score.SampleConfig{})
				s.SetOutput(l)
				s.SetObserver(both{scorer, l})
				if err := sampler.Run(truth, s); err != nil {
					t.Fatal(err)
				}
				if err := state.Finish(truth); err != nil {
					t.Fatal(err)
				}
				scorer.Finish()
				r, err := l.recording(s.Stats())
				if err != nil {
					t.Fatal(err)
				}
				seen, wrong := 0, time.Duration(0)
				happened, err := in.Recording(name)
				if err != nil {
					t.Fatal(err)
				}
				unseen := map[trace.ThreadID]bool{}
				for i := range happened.threads {
					unseen[happened.threads[i].id] = true
				}
				for i, c := range compare(happened, r).threads {
					seen += len(c.seenCalls())
					for _, span := range c.wrongSpans() {
						wrong += span.Duration
					}
					delete(unseen, r.threads[i].id)
				}
				for i := range happened.threads {
					if th := &happened.threads[i]; unseen[th.id] {
						for _, c := range th.Calls() {
							if c.Depth == 0 {
								wrong += c.Duration // no sample of its thread
							}
						}
					}
				}
				line := score.NewReference(state).Compare(&scorer.Accumulator).Line
				if want := line.Thread - line.Equal; wrong != want {
					t.Errorf("the stack is wrong for %v, bench/score counts %v", wrong, want)
				}
				if int64(seen) != scorer.Seen {
					t.Errorf("%d true calls seen, bench/score counts %d", seen, scorer.Seen)
				}
			})
		}
	}
}
