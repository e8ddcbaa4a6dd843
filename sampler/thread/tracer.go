package thread

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"time"

	"artifice/diffstack"
	"artifice/internal/recorder"

	"artifice/trace"
)

// Observer receives the samples, each thread's in order.
type Observer interface {
	// Sampled is called for each sample that is not lost, before any later event of its thread.
	Sampled(s *Sample)

	// Ended is called once for each sampled thread, when the truth has ended, with the end of the
	// time that its last sample represents.
	Ended(id trace.ThreadID, wall, cpu time.Duration)
}

// Sample is one sample of a thread. It is valid during the call.
type Sample struct {
	Thread trace.ThreadID
	App    time.Duration // time of the sample, in the truth's time
	Stamp  trace.Event   // the same as recorded: Wall and CPU

	Stack []trace.MethodID // reported frames, outermost first
	Fresh int              // calls among them that no earlier sample has reported

	// Events are the recorded events: exits, innermost first, then enters. There are none if the
	// stack is unchanged.
	Events []trace.Event

	// ExitApp is the time of the truth at which the exiting frames ended: App, or earlier (see
	// [Config.Ends]).
	ExitApp time.Duration
}

// Stats are the statistics of the sampling.
type Stats struct {
	Samples int64           // recorded samples
	Lost    int64           // samples for which the buffer had no room
	TooDeep int64           // samples of stacks deeper than Config.Deepest that are not cut
	Failed  []int64         // samples that contain only a part of the stack, by Config.Failures
	Blank   int64           // failed samples without any frame, which are not recorded
	Missed  int64           // expirations without a sample
	Longest time.Duration   // longest sample
	Taken   []time.Duration // by thread: total time of its samples
	Late    []time.Duration // by thread: its delay at its end
}

// All returns the number of samples taken.
func (s *Stats) All() int64 { return s.Samples + s.Unrecorded() }

// Unrecorded returns the number of samples taken but not recorded.
func (s *Stats) Unrecorded() int64 {
	return s.Lost + s.TooDeep + s.Blank
}

// Tracer samples the threads of one truth.
type Tracer struct {
	cfg      Config
	truth    *trace.Recording
	observer Observer
	hasCPU   bool
	cuts     bool // samples can contain a part of the stack
	reasons  bool // cut samples name the reason
	live     bool // the app runs live
	threads  []thread
	handoffs recorder.Handoffs[time.Duration]
	unseen   []bool // by method
	waits    []bool // by method
	blocks   []bool // by method: its end is a hook
	native   []bool // by method: it runs in native code
	noYield  []bool // by method: it has no yield point
	buffer   queue
	shared   sharedTimer
	stats    Stats
	order    recorder.Order
	sample   Sample
	events   []trace.Event
	reason   []trace.MethodID // by failure: the frame with its reason, plus 1; 0: not needed yet
	found    []trace.MethodID // scratch: the frames under it
}

// New returns a tracer of a truth. Its caller passes the truth's events to [Tracer.Take].
func New(truth *trace.Recording, cfg Config, o Observer) (*Tracer, error) {
	if err := cfg.check(truth); err != nil {
		return nil, err
	}
	cfg.Unseen |= trace.RuntimeInternal
	_, live := truth.Events.(trace.LiveApp)
	t := &Tracer{cfg: cfg, live: live, truth: truth, observer: o, order: recorder.NewOrder(truth), hasCPU: truth.Info.Clock.HasCPU(), cuts: cfg.cuts(), buffer: queue{Buffer: cfg.Buffer}}
	t.stats.Failed, t.reason = make([]int64, len(cfg.Failures)), make([]trace.MethodID, len(cfg.Failures))
	t.shared.due = cmp.Or(cfg.Phase, cfg.Interval)
	return t, nil
}

// Stats returns the statistics of the sampling so far.
func (t *Tracer) Stats() *Stats { return &t.stats }

// Delay implements [recorder.Listener].
func (t *Tracer) Delay(id trace.ThreadID) *recorder.Delay { return &t.threads[id].Delay }

// sync makes room for new threads and methods of the truth.
func (t *Tracer) sync() {
	symbols := t.truth.Symbols
	for len(t.threads) < len(symbols.Threads) {
		t.threads = append(t.threads, thread{waits: true})
	}
	for i := len(t.unseen); i < len(symbols.Methods); i++ {
		m := symbols.Method(trace.MethodID(i))
		t.unseen = append(t.unseen, m.Flags&t.cfg.Unseen != 0)
		t.waits = append(t.waits, m.Waits())
		t.native = append(t.native, m.Flags&trace.Native != 0)
		t.noYield = append(t.noYield, m.Flags&trace.LeafNoPoll != 0)
		t.blocks = append(t.blocks, blocks(m))
	}
}

