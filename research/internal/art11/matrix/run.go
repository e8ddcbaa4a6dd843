package matrix

import (
	"runtime"
	"sync"

	"artifice/research/internal/art11"
)

// Each runs cells, in parallel on all cores, and passes each with its outcome to done, in order. It
// creates a cell just before it runs.
func Each(a *art11.ART, n int, cell func(i int) (*Cell, error), done func(i int, c *Cell, o *Outcome, err error)) {
	type result struct {
		cell    *Cell
		outcome *Outcome
		err     error
	}
	results := make([]chan result, n)
	for i := range results {
		results[i] = make(chan result, 1)
	}
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				var r result
				if r.cell, r.err = cell(i); r.err == nil {
					r.outcome, r.err = r.cell.Run(a)
				}
				results[i] <- r
			}
		})
	}
	go func() {
		for i := range n {
			next <- i
		}
		close(next)
	}()
	for i, ready := range results {
		r := <-ready
		done(i, r.cell, r.outcome, r.err)
	}
	workers.Wait()
}
