package main

import (
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

// span is a period, in times since the start of a run.
type span struct{ from, to time.Duration }

func (s span) length() time.Duration { return s.to - s.from }

// mark is a method entered or left.
type mark struct {
	at     time.Duration
	method int
	enter  bool
}

// task is one goroutine of the app. It logs when it enters and leaves each method, and when it was
// ready but not running.
//
// One goroutine runs at a time, so that the sampler finds a free core on a machine with two cores,
// as it does on a phone with eight. Otherwise it would be delayed whenever several goroutines run,
// and these would be undersampled.
type task struct {
	name  string
	start time.Time
	core  *sync.Mutex   // held by the goroutine that runs
	until time.Duration // its end is due
	rng   *rand.Rand
	marks []mark
	gaps  []span
	last  time.Duration // its last reading of the clock
}

// stall is the shortest time between two readings of the clock (normally about 50 ns apart) that
// counts as not running.
const stall = 3 * time.Microsecond

// maxDepth is the maximum depth of nested calls.
const maxDepth = 10

// manners describes the methods of the app: the mean duration of their own work, from 20 us to 2
// ms, and the rate of their calls. The shares of time follow roughly Zipf's law with exponent 1.8,
// so that some methods are common and some are rare.
var manners = func() (all [methodCount]struct {
	mean  time.Duration
	upTo  float64 // sum of the rates of the methods up to and including this one
	calls float64 // mean number of calls of other methods
}) {
	rng := rand.New(rand.NewPCG(1, 1))
	sum := 0.0
	for i, rank := range rng.Perm(methodCount) {
		m := &all[i]
		m.mean = time.Duration(20e3 * math.Pow(100, rng.Float64()))
		m.calls = 1.6 * rng.Float64()
		sum += math.Pow(float64(rank+1), -1.8) / float64(m.mean)
		m.upTo = sum
	}
	return all
}()

// anyMethod draws a method with a probability proportional to its rate.
func (t *task) anyMethod() int {
	x := t.rng.Float64() * manners[methodCount-1].upTo
	for i := range manners {
		if x < manners[i].upTo {
			return i
		}
	}
	return methodCount - 1
}

// body is the body of all methods: work, call others, and work again in between.
//
//go:noinline
func (t *task) body(method, depth int) {
	t.mark(method, true)
	m := &manners[method]
	work := time.Duration(t.rng.ExpFloat64() * float64(m.mean))
	calls := 0
	for depth < maxDepth && calls < 4 && t.rng.Float64() < m.calls/(1+m.calls) {
		calls++
	}
	for range calls {
		t.spin(work / time.Duration(calls+1))
		if t.last > t.until {
			break
		}
		call[t.anyMethod()](t, depth+1)
	}
	t.spin(work / time.Duration(calls+1))
	t.mark(method, false)
}

func (t *task) mark(method int, enter bool) {
	t.marks = append(t.marks, mark{time.Since(t.start), method, enter})
}

// spin works for a time. Time in which the task did not run does not count.
//
//go:noinline
func (t *task) spin(work time.Duration) {
	for done := time.Duration(0); done < work && t.last <= t.until; {
		now := time.Since(t.start)
		if step := now - t.last; step >= stall {
			t.gaps = append(t.gaps, span{t.last, now})
		} else {
			done += step
		}
		t.last = now
	}
}

// turn runs a method when no other goroutine runs.
func (t *task) turn(method, depth int) {
	t.core.Lock()
	t.last = time.Since(t.start)
	call[method](t, depth)
	t.core.Unlock()
}

// idle waits, as most goroutines do most of the time, but not beyond the end of the run: the
// sampler ends there, and later calls would count as missed.
//
//go:noinline
func (t *task) idle() {
	t.mark(idleMethod, true)
	wait := time.Duration(t.rng.ExpFloat64() * float64(30*time.Millisecond))
	time.Sleep(min(wait, t.until-time.Since(t.start)))
	t.last = time.Since(t.start)
	t.mark(idleMethod, false)
}

// Each goroutine begins in a function of its own, which identifies it in a profile.

//go:noinline
func busy(t *task) {
	for t.last <= t.until {
		t.turn(t.anyMethod(), 1)
	}
}

func (t *task) waitAndWork() {
	for t.last <= t.until {
		t.idle()
		leafOnly := maxDepth
		t.turn(t.anyMethod(), leafOnly)
	}
}

//go:noinline
func worker1(t *task) { t.waitAndWork() }

//go:noinline
func worker2(t *task) { t.waitAndWork() }

//go:noinline
func worker3(t *task) { t.waitAndWork() }

type goroutine struct {
	name string
	run  func(*task)
}

// goroutines lists the app's goroutines by the name of the function in which each begins.
var goroutines = []goroutine{{"busy", busy}, {"worker1", worker1}, {"worker2", worker2}, {"worker3", worker3}}

// newApp returns the goroutines' tasks, with room for their logs.
func newApp(length time.Duration, seed uint64) []*task {
	const marksPerSecond, gapsPerSecond = 50_000, 20_000
	tasks, core := make([]*task, len(goroutines)), &sync.Mutex{}
	for i, g := range goroutines {
		tasks[i] = &task{
			name: g.name, core: core, until: length, rng: rand.New(rand.NewPCG(seed, uint64(i))),
			marks: make([]mark, 0, int(length.Seconds()*marksPerSecond)),
			gaps:  make([]span, 0, int(length.Seconds()*gapsPerSecond)),
		}
	}
	return tasks
}

// run starts each task in its goroutine. The returned function waits for their ends.
func run(tasks []*task, start time.Time) (wait func()) {
	var group sync.WaitGroup
	for i, t := range tasks {
		t.start = start
		group.Go(func() { goroutines[i].run(t) })
	}
	return group.Wait
}
