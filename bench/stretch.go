package bench

import (
	"io"
	"math"
	"slices"
	"time"

	"artifice/bench/score"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// Stretched is a recorded truth in which the self time of the methods with a name is multiplied.
type Stretched struct {
	Open   func() (*trace.Recording, error) // opens the truth at its start, in time order
	Method string                           // see [score.NameMatches]

	kept *eventlog.Ordered
}

// Truth returns the truth with the self times of the methods multiplied by factor, which is above
// 0. It invalidates the recording returned by the previous call. The added time delays the later
// events of the thread. All waits keep their length, including waits for other threads, which a
// recorded trace does not distinguish.
func (s *Stretched) Truth(factor float64) (*trace.Recording, error) {
	if err := s.Close(); err != nil {
		return nil, err
	}
	truth, err := s.Open()
	if err != nil {
		return nil, err
	}
	r := &stretcher{Stretched: s, truth: truth, more: factor - 1}
	ordered, err := eventlog.Order(r, "")
	if err != nil {
		return nil, err
	}
	if ordered.End != io.EOF {
		return nil, ordered.End
	}
	s.kept = ordered
	return r.recording(ordered), nil
}

// Close removes the temporary files of the truth returned last.
func (s *Stretched) Close() error {
	if s.kept == nil {
		return nil
	}
	kept := s.kept
	s.kept = nil
	return kept.Close()
}

// stretcher delays events, by thread.
type stretcher struct {
	*Stretched
	truth   *trace.Recording
	more    float64 // factor minus 1
	methods []bool  // by id: the method is stretched
	threads []stretchedThread
}

// stretchedThread is a thread, with the delay of its clocks relative to the truth.
type stretchedThread struct {
	stack     trace.Stack[struct{}]
	wall, cpu time.Duration // times of its latest event in the truth
	// laterWall and laterBy are the delays in wall time and in CPU time
	laterWall, laterBy time.Duration
}

// ReadEvents implements [trace.Reader]. It returns events in the order of the truth, which is no
// longer their time order.
func (s *stretcher) ReadEvents(p []trace.Event) (int, error) {
	n, err := s.truth.Events.ReadEvents(p)
	for i := range p[:n] {
		s.apply(&p[i])
	}
	return n, err
}

func (s *stretcher) apply(e *trace.Event) {
	t := s.thread(e.Thread)
	s.pass(t, e.Wall, e.CPU)
	t.stack.Apply(e, struct{}{})
	e.Wall += t.laterWall
	e.CPU += t.laterBy
}

// pass advances a thread to a time of the truth.
func (s *stretcher) pass(t *stretchedThread, wall, cpu time.Duration) {
	if m, ok := t.stack.Innermost(); ok && s.isChosen(m) {
		t.laterWall += s.times(wall - t.wall)
		t.laterBy += s.times(cpu - t.cpu)
	}
	t.wall, t.cpu = wall, cpu
}

// times returns the time to add for a duration.
func (s *stretcher) times(d time.Duration) time.Duration {
	return time.Duration(math.Round(float64(d) * s.more))
}

func (s *stretcher) thread(id trace.ThreadID) *stretchedThread {
	for int(id) >= len(s.threads) {
		s.threads = append(s.threads, stretchedThread{})
	}
	return &s.threads[id]
}

func (s *stretcher) isChosen(id trace.MethodID) bool {
	for len(s.methods) <= int(id) {
		s.methods = append(s.methods, score.NameMatches(s.Method, s.truth.Symbols.Method(trace.MethodID(len(s.methods)))))
	}
	return s.methods[id]
}

// recording returns the truth with the stored events, after all of them have been read.
func (s *stretcher) recording(events trace.Reader) *trace.Recording {
	rec := *s.truth
	rec.Events, rec.Source = events, nil
	symbols := *s.truth.Symbols
	symbols.Threads = slices.Clone(symbols.Threads)
	rec.Symbols = &symbols
	latest := time.Duration(0)
	for id := range symbols.Threads {
		info, t := &symbols.Threads[id], s.thread(trace.ThreadID(id))
		if end := max(info.End, rec.Info.Elapsed); info.End == 0 && end > t.wall {
			s.pass(t, end, t.cpu) // its innermost method lasts to the end of the trace
		}
		if info.End > 0 {
			info.End += t.laterWall
		}
		latest = max(latest, t.laterWall)
	}
	if rec.Info.Elapsed > 0 {
		rec.Info.Elapsed = max(1, rec.Info.Elapsed+latest)
	}
	return &rec
}