// Take processes the truth's next event. Events must be in time order. An event earlier than the
// previous event of its thread is treated as simultaneous with that event.
func (t *Tracer) Take(e *trace.Event) error {
	th, wall, cpu, err := t.arrives(e)
	switch {
	case err != nil:
		return err
	case t.cfg.MainOnly && e.Thread != 0:
		th.wall = wall
		return nil
	case t.cfg.Timer == Hooks:
		t.hook(th, e, wall, cpu)
		return nil
	case t.cfg.shared():
		if err := t.expireShared(wall); err != nil {
			return err
		}
		th.wall, th.cpu = wall, cpu
		t.apply(th, e)
		return nil
	}
	if err := t.run(e.Thread, th, wall, cpu, th.Ends(wall)); err != nil {
		return err
	}
	th.Arrive(wall)
	th.Match(&t.handoffs, t.truth, e, wall)
	t.apply(th, e)
	if th.pendingSample && e.Action == trace.Enter && !t.noYield[e.Method] {
		th.pendingSample = false
		t.expire(e.Thread, th, wall, recorder.Managed)
	}
	return nil
}

// Runs takes the samples that are due before the next event of a live app. Their cost delays that
// event. Runs is then called again, and finally [Tracer.Take].
func (t *Tracer) Runs(e *trace.Event) error {
	th, wall, cpu, err := t.arrives(e)
	if err != nil || t.cfg.MainOnly && e.Thread != 0 || t.cfg.Timer == Hooks || t.cfg.shared() {
		return err
	}
	return t.run(e.Thread, th, wall, cpu, wall)
}

// arrives returns the thread of the truth's next event, and its clock readings at that event.
func (t *Tracer) arrives(e *trace.Event) (th *thread, wall, cpu time.Duration, err error) {
	if int(e.Thread) >= len(t.threads) || int(e.Method) >= len(t.unseen) {
		if t.sync(); t.order.CheckNames(e) != nil {
			return nil, 0, 0, t.order.CheckNames(e)
		}
	}
	th = &t.threads[e.Thread]
	if wall, err = t.order.At(e, th.wall); err != nil || t.cfg.MainOnly && e.Thread != 0 {
		return th, wall, 0, err
	}
	cpu = t.cpuAt(th, wall, e.CPU)
	if !th.begun {
		th.begun, th.base, th.wall, th.cpu = true, cpu, wall, cpu
		th.due, th.tick = t.cfg.first(th, e.Thread), t.cfg.firstTick(e.Thread)
		if th.looked = -recorder.MaxTime; t.cfg.Phase > 0 {
			th.looked = t.cfg.Phase - t.cfg.Interval
		}
	}
	return th, wall, cpu, nil
}

// cpuAt returns the CPU time that a thread has used at an event: as stated by the event if the
// truth has a CPU clock.
func (t *Tracer) cpuAt(th *thread, wall, cpu time.Duration) time.Duration {
	switch {
	case t.hasCPU:
		return max(cpu, th.cpu)
	case th.waits:
		return th.cpu
	}
	return th.cpu + wall - th.wall
}

// run advances a thread from its last event to another time, and takes the samples that are due
// before that. If the thread only waits, it does so until ends, by the wall clock.
func (t *Tracer) run(id trace.ThreadID, th *thread, wall, cpu, ends time.Duration) error {
	// shown is the timer's reading at the thread's last event, and until is its reading when the
	// thread stops running. Both exclude the time of samples.
	shown, until, taken := th.cpu-th.base, cpu-th.base, &th.Taken
	switch t.cfg.Timer {
	case CoreTimer:
		shown, until, taken = th.wall, min(wall, th.wall+cpu-th.cpu), &th.Late
		th.miss(shown, t.cfg.Interval)
	case WallTimer:
		shown, until, taken = th.wall, ends-th.Late, &th.Late
		th.miss(shown, t.cfg.Interval)
	case Hooks:
		until = 0
	case ThreadTimer:
		if ran := cpu - th.cpu; ran < wall-th.wall {
			th.base += min(ran, t.cfg.Switch)
			until = cpu - th.base
		}
	}
	for th.due-*taken < until {
		app := max(th.wall, th.wall+th.due-*taken-shown)
		if app = t.cfg.noticed(app, th); app-th.wall >= until-shown && t.cfg.Tick > 0 {
			break // it has left its core by that tick
		}
		if err := t.enough(app); err != nil {
			return err
		}
		// the time by which the timer's reading exceeds its expiration
		th.unknown = app - th.wall + shown + *taken - th.due
		if t.cfg.AtYields && th.unyielding(t.noYield) {
			th.pendingSample = true
		} else if !t.drawLost(th, id) {
			does := recorder.Managed
			if t.cfg.Timer == WallTimer && app-th.wall >= cpu-th.cpu {
				does = recorder.Waiting
			}
			t.expire(id, th, min(app, wall), does)
			if t.live { // in a live app, the times of later events include the cost
				th.Defer()
			}
		}
		th.due += t.cfg.Interval * (th.unknown/t.cfg.Interval + 1)
		th.unknown = 0
		if t.cfg.unsteady() {
			th.due += t.cfg.deviation(t.cfg.rng(th, id))
		}
	}
	th.wall, th.cpu = wall, cpu
	return nil
}

