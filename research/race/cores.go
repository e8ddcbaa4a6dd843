package main

import (
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"
)

// cores is the speedup of a computation on all cores over one core, in each turn. It is lower than
// the number of cores if they share execution units, or are shared with others.
type cores []float64

// measure takes a turn: a loop that uses no memory, alone and then once on each core.
func (c *cores) measure() {
	begin := time.Now()
	spin()
	alone := time.Since(begin)
	var all sync.WaitGroup
	begin = time.Now()
	for range runtime.NumCPU() {
		all.Go(spin)
	}
	all.Wait()
	*c = append(*c, float64(runtime.NumCPU())*alone.Seconds()/time.Since(begin).Seconds())
}

// spin computes for about 100 ms.
func spin() {
	x := uint64(88172645463325252)
	for range 1 << 28 { // Marsaglia's xorshift: each step depends on the previous one
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	runtime.KeepAlive(x)
}

// print prints the speedup in the worst turn and in the best.
func (c cores) print(w io.Writer) {
	if len(c) == 0 {
		return
	}
	low, high := c[0], c[0]
	for _, v := range c {
		low, high = min(low, v), max(high, v)
	}
	fmt.Fprintf(w, "\n%d cores did %.2f to %.2f times as much as one, in a loop that needs no memory\n", runtime.NumCPU(), low, high)
}
