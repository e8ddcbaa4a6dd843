package main

import (
	"fmt"
	"io"
	"math/rand/v2"

	"artifice/expect"
)

// alarmApps are the truths of the table of false alarms.
var alarmApps = []string{"game-loop", "gc-storm", "cold-start", "scroll-60hz"}

// alarmRates are its rates, descending.
var alarmRates = []float64{1e-2, 1e-3, 1e-4}

// alarmSamples is the number of samples of a profile.
const alarmSamples = 1000

// tested is a sampler of the table: of CPU time or of wall time.
type tested struct {
	name   string
	wall   bool
	inside bool // of the family that expect states
	schedule
	share int // profiles are divided by it, as samples of wall time take longer
}

func samplersTested() (list []tested) {
	for _, s := range schedules {
		list = append(list, tested{"timers, " + s.name, false, s.inside, s, 1})
	}
	for _, s := range schedules {
		list = append(list, tested{"ticks, " + s.name, true, true, s, 10})
	}
	return list
}

// alarms counts the clean profiles that fail, by rate. A profile that passes at a rate passes at
// all smaller ones.
func (p *program) alarms(s tested, profiles int) (failed [3]int, err error) {
	rng := rand.New(rand.NewPCG(uint64(profiles), 58))
	total, take := float64(p.cpu), p.timers
	if s.wall {
		total, take = 0, p.ticks
		for i := range p.threads {
			t := &p.threads[i]
			for k := range t.wall[:max(0, len(t.wall)-1)] {
				if len(t.stacks[k]) > 0 {
					total += float64(t.wall[k+1] - t.wall[k])
				}
			}
		}
	}
	period := total / alarmSamples
	for range profiles {
		profile, err := p.profile(take(rng, s.schedule, period), period, form{wall: s.wall, times: s.wall})
		if err != nil {
			return failed, err
		}
		for i, rate := range alarmRates {
			v, err := expect.Check(p.truth, profile, expect.Options{Rate: rate, Quick: true})
			if err != nil {
				return failed, err
			}
			if v.Outcome == expect.Pass {
				break
			}
			failed[i]++
		}
	}
	return failed, nil
}

// printAlarms prints how many clean profiles fail, for each sampler.
func printAlarms(w io.Writer, programs []*program, profiles int) error {
	fmt.Fprintf(w, "%-18s %-7s %8s %6s %6s %6s\n", "sampler", "family", "profiles", "1e-2", "1e-3", "1e-4")
	for _, s := range samplersTested() {
		var all [3]int
		each := max(1, profiles/s.share)
		for _, p := range programs {
			failed, err := p.alarms(s, each)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", p.name, s.name, err)
			}
			for i, n := range failed {
				all[i] += n
			}
		}
		family := "inside"
		if !s.inside {
			family = "outside"
		}
		fmt.Fprintf(w, "%-18s %-7s %8d %6d %6d %6d\n", s.name, family, each*len(programs), all[0], all[1], all[2])
	}
	return nil
}

// printClean prints how many clean profiles a diagnosis accuses.
func printClean(w io.Writer, programs []*program, profiles int) error {
	fmt.Fprintf(w, "%-14s %-8s %8s %6s %6s %6s\n", "app", "timers", "profiles", "1e-2", "1e-3", "1e-4")
	for _, p := range programs {
		for _, s := range schedules[:2] {
			rng := rand.New(rand.NewPCG(9, 4))
			period := float64(p.cpu) / faultSamples
			var accused [3]int
			for range profiles {
				profile, err := p.profile(p.timers(rng, s, period), period, form{})
				if err != nil {
					return err
				}
				d, err := expect.Diagnose(p.truth, profile, expect.Options{Rate: alarmRates[0]})
				if err != nil {
					return err
				}
				for i := range alarmRates {
					if d.LogE >= float64(2+i) {
						accused[i]++
					}
				}
			}
			fmt.Fprintf(w, "%-14s %-8s %8d %6d %6d %6d\n", p.name, s.name, profiles, accused[0], accused[1], accused[2])
		}
	}
	return nil
}
