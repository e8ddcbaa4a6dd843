package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/trace"
)

// confirmation is the result of a row in validation runs: other runs of the app, which had no part
// in the choice of the row.
type confirmation struct {
	runs, traces int     // numbers of validation runs, up to [otherRuns], and of their traces
	reaching     float64 // share of these traces that reach the goal
	// that share is at least [Sure], with a margin for further runs: see [Result.Confirm]
	holds bool
}

// otherRuns is the maximum number of validation runs of an advice. Several traces of one run vary
// in the positions of samples; several runs vary in the times of methods.
const otherRuns = 6

// sureOfRuns is the confidence level of the statement that traces of any run reach the goal.
const sureOfRuns = 0.9

// Confirm validates the advised row on other runs of the app, and repeats this when the advice
// changes. A row counts as reaching the goal only if the traces of the other runs do, too: the
// longest interval that reaches the goal in one run may have done so by chance. Let s be the shares
// of traces that reach the goal in each of n runs. The mean of s minus t(0.9; n−1) standard errors
// must be at least [Sure]. When that has become impossible, the remaining runs are skipped.
//
// cfg is the configuration of r, and another opens a run, numbered from 0. Confirm does nothing if
// no accuracy is required ([Goal].Wanted is 0), if no goal is set, if the sweep was interrupted, or
// if the truth was sampled or consists of sections. If ctx ends, Confirm stops and sets
// [Result].Unconfirmed.
func (r *Result) Confirm(ctx context.Context, cfg Config, another func(run int) (*trace.Recording, error)) error {
	if r.Cut || r.Sampled || r.Marked || r.Goal.Wanted == 0 || r.Goal.assumed {
		return nil
	}
	for d := range cfg.Devices {
		for {
			a := r.advise(cfg.Devices[d].Name)
			if a.Best < 0 || a.Modes[a.Best].At.confirmed != nil {
				break
			}
			key := a.Modes[a.Best].At.Key()
			tried, err := r.try(ctx, cfg, d, key, another)
			if ctx.Err() != nil {
				r.Unconfirmed = true
				return nil
			}
			if err != nil {
				return err
			}
			for i := range r.Rows {
				if r.Rows[i].Key() == key {
					r.Rows[i].confirmed = tried
				}
			}
		}
	}
	return nil
}

// try records other runs with the tracer of a row.
func (r *Result) try(ctx context.Context, cfg Config, device int, key Key, another func(run int) (*trace.Recording, error)) (*confirmation, error) {
	mode, ok := ModeByName(key.Mode)
	if !ok {
		return nil, fmt.Errorf("unknown mode %s", key.Mode)
	}
	cfg.Devices, cfg.Modes, cfg.Goal = cfg.Devices[device:device+1], []Mode{mode}, r.Goal
	cfg.LadderAt, cfg.Progress, cfg.Phases, cfg.Intervals, cfg.lawless = 0, nil, FewerPhases, nil, true
	if key.Interval > 0 {
		cfg.Intervals = []time.Duration{key.Interval}
	}
	tried, seed, live := &confirmation{}, cfg.Seed, cfg.Live
	var shares []float64
	for run := range otherRuns {
		truth, err := another(run)
		if err != nil {
			return nil, err
		}
		cfg.Seed = seedOf(seed, 1_000_000+run)
		if live != nil {
			cfg.Live = func(_ int, length time.Duration) (*trace.Recording, error) { return live(run+1, length) }
		}
		one, err := Run(ctx, truth, cfg)
		if err != nil {
			return nil, err
		}
		row := one.Rows[0]
		tried.runs++
		tried.traces += row.Cells
		tried.reaching += row.Reaching * float64(row.Cells)
		if shares = append(shares, row.Reaching); hopeless(shares) {
			break
		}
	}
	tried.reaching /= float64(tried.traces)
	tried.holds = surelyReached(shares)
	return tried, nil
}

// hopeless reports whether the mean over all runs would be less than [Sure] even if all traces of
// the remaining runs reached the goal. shares are those of the first runs.
func hopeless(shares []float64) bool {
	missed := 0.0
	for _, share := range shares {
		missed += 1 - share
	}
	return missed > (1-Sure)*otherRuns+rounding
}

// surelyReached reports whether, in any run, a share of [Sure] of the traces reaches the goal with
// confidence sureOfRuns. shares are the observed shares of some runs.
func surelyReached(shares []float64) bool {
	low, n := mean(shares), float64(len(shares))
	if n > 1 {
		low -= distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(sureOfRuns) * stdDev(shares) / math.Sqrt(n)
	}
	return low >= Sure-rounding
}

// unconfirmed returns the row of the shortest interval that reaches the goal in its own run but not
// in validation runs, or nil.
func unconfirmed(rows []Row) *Row {
	for i := range rows {
		if c := rows[i].confirmed; c != nil && !c.holds {
			return &rows[i]
		}
	}
	return nil
}
