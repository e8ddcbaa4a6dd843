package workload

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
	"artifice/trace"
)

// TestEnoughCores checks that, with a core of speed 1 for each thread, no thread waits for a core,
// and every built-in program has the same events on every thread as without cores.
func TestEnoughCores(t *testing.T) {
	for _, p := range testdata.Some(t, Builtin(), 10) {
		if p.SharesCores() || len(p.threads) > maxCores {
			continue
		}
		cfg := Config{Seed: 3, Duration: 300 * time.Millisecond}
		want := byThread(t, truthOf(t, p, cfg))
		onCores := mustRead(t, string(p.Source())+fmt.Sprintf("\ncores: [{count: %d}]\n", len(p.threads)))
		rec := truthOf(t, onCores, cfg)
		got := byThread(t, rec)
		for id := range want {
			if diff := cmp.Diff(want[id], got[id]); diff != "" {
				t.Errorf("%s, thread %d (-without +with cores):\n%.2000s", p.Name, id, diff)
				break
			}
		}
	}
}

func byThread(t *testing.T, rec *trace.Recording) [][]trace.Event {
	t.Helper()
	var b trace.Buffer
	if _, err := trace.Copy(&b, rec.Events); err != nil {
		t.Fatal(err)
	}
	all := make([][]trace.Event, len(rec.Symbols.Threads))
	for _, e := range b.Events {
		all[e.Thread] = append(all[e.Thread], e)
	}
	return all
}

// TestScheduling checks invariants of scheduling for the built-in programs, on few cores of two
// kinds and with various priorities.
func TestScheduling(t *testing.T) {
	const length = 200 * time.Millisecond
	for i, p := range Builtin() {
		if p.SharesCores() {
			continue // it has its own cores
		}
		p = mustRead(t, string(p.Source())+"\nslice: 500us\ncores: [{count: 2, speed: 0.4, mhz: [600, 1000]}, {count: 1, mhz: [1000, 1500, 2000], ramp: 1ms}]\n")
		for id := range p.threads {
			p.threads[id].Prio = 100 + 7*(id+i)%40/10*10
		}
		rec, f := schedule(t, p, Config{Seed: 5, Duration: length})
		newAuditor(t, p, rec).audit(f, length)
	}
}

// auditor checks the scheduling of a truth against its events.
type auditor struct {
	t       *testing.T
	name    string
	rec     *trace.Recording
	onCore  map[int]int // by thread
	states  []string
	since   []time.Duration
	running []time.Duration // by thread: time on a core
	waiting []time.Duration // by thread: time runnable, without a core
	asleep  []time.Duration
	device  map[int]bool       // threads that wait for a device
	waking  []trace.SchedEvent // events before the next wakeup
}

func newAuditor(t *testing.T, p *Program, rec *trace.Recording) *auditor {
	n := len(rec.Symbols.Threads)
	a := &auditor{t: t, name: p.Name, rec: rec, onCore: map[int]int{}, states: make([]string, n), since: make([]time.Duration, n),
		running: make([]time.Duration, n), waiting: make([]time.Duration, n), asleep: make([]time.Duration, n), device: map[int]bool{}}
	for i, th := range rec.Symbols.Threads {
		a.states[i], a.since[i] = "asleep", th.Start
	}
	return a
}

// is adds the time of a thread's last state to its sum.
func (a *auditor) is(thread int, at time.Duration, state string) {
	sums := map[string][]time.Duration{"running": a.running, "waiting": a.waiting, "asleep": a.asleep}
	if sum, ok := sums[a.states[thread]]; ok {
		sum[thread] += at - a.since[thread]
	}
	a.states[thread], a.since[thread] = state, at
}

// woken checks that the auditor has received the waker of a thread and, if the thread waited for a
// device, the end of that wait.
func (a *auditor) woken(e *trace.SchedEvent) {
	waking := *e
	waking.Kind = trace.SchedWaking
	want := []trace.SchedEvent{waking}
	if a.device[e.Next] {
		waking.Kind = trace.SchedBlocked
		want = append(want, waking)
	}
	if !slices.Equal(a.waking, want) {
		a.t.Errorf("%s: before %+v: events %+v, want %+v", a.name, e, a.waking, want)
	}
	a.waking, a.device[e.Next] = nil, false
}

