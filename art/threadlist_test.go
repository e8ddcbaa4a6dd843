package art

import (
	"math/rand/v2"
	"testing"
)

// TestThreadList compares the threads and frames up to a thread with loops over all threads, in both
// orders, while 200 threads start, end and change their stacks. The sampling thread comes before
// thread 70.
func TestThreadList(t *testing.T) {
	const n, own = 200, 70
	rng := rand.New(rand.NewPCG(1, 2))
	l := ThreadList{Own: own, CountsFrames: true}
	l.Grow(n)
	var listed [n]bool
	var depth [n]int
	var order []int // -1: the sampling thread
	newest := []int{0}
	for i := range n {
		if i == own {
			order = append(order, -1)
		}
		order = append(order, i)
	}
	for i := n - 1; i > 0; i-- {
		newest = append(newest, i)
		if i == own {
			newest = append(newest, -1)
		}
	}
	upTo := func(order []int, last int) (threads, frames int64) {
		for _, i := range order {
			if i < 0 {
				threads++
				continue
			}
			if listed[i] {
				threads++
			}
			if frames += int64(depth[i]); i == last {
				break
			}
		}
		return threads, frames
	}
	for range 2000 {
		id := rng.IntN(n)
		switch rng.IntN(3) {
		case 0:
			l.Add(id)
			listed[id] = true
		case 1:
			l.Remove(id)
			listed[id] = false
		default:
			depth[id] = rng.IntN(50)
			l.Set(id, depth[id])
		}
		at := rng.IntN(n)
		for name, c := range map[string]struct {
			order []int
			of    func(int) (int64, int64)
		}{"ART": {order, l.UpTo}, "Dalvik": {newest, l.UpToNewestFirst}} {
			threads, frames := upTo(c.order, at)
			if gotThreads, gotFrames := c.of(at); gotThreads != threads || gotFrames != frames {
				t.Fatalf("%s's order, up to %d: %d threads and %d frames, want %d and %d", name, at, gotThreads, gotFrames, threads, frames)
			}
		}
	}
}
