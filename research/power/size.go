package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"artifice/internal/cli"
	"artifice/report"
	"artifice/report/diff"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// sized are the methods of the changes to test printed sizes with: those with at least ten samples
// in six traces at each interval.
var sized = []string{"GLES20.glDrawElements", "Particles.update", "SpriteBatch.draw", "AssetLoader.load", "BitmapFactory.nativeDecodeStream", "StaticLayout.generate", "Zipf.method1", "Zipf.method5"}

// sizes makes changes of the minimum detectable size printed by diff, and prints the share that it
// detects. The size is the median over comparisons without a change.
func sizes(w io.Writer, runs, pairs int, duration time.Duration, only string) error {
	phone, err := device.Open("A")
	if err != nil {
		return err
	}
	table := &cli.Table{Columns: []string{"app", "method", "every", "a side", "printed", "made", "found"}, Right: []bool{false, false, true, true, true, true, true}}
	all, within := 0, 0
	for _, c := range changes {
		if !slices.Contains(sized, c.method) || !c.matches(only) {
			continue
		}
		app := workload.Must(workload.ByName(c.app))
		for at, interval := range planIntervals {
			old, err := c.pool(app, phone, 1, runs, duration, at)
			if err != nil {
				return err
			}
			for _, n := range planSides {
				printed := printedSize(old, at, n, pairs)
				now, err := c.changed(app, phone, old, printed, runs, duration, at)
				if err != nil {
					return err
				}
				found := foundApart(old, now, at, n, pairs)
				if all++; found >= 0.7 && found <= 0.9 {
					within++
				}
				table.Add(c.app, c.method, interval.String(), fmt.Sprint(n), fmt.Sprintf("%+.1f %%", 100*printed), fmt.Sprintf("%+.1f %%", 100*(now.shown(at)/old.shown(at)-1)), fmt.Sprintf("%.0f %%", 100*found))
			}
		}
	}
	if err := table.WriteText(w); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%d of %d are found in 70 to 90 %% of the pairs.\n", within, all)
	return err
}

// pool records runs at one of planIntervals.
func (c *change) pool(app *workload.Program, phone device.Device, seed uint64, runs int, duration time.Duration, at int) (all pool, err error) {
	for i := range uint64(runs) {
		r, err := c.run(app, phone, seed+i, duration, planIntervals[at:at+1])
		if err != nil {
			return nil, err
		}
		r.seen = slices.Insert(r.seen, 0, make([]seen, at)...)
		all = append(all, r)
	}
	return all, nil
}

// changed records runs with a method that is longer by a given share in traces, the only time that
// diff sees: if a native method is stopped on its return, its time in traces also contains a wait,
// which does not grow with the slowdown. The slowdown of the method is found in two steps: if an
// app does as much as it can in its time, a slower method is called less often. The runs have the
// seeds of the old ones, so that both means contain the same random deviations, and the change has
// exactly the intended size.
func (c *change) changed(app *workload.Program, phone device.Device, old pool, share float64, runs int, duration time.Duration, at int) (now pool, err error) {
	factor := 1 + share
	for range 2 {
		slow, err := app.Slowed(func(m *trace.Method) bool { return c.meant(m) }, factor)
		if err != nil {
			return nil, err
		}
		if now, err = c.pool(slow, phone, 1, runs, duration, at); err != nil {
			return nil, err
		}
		factor = 1 + (factor-1)*share/(now.shown(at)/old.shown(at)-1)
	}
	return now, nil
}

// shown returns the method's mean time in traces at one of planIntervals.
func (p pool) shown(at int) (sum float64) {
	for i := range p {
		sum += float64(p[i].seen[at].times.Exclusive.Wall.Value) / float64(len(p))
	}
	return sum
}

// printedSize returns the median minimum detectable size that diff prints for pairs without a
// change.
func printedSize(old pool, at, n, pairs int) float64 {
	random := rand.New(rand.NewPCG(uint64(n), 0x73697a65))
	var printed []float64
	for range pairs {
		drawn := random.Perm(len(old))[:2*n]
		got := compareMethod([2]pool{old, old}, [2][]int{drawn[:n], drawn[n:]}, at)
		printed = append(printed, float64(got.MinimumDetectable(1))/float64(got.Old))
	}
	slices.Sort(printed)
	return printed[len(printed)/2]
}

// foundApart is power for pools with the same seeds: no seed is drawn for both sides.
func foundApart(old, now pool, at, n, pairs int) float64 {
	random := rand.New(rand.NewPCG(uint64(n), uint64(at)))
	found := 0
	for range pairs {
		drawn := random.Perm(len(old))[:2*n]
		if got := compareMethod([2]pool{old, now}, [2][]int{drawn[:n], drawn[n:]}, at); got.P <= diff.Significant && got.Difference() > 0 {
			found++
		}
	}
	return float64(found) / float64(pairs)
}

// compareMethod compares the method in some runs of one pool with some runs of another.
func compareMethod(from [2]pool, drawn [2][]int, interval int) diff.Change {
	s := diff.Sides{Sampled: true, Traces: [2]int{len(drawn[0]), len(drawn[1])}}
	var places [2][]diff.Place
	for side := range from {
		for i, at := range drawn[side] {
			one := &from[side][at].seen[interval]
			s.Period = max(s.Period, one.period)
			places[side] = append(places[side], diff.Place{Trace: i, Times: &one.times})
		}
	}
	return s.Compare(report.Overload{}, places[0], places[1], trace.Wall).Exclusive
}
