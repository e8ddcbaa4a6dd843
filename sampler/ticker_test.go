package sampler

import (
	"math"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// gapSchedules are schedules with random gaps. Their means and standard deviations are those of
// three distributions: the exponential one; the uniform one from 0 to 60 us, 60/sqrt(12); and the
// half-normal one. The latter has the mean d·sqrt(2/π)/2 and, for the positive part of a normal
// variable with mean 0, the standard deviation √(d²/2 − d²/(2π)).
var gapSchedules = []struct {
	name            string
	cfg             Config
	mean, deviation float64 // us
}{
	{"poisson", Config{Interval: 100 * us, Schedule: Poisson}, 100, 100},
	{"quantiles", Config{Interval: 100 * us, Cost: Cost{Overshoots: Quantiles{0, 30 * us, 60 * us}}}, 130, 60 / math.Sqrt(12)},
	{"half normal", Config{Interval: 100 * us, Cost: Cost{OvershootSpread: 50 * us}},
		100 + 50*0.3989423, 50 * math.Sqrt(0.5-1/(2*math.Pi))},
}

// TestMoments checks that the moments of a gap are those of its distribution, and those of drawn
// gaps.
func TestMoments(t *testing.T) {
	for _, c := range gapSchedules {
		c.cfg.Seed = 7
		s := newTicker(&c.cfg)
		mean, deviation := s.Moments()
		if math.Abs(mean/1e3-c.mean) > 1e-3 || math.Abs(deviation/1e3-c.deviation) > 1e-3 {
			t.Errorf("%s: a gap is %.4f ± %.4f us, want %.4f ± %.4f", c.name, mean/1e3, deviation/1e3, c.mean, c.deviation)
		}
		const n = 100_000
		var sum float64
		for range n {
			sum += float64(s.Gap())
		}
		if z := (sum/n - mean) / (deviation / math.Sqrt(n)); math.Abs(z) > 4 {
			t.Errorf("%s: the mean of %d gaps is %.1f standard errors off", c.name, n, z)
		}
	}
}

// TestSkip checks a very long time without events, in which most ticks are skipped. By renewal
// theory, the number of ticks is normal, with mean L/m and variance L·s²/m³ for gaps of mean m and
// standard deviation s (Cox, Renewal Theory, 3.3). The time from the last tick to the end has the
// mean (m² + s²)/(2m), as if ticks had been drawn one by one. Seeds are fixed, so the result, with
// bounds of four standard errors, does not depend on the machine.
func TestSkip(t *testing.T) {
	testdata.Seldom(t, 4)
	const length = 100 * time.Hour
	for _, c := range gapSchedules {
		const runs = 400
		m, s := c.mean*1e3, c.deviation*1e3
		var ticks, squares, rest float64
		for seed := range uint64(runs) {
			c.cfg.Seed = seed
			stats := idleRun(t, c.cfg, length)
			z := (float64(stats.Ticks) - float64(length)/m) / math.Sqrt(float64(length)*s*s/(m*m*m))
			ticks += z
			squares += z * z
			rest += float64(length - stats.lastTick)
		}
		if z := ticks / math.Sqrt(runs); math.Abs(z) > 4 {
			t.Errorf("%s: the mean number of ticks is %.1f standard errors off L/m", c.name, z)
		}
		if z := (squares - runs) / math.Sqrt(2*runs); math.Abs(z) > 4 {
			t.Errorf("%s: the variance of the ticks is %.3f of L·s²/m³, %.1f standard errors off", c.name, squares/runs, z)
		}
		want := (m*m + s*s) / (2 * m)
		if got := rest / runs; math.Abs(got-want) > 4*m/math.Sqrt(runs) { // its standard deviation is below m
			t.Errorf("%s: %.0f ns from the last tick to the end on average, want %.0f", c.name, got, want)
		}
	}
}

// idleRun samples one call of the given length.
func idleRun(t *testing.T, cfg Config, length time.Duration) *Stats {
	t.Helper()
	rec := script(t, trace.Instrumented, "0s main +a", length.String()+" main -a")
	s, err := New(rec, cfg, trace.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(rec, s); err != nil {
		t.Fatal(err)
	}
	return s.Stats()
}

// TestTimeOfLongTraces checks that a trace of up to 146 years takes as long as one of seconds. For
// longer traces, the sum of two times overflows.
func TestTimeOfLongTraces(t *testing.T) {
	for _, c := range gapSchedules {
		if n := idleRun(t, c.cfg, 146*365*24*time.Hour).Ticks; float64(n) < 4.6e18/(c.mean*1e3)*0.99 {
			t.Errorf("%s: %d ticks", c.name, n)
		}
	}
	for _, cfg := range []Config{{}, {Schedule: Poisson}} {
		rec := script(t, trace.Instrumented, "0s main +a", "2540400h main -a") // 290 years
		s, err := New(rec, cfg, trace.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(rec, s); err == nil {
			t.Error("a truth of 290 years: no error, want one")
		}
	}
	// A thread that has used no CPU time has no CPU zero, so every tick reads its clock.
	rec := script(t, trace.Truth, "0s main +a@0ns", "1270000h main -a@0ns")
	rec.Symbols.Methods[0].Wait = trace.Sleep
	s, err := New(rec, Config{Schedule: Poisson}, trace.Discard)
	if err == nil {
		err = Run(rec, s)
	}
	if n := s.Stats().Ticks; err != nil || n < 4_000_000_000_000 {
		t.Errorf("%d ticks, %v", n, err)
	}
}

// TestRunUntil checks that a stopped run has the same result as a run over the truth up to the
// stop.
func TestRunUntil(t *testing.T) {
	lines := []string{"0s main +a", "1500us main +b", "2500us main -b", "3500us main +c", "7500us main -c", "9500us main -a"}
	cfg := Config{Schedule: Poisson, Seed: 3, Cost: Cost{PerTick: 10 * us}}
	run := func(stop time.Duration, lines []string) (Stats, int) {
		rec := script(t, trace.Instrumented, lines...)
		events := new(collected)
		s, err := New(rec, cfg, events)
		if err != nil {
			t.Fatal(err)
		}
		err = RunUntil(func(reached time.Duration) error {
			if reached >= stop {
				return ErrStopped
			}
			return nil
		}, rec, s)
		if (err == ErrStopped) != (stop < time.Hour) || err != nil && err != ErrStopped {
			t.Fatal(err)
		}
		return *s.Stats(), len(*events)
	}
	got, events := run(3500*us, lines)
	want, wantEvents := run(time.Hour, lines[:4])
	if got.Ticks != want.Ticks || got.AppTime != want.AppTime || got.AppTime != 3500*us || got.Paused != want.Paused || events != wantEvents {
		t.Errorf("stopped at 3.5 ms: %+v, %d events; of a truth that ends there %+v, %d", got, events, want, wantEvents)
	}
}

type collected []trace.Event

func (c *collected) WriteEvents(p []trace.Event) error {
	*c = append(*c, p...)
	return nil
}
