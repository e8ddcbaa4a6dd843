package expect

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/internal/testdata"
)

// frames returns a truth of one thread: every 50 ms it works for 10 ms and rests for 40 ms.
func frames(length time.Duration) *Truth {
	s := newStacks()
	work, rest := s.child(0, s.name("work")), s.child(0, s.name("rest"))
	l := line{}
	for at := time.Duration(0); at < length; at += 50 * time.Millisecond {
		l.stack, l.first = append(l.stack, work, rest), append(l.first, work, rest)
		l.begins[Wall] = append(l.begins[Wall], at, at+10*time.Millisecond)
	}
	l.end[Wall] = length
	return &Truth{Name: "frames", stacks: s, lines: []line{l}, weights: [2][]float64{Wall: {0, 20, 80}}}
}

// jittered samples frames every 50 ms on average, with gaps that vary by 1 %. In a share bias of
// the samples of rest, the profile has work instead.
func jittered(truth *Truth, rng *rand.Rand, bias float64) *Profile {
	const period = 50e6
	contexts := newLookup(&truth.lines[0])
	p := &Profile{Name: "profile", Clock: Wall, stacks: truth.stacks, counts: make([]float64, 3)}
	for now := rng.Float64() * period; now < float64(truth.lines[0].end[Wall]); now += period * (1 + 0.01*rng.NormFloat64()) {
		stack := contexts.at(time.Duration(now))
		if stack == 2 && rng.Float64() < bias {
			stack = 1
		}
		p.counts[stack]++
		p.Samples++
		p.time += period
		p.runs = append(p.runs, run{stack: stack, count: 1, wall: time.Duration(now), until: time.Duration(now + period)})
	}
	p.setShares(append([]float64(nil), p.counts...))
	return p
}

// TestLookup compares contexts with a scan of all segments: for segments of equal length, for
// lengths that differ by a factor of a million, for segments of no length, and for none.
func TestLookup(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 58))
	for lines := range 200 {
		l := line{}
		at := time.Duration(rng.IntN(100))
		first := at
		for n := range rng.IntN(60) {
			l.begins[Wall], l.stack = append(l.begins[Wall], at), append(l.stack, int32(1+n))
			switch lines % 3 {
			case 0:
				at += 7
			case 1:
				at += time.Duration(rng.IntN(3))
			default:
				at += time.Duration(math.Pow(10, rng.Float64()*6))
			}
		}
		l.end[Wall] = at
		contexts := newLookup(&l)
		for range 100 {
			now := first - 2 + time.Duration(rng.Int64N(int64(at-first)+4))
			want := int32(0)
			for i, begin := range l.begins[Wall] {
				if begin <= now && now < l.end[Wall] {
					want = l.stack[i]
				}
			}
			if got := contexts.at(now); got != want {
				t.Fatalf("context %d at %d, want %d: segments begin at %d", got, now, want, l.begins[Wall])
			}
		}
	}
}

// TestShifts checks samples that are aliased with the frames apart from a small jitter, so they are
// correlated over many frames. The tests for independent samples and for a constant period reject
// clean profiles. The test by shifts accepts them, and detects a bias.
func TestShifts(t *testing.T) {
	testdata.Seldom(t, 4)
	rng := rand.New(rand.NewPCG(5, 8))
	truth := frames(60 * time.Second)
	failed, byBinomial, biased := 0, 0, 0
	const profiles, rate = 60, 0.01
	for range profiles {
		p := jittered(truth, rng, 0)
		v, err := Check(truth, p, Options{Rate: rate})
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome != Pass {
			failed++
		}
		if v, err = Check(truth, p, Options{Rate: rate, Schedules: Poisson}); err != nil {
			t.Fatal(err)
		}
		if v.Outcome != Pass {
			byBinomial++
		}
		if v, err = Check(truth, jittered(truth, rng, 0.95), Options{Rate: rate, Schedules: WallTick}); err != nil {
			t.Fatal(err)
		}
		if v.Outcome == Fail {
			biased++
		}
	}
	// At the rate itself, 0.6 of 60 are expected; more than 4 have a probability of 0.0004.
	if failed > 4 || byBinomial < 10 || biased < profiles/2 {
		t.Errorf("%d of %d clean profiles fail, %d by independent samples; %d of the biased ones", failed, profiles, byBinomial, biased)
	}
}

// TestShiftTails checks tails of the shares 0, 0.25, 0.5, 0.75 and 1: three are at most 0.5 and
// three at least 0.5. Beyond the range of the shares, the tail is Student's.
func TestShiftTails(t *testing.T) {
	s := shiftTest{want: exactly(0.5), samples: 1e9, shares: []float64{0, 0.25, 0.5, 0.75, 1}, deviation: 0.01}
	if below, above := s.tails(0.5); math.Abs(below-0.6) > 1e-9 || math.Abs(above-0.6) > 1e-9 {
		t.Errorf("tails of the median %g, %g; want 0.6", below, above)
	}
	s.deviation, s.shares = 1, []float64{0.5, 0.5}
	want := 1 - distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 1}.CDF(0.4)
	if below, above := s.tails(0.9); below != 1 || math.Abs(above-want) > 1e-6 {
		t.Errorf("tails %g, %g, want 1 and %g", below, above, want)
	}
}

// TestInstants checks that threads sampled within a quarter of the period share an instant, and
// that consecutive samples have equal distances.
func TestInstants(t *testing.T) {
	p := &Profile{Samples: 5, time: 500, runs: []run{{thread: 0, count: 2, wall: 0, until: 200}, {thread: 0, count: 1, wall: 200, until: 300}, {thread: 1, count: 2, wall: 10, until: 210}}}
	got := p.instants()
	want := []time.Duration{0, 100, 200}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// TestDistantTails checks the tails of a share among 10 shifts. Of shares from 0.45 to 0.54, 0.31 is
// below all; by Student's distribution with 9 degrees of freedom, it is 0.19/0.05 = 3.8 deviations
// from 0.5, with a probability of 0.0021 (tables: 0.0025 for 3.690, 0.0010 for 4.297).
func TestDistantTails(t *testing.T) {
	s := shiftTest{want: interval{0.5, 0.5}, samples: 100, deviation: 0.05}
	for i := range 10 {
		s.shares = append(s.shares, 0.45+0.01*float64(i))
	}
	if below, above := s.tails(0.3); below < 0.001 || below > 0.0025 || above != 1 {
		t.Errorf("0.3: %g below, %g above", below, above)
	}
	if below, above := s.tails(0.7); above < 0.001 || above > 0.0025 || below != 1 {
		t.Errorf("0.7: %g below, %g above", below, above)
	}
	s.deviation = 0
	if below, above := s.tails(0.3); below != 0 || above != 1 {
		t.Errorf("0.3 without deviation: %g below, %g above", below, above)
	}
}
