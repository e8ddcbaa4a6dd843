package waiting

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"artifice/trace"
)

// Methods of all programs, entered and left by their threads.
const (
	loop trace.MethodID = iota
	work
	inner
	sleep
	frame   // the wait for the next one
	capture // the same of the pipeline's first stage
	take
	acquire
	gives // from here on invisible to tracers: they take no time
	takes
	releases
	acquires
)

const (
	framePeriod   = time.Second / 60
	capturePeriod = 20 * time.Millisecond
)

// thread is one thread of a program; it keeps a log.
type thread struct {
	name   string
	start  time.Time
	burn   time.Duration // by each enter and leave
	random *rand.Rand
	log    []trace.Event
}

// mark logs the begin or end of a call.
func (t *thread) mark(m trace.MethodID, a trace.Action) time.Duration {
	now := time.Since(t.start)
	t.log = append(t.log, trace.Event{Wall: now, Method: m, Action: a})
	if m < gives && t.burn > 0 {
		for time.Since(t.start) < now+t.burn {
		}
	}
	return now
}

// tell records a handover in the log.
func (t *thread) tell(m trace.MethodID) {
	t.mark(m, trace.Enter)
	t.mark(m, trace.Exit)
}

// work counts for a random time between two limits, in calls of 0.25 ms each.
func (t *thread) work(least, most time.Duration) {
	left := t.uniform(least, most)
	t.mark(work, trace.Enter)
	for ; left > 0; left -= 250 * time.Microsecond {
		t.mark(inner, trace.Enter)
		count(min(left, 250*time.Microsecond))
		t.mark(inner, trace.Exit)
	}
	t.mark(work, trace.Exit)
}

func (t *thread) uniform(least, most time.Duration) time.Duration {
	return least + time.Duration(t.random.Int64N(int64(most-least)))
}

// sleep sleeps for a random time between two limits.
func (t *thread) sleep(least, most time.Duration) {
	d := t.uniform(least, most)
	t.mark(sleep, trace.Enter)
	pause(d)
	t.mark(sleep, trace.Exit)
}

// until waits for the next tick of a clock; a thread that comes at a tick or later waits for the
// next one.
func (t *thread) until(m trace.MethodID, period time.Duration) {
	tick := (t.mark(m, trace.Enter)/period + 1) * period
	for now := time.Since(t.start); now < tick; now = time.Since(t.start) {
		pause(tick - now)
	}
	t.mark(m, trace.Exit)
}

// program describes the threads' work.
type program struct {
	name    string
	threads func(rounds int) []func(*thread)
	rounds  int // of a run
	names   []string
}

// programs lists the compared programs. Each runs for 1.5 s, except the lock, which occupies one
// core all the time: the kernel would take the core away after 0.95 s of each second.
var programs = []program{
	{"sleeper", sleeper, 240, []string{"sleeper"}},
	{"frames", frames, 90, []string{"frames"}},
	{"pipeline", pipeline, 75, []string{"camera", "show"}},
	{"lock", lock, 60, []string{"a", "b", "c"}},
}

func sleeper(rounds int) []func(*thread) {
	return []func(*thread){func(t *thread) {
		for range rounds {
			t.work(time.Millisecond, 4*time.Millisecond)
			t.sleep(2*time.Millisecond, 6*time.Millisecond)
		}
	}}
}

func frames(rounds int) []func(*thread) {
	return []func(*thread){func(t *thread) {
		for range rounds {
			t.work(4*time.Millisecond, 12*time.Millisecond)
			t.until(frame, framePeriod)
		}
	}}
}

func pipeline(rounds int) []func(*thread) {
	items := make(chan int, 8)
	return []func(*thread){
		func(t *thread) {
			for i := range rounds {
				t.until(capture, capturePeriod)
				t.work(2*time.Millisecond, 5*time.Millisecond)
				t.tell(gives)
				items <- i
			}
		},
		func(t *thread) {
			for range rounds {
				t.mark(take, trace.Enter)
				<-items
				t.tell(takes)
				t.mark(take, trace.Exit)
				t.work(2*time.Millisecond, 5*time.Millisecond)
			}
		},
	}
}

// lockGate is the lock. It is free before and after each run.
var lockGate = sync.OnceValue(func() gate {
	g := newGate()
	g.open()
	return g
})

// lock makes each thread return to the lock while both others still wait for it or hold it: their
// order is stable, traced or not. A log contains nothing about changes of that order.
func lock(rounds int) []func(*thread) {
	free := lockGate() // first come, first served, which sync.Mutex does not guarantee
	one := func(t *thread) {
		for range rounds {
			t.mark(acquire, trace.Enter)
			free.wait()
			t.tell(acquires)
			t.mark(acquire, trace.Exit)
			t.work(2*time.Millisecond, 4*time.Millisecond)
			t.tell(releases)
			free.open()
			t.sleep(time.Millisecond, 2*time.Millisecond)
		}
	}
	return []func(*thread){one, one, one}
}

// run runs a program, each thread on a kernel thread, and returns their logs. Each enter and leave
// burns a time.
func (p *program) run(seed uint64, rounds int, burn time.Duration) []*thread {
	var threads []*thread
	var done sync.WaitGroup
	bodies := p.threads(rounds)
	start := time.Now()
	for i, body := range bodies {
		t := &thread{name: p.names[i], start: start, burn: burn, random: rand.New(rand.NewPCG(seed, uint64(i))), log: make([]trace.Event, 0, 200*rounds)}
		threads = append(threads, t)
		done.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			t.mark(loop, trace.Enter)
			body(t)
			t.mark(loop, trace.Exit)
		})
	}
	done.Wait()
	handOver(threads)
	return threads
}

// perMicrosecond is the number of counts of a thread per microsecond.
var perMicrosecond = 1000.

// count counts for about a time, by the number and not by the clock: a stop makes it longer.
func count(d time.Duration) {
	x := uint64(1)
	for range int(d.Seconds() * 1e6 * perMicrosecond) {
		x = x*6364136223846793005 + 1442695040888963407
	}
	runtime.KeepAlive(x) // so that it is not optimized away
}

// setSpeed measures the counts of a thread per microsecond.
func setSpeed() {
	for range 3 {
		from := time.Now()
		count(100 * time.Millisecond)
		perMicrosecond *= 0.1 / time.Since(from).Seconds()
	}
}