// enough returns an error if there would be too many samples.
func (t *Tracer) enough(app time.Duration) error {
	if t.stats.All()+t.stats.Missed < maxSamples {
		return nil
	}
	return fmt.Errorf("more than %d samples by %s; use a longer interval than %s", maxSamples, app, t.cfg.Interval)
}

// noticed returns the time at which the expiration of a thread's timer takes effect: a tick of its
// core.
func (c *Config) noticed(app time.Duration, th *thread) time.Duration {
	if c.Tick == 0 {
		return app
	}
	behind := (app + th.Late - th.tick) % c.Tick
	if behind > 0 {
		return app + c.Tick - behind
	}
	return app - behind
}

// firstTick returns the first tick of a thread's core: cores tick at independent instants.
func (c *Config) firstTick(id trace.ThreadID) time.Duration {
	if c.Tick == 0 {
		return 0
	}
	return 1 + time.Duration(rand.New(rand.NewPCG(c.Seed, tickSeed+uint64(id))).Uint64N(uint64(c.Tick)))
}

// drawLost draws whether an expiration takes no sample.
func (t *Tracer) drawLost(th *thread, id trace.ThreadID) bool {
	if t.cfg.LostExpiries == 0 || t.cfg.rng(th, id).Float64() >= t.cfg.LostExpiries {
		return false
	}
	t.stats.Missed++
	return true
}

// miss skips the expirations before now, in the truth's time.
func (th *thread) miss(now, interval time.Duration) {
	if late := now + th.Late - th.due; late > 0 {
		th.due += (late + interval - 1) / interval * interval
	}
}

// End ends the truth. Each thread continues to the truth's end or to its own end. In a recorded
// truth, threads with open frames wait in these frames until the last event of all threads. End
// returns the time at which the traced run ends: later than the truth by the largest delay of a
// thread.
func (t *Tracer) End() (elapsed time.Duration, err error) {
	t.sync()
	length := t.order.Length()
	elapsed = length
	if t.truth.Info.Technique != trace.Truth {
		length = t.order.Read() // a file can state any length
	}
	if t.cfg.shared() {
		if err := t.expireShared(length); err != nil {
			return 0, err
		}
	}
	t.stats.Taken, t.stats.Late = make([]time.Duration, len(t.threads)), make([]time.Duration, len(t.threads))
	for i := range t.threads {
		th, id := &t.threads[i], trace.ThreadID(i)
		if !th.begun {
			continue
		}
		end := t.truth.Symbols.Threads[i].End
		if end == 0 {
			end = length
		}
		end = max(end, th.wall)
		if err := t.runOn(id, th, end); err != nil {
			return 0, err
		}
		lives, _ := t.order.End(id)
		lives = max(lives, th.wall)
		if t.live {
			th.Settle()
		}
		elapsed, t.stats.Taken[i], t.stats.Late[i] = max(elapsed, th.End(lives)), th.Total, th.Late
		if th.kept > 0 {
			t.close(id, th, end)
		}
	}
	return elapsed, nil
}

// runOn advances a thread, running or waiting, from its last event to its end. A thread of a
// recorded truth uses no CPU time after its last event, because the recording contains none.
func (t *Tracer) runOn(id trace.ThreadID, th *thread, end time.Duration) error {
	switch {
	case t.cfg.Timer == Hooks || t.cfg.shared():
		return nil
	case !th.waits && (t.truth.Info.Technique == trace.Truth || !t.hasCPU):
		return t.run(id, th, end, th.cpu+end-th.wall, th.End(end))
	}
	return t.run(id, th, end, th.cpu, th.End(end))
}

// close ends the sampled stack of a thread. With samples of CPU time, calls still open end with the
// thread, because no later event of the thread limits the time that its last sample represents. If
// [Config.Ends] is not [diffstack.EndNext], they end by its rule. Otherwise they stay open.
func (t *Tracer) close(id trace.ThreadID, th *thread, end time.Duration) {
	at := t.stamp(id, th, end)
	at.Wall = th.End(end)
	if t.cfg.Timer == Hooks {
		at.CPU = th.clock()
	}
	if t.cfg.HasCPU() || t.cfg.Ends != diffstack.EndNext {
		t.sample, t.events = Sample{Thread: id, App: end, ExitApp: end, Stamp: at}, t.events[:0]
		t.change(th, nil, moment{end, at})
		t.sample.Events = t.events
		t.observer.Sampled(&t.sample)
	}
	t.observer.Ended(id, at.Wall, at.CPU)
}
