package sampler

import (
	"math"
	"time"

	"artifice/art"
	"artifice/diffstack"
	"artifice/internal/recorder"

	"artifice/trace"
	"artifice/trace/stats"
)

// Codes of warnings of this package alone.
const (
	warnNoCPUTime trace.WarningCode = "no-cpu-time" // the source lacks the CPU times that were asked for
	warnOwnCores  trace.WarningCode = "own-cores"   // the app has cores of its own, and the device's figure of them means nothing
)

// Sampler is one sampler of a sweep. It is used for one [Run].
type Sampler struct {
	// What every tick needs stands first: with hundreds of samplers it comes from far
	// memory each time.
	next     time.Duration // app time of the next tick
	at       time.Duration // app time of the current tick
	lastAt   time.Duration // of the one before
	tickWall time.Duration // when the current tick began
	lastWall time.Duration // when the one before it did
	paused   time.Duration // all pauses so far
	perTick  time.Duration // what the current tick takes before the first thread
	longest  time.Duration // the longest of them
	ticks    int64
	seen     uint64 // the pass's change counter at the last tick

	observer     Observer
	onlyObserved bool             // no output: the observer compares the stacks
	readsCPU     bool             // CPU clocks are recorded
	times        tickTimes        // where threads are late one by one
	memory       []memory         // by thread index
	zeroless     []trace.ThreadID // threads sampled whose CPU zero is not set
	cfg          Config
	sched        ticker
	cores        *coreTicks // says when ticks come; nil: the schedule alone does

	out   trace.Writer
	file  *art.SampledFile // out, when it is a runtime's file
	snaps trace.SnapshotWriter
	room  int64 // events the buffer still takes
	err   error // the first error of out or snaps

	minSkip time.Duration  // quiet time that is not gone through tick by tick
	looks   []clockReading // by thread index; only where needed
	sites   [][]trace.Site // by thread index: of the frames in memory; only where needed
	open    []openSnapshot // by thread index; only where needed
	snap    trace.Snapshot // the one being written
	dumped  int            // stacks with frames in the last tick, with Config.Dumps
	truth   *trace.Recording
	rec     trace.Recording
	stats   Stats
	ran     bool

	// Where threads are late one by one:
	firstWall time.Duration  // of the first tick
	latest    time.Duration  // when the thread ended, by the wall clock, that ended last, or the last collection did
	reorder   *reorderBuffer // what is written, until its turn comes; nil: nothing is
}

// New returns a sampler for one [Run] over truth. Its events go to out, with the
// truth's symbols and in the order in which they are sampled (see
// [Config.KeepSymbols]); when out is a [trace.SnapshotWriter] too, it also gets
// the stacks seen. nil drops them.
func New(truth *trace.Recording, cfg Config, out trace.Writer) (*Sampler, error) {
	cfg, err := cfg.check(truth)
	if err != nil {
		return nil, err
	}
	s := &Sampler{truth: truth, cfg: cfg, room: math.MaxInt64}
	s.sched = newTicker(&s.cfg)
	s.next, s.minSkip = s.sched.First(), s.sched.MinSkip()
	if cfg.BufferSize > 0 {
		s.room = art.Records(cfg.BufferSize, s.clock())
	}
	s.SetOutput(out)
	s.readsCPU = s.clock().HasCPU()
	s.describe()
	return s, nil
}

// clock returns the clocks recorded: those asked for, or what the truth has.
func (s *Sampler) clock() trace.Clock {
	if !s.truth.Info.Clock.HasCPU() {
		return trace.Wall
	}
	return s.cfg.Clock
}

// describe fills in the recording's Info as known before the run.
func (s *Sampler) describe() {
	truth := &s.truth.Info
	s.rec = trace.Recording{Symbols: s.truth.Symbols}
	s.rec.Info = trace.Info{
		Clock:         s.clock(),
		Start:         truth.Start,
		ClockOverhead: s.cfg.Cost.ClockOverhead,
		VM:            s.cfg.Runtime.VM,
		PID:           truth.PID,
		Technique:     trace.Sampled,
		Interval:      s.cfg.Interval,
		Events:        -1,
	}
	if _, live := s.truth.Events.(trace.LiveApp); live && s.sched.NeedsCore() {
		s.rec.Warnings = append(s.rec.Warnings,
			trace.Warnf(warnOwnCores, "", "the app runs while it is sampled, and has its sampling thread wait for its own cores: what the device says of that (no-core) is not used"))
	}
	if s.clock() != s.cfg.Clock {
		s.rec.Warnings = append(s.rec.Warnings,
			trace.Warnf(warnNoCPUTime, "", "the source has no CPU time, so only the wall clock is recorded"))
	}
}

// SetOutput replaces the output given to [New]. It must be called before [Run].
func (s *Sampler) SetOutput(out trace.Writer) {
	s.out = out
	s.snaps, _ = out.(trace.SnapshotWriter)
}

