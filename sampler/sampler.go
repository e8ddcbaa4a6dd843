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

// Codes of warnings specific to this package.
const (
	warnNoCPUTime trace.WarningCode = "no-cpu-time" // the source lacks the requested CPU times
	warnOwnCores  trace.WarningCode = "own-cores"   // the app has its own cores, so the device's value is not used
)

// Sampler is one sampler of a sweep. It is used for one [Run].
type Sampler struct {
	// Fields needed at every tick come first: with hundreds of samplers they are not in the cache.
	next     time.Duration // app time of the next tick
	at       time.Duration // app time of the current tick
	lastAt   time.Duration // app time of the tick before
	tickWall time.Duration // begin of the current tick
	lastWall time.Duration // begin of the tick before
	paused   time.Duration // all pauses so far
	perTick  time.Duration // time from the current tick to the walk of the first thread
	longest  time.Duration // longest pause
	ticks    int64
	seen     uint64 // the pass's change counter at the last tick

	observer     Observer
	onlyObserved bool             // no output: the observer compares the stacks
	readsCPU     bool             // CPU clocks are recorded
	times        tickTimes        // if threads have their own delays
	memory       []memory         // by thread index
	zeroless     []trace.ThreadID // sampled threads without a CPU zero
	cfg          Config
	sched        ticker
	cores        *coreTicks // determines the ticks; nil: the schedule alone does

	out   trace.Writer
	file  *art.SampledFile // out, if it is a runtime's file
	snaps trace.SnapshotWriter
	room  int64 // events for which the buffer has room
	err   error // the first error of out or snaps

	minSkip  time.Duration  // minimum length of an event-free time that is skipped instead of replayed tick by tick
	readings []clockReading // by thread index; only if needed
	sites    [][]trace.Site // by thread index: of the frames in memory; only if needed
	open     []openSnapshot // by thread index; only if needed
	snap     trace.Snapshot // the snapshot being written
	dumped   int            // stacks with frames in the last tick, with Config.Dumps
	truth    *trace.Recording
	rec      trace.Recording
	stats    Stats
	ran      bool

	// Used if threads have their own delays:
	firstWall time.Duration  // of the first tick
	latest    time.Duration  // wall time at which the last thread or collection so far ended
	reorder   *reorderBuffer // output of incomplete ticks; nil: there is no output
}

// New returns a sampler for one [Run] over truth. Its events go to out, with the truth's symbols
// and in sampling order (see [Config.KeepSymbols]). If out is also a [trace.SnapshotWriter], it
// also gets the sampled stacks. A nil out discards them.
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

// clock returns the recorded clocks: the requested ones, or those of the truth.
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
			trace.Warnf(warnOwnCores, "", "the app runs while it is sampled, and its sampling thread waits for the app's cores: the device's no-core is ignored"))
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

// opens reports whether the sampler keeps the starts of stacks.
func (s *Sampler) opens() bool { return s.snaps != nil || s.cfg.SliceEnd != diffstack.EndNext }

// Recording returns the description of the sampled trace, without its events. Elapsed, Overflow and
// Events are complete after [Run]; the symbols are the truth's.
func (s *Sampler) Recording() *trace.Recording { return &s.rec }

// Stats returns the statistics of the run. It is complete after [Run].
func (s *Sampler) Stats() *Stats { return &s.stats }

// record counts n events, as recorded or, beyond the buffer's capacity, as dropped. It returns the
// number of events to write.
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

// endThread records the end of a thread in the runtime's file, after its last event and before the
// output of later samples.
func (s *Sampler) endThread(id trace.ThreadID) {
	if s.file != nil {
		s.file.EndThread(id)
	}
}

// finish completes a run over a truth that ends at end.
func (s *Sampler) finish(p *pass, end time.Duration) error {
	s.stats.lastTick, s.stats.LongestPause = s.tickWall, s.longest
	var left []trace.ThreadID // threads alive at the end
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
	// The sampling thread notices a stop only after its sleep, and stop waits for it
	// (Trace::StopTracing joins the thread). A recorded truth can have been stopped after its last
	// event, where sampling ends. Dalvik's stop reads the time when it is called.
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
	Changed int64   // samples of a thread with a stack other than the remembered one
	Events  int64   // events written
	Dropped int64   // events for which the buffer had no room

	AppTime      time.Duration // length of the truth: duration of the app without tracing
	Paused       time.Duration // sum of all pauses: the delay of a thread that always runs
	Delay        time.Duration // delay of the thread that ends last
	LongestPause time.Duration

	// Late is the total delay of ticks beyond their due times, caused by the sampling thread's wait
	// for a core. It is 0 unless the app ran on cores while it was sampled, or the device specifies
	// such waits ([Cost].NoCore).
	Late time.Duration

	// Live is set for a live app ([trace.LiveApp]). Its delay relative to an unobserved run is
	// unknown: Delay is 0.
	Live bool

	// Overhead is the change of running and waiting times. It is zero if all threads share one
	// delay ([Config.OneClock]), or if samples take no time.
	Overhead recorder.Overhead

	// WaitTotals classifies the waits of a recorded truth; it is zero if Overhead is.
	WaitTotals recorder.WaitTotals

	firstTick, lastTick time.Duration // wall times
}

// Slowdown returns the ratio of the app's duration to its duration without tracing; 1 means no
// slowdown.
func (s *Stats) Slowdown() float64 {
	return stats.Slowdown(s.AppTime, s.Delay)
}

// MeanPeriod returns the mean wall time from one tick to the next, or 0 if there are fewer than
// two.
func (s *Stats) MeanPeriod() time.Duration {
	if s.Ticks < 2 {
		return 0
	}
	return (s.lastTick - s.firstTick) / time.Duration(s.Ticks-1)
}

// MeanLate returns the mean delay of a tick beyond its due time, or 0 without ticks.
func (s *Stats) MeanLate() time.Duration {
	if s.Ticks == 0 {
		return 0
	}
	return s.Late / time.Duration(s.Ticks)
}

// MeanPause returns the mean length of a pause, or 0 without ticks.
func (s *Stats) MeanPause() time.Duration {
	if s.Ticks == 0 {
		return 0
	}
	return s.Paused / time.Duration(s.Ticks)
}
