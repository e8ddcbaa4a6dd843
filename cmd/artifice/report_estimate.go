package main

import (
	"errors"
	"fmt"
	"time"

	"artifice/art"
	"artifice/cmd/artifice/command"
	"artifice/internal/words"
	"artifice/report/estimate"
	"artifice/sampler"
	"artifice/trace"
)

// estimateOf reads a source to its end. Where that fails the profile is of what
// comes before.
func estimateOf(src *command.Source, cfg estimate.Config, subtract string) (*estimate.Profile, error) {
	var cost sampler.Cost
	switch subtract {
	case "", "header": // the header of a stream comes at its end
	default:
		d, err := command.Device(subtract)
		if err != nil {
			return nil, err
		}
		cfg.EventCost = d.Instrumented.Event(art.Default(), src.Info.Clock)
		cost = d.Sampling
	}
	e := estimate.New(src.Recording, cfg)
	_, err := trace.Copy(e, src.Events)
	if subtract == "header" {
		if src.Info.ClockOverhead == 0 {
			return nil, errors.Join(command.Usagef("--subtract-overhead header: %s does not state the cost of its clock; name a device", src.Name), err)
		}
		e.SetEventCost(src.Info.ClockOverhead)
	}
	e.SetPause(cost.Pause(int64(len(src.Symbols.Threads)+1), 0)) // the sampling thread is walked, too
	p := e.Finish()
	if subtract == "header" && p.Sampled() {
		return nil, command.Usagef("--subtract-overhead header: %s is sampled, and the file does not state what a sample takes; name a device", src.Name)
	}
	if stated := statedInterval(src, p, cfg.Interval); stated != nil {
		return nil, stated
	}
	return p, err
}

// statedInterval says what became of the interval that was stated.
func statedInterval(src *command.Source, p *estimate.Profile, interval time.Duration) error {
	switch {
	case interval == 0 || p.Stated:
	case !p.Sampled():
		return command.Usagef("--sampled %s: %s has every call (%s)", command.Short(interval), src.Name, p.Evidence)
	case p.Period == 0:
		return command.Usagef("--sampled %s: %s has no wall times, which samples are an interval apart by", command.Short(interval), src.Name)
	default:
		fmt.Fprintf(src.Std.Err, "artifice: warning: --sampled %s is not needed: %s tells itself that it was sampled about every %s\n", command.Short(interval), src.Name, words.Digits(p.Period))
	}
	return nil
}

// checkSampled refuses an interval that none is.
func checkSampled(interval time.Duration) error {
	if interval < 0 || interval > 0 && interval < 10*time.Microsecond || interval > time.Minute {
		return command.Usagef("--sampled %s: the time between samples is from 10us to 1m", interval)
	}
	return nil
}
