package encode

import (
	"io"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/stats"
)

// SampleFiller finds the samples of a recording that was sampled and tells only when
// stacks changed, as ART's traces do: a sample that saw the same stack as the one
// before leaves no event there. Each stretch without a change is taken for as many
// samples as there are sampling periods in it, at least the one that saw it begin. Where
// samples are of CPU time it is for as many as there are periods in its thread's CPU time, one
// after the other from its beginning on.
//
// The period is that of the recording, or estimated from its stamps (package stats).
// Events wait in memory and beyond 8 MiB in a temporary file until the end, when the
// estimate is there, or until it is plain that the recording was not sampled.
type SampleFiller struct {
	rec    *trace.Recording
	Groups stats.Groups
	log    *eventlog.Log  // nil: nothing is to be filled in
	entry  eventlog.Entry // reused
}

// judgedEvents is how many events tell whether a recording was sampled, and its period.
// So many as instrumentedEvents tell where it was instrumented: then what waits is let
// go early.
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

// Stop leaves it at the samples that are known.
func (f *SampleFiller) Stop() error {
	if f.log == nil {
		return nil
	}
	err := f.log.Close()
	f.log = nil
	return err
}

// Judge takes in events as they are in the recording.
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

// Add takes in an event after which its thread's stack is another one.
func (f *SampleFiller) Add(e *trace.Event) error {
	if f.log == nil {
		return nil
	}
	f.entry.Event, f.entry.At = *e, e.Wall
	return f.log.Add(&f.entry)
}

// period returns how far samples are apart; ok is false when the recording was not
// sampled, or nothing tells.
func (f *SampleFiller) period() (period time.Duration, ok bool) {
	if technique, _ := f.Groups.TechniqueOf(&f.rec.Info); technique != trace.Sampled {
		return 0, false
	}
	if f.rec.Info.Interval > 0 {
		return f.rec.Info.Interval, true
	}
	estimate, ok := f.Groups.Period()
	return estimate.Median, ok && estimate.Median > 0
}

// Fill hands write the samples of every thread, and how long its stretch took: on a CPU, where samples
// are of CPU time. A thread's last stretch ends according to until.
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

// stretch is a thread's time with one stack.
type stretch struct {
	thread trace.ThreadID
	ofCPU  bool // samples are of CPU time
	since  time.Duration
	cpu    time.Duration // of the thread by then
	stack  trace.Stack[struct{}]
	same   int // of it, the outermost frames that it had at all times since the last samples
}

// change ends the stretch where e is at another time, and lets e change the stack.
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

// end hands write the samples up to the end of the stretch, by when its thread has used so much CPU time.
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
