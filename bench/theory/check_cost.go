package theory

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

func pauseChecks() []Check {
	us := func(x int) time.Duration { return time.Duration(x) * time.Microsecond }
	var checks []Check
	for _, run := range []time.Duration{us(1150), us(180)} {
		phases := []Phase{{time.Second, Pause{run, us(50)}}, {time.Second, Pause{run, us(250)}}}
		name := fmt.Sprintf("X=%v P=50|250µs ", run)
		add := func(what string, law float64, pick func(wall [2]time.Duration) float64) {
			checks = append(checks, Check{Law: "pause", Case: name + what, Value: law, Simulate: func(rng *rand.Rand) Estimate {
				return repeat(400, func() float64 { return pick(pausedRun(rng, phases)) }).meanEstimate()
			}})
		}
		add("slowdown, shallow", phases[0].Pause.Slowdown(), func(w [2]time.Duration) float64 { return w[0].Seconds() })
		add("slowdown, deep", phases[1].Pause.Slowdown(), func(w [2]time.Duration) float64 { return w[1].Seconds() })
		add("deep share of wall", WallShares(phases)[1], func(w [2]time.Duration) float64 { return ratio(w[1], w[0]+w[1]) })
	}
	return checks
}

// pausedRun takes an app through two phases of 1 s each, cut into alternating
// slices of random length, and returns the wall time of each under sampling.
func pausedRun(rng *rand.Rand, phases []Phase) (wall [2]time.Duration) {
	left := [2]time.Duration{phases[0].Time, phases[1].Time}
	toTick := time.Duration(rng.Int64N(int64(phases[0].Pause.Run)))
	for i := 0; left[0]+left[1] > 0; i = 1 - i {
		slice := min(left[i], time.Duration(rng.Int64N(int64(40*time.Millisecond))))
		left[i] -= slice
		wall[i] += slice
		for ; slice >= toTick; toTick = phases[i].Pause.Run {
			slice -= toTick
			wall[i] += phases[i].Pause.Stop
		}
		toTick -= slice
	}
	return wall
}

func hookChecks() []Check {
	const perSecond = 1.2e6 / 2 // with c = 1 µs: slowdown 2.2
	h := Hook{Event: time.Microsecond}
	checks := []Check{{Law: "instrumented", Case: "tree of 121 calls, worst own time", Value: 0, Simulate: func(rng *rand.Rand) Estimate {
		return Estimate{Value: hookedTree(rng, h).worst}
	}}, {Law: "instrumented", Case: "2cλ=1.2 slowdown", Value: h.Slowdown(perSecond), Simulate: func(rng *rand.Rand) Estimate {
		t := hookedTree(rng, h)
		scale := perSecond * t.run.Seconds() / float64(t.calls) // stretch own times to that call rate
		return Estimate{Value: 1 + ratio(t.hooked-t.run, t.run)*scale}
	}}}
	for _, c := range []time.Duration{3350 * time.Nanosecond, 200 * time.Nanosecond} {
		const calls = 1000000
		leaf, caller := Hook{c}.LeafShare(calls, 50*time.Nanosecond, 5050*time.Millisecond)
		run := func() (float64, float64) { return hookedLeaf(c, calls, 50*time.Nanosecond, 5050*time.Millisecond) }
		checks = append(checks,
			Check{Law: "instrumented", Case: fmt.Sprintf("leaf of 50 ns, c=%v: leaf", c), Value: leaf, Simulate: func(*rand.Rand) Estimate { l, _ := run(); return Estimate{Value: l} }},
			Check{Law: "instrumented", Case: fmt.Sprintf("leaf of 50 ns, c=%v: caller gains", c), Value: caller, Simulate: func(*rand.Rand) Estimate { _, g := run(); return Estimate{Value: g} }})
	}
	return checks
}

// hooked is a call tree run under hooks.
type hooked struct {
	now, run, hooked time.Duration // clock, true and hooked running time
	calls            int
	worst            float64 // largest deviation from Exclusive and Inclusive, in ns
	hook             Hook
	before           time.Duration // part of a hook before its clock read
	rng              *rand.Rand
}

// hookedTree runs a tree of 121 calls (three callees each, five levels) with
// random own times, event by event.
func hookedTree(rng *rand.Rand, h Hook) *hooked {
	t := &hooked{hook: h, rng: rng, before: time.Duration(rng.Int64N(int64(h.Event)))}
	t.call(4)
	t.hooked = t.now
	return t
}

// call runs one call and returns its reported and true durations and the calls
// of its subtree.
func (t *hooked) call(levels int) (reported, truth time.Duration, calls int) {
	t.calls++
	t.now += t.before
	enter := t.now
	t.now += t.hook.Event - t.before
	self := t.work()
	var below time.Duration
	children := 0
	calls = 1
	for range 3 {
		if levels == 0 {
			break
		}
		r, d, n := t.call(levels - 1)
		below += r
		truth += d
		calls += n
		children++
		self += t.work()
	}
	truth += self
	t.now += t.before
	reported = t.now - enter
	t.now += t.hook.Event - t.before
	t.miss(reported-below, t.hook.Exclusive(self, children))
	t.miss(reported, t.hook.Inclusive(truth, calls))
	return reported, truth, calls
}

func (t *hooked) work() time.Duration {
	d := time.Duration(t.rng.Int64N(5000))
	t.now += d
	t.run += d
	return d
}

func (t *hooked) miss(measured, law time.Duration) {
	t.worst = max(t.worst, math.Abs(float64(measured-law)))
}

// hookedLeaf runs a caller that calls a leaf over and over, event by event, and
// returns the leaf's share and what the caller's share owes to the hooks.
func hookedLeaf(c time.Duration, calls int, d, total time.Duration) (leaf, callerGain float64) {
	var now, inLeaf time.Duration
	own := total - d*time.Duration(calls)
	before := c / 3
	for range calls {
		now += before
		enter := now
		now += c - before + d + before
		inLeaf += now - enter
		now += c - before
	}
	now += own
	return ratio(inLeaf, now), ratio(now-inLeaf-own, now)
}

func frontierChecks() []Check {
	const share, pause, run = 0.2, 50 * time.Microsecond, time.Second
	path := Alternating{On: 5 * time.Microsecond, Off: 20 * time.Microsecond}
	var checks []Check
	for _, x := range []time.Duration{ms(0.5), ms(1), ms(2), ms(5)} {
		law := Frontier(share, pause, run)
		// Samples of one path stay related for 2τc: so much of the variance is shared
		// with the truth itself.
		within := law * 2 * ratio(path.Correlation(), x)
		checks = append(checks, Check{Law: "frontier", Case: fmt.Sprintf("p=0.2 P=50µs W=1s X=%v, 1e-6", x), Value: law * 1e6, Within: within * 1e6,
			Simulate: func(rng *rand.Rand) Estimate {
				t := repeat(200, func() float64 {
					w := watch(rng, x, 0, int(run/x), func(on bool) time.Duration {
						if on {
							return time.Duration(rng.ExpFloat64() * float64(path.On))
						}
						return time.Duration(rng.ExpFloat64() * float64(path.Off))
					})
					miss := ratio(w.reportedOn-w.on, run)
					return miss * miss * ratio(pause, x) * 1e6
				})
				return t.meanEstimate()
			}})
	}
	return checks
}