func (a *auditor) fact(e *trace.SchedEvent, last time.Duration) {
	if e.Wall < last {
		a.t.Errorf("%s: %+v after %s", a.name, e, last)
	}
	switch e.Kind {
	case trace.SchedWaking:
		a.waking = []trace.SchedEvent{*e}
	case trace.SchedBlocked:
		a.waking = append(a.waking, *e)
	case trace.SchedWakeup:
		a.woken(e)
		a.is(e.Next, e.Wall, "waiting")
	case trace.SchedSwitch:
		if e.Prev != trace.NoThread {
			if a.onCore[e.Prev] != e.Core {
				a.t.Errorf("%s: %+v: it is on core %d", a.name, e, a.onCore[e.Prev])
			}
			delete(a.onCore, e.Prev)
			a.device[e.Prev] = e.State == trace.Uninterruptible
			a.is(e.Prev, e.Wall, map[trace.SchedState]string{trace.Ready: "waiting", trace.Sleeping: "asleep", trace.Uninterruptible: "asleep", trace.Dead: "dead"}[e.State])
		}
		if e.Next == trace.NoThread {
			return
		}
		if core, on := a.onCore[e.Next]; on {
			a.t.Errorf("%s: %+v: it is on core %d already", a.name, e, core)
		}
		for other, core := range a.onCore {
			if core == e.Core {
				a.t.Errorf("%s: %+v: thread %d has the core", a.name, e, other)
			}
		}
		if a.states[e.Next] != "waiting" {
			a.t.Errorf("%s: %+v: the thread is %s", a.name, e, a.states[e.Next])
		}
		a.onCore[e.Next] = e.Core
		a.is(e.Next, e.Wall, "running")
	}
}

// audit checks every thread. It is on at most one core. Running, waiting for a core and sleeping
// add up to its lifetime. Its CPU time at each event is its initial value plus its time on cores.
// It is on a core at each of its events, except those of waiting for a core, of frames open at the
// start and of an end stated in the file. The total CPU time does not exceed that of the cores.
func (a *auditor) audit(f *schedLog, length time.Duration) {
	next, last := 0, time.Duration(0)
	firstCPU := map[trace.ThreadID]time.Duration{}
	until := func(at time.Duration) {
		for next < len(f.facts) && f.facts[next].Wall <= at {
			a.fact(&f.facts[next], last)
			last = f.facts[next].Wall
			next++
		}
	}
	wasOn := map[trace.ThreadID]time.Duration{} // time at which a thread was last on a core
	for i := range f.Events {
		e := &f.Events[i]
		before := slices.Clone(a.states)
		until(e.Wall)
		id := int(e.Thread)
		if before[id] == "running" || a.states[id] == "running" || a.ranAt(f, id, e.Wall) {
			wasOn[e.Thread] = e.Wall
		}
		cpu := a.running[id]
		if a.states[id] == "running" {
			cpu += e.Wall - a.since[id]
		}
		if _, ok := firstCPU[e.Thread]; !ok {
			firstCPU[e.Thread] = e.CPU - cpu
		}
		if e.CPU != firstCPU[e.Thread]+cpu {
			a.t.Fatalf("%s: %+v: %s of CPU, was on cores for %s", a.name, e, e.CPU-firstCPU[e.Thread], cpu)
		}
		own := a.rec.Symbols.Method(e.Method).Wait != trace.Runnable
		ends := e.Wall == a.rec.Symbols.Thread(e.Thread).End
		if on, ok := wasOn[e.Thread]; own && e.Wall > 0 && !ends && (!ok || on != e.Wall) {
			a.t.Fatalf("%s: %+v: the thread has no core, it is %s", a.name, e, a.states[id])
		}
	}
	until(length)
	a.sums(length)
}

// ranAt reports whether a thread got a core at exactly that time.
func (a *auditor) ranAt(f *schedLog, id int, at time.Duration) bool {
	return slices.ContainsFunc(f.facts, func(e trace.SchedEvent) bool {
		return e.Wall == at && e.Kind == trace.SchedSwitch && e.Next == id
	})
}

func (a *auditor) sums(length time.Duration) {
	total := time.Duration(0)
	for id, th := range a.rec.Symbols.Threads {
		end := length
		if th.End > 0 {
			end = th.End
		}
		a.is(id, end, "dead")
		if sum := a.running[id] + a.waiting[id] + a.asleep[id]; sum != end-th.Start {
			a.t.Errorf("%s, %s: %s running, %s waiting for a core and %s asleep in a lifetime of %s", a.name, th.Name, a.running[id], a.waiting[id], a.asleep[id], end-th.Start)
		}
		total += a.running[id]
	}
	if most := 3 * length; total > most {
		a.t.Errorf("%s: %s of CPU time on 3 cores in %s", a.name, total, length)
	}
}
