package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/bench/metric"
	"artifice/bench/paths"
	"artifice/trace"
)

// Score is how a trace that was really recorded compares with the truth.
type Score struct {
	Truth    Truth
	Scores   Scores // measures that events alone do not tell are NaN: samples, calls seen, what an ideal sampler would reach
	Matching Matching
	Scale    float64 // how many times longer the observed run was taken to be
}

// Compare scores an observed trace against the truth, both in time order.
//
// Clocks are aligned at time 0 of both traces; where the observed run is longer
// or shorter by 1 % or more, its time is taken to run evenly faster or slower.
// Less than that may be an interval's delay at the end. Only the time line
// depends on it: sums are compared as shares.
//
// The observed trace's events are kept in memory.
func Compare(truth, observed *trace.Recording) (*Score, error) {
	if !truth.Info.Clock.HasWall() || !observed.Info.Clock.HasWall() {
		return nil, errors.New("a trace without wall clock cannot be compared: its threads have no common time")
	}
	course := newCourse(truth.Events, truth)
	var known trace.Buffer // of the truth, for the time line
	if _, err := trace.Copy(&known, course); err != nil {
		return nil, fmt.Errorf("the truth: %w", err)
	}
	if err := course.finish(endOf(truth, course)); err != nil {
		return nil, err
	}
	match := newMatcher(truth.Symbols, observed.Symbols)
	heard := newListener(course)
	var seen trace.Buffer
	for e, err := range trace.All(observed.Events) {
		if err != nil {
			return nil, fmt.Errorf("the observed trace: %w", err)
		}
		if err := match.translate(&e); err != nil {
			return nil, fmt.Errorf("the observed trace: %w", err)
		}
		heard.hear(&e)
		seen.Events = append(seen.Events, e)
	}
	if len(known.Events) == 0 || len(seen.Events) == 0 {
		return nil, errors.New("a trace without events cannot be compared")
	}
	return score(course, &known, heard, &seen, match)
}

func score(course *course, known *trace.Buffer, heard *listener, seen *trace.Buffer, match *matcher) (*Score, error) {
	course.symbols = match.symbols()
	reference := newReference(course)
	line := newTimeLine(course, known.Events, seen.Events)
	heard.line = line.compare()
	s := &Score{Truth: reference.truth(), Matching: match.matching(known.Events, seen.Events), Scale: line.scale}
	s.Truth.Events = int64(len(known.Events))
	s.Scores, _ = reference.compare(&heard.tally, heard.columns(course.table.Len()))
	s.Scores.forgetSamples()
	n := int64(len(seen.Events))
	fillCost(&s.Scores, metric.Cost{
		AppTime: line.truthSpan, WallTime: line.seenSpan, TrueCPU: course.cpu(), CPU: cpuOf(seen.Events), Events: n, Bytes: n * recordBytes,
	})
	s.Scores[LongestPause], s.Scores[Overflow] = math.NaN(), math.NaN()
	return s, nil
}

// cpuOf returns the CPU time that all threads used between their first and last
// events.
func cpuOf(events []trace.Event) (sum time.Duration) {
	last := map[trace.ThreadID]time.Duration{}
	for _, e := range events {
		if before, ok := last[e.Thread]; ok {
			sum += max(0, e.CPU-before)
		}
		last[e.Thread] = e.CPU
	}
	return sum
}

// symbols returns the truth's symbols with what only the observed trace has.
func (m *matcher) symbols() *trace.Symbols {
	s := &trace.Symbols{Threads: slices.Clone(m.truth.Threads), Methods: slices.Clone(m.truth.Methods)}
	s.Threads = append(s.Threads, make([]trace.Thread, m.threads.next-len(s.Threads))...)
	s.Methods = append(s.Methods, make([]trace.Method, m.methods.next-len(s.Methods))...)
	for id, to := range m.threadOf {
		if int(to) >= len(m.truth.Threads) {
			s.Threads[to] = m.observed.Threads[id]
		}
	}
	for id, to := range m.methodOf {
		if int(to) >= len(m.truth.Methods) {
			s.Methods[to] = m.observed.Methods[id]
		}
	}
	return s
}

// matching lists who has a partner, of those with events.
func (m *matcher) matching(truth, seen []trace.Event) Matching {
	s := m.symbols()
	thread := func(e trace.Event) int { return int(e.Thread) }
	method := func(e trace.Event) int { return int(e.Method) }
	return Matching{
		Threads: partners(used(truth, thread), used(seen, thread), func(i int) string { return s.Threads[i].String() }),
		Methods: partners(used(truth, method), used(seen, method), func(i int) string { return s.Methods[i].String() }),
	}
}

