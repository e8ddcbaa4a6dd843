package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"artifice/bench/expect"
)

// alarmApps are the truths of the table of false alarms.
var alarmApps = []string{"game-loop", "gc-storm", "cold-start", "scroll-60hz", "w2-frame-60hz"}

// alarmRates are its rates, descending.
var alarmRates = []float64{1e-2, 1e-3, 1e-4}

// tested is a sampler of the table: of CPU time or of wall time.
type tested struct {
	name   string
	wall   bool
	times  bool // of samples, in the profile
	inside bool // of the family that expect states
	schedule
	share int // profiles are divided by it, as samples of wall time take longer
}

func samplersTested() (list []tested) {
	add := func(name string, s schedule, t tested) {
		t.name, t.schedule = name+", "+s.name, s
		list = append(list, t)
	}
	for _, s := range schedules {
		add("timers", s, tested{inside: s.inside, share: 1})
	}
	for _, s := range schedules {
		add("ticks", s, tested{wall: true, times: true, inside: true, share: 10})
	}
	for _, s := range schedules {
		add("sums of ticks", s, tested{wall: true, inside: s.inside, share: 10})
	}
	return list
}

// alarmPeriod returns the period of a sampler: 10 ms of wall time, which is aliased with the frames
// of apps, or a round period of CPU time with at least 1,000 samples.
func (p *program) alarmPeriod(s tested) float64 {
	if s.wall {
		return 10e6
	}
	longest := float64(p.cpu) / 1000
	period := math.Pow(10, math.Floor(math.Log10(longest)))
	for _, factor := range []float64{5, 2} {
		if factor*period <= longest {
			return factor * period
		}
	}
	return period
}

// alarms counts the clean profiles that fail, by rate. Profiles are numbered; the number is the
// seed. A profile that passes at a rate passes at all smaller ones.
func (p *program) alarms(s tested, first, profiles int) (failed [3]int, err error) {
	take := p.timers
	if s.wall {
		take = p.ticks
	}
	period := p.alarmPeriod(s)
	for number := range profiles {
		rng := rand.New(rand.NewPCG(uint64(first+number), 58))
		profile, err := p.profile(take(rng, s.schedule, period), period, form{wall: s.wall, times: s.times})
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

// alarmCounts are the numbers of profiles and of those that failed, by rate.
type alarmCounts struct {
	profiles int
	failed   [3]int
}

func (a *alarmCounts) add(b alarmCounts) {
	a.profiles += b.profiles
	for i, n := range b.failed {
		a.failed[i] += n
	}
}

// alarmFile has the counts of earlier runs, by sampler and app. A line has those of profiles that
// follow the ones of the lines before.
type alarmFile struct {
	name   string // "": nothing is kept
	counts map[[2]string]alarmCounts
}

// openAlarms reads a file; it need not exist.
func openAlarms(name string) (*alarmFile, error) {
	f := &alarmFile{name, map[[2]string]alarmCounts{}}
	text, err := os.ReadFile(name)
	if name == "" || errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		words := strings.Split(line, "\t")
		var c alarmCounts
		if _, bad := fmt.Sscan(strings.Join(words[min(2, len(words)):], " "), &c.profiles, &c.failed[0], &c.failed[1], &c.failed[2]); bad != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, bad)
		}
		f.add(words[0], words[1], c)
	}
	return f, err
}

func (f *alarmFile) add(sampler, app string, c alarmCounts) {
	sum := f.counts[[2]string{sampler, app}]
	sum.add(c)
	f.counts[[2]string{sampler, app}] = sum
}

// keep adds counts, and appends them to the file.
func (f *alarmFile) keep(sampler, app string, c alarmCounts) error {
	f.add(sampler, app, c)
	if f.name == "" {
		return nil
	}
	file, err := os.OpenFile(f.name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s\t%s\t%d\t%d\t%d\t%d\n", sampler, app, c.profiles, c.failed[0], c.failed[1], c.failed[2])
	return errors.Join(err, file.Close())
}

// alarmBlock is the number of profiles between two lines of a file.
const alarmBlock = 50

// printAlarms prints how many clean profiles fail, for each sampler with a name that begins with
// prefix. It continues the runs of a file.
func printAlarms(w io.Writer, programs []*program, profiles int, prefix string, file *alarmFile) error {
	fmt.Fprintf(w, "%-26s %-7s %8s %6s %6s %6s\n", "sampler", "family", "profiles", "1e-2", "1e-3", "1e-4")
	for _, s := range samplersTested() {
		if !strings.HasPrefix(s.name, prefix) {
			continue
		}
		all, each := alarmCounts{}, max(1, profiles/s.share)
		for _, p := range programs {
			for {
				first := file.counts[[2]string{s.name, p.name}].profiles
				n := min(alarmBlock, each-first)
				if n <= 0 {
					break
				}
				failed, err := p.alarms(s, first, n)
				if err == nil {
					err = file.keep(s.name, p.name, alarmCounts{n, failed})
				}
				if err != nil {
					return fmt.Errorf("%s, %s: %w", p.name, s.name, err)
				}
			}
			all.add(file.counts[[2]string{s.name, p.name}])
		}
		family := "inside"
		if !s.inside {
			family = "outside"
		}
		fmt.Fprintf(w, "%-26s %-7s %8d %6d %6d %6d\n", s.name, family, all.profiles, all.failed[0], all.failed[1], all.failed[2])
	}
	return nil
}

// cleanApps are the truths of the table of clean profiles.
var cleanApps = alarmApps[:4]

// printClean prints the number of correct profiles in which a fault is detected.
func printClean(w io.Writer, programs []*program, profiles int) error {
	fmt.Fprintf(w, "%-14s %-8s %8s %6s %6s %6s\n", "app", "timers", "profiles", "1e-2", "1e-3", "1e-4")
	for _, p := range programs {
		for _, s := range schedules[:2] {
			rng := rand.New(rand.NewPCG(9, 4))
			period := float64(p.cpu) / faultSamples
			var detected [3]int
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
						detected[i]++
					}
				}
			}
			fmt.Fprintf(w, "%-14s %-8s %8d %6d %6d %6d\n", p.name, s.name, profiles, detected[0], detected[1], detected[2])
		}
	}
	return nil
}
