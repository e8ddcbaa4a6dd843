package workload

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// stepTime is the time unit of the reference machine.
const stepTime = 10 * time.Microsecond

// stopping is a tracer with a thread that repeatedly sleeps and then stops all others for a time.
// It records the times of the stops.
type stopping struct {
	sleep, pause, next time.Duration
	stops              []time.Duration
}

func (w *stopping) OwnThread() bool                    { return true }
func (w *stopping) NextPause() (time.Duration, bool)   { return w.next, true }
func (w *stopping) Ran(*trace.Event) time.Duration     { return 0 }
func (w *stopping) Happens(*trace.Event) time.Duration { return 0 }

func (w *stopping) Suspend(at time.Duration) time.Duration {
	w.stops = append(w.stops, at)
	w.next = at + w.pause + w.sleep
	return w.pause
}

// referenceThread is one thread of the reference machine. It alternates between work and sleep, in
// steps, starting with work.
type referenceThread struct {
	priority int
	turns    []int // cyclic
	turn     int   // index of the next turn
	left     int   // remaining work
	slice    int   // remaining slice
	wakes    int   // wake time; -1: it does not sleep
	last     int   // last core; -1: none
	changes  []int // times at which it started the next turn
}

// referenceMachine runs threads on cores step by step. The last thread is the tracer's.
type referenceMachine struct {
	threads      []*referenceThread
	cores        []int // thread on the core; -1: none
	queue        []int // runnable threads
	now, slice   int
	pause, sleep int // of the tracer's thread
	stops        []int
	tracer       int // index of the tracer's thread
}

// nextTurn ends a thread's turn, and reports whether the thread works in the next one.
func (m *referenceMachine) nextTurn(id int) bool {
	t := m.threads[id]
	t.changes = append(t.changes, m.now)
	d := t.turns[t.turn%len(t.turns)]
	t.turn++
	if t.turn%2 == 1 {
		t.left = d
		return true
	}
	t.wakes = m.now + d
	return false
}

// first returns the queue index of the thread to run first, or -1.
func (m *referenceMachine) first() int {
	best := -1
	for i, id := range m.queue {
		if best < 0 || m.threads[id].priority < m.threads[m.queue[best]].priority {
			best = i
		}
	}
	return best
}

func (m *referenceMachine) waits(priority int) bool {
	return slices.ContainsFunc(m.queue, func(id int) bool { return m.threads[id].priority == priority })
}

// coreFor returns a free core, preferably the thread's last one. Otherwise it returns the core of
// the least urgent of the less urgent threads, or -1.
func (m *referenceMachine) coreFor(id int) int {
	t := m.threads[id]
	if t.last >= 0 && m.cores[t.last] < 0 {
		return t.last
	}
	if free := slices.Index(m.cores, -1); free >= 0 {
		return free
	}
	best := -1
	for i, other := range m.cores {
		if p := m.threads[other].priority; other != m.tracer && p > t.priority && (best < 0 || p > m.threads[m.cores[best]].priority) {
			best = i
		}
	}
	return best
}

// instant executes one instant, and reports whether the tracer's thread then has a core.
func (m *referenceMachine) instant() bool {
	for _, id := range m.cores { // competing threads have arrived before this time
		if id >= 0 && m.threads[id].slice == 0 && !m.waits(m.threads[id].priority) {
			m.threads[id].slice = m.slice
		}
	}
	for i, id := range m.cores {
		if id >= 0 && m.threads[id].left == 0 && !m.nextTurn(id) {
			m.cores[i] = -1
		}
	}
	for at := max(0, m.now-m.pause); at <= m.now; at++ { // threads that woke in a pause, in order
		for id, t := range m.threads {
			if t.wakes == at {
				t.wakes, t.slice = -1, m.slice
				m.queue = append(m.queue, id)
			}
		}
	}
	for i, id := range m.cores {
		if id < 0 || m.threads[id].slice > 0 {
			continue
		}
		t := m.threads[id]
		if t.slice = m.slice; m.waits(t.priority) {
			m.cores[i] = -1
			m.queue = append(m.queue, id)
		}
	}
	for place := m.first(); place >= 0; place = m.first() {
		id := m.queue[place]
		core := m.coreFor(id)
		if core < 0 {
			break
		}
		m.queue = slices.Delete(m.queue, place, place+1)
		if had := m.cores[core]; had >= 0 {
			m.queue = slices.Insert(m.queue, 0, had)
		}
		m.cores[core], m.threads[id].last = id, core
		if t := m.threads[id]; id != m.tracer && t.left == 0 {
			m.nextTurn(id)
		}
	}
	return slices.Contains(m.cores, m.tracer)
}

func (m *referenceMachine) run(length int) {
	for m.now < length {
		if m.instant() {
			m.stops = append(m.stops, m.now)
			m.now += m.pause
			m.cores[slices.Index(m.cores, m.tracer)] = -1
			m.threads[m.tracer].wakes = m.now + m.sleep
			continue
		}
		for _, id := range m.cores {
			if id >= 0 {
				m.threads[id].left--
				m.threads[id].slice--
			}
		}
		m.now++
	}
}