// used returns which ids have events.
func used(events []trace.Event, id func(trace.Event) int) map[int]bool {
	set := map[int]bool{}
	for _, e := range events {
		set[id(e)] = true
	}
	return set
}

func partners(truth, seen map[int]bool, name func(int) string) (p Partners) {
	for i := range truth {
		if seen[i] {
			p.Both++
		} else {
			p.OnlyTruth = append(p.OnlyTruth, name(i))
		}
	}
	for i := range seen {
		if !truth[i] {
			p.OnlyObserved = append(p.OnlyObserved, name(i))
		}
	}
	slices.Sort(p.OnlyTruth)
	slices.Sort(p.OnlyObserved)
	return p
}

// timeLine goes through two traces side by side.
type timeLine struct {
	course              *course
	truth, seen         []trace.Event
	truthSpan, seenSpan time.Duration
	scale               float64 // seenSpan over truthSpan
	lanes               map[trace.ThreadID]*lane
	line                metric.Timeline
}

// lane is one thread of both traces.
type lane struct {
	alive               bool          // between its first and last event in the truth
	end                 time.Duration // of its life in the truth
	at                  time.Duration // up to where it is compared
	truth, reported     paths.ID
	trueDepth, seenDeep int
}

func newTimeLine(c *course, truth, seen []trace.Event) *timeLine {
	l := &timeLine{course: c, truth: truth, seen: seen, lanes: map[trace.ThreadID]*lane{}, scale: 1}
	l.truthSpan = truth[len(truth)-1].Wall
	l.seenSpan = seen[len(seen)-1].Wall
	if l.truthSpan > 0 && l.seenSpan > 0 {
		if scale := float64(l.seenSpan) / float64(l.truthSpan); math.Abs(scale-1) >= worthScaling {
			l.scale = scale
		}
	}
	return l
}

// worthScaling is by how much two runs differ in length before one is scaled.
const worthScaling = 0.01

// align returns the truth's time of an observed stamp.
func (l *timeLine) align(wall time.Duration) time.Duration {
	return time.Duration(math.Round(float64(wall) / l.scale))
}

// compare takes both traces' events in the order of the truth's time. At equal
// times all happen before the stacks are compared.
func (l *timeLine) compare() metric.Timeline {
	for i, k := 0, 0; i < len(l.truth) || k < len(l.seen); {
		if k == len(l.seen) || i < len(l.truth) && l.truth[i].Wall <= l.align(l.seen[k].Wall) {
			e := &l.truth[i]
			lane := l.settle(e.Thread, e.Wall)
			if !lane.alive {
				lane.alive, lane.end, lane.at = true, l.course.alive(e.Thread, l.course.end), e.Wall
			}
			l.step(&lane.truth, &lane.trueDepth, e)
			i++
			continue
		}
		e := &l.seen[k]
		lane := l.settle(e.Thread, l.align(e.Wall))
		l.step(&lane.reported, &lane.seenDeep, e)
		k++
	}
	for id := range l.lanes {
		l.settle(id, math.MaxInt64)
	}
	return l.line
}

// step lets e change one of a lane's stacks.
func (l *timeLine) step(at *paths.ID, depth *int, e *trace.Event) {
	switch {
	case hidden(l.course.symbols, e):
	case e.Action == trace.Enter:
		*at = l.course.table.Child(*at, e.Method)
		*depth++
	case *depth > 0 && l.course.table.Method(*at) == e.Method:
		*at = l.course.table.Parent(*at)
		*depth--
	}
}

// settle compares a thread's stacks up to an instant of the truth's time.
func (l *timeLine) settle(id trace.ThreadID, now time.Duration) *lane {
	t := l.lanes[id]
	if t == nil {
		root := l.course.table.Root(id)
		t = &lane{truth: root, reported: root}
		l.lanes[id] = t
	}
	if !t.alive {
		return t
	}
	d := min(now, t.end) - t.at
	if d <= 0 {
		return t
	}
	t.at += d
	common := l.course.table.Depth(l.course.table.Common(t.truth, t.reported))
	if t.truth == t.reported {
		l.line.Equal += d
	}
	l.line.Thread += d
	l.line.True += d * time.Duration(t.trueDepth)
	l.line.Reported += d * time.Duration(t.seenDeep)
	l.line.Common += d * time.Duration(common)
	return t
}
