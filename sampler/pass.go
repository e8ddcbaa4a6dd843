package sampler

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"artifice/art"
	"artifice/internal/eventlog"
	"artifice/internal/recorder"

	"artifice/trace"
)

// Run reads truth to its end, once, and samples it with every sampler. All samplers must have been
// made for this truth. Their outputs get their last events before Run returns; the caller closes
// them.
//
// The truth's events must be in time order across threads. An event that goes back in time on its
// own thread is simultaneous with the one before. Exits that do not match their stack are handled
// as [trace.EffectOf] specifies.
//
// A sample at the instant of an event includes that event. Between two events a thread of a truth
// ([trace.Truth]) runs or waits according to its innermost method. A thread without frames and a
// thread of a recorded trace run until they have used the CPU time of their next event, and then
// wait. They are assumed to wait if that event is 8192 or more events of all threads away. A
// recorded thread's first CPU reading is assumed to be above 0, as on a real device, and the thread
// is assumed to exist from the first sample on, which reads its clock for the first time.
//
// A live app ([trace.LiveApp]) can have one sampler: pauses suspend the app.
func Run(truth *trace.Recording, samplers ...*Sampler) error {
	return RunUntil(func(time.Duration) error { return nil }, truth, samplers...)
}

// ErrStopped is returned by RunUntil if stop ends the truth.
var ErrStopped = errors.New("the sampling was stopped")

// RunUntil is [Run] that can be stopped: stop is called repeatedly with the app time reached. If it
// returns [ErrStopped], the truth ends there, the samplers' statistics cover the time up to there
// ([Stats].AppTime), and RunUntil returns ErrStopped. Any other error ends the run as it is.
func RunUntil(stop func(reached time.Duration) error, truth *trace.Recording, samplers ...*Sampler) error {
	app, live := truth.Events.(trace.LiveApp)
	if live && len(samplers) != 1 {
		return fmt.Errorf("%d samplers of a live app: only one is possible", len(samplers))
	}
	if live {
		samplers[0].cfg.OneClock = true // the app's clock contains the delays
	}
	p, err := newPass(truth, samplers)
	if err != nil {
		return err
	}
	if live {
		p.watch(app)
	}
	p.stopped = stop
	return p.run()
}

// run reads the truth to its end, or until the pass is stopped.
func (p *pass) run() (err error) {
	for err == nil {
		err = p.step()
	}
	switch err {
	case io.EOF:
		return nil
	case ErrStopped:
		if err := p.finish(p.now); err != nil {
			return err
		}
	}
	return err
}

// asked returns an error if the pass has to stop.
func (p *pass) asked() error {
	if p.stopped == nil {
		return nil
	}
	return p.stopped(p.now)
}

// pass is one pass of samplers over a truth.
type pass struct {
	truth     *trace.Recording
	synthetic bool // the truth states when threads start, end and wait
	holds     bool // threads that end stay in the list: see art.Runtime
	feed      *feed
	place     int // index of the next event in the feed's current window
	begun     bool
	samplers  []*Sampler
	stopped   func(reached time.Duration) error // nil: never

	queue   eventlog.Heap[int32] // samplers by their next tick
	stop    time.Duration        // app time of the earliest tick
	waiting []int32              // samplers delayed by the garbage collector

	threads    []thread
	ended      []bool                             // by thread: boundaries contains its end
	boundaries boundaryQueue                      // future starts and ends
	list       art.ThreadList                     // threads that a walk visits
	latest     int32                              // thread changed last, or none
	changes    uint64                             // counts changes of threads, and numbers frames
	seen       uint64                             // its value at the last tick of any sampler
	kinds      []kind                             // by method index
	now        time.Duration                      // app time of the last event
	running    int                                // frames of the garbage collector
	changed    []int32                            // scratch of tick
	perThread  bool                               // each thread has its own delays
	marks      []uint64                           // by thread index, a bit for each: scratch of changedSince, else 0
	events     []trace.Event                      // of one sample, on their way to the sampler's output
	sample     Sample                             // passed to observers
	handoffs   recorder.Handoffs[[]time.Duration] // handoffs between threads, with wall times by sampler
	follower   Follower                           // nil: none
	lates      []time.Duration                    // scratch of lateness
	walls      []time.Duration                    // scratch of reached
	minSkip    time.Duration                      // minimum of the samplers' minSkip
	brought    time.Duration                      // app time of the last call of bring
	ran        time.Duration                      // running time of threads with delays, in the truth up to their last events
	waited     time.Duration                      // the same for waiting time
	recorded   *recorder.RecordedWaits            // nil unless the truth was recorded
	live       *liveWatcher                       // nil: no live app
}

