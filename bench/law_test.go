package bench

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/bench/paths"
	"artifice/bench/theory"
	"artifice/internal/testdata"
	"artifice/reader"
	"artifice/sampler"
	"artifice/trace"
)

// realEvents reads a real trace in time order.
func realEvents(t testing.TB, name string) (*trace.Recording, []trace.Event) {
	t.Helper()
	f, err := reader.Open(testdata.Path(t, "traces", name), reader.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	var events trace.Buffer
	if _, err := trace.Copy(&events, f.Events); err != nil {
		t.Fatal(err)
	}
	return &trace.Recording{Info: f.Info, Symbols: f.Symbols}, events.Events
}

// sampleAt runs samplers of one interval without cost, one for each phase, and
// returns their watchers.
func sampleAt(t testing.TB, rec *trace.Recording, events []trace.Event, interval time.Duration, phases []time.Duration) ([]*watcher, *course) {
	t.Helper()
	truth := *rec
	truth.Events = trace.NewSliceReader(events)
	j := &samplingJob{}
	for _, phase := range phases {
		c := &cell{}
		c.mode.watch = func(cellConfig) sampler.Config {
			return sampler.Config{Interval: interval, Phase: phase}
		}
		j.cells = append(j.cells, c)
	}
	if err := j.watch(&truth); err != nil {
		t.Fatal(err)
	}
	for _, w := range j.watchers {
		w.post()
	}
	return j.watchers, j.watchers[0].course
}

// lawOf computes the call-count law of a truth and that of each path, with the
// course's path numbers.
func lawOf(t testing.TB, events []trace.Event, table *paths.Table, interval time.Duration) (*theory.CallCount, *theory.EachPath[*theory.CallCount]) {
	t.Helper()
	newLaw := func() *theory.CallCount {
		law, err := theory.NewCallCount(interval)
		if err != nil {
			t.Fatal(err)
		}
		return law
	}
	all, each := newLaw(), theory.NewEachPath(newLaw)
	stays := theory.NewStays(table, all, each)
	stays.WriteEvents(events)
	stays.Close()
	return all, each
}

// TestCallCountLaw holds the sampler against the exact law on every thread of a
// real trace: the reported calls of every calling context, summed over the
// phases j + ½ µs, are L − Λ(T) in microseconds.
func TestCallCountLaw(t *testing.T) {
	rec, events := realEvents(t, "instrumented-art-file.trace")
	for _, interval := range []time.Duration{500 * us, 1000 * us, 5000 * us} {
		if testing.Short() && interval != 1000*us {
			continue
		}
		var sums []int64
		var total int64
		var course *course
		for from := us / 2; from < interval; from += 250 * us {
			var phases []time.Duration
			for phase := from; phase < min(interval, from+250*us); phase += us {
				phases = append(phases, phase)
			}
			var watchers []*watcher
			watchers, course = sampleAt(t, rec, events, interval, phases)
			for _, w := range watchers {
				sums = append(sums, make([]int64, max(0, len(w.columns.calls)-len(sums)))...)
				for p, calls := range w.columns.calls {
					sums[p] += int64(calls)
					total += int64(calls)
				}
			}
		}
		law, each := lawOf(t, events, &course.table, interval)
		wrong := 0
		for p := paths.ID(1); int(p) < course.table.Len(); p++ {
			var got int64
			if int(p) < len(sums) {
				got = sums[p]
			}
			if time.Duration(got)*us != each.Law(p).Starts(0) {
				wrong++
			}
		}
		if wrong > 0 {
			t.Errorf("interval %v: %d of %d contexts break the law", interval, wrong, course.table.Len())
		}
		if want := law.Reported(0); math.Abs(float64(total)/float64(interval/us)-want) > 1e-9*want {
			t.Errorf("interval %v: %v calls a phase, the law says %v", interval, float64(total)/float64(interval/us), want)
		}
		if total == 0 {
			t.Errorf("interval %v: no calls", interval)
		}
	}
}

// TestCallCountLawWith24Phases: the total with few phases is within 4 standard
// errors, taken from the phases as if they were independent.
func TestCallCountLawWith24Phases(t *testing.T) {
	rec, events := realEvents(t, "instrumented-art-file.trace")
	for _, interval := range []time.Duration{500 * us, 1000 * us, 5000 * us} {
		var phases []time.Duration
		for i := range 24 {
			phases = append(phases, cellConfig{index: i, of: 24}.phase(interval))
		}
		watchers, course := sampleAt(t, rec, events, interval, phases)
		law, _ := lawOf(t, events, &course.table, interval)
		scores := make([]Scores, len(watchers))
		for i, w := range watchers {
			scores[i][CallRatio] = float64(w.reported)
		}
		mean := meanOf(scores)
		se := stdDevOf(scores, mean)[CallRatio] / math.Sqrt(24)
		z := theory.ZScore(theory.Estimate{Value: mean[CallRatio], StdErr: se, N: 24}, law.Reported(0), 0)
		if math.Abs(z) > theory.MaxZ {
			t.Errorf("interval %v: %v ± %v calls, the law says %v", interval, mean[CallRatio], se, law.Reported(0))
		}
	}
}

// TestPoissonLaws: what the control sees of a real trace's calls is what the laws
// say, and they say it.
func TestPoissonLaws(t *testing.T) {
	rec, events := realEvents(t, "instrumented-art-file.trace")
	for _, interval := range []time.Duration{100 * us, 1000 * us, 20000 * us} {
		rec.Events = trace.NewSliceReader(events)
		r, err := Run(context.Background(), rec, Config{Modes: []Mode{PoissonSampling}, Intervals: []time.Duration{interval}, Phases: 48})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Rows[0]
		for _, m := range []Measure{Samples, CallRecall, CallRatio, MergeFactor} {
			z, ok := row.Z(m)
			if !ok || math.Abs(z) > theory.MaxZ {
				t.Errorf("interval %v, %s: %v, law %v, z %.1f", interval, m.Key(), row.Mean[m], row.Law[m], z)
			}
		}
	}
}