// opens reports whether the sampler keeps the beginnings of stacks.
func (s *Sampler) opens() bool { return s.snaps != nil || s.cfg.SliceEnd != diffstack.EndNext }

// Recording returns what describes the sampled trace, without its events. Elapsed,
// Overflow and Events are complete after [Run]; the symbols are the truth's.
func (s *Sampler) Recording() *trace.Recording { return &s.rec }

// Stats returns the statistics of the run. It is complete after [Run].
func (s *Sampler) Stats() *Stats { return &s.stats }

// record counts n events, as recorded or, beyond what the buffer has room for, as
// dropped. It returns how many are to be written.
func (s *Sampler) record(n int) int {
	fit := int(min(int64(n), s.room))
	s.room -= int64(fit)
	s.stats.Events += int64(fit)
	s.stats.Dropped += int64(n - fit)
	if s.out == nil || s.err != nil {
		return 0
	}
	return fit
}

// endThread tells the runtime's file that a thread has ended: after its last
// event and before what later samples see.
func (s *Sampler) endThread(id trace.ThreadID) {
	if s.file != nil {
		s.file.EndThread(id)
	}
}

// finish completes a run over a truth that lasts until end.
func (s *Sampler) finish(p *pass, end time.Duration) error {
	s.stats.lastTick, s.stats.LongestPause = s.tickWall, s.longest
	var left []trace.ThreadID // threads there to the end
	s.stats.Samples = make([]int64, len(p.threads))
	for id := range s.memory {
		if m := &s.memory[id]; m.first > 0 {
			s.close(trace.ThreadID(id), s.ticks)
			left = append(left, trace.ThreadID(id))
		}
		s.stats.Samples[id] = s.memory[id].samples
	}
	s.observeEnds(p, left)
	s.stats.Ticks, s.stats.AppTime, s.stats.Paused, s.stats.Delay = s.ticks, end, s.paused, s.paused
	if s.cores != nil {
		s.stats.Late = s.cores.waited(s.ticks)
	}
	if p.live != nil {
		s.stats.Paused, s.stats.Late, s.stats.Live = p.live.sum, p.live.late, true
	}
	// The sampling thread sees a stop only after its sleep, and stop waits for it
	// (Trace::StopTracing joins the thread). A recorded truth can have been stopped
	// after its last event, with which the samples end.
	// Dalvik's stop reads the time when it is called.
	s.rec.Info.Elapsed = max(end, p.truth.Info.Elapsed) + s.paused
	if !s.cfg.Runtime.StopsAtOnce {
		s.rec.Info.Elapsed = max(s.rec.Info.Elapsed, s.next+s.paused)
	}
	s.rec.Info.Overflow = s.stats.Dropped > 0
	s.rec.Info.Events = s.stats.Events
	return s.err
}

// Stats are the statistics of a sampler's run.
type Stats struct {
	Ticks   int64   // times the app was stopped
	Samples []int64 // by thread index: ticks that found the thread alive
	Changed int64   // samples of a thread whose stack differed from the one remembered
	Events  int64   // events written
	Dropped int64   // events that found no room in the buffer

	AppTime      time.Duration // the truth's length: what the app takes unobserved
	Paused       time.Duration // all pauses together: what a thread loses that is always running
	Delay        time.Duration // how much later than unobserved the thread ends that ends last
	LongestPause time.Duration

	// Late is by how much all ticks together came later than they were due: the sampling thread waited for a core. It is
	// 0 unless the app ran while it was sampled, on cores, or the device says that it waits ([Cost].NoCore).
	Late time.Duration

	// Live tells that the app ran while it was sampled ([trace.LiveApp]), so that nothing says how much
	// earlier it would have ended: Delay is 0.
	Live bool

	// Overhead is the change of running and waiting times; zero if all threads have the same delay
	// together ([Config.OneClock]), or none is, as samples take no time.
	Overhead recorder.Overhead

	// WaitTotals classifies the waits of a recorded truth; zero where Overhead is.
	WaitTotals recorder.WaitTotals

	firstTick, lastTick time.Duration // wall times
}

// Slowdown returns how many times longer the app took than unobserved, 1 for not
// at all.
func (s *Stats) Slowdown() float64 {
	return stats.Slowdown(s.AppTime, s.Delay)
}

// MeanPeriod returns the mean wall time from one tick to the next, 0 when there
// are fewer than two.
func (s *Stats) MeanPeriod() time.Duration {
	if s.Ticks < 2 {
		return 0
	}
	return (s.lastTick - s.firstTick) / time.Duration(s.Ticks-1)
}

// MeanLate returns by how much a tick comes later than it is due, on average; 0 without ticks.
func (s *Stats) MeanLate() time.Duration {
	if s.Ticks == 0 {
		return 0
	}
	return s.Late / time.Duration(s.Ticks)
}

// MeanPause returns the mean length of a pause, 0 without ticks.
func (s *Stats) MeanPause() time.Duration {
	if s.Ticks == 0 {
		return 0
	}
	return s.Paused / time.Duration(s.Ticks)
}
