package sampler

import (
	"math"
	"time"

	"artifice/diffstack"
	"artifice/trace"
)

// Sampler is one emulated sampling tracer. It is used for one [Run].
type Sampler struct {
	truth *trace.Recording
	cfg   Config
	rec   trace.Recording
	sched schedule

	out   trace.Writer
	snaps trace.SnapshotWriter
	batch []trace.Event // events not yet given to out
	room  int64         // events the buffer still takes
	err   error         // the first error of out or snaps

	observer    Observer
	onlyWatched bool // nobody reads its events: the observer compares the stacks

	next     time.Duration // app time of the next tick
	ticks    int64
	seen     uint64        // the pass's change counter at the last tick
	paused   time.Duration // all pauses so far
	tickWall time.Duration // when the current tick began
	lastWall time.Duration // when the one before it did
	at       time.Duration // app time of the current tick
	lastAt   time.Duration // of the one before

	memory   []memory         // by thread index
	sites    [][]trace.Site   // by thread index: of the frames in memory; only where needed
	open     []openSnapshot   // by thread index; only where needed
	snap     trace.Snapshot   // the one being written
	zeroless []trace.ThreadID // threads sampled whose CPU zero is not set
	stats    Stats
	ran      bool
}

// batchSize is how many events a sampler gathers before it hands them on: with
// hundreds of samplers all batches should fit the cache.
const batchSize = 128

// New returns a sampler for truth, which must come in time order. Its events go
// to out; when out is a [trace.SnapshotWriter] too, it also gets the stacks
// seen. out can be nil and given later ([Sampler.SetOutput]): a file writer
// wants the sampler's [Sampler.Recording] first.
func New(truth *trace.Recording, cfg Config, out trace.Writer) (*Sampler, error) {
	cfg, err := cfg.check(truth)
	if err != nil {
		return nil, err
	}
	s := &Sampler{truth: truth, cfg: cfg, room: math.MaxInt64}
	s.sched = newSchedule(&s.cfg)
	s.next = s.sched.first()
	if cfg.Buffer > 0 {
		s.room = (cfg.Buffer - bufferHeader) / recordSize(s.clock())
	}
	s.SetOutput(out)
	s.describe()
	return s, nil
}

// The shared buffer of ART up to 13: the file's header, then records of 10
// bytes with one clock and 14 with two.
const bufferHeader = 32

func recordSize(c trace.Clock) int64 {
	if c == trace.Dual {
		return 14
	}
	return 10
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
		VM:            "art",
		PID:           truth.PID,
		Technique:     trace.Sampled,
		Interval:      s.cfg.Interval,
		Events:        -1,
	}
	if s.cfg.Runtime == Dalvik {
		s.rec.Info.VM = "dalvik"
	}
	if s.clock() != s.cfg.Clock {
		s.rec.Warnings = append(s.rec.Warnings,
			trace.Warnf(trace.WarnNoCPUTime, "", "the source has no CPU time: recorded with the wall clock only"))
	}
}

// SetOutput says where the events go, and, when out is a [trace.SnapshotWriter]
// too, the stacks. It must be called before [Run]. nil drops them.
//
// No order is promised between events and snapshots.
func (s *Sampler) SetOutput(out trace.Writer) {
	s.out = out
	s.snaps, _ = out.(trace.SnapshotWriter)
	if out != nil {
		s.batch = make([]trace.Event, 0, batchSize)
	}
}

// opens reports whether the sampler keeps the beginnings of stacks.
func (s *Sampler) opens() bool { return s.snaps != nil || s.cfg.SliceEnd != diffstack.EndNext }

// Recording returns what describes the sampled trace, without its events: they
// go to the sampler's output. Elapsed, Overflow and Events are there after
// [Run]. Symbols are those of the truth.
func (s *Sampler) Recording() *trace.Recording { return &s.rec }

// Stats returns what the run came to. It is complete after [Run].
func (s *Sampler) Stats() *Stats { return &s.stats }

// finish completes a run over a truth that lasts until end.
func (s *Sampler) finish(p *pass, end time.Duration) error {
	var left []trace.ThreadID // threads there to the end
	s.stats.Samples = make([]int64, len(p.threads))
	for id := range s.memory {
		if m := &s.memory[id]; m.first > 0 {
			s.close(trace.ThreadID(id), s.ticks)
			left = append(left, trace.ThreadID(id))
		}
		s.stats.Samples[id] = s.memory[id].samples
	}
	s.flush()
	s.goneAll(p, left)
	s.stats.Ticks, s.stats.AppTime, s.stats.Paused = s.ticks, end, s.paused
	// The sampling thread looks for a stop only after its sleep, and stop waits
	// for it (Trace::StopTracing joins the thread).
	s.rec.Info.Elapsed = max(s.next, end) + s.paused
	s.rec.Info.Overflow = s.stats.Dropped > 0
	s.rec.Info.Events = s.stats.Events
	return s.err
}