func newPass(truth *trace.Recording, samplers []*Sampler) (*pass, error) {
	p := &pass{
		truth:     truth,
		synthetic: truth.Info.Technique == trace.Truth,
		samplers:  samplers,
		latest:    none,
		stop:      math.MaxInt64,
	}
	if !p.synthetic {
		p.list.Own = math.MaxInt // unknown: assumed to be the last
	}
	p.feed = newFeed(truth.Events, !p.synthetic, truth.Info.Clock.HasCPU())
	if !p.synthetic {
		p.recorded = recorder.NewRecordedWaits(truth)
	}
	for i, s := range samplers {
		if s.truth != truth {
			return nil, fmt.Errorf("sampler %d was made for a different truth", i)
		}
		if s.ran {
			return nil, fmt.Errorf("sampler %d has run already", i)
		}
		if holds := s.cfg.Runtime.HoldsThreads; i == 0 {
			p.holds = holds
		} else if holds != p.holds {
			return nil, fmt.Errorf("samplers of %s and %s cannot share a pass: only one of the samplers keeps ended threads in its list",
				samplers[0].cfg.Runtime.Name, s.cfg.Runtime.Name)
		}
		s.ran = true
		s.onlyObserved = s.observer != nil && s.out == nil
		p.perThread = p.perThread || s.cfg.delaysPerThread()
		if s.cfg.Waits != samplers[0].cfg.Waits {
			return nil, fmt.Errorf("samplers 0 and %d differ in Config.Waits, the rule by which waits absorb delays", i)
		}
		p.list.CountsFrames = p.list.CountsFrames || s.cfg.Cost.PerFrame > 0
	}
	if p.perThread {
		return p, p.setUpDelays()
	}
	for i, s := range samplers {
		p.queue.Push(tickAt(s.next, int32(i)))
		p.stop = p.queue[0].At
	}
	return p, nil
}

// setUpCores makes the samplers' ticks wait for a core. It runs before the first event is read.
func (p *pass) setUpCores() {
	var ahead *lookahead
	for _, s := range p.samplers {
		if !s.sched.NeedsCore() || p.live != nil {
			continue
		}
		if ahead == nil {
			ahead = newLookahead(p.truth)
			p.feed.setSource(ahead)
		}
		cfg := &s.cfg
		s.cores = newCoreTicks(ahead, coreConfig{
			cost: cfg.Cost, ticks: &s.sched, first: s.next, together: !p.perThread,
			waitsForGC: cfg.Runtime.WaitsForGC && !cfg.Dumps, holdsThreads: cfg.Runtime.HoldsThreads,
			absorbs: cfg.Waits == WaitsAbsorb, byRule: cfg.Waits == WaitsByRule,
		})
	}
	if ahead == nil {
		return
	}
	for i := range p.queue { // for samplers with one clock
		if s := p.samplers[p.queue[i].Value]; s.cores != nil {
			p.queue[i].At = s.nextByCores()
		}
	}
	p.queue.Init()
	for _, s := range p.samplers {
		if s.cores != nil {
			s.nextByCores()
		}
	}
	if len(p.queue) > 0 {
		p.stop = p.queue[0].At
	}
}

// step replays the next window of the truth. After the last one it completes
// the samplers and returns io.EOF.
func (p *pass) step() error {
	if !p.begun { // the feed reads a window ahead
		p.begun = true
		p.setUpCores()
		if p.perThread {
			p.setUpOutputs()
		}
		p.advance()
	}
	p.advance()
	switch {
	case p.live != nil && p.live.err != nil:
		return p.live.err
	case p.live != nil && len(p.feed.now.events) > 0:
		return nil // all have been sampled
	case len(p.feed.now.events) > 0:
		p.addThreads()
		if err := p.window(p.feed.now); err != nil || !p.perThread {
			return err
		}
		return p.bring(p.now)
	case p.feed.err != io.EOF:
		return fmt.Errorf("reading the truth: %w", p.feed.err)
	}
	if err := p.finish(p.end()); err != nil {
		return err
	}
	return io.EOF
}

// advance reads another window.
func (p *pass) advance() {
	p.feed.advance(p)
	if p.perThread && p.recorded != nil && p.samplers[0].cfg.Waits == WaitsByRule {
		p.recorded.Learn(p.feed.next.events)
	}
}

// limitCPU implements limiter: it sets the CPU time that a thread cannot exceed before its next
// event.
func (p *pass) limitCPU(id trace.ThreadID, cpu time.Duration) {
	if int(id) < len(p.threads) {
		t := &p.threads[id]
		t.limit = max(t.cpu, cpu)
	}
}

// end returns the end of a truth that has been read to its end.
func (p *pass) end() time.Duration { return p.truth.Stop(p.now) }

// finish runs the ticks up to the truth's end and completes every sampler.
func (p *pass) finish(end time.Duration) error {
	p.addThreads()
	if p.perThread {
		return p.finishDelays(end)
	}
	if err := p.ticksBefore(end + 1); err != nil {
		return err
	}
	p.followEnds(end)
	for i, s := range p.samplers {
		if s.cores != nil && s.times.held && s.next <= end {
			p.waiting = append(p.waiting, int32(i))
		}
	}
	for _, i := range p.waiting {
		if s := p.samplers[i]; s.cfg.Runtime.SamplesAtStop {
			p.startAndEnd(end)
			p.countFrames()
			s.tick(p, end)
		}
	}
	p.startAndEnd(end + 1) // a thread that ended after the last tick is not sampled when the trace stops
	p.countFrames()
	var errs []error
	for _, s := range p.samplers {
		errs = append(errs, s.finish(p, end))
	}
	return errors.Join(errs...)
}

// tickAt returns a tick of a sampler as an item of the pass's queue. The order of simultaneous
// ticks does not matter, because samplers are independent.
func tickAt(at time.Duration, sampler int32) eventlog.Item[int32] {
	return eventlog.Item[int32]{At: at, Tie: uint64(sampler), Value: sampler}
}
