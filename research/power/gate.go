package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"artifice/internal/cli"
	"artifice/report"
	"artifice/report/diff"
	"artifice/trace"
	"artifice/workload"
)

// gates prints how often "artifice diff --fail-above" fails although both sides are the same app,
// per 1,000 comparisons, by the number of traces on each side and the share above which it fails.
func gates(w io.Writer, recordings, pairs int, duration time.Duration, only string) error {
	shares := []float64{0, 0.05, 0.2}
	table := &cli.Table{Columns: []string{"app", "traces a side", "> 0 %", "> 5 %", "> 20 %"}, Right: []bool{false, true, true, true, true}}
	for _, app := range apps {
		if !strings.Contains(app, only) {
			continue
		}
		p := workload.Must(workload.ByName(app))
		truth := func(seed uint64) (*trace.Recording, error) {
			return p.Truth(workload.Config{Seed: seed, Duration: duration})
		}
		pool, err := record(truth, 30001, recordings)
		if err != nil {
			return err
		}
		for _, n := range []int{1, 3, 5, 10, 20} {
			if 2*n > recordings {
				continue
			}
			failed, err := fails(pool, n, pairs, shares)
			if err != nil {
				return err
			}
			row := []string{app, fmt.Sprint(n)}
			for _, count := range failed {
				row = append(row, fmt.Sprintf("%.1f", 1000*float64(count)/float64(pairs)))
			}
			table.Add(row...)
		}
	}
	return table.WriteText(w)
}

// fails returns, by share, how many comparisons of n recordings a side, drawn from one pool without
// repetition, find a slower method.
func fails(pool []*report.View, n, pairs int, shares []float64) ([]int, error) {
	random := rand.New(rand.NewPCG(2, uint64(n)))
	failed := make([]int, len(shares))
	for range pairs {
		var sides [2][]*report.View
		for k, i := range random.Perm(len(pool))[:2*n] {
			sides[k%2] = append(sides[k%2], pool[i])
		}
		d, err := diff.Compare(sides[0], sides[1], trace.Wall, diff.Student)
		if err != nil {
			return nil, err
		}
		changes := diff.NewChanges(d, trace.Wall, false, false)
		for s, share := range shares {
			for i := range d.Methods {
				if changes.Slower(&d.Methods[i], share) {
					failed[s]++
					break
				}
			}
		}
	}
	return failed, nil
}