// TestTracerOnCores checks a tracer with a thread that shares cores with the app. It stops the app
// at the times of a step-by-step reference machine, and the app has that machine's events. Threads
// alternate between work and sleep of random lengths; some are more urgent.
func TestTracerOnCores(t *testing.T) {
	testdata.Seldom(t, 4)
	const length = 20_000
	late := 0
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 7))
		upTo := func(n int) int { return 1 + random.IntN(n) }
		m := &referenceMachine{slice: upTo(400), pause: upTo(60), sleep: upTo(300)}
		for range upTo(3) {
			m.cores = append(m.cores, -1)
		}
		methods, threads := "", ""
		for id := range upTo(5) {
			th := &referenceThread{priority: 110 + 5*random.IntN(3), last: -1}
			do := ""
			for turn := range 2 * upTo(3) {
				d := upTo(500)
				th.turns = append(th.turns, d)
				wait := ""
				if turn%2 == 1 {
					wait = "wait: sleep, "
				}
				methods += fmt.Sprintf("  a.T%d.turn%d()V: {%sdo: [{self: %v}]}\n", id, turn, wait, time.Duration(d)*stepTime)
				do += fmt.Sprintf("{call: a.T%d.turn%d}, ", id, turn)
			}
			m.threads = append(m.threads, th)
			threads += fmt.Sprintf("  - {name: t%d, priority: %d, do: [{loop: forever, do: [%s]}]}\n", id, th.priority, strings.TrimSuffix(do, ", "))
		}
		m.tracer = len(m.threads)
		m.threads = append(m.threads, &referenceThread{priority: m.threads[0].priority, last: 0, wakes: m.sleep})
		program := fmt.Sprintf("name: x\nslice: %v\ncores: [{count: %d}]\nmethods:\n%sthreads:\n%s", time.Duration(m.slice)*stepTime, len(m.cores), methods, threads)
		m.run(length)

		rec := truthOf(t, mustRead(t, program), Config{Duration: length * stepTime, Live: true})
		w := &stopping{sleep: time.Duration(m.sleep) * stepTime, pause: time.Duration(m.pause) * stepTime, next: time.Duration(m.sleep) * stepTime}
		rec.Events.(trace.LiveApp).Watch(w)
		events := byThread(t, rec)

		if n := len(w.stops); w.stops[n-1] == length*stepTime { // the reference machine ends before it
			w.stops = w.stops[:n-1]
		}
		if want := inTime(m.stops); !slices.Equal(w.stops, want) {
			t.Fatalf("seed %d: stopped at %v, want %v, by\n%s", seed, w.stops, want, program)
		}
		for i, stop := range w.stops {
			if due := time.Duration((i+1)*m.sleep+i*m.pause) * stepTime; stop > due {
				late++
				break
			}
		}
		for id, want := range m.threads[:m.tracer] {
			var got []time.Duration
			for _, e := range events[id] {
				if e.Action == trace.Enter && e.Wall < length*stepTime && !rec.Symbols.IsRuntime(e.Method) {
					got = append(got, e.Wall)
				}
			}
			if want := inTime(want.changes); !slices.Equal(got, want) {
				t.Fatalf("seed %d: thread %d goes on at %v, want %v, by\n%s", seed, id, got, want, program)
			}
		}
	}
	if late < 50 {
		t.Errorf("the thread of %d of 100 tracers was late", late)
	}
}

// TestTracerHasOnlyCore checks that no pause is due while the tracer's thread has the only core and
// the thread that all others wait for is runnable. Computed by hand: main shows for 10 µs and then
// waits for the maker, which works for 3 ms, until 3.01 ms. A pause was due at 1 ms and lasts from
// 3.01 to 5.01 ms, when main takes the item. The next pause is due at 7.01 ms, while the maker
// works from 5.02 to 8.02 ms, and lasts until 10.02 ms, and so on.
func TestTracerHasOnlyCore(t *testing.T) {
	p := mustRead(t, `
name: x
cores: [{count: 1}]
methods:
  a.F.show()V: {do: [{self: 10us}, {put: shown}]}
  a.F.take()V: {wait: lock, do: [{take: items}]}
  a.F.see()V: {wait: lock, do: [{take: shown}]}
  a.F.make()V: {do: [{self: 3ms}, {put: items}]}
threads:
  - {name: main, do: [{loop: forever, do: [{call: a.F.show}, {call: a.F.take}]}]}
  - {name: maker, do: [{loop: forever, do: [{call: a.F.see}, {call: a.F.make}]}]}
`)
	rec := truthOf(t, p, Config{Duration: 16 * time.Millisecond, Live: true})
	rec.Events.(trace.LiveApp).Watch(&stopping{sleep: 2 * time.Millisecond, pause: 2 * time.Millisecond, next: time.Millisecond})
	var taken []time.Duration
	for _, e := range byThread(t, rec)[0] {
		if e.Action == trace.Exit && rec.Symbols.Method(e.Method).Name == "take" {
			taken = append(taken, e.Wall)
		}
	}
	if want := []time.Duration{5010 * time.Microsecond, 10020 * time.Microsecond, 15030 * time.Microsecond}; !slices.Equal(taken, want) {
		t.Errorf("items taken at %v, want %v", taken, want)
	}
}

func inTime(steps []int) (all []time.Duration) {
	for _, n := range steps {
		all = append(all, time.Duration(n)*stepTime)
	}
	return all
}
