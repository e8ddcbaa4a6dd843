package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/trace"
)

// confirmation is how a row does in other runs of the app, which had no part in choosing it.
type confirmation struct {
	runs, traces int     // that were tried; up to [otherRuns] runs
	reaching     float64 // share of the traces that reach the goal, each by itself
	holds        bool    // that is [Sure] or more, for more runs than these: see [Result.Confirm]
}

// otherRuns is how many other runs an advice is tried on. Several traces of one run show what the
// position of the samples does; several runs show how far the methods' times lie apart in each.
const otherRuns = 6

// sureOfRuns is how sure it is to be that traces of any run reach the goal.
const sureOfRuns = 0.9

// Confirm tries the advised row on other runs of the app, again each time the advice changes: a row
// counts as reaching the goal only if the traces of other runs do, too. The longest interval that
// reaches it in one run may have been lucky with its samples, or with how far the times of its
// methods lie apart. With shares s of traces that reach the goal in each of n runs, the mean of s
// less t(0.9; n−1) of its standard errors has to be [Sure]. Once the mean cannot be that any more,
// the remaining runs are skipped.
//
// cfg is that of r, and another opens a run, numbered from 0. Confirm does nothing where no
// accuracy is wanted ([Goal].Wanted is 0) or no goal is set, for a result that was cut and for a
// sampled truth or one of sections. When ctx ends it stops, and sets [Result].Unconfirmed.
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

// try records other runs as a row does.
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

// hopeless reports whether the mean over all runs is less than [Sure], where these shares are those
// of the first ones and all traces of the others reach the goal.
func hopeless(shares []float64) bool {
	missed := 0.0
	for _, share := range shares {
		missed += 1 - share
	}
	return missed > (1-Sure)*otherRuns+rounding
}

// surelyReached reports whether of any run [Sure] of all traces reach the goal, where these shares
// do of some.
func surelyReached(shares []float64) bool {
	low, n := mean(shares), float64(len(shares))
	if n > 1 {
		low -= distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(sureOfRuns) * stdDev(shares) / math.Sqrt(n)
	}
	return low >= Sure-rounding
}

// unconfirmed returns the row of the shortest interval that reaches the goal in its own run and not
// in others; nil: there is none.
func unconfirmed(rows []Row) *Row {
	for i := range rows {
		if c := rows[i].confirmed; c != nil && !c.holds {
			return &rows[i]
		}
	}
	return nil
}
