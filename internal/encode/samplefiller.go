package encode

import (
	"io"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/stats"
)

// SampleFiller reconstructs the samples of a sampled recording that contains only changes of
// stacks, like ART's traces: a sample with the same stack as the previous one leaves no event.
// Each stretch without a change counts as the number of sampling periods in it, at least one for
// the sample at its beginning. If samples are of CPU time, the count is the number of periods in
// the thread's CPU time during the stretch, and the samples are placed one period apart from its
// beginning.
//
// The period is that of the recording, or estimated from its timestamps (package stats). Events
// wait in memory, and beyond 8 MiB in a temporary file, until the end, when the estimate is
// available, or until the recording is known not to be sampled.
type SampleFiller struct {
	rec    *trace.Recording
	Groups stats.Groups
	log    *eventlog.Log  // nil: nothing to fill in
	entry  eventlog.Entry // reused
}

// judgedEvents is the number of events that decide whether a recording was sampled, and its
// period. instrumentedEvents suffice to detect an instrumented recording. The waiting events are
// then dropped early.
const (
	instrumentedEvents = 1 << 14
	judgedEvents       = 1 << 18
)

func NewSampleFiller(rec *trace.Recording, dir string) *SampleFiller {
	f := &SampleFiller{rec: rec}
	if rec.Info.Clock.HasWall() && rec.Info.Technique != trace.Instrumented && rec.Info.Technique != trace.Truth {
		f.log = eventlog.NewLog(dir, eventlog.Memory)
	}
	return f
}

// Stop drops the waiting events: no samples are filled in.
func (f *SampleFiller) Stop() error {
	if f.log == nil {
		return nil
	}
	err := f.log.Close()
	f.log = nil
	return err
}

// Judge adds the next events of the recording to the decision whether it was sampled.
func (f *SampleFiller) Judge(events []trace.Event) error {
	if f.log == nil || f.Groups.Events >= judgedEvents {
		return nil
	}
	seen := f.Groups.Events
	f.Groups.WriteEvents(events)
	passed := func(n int64) bool { return seen < n && f.Groups.Events >= n }
	technique := trace.Sampled
	if passed(instrumentedEvents) || passed(judgedEvents) {
		technique, _ = f.Groups.TechniqueOf(&f.rec.Info)
	}
	if technique == trace.Instrumented || passed(judgedEvents) && technique != trace.Sampled {
		return f.Stop()
	}
	return nil
}

// Add adds an event that changed its thread's stack.
func (f *SampleFiller) Add(e *trace.Event) error {
	if f.log == nil {
		return nil
	}
	f.entry.Event, f.entry.At = *e, e.Wall
	return f.log.Add(&f.entry)
}

// period returns the sampling period. ok is false if the recording was not sampled or the period
// is unknown.
func (f *SampleFiller) period() (period time.Duration, ok bool) {
	if technique, _ := f.Groups.TechniqueOf(&f.rec.Info); technique != trace.Sampled {
		return 0, false
	}
	if stated := f.rec.Info.SamplingInterval(); stated > 0 {
		return stated, true
	}
	estimate, ok := f.Groups.Period()
	return estimate.Median, ok && estimate.Median > 0
}

// Fill calls write with the samples of every thread and the duration of their stretch: CPU time if
// samples are of CPU time. A thread's last stretch ends according to until.
func (f *SampleFiller) Fill(write func(s *trace.Snapshot, took time.Duration) error, until calltree.EndPolicy) (period time.Duration, err error) {
	period, ok := f.period()
	if f.log == nil || !ok {
		return 0, nil
	}
	events, err := f.log.Merge(io.EOF)
	if err != nil {
		return 0, err
	}
	var threads []stretch
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := events.ReadEvents(batch)
		for i := range batch[:n] {
			e := &batch[i]
			for int(e.Thread) >= len(threads) {
				threads = append(threads, stretch{thread: trace.ThreadID(len(threads)), ofCPU: f.rec.Info.OfCPU})
			}
			if err := threads[e.Thread].change(e, period, write); err != nil {
				return period, err
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return period, err
		}
	}
	var last time.Duration
	for i := range threads {
		last = max(last, threads[i].since)
	}
	lives := trace.NewLifetimes(f.rec, trace.Sampled, last)
	for i := range threads {
		end, _ := until.End(lives, trace.ThreadID(i), threads[i].since)
		if err := threads[i].end(end, threads[i].cpu+period, period, write); err != nil {
			return period, err
		}
	}
	return period, nil
}

// stretch is a period of a thread's time with a constant stack.
type stretch struct {
	thread trace.ThreadID
	ofCPU  bool // samples are of CPU time
	since  time.Duration
	cpu    time.Duration // of the thread at since
	stack  trace.Stack[struct{}]
	same   int // outermost frames unchanged since the last samples
}

// change ends the stretch if e has a later time, and applies e to the stack.
func (s *stretch) change(e *trace.Event, period time.Duration, write func(s *trace.Snapshot, took time.Duration) error) error {
	if e.Wall > s.since {
		if err := s.end(e.Wall, e.CPU, period, write); err != nil {
			return err
		}
		s.since = e.Wall
	}
	s.cpu = e.CPU
	s.stack.Apply(e, struct{}{})
	s.same = min(s.same, s.stack.Depth())
	return nil
}

// end calls write with the samples up to the end of the stretch; cpu is the thread's CPU time at
// the end.
func (s *stretch) end(end, cpu, period time.Duration, write func(s *trace.Snapshot, took time.Duration) error) error {
	took := end - s.since
	if s.ofCPU {
		took = cpu - s.cpu
	}
	if s.stack.Depth() == 0 || s.ofCPU && took <= 0 {
		return nil
	}
	count := max(1, int64((took+period/2)/period))
	if s.ofCPU {
		end = min(end, s.since+time.Duration(count)*period)
	}
	same := s.same
	s.same = s.stack.Depth()
	return write(&trace.Snapshot{Thread: s.thread, Wall: s.since, CPU: s.cpu, Until: end, Count: count, Stack: s.stack.Methods(), Same: same}, took)
}
