package view

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"artifice/sampler"
	"artifice/trace"
)

// Sampling configures the sampling of a truth that is shown together with its samples.
type Sampling struct {
	Config   sampler.Config // configuration of all samplers, except for the interval
	Interval time.Duration  // the requested interval
	// other intervals for comparison; those that exceed the size limit are skipped
	Intervals []time.Duration
}

// ReadSampled reads a truth to its end, samples it meanwhile, and returns a page of the truth with
// the reports of the samplers. Their calls are at the app's own times: each thread's delay is
// subtracted, so that both align.
func ReadSampled(truth *trace.Recording, name string, o Options, s Sampling) (*Page, error) {
	in := NewIntake(truth, o)
	source := truth.Events
	truth.Events = trace.TeeReader(source, in)
	intervals := append([]time.Duration{s.Interval}, s.Intervals...)
	slices.Sort(intervals)
	intervals = slices.Compact(intervals)
	var samplers []*sampler.Sampler
	var sampledViews []*sampledView
	for _, interval := range intervals {
		cfg := s.Config
		cfg.Interval, cfg.KeepSymbols = interval, true
		l := newSampledView(maxSampledView, &in.threads)
		if interval == s.Interval {
			l.most = maxRequested
		}
		smp, err := sampler.New(truth, cfg, nil)
		if err != nil {
			return nil, err
		}
		l.begin(smp.Recording(), Options{Until: o.Until, Running: o.Running, Threads: o.Threads, Listed: true})
		smp.SetOutput(l)
		smp.SetObserver(l)
		samplers, sampledViews = append(samplers, smp), append(sampledViews, l)
	}
	if err := sampler.Run(truth, samplers...); err != nil {
		return nil, err
	}
	truth.Events = source
	first, err := in.Recording(name)
	if err != nil {
		return nil, err
	}
	page := &Page{Recordings: []*Recording{first}}
	if page.Recordings[0].Short > 0 {
		return nil, fmt.Errorf("%s: %w", name, errTooLong)
	}
	return page, page.addSampledViews(sampledViews, samplers, s.Interval)
}

// addSampledViews adds the recordings of the samplers for comparison with the truth.
func (p *Page) addSampledViews(sampledViews []*sampledView, samplers []*sampler.Sampler, asked time.Duration) error {
	truth := p.Recordings[0]
	var left []time.Duration
	for i, l := range sampledViews {
		interval := l.rec.Info.Interval
		if l.full() {
			left = append(left, interval)
			continue
		}
		if interval == asked {
			p.first = len(p.Recordings) - 1
		}
		r, err := l.recording(samplers[i].Stats())
		if err != nil {
			return err
		}
		p.Recordings = append(p.Recordings, r)
		sampledViews[i] = nil // release its estimator, which is large
	}
	for _, r := range p.Recordings[1:] {
		r.comparison = compare(truth, r)
	}
	if slices.Contains(left, asked) {
		return fmt.Errorf("the page would be too large with samples every %s: the numbers of calls and samples, plus %d for each thread, exceed %d. Select a part of the trace (artifice convert --from --to), or a longer interval", asked, threadSize, maxRequested)
	}
	if len(left) > 0 {
		truth.notes = append(truth.notes, fmt.Sprintf("omitted from this page because of their size: samples every %s", listOf(left)))
	}
	return nil
}

func listOf(intervals []time.Duration) (text string) {
	for i, d := range intervals {
		if i > 0 {
			text += ", "
		}
		text += d.String()
	}
	return text
}

// maxSampledView bounds the size of one sampler's recording on the page, and maxRequested that of the
// requested interval. A call counts 1, a sample that changed its thread's stack counts 1, and a
// thread counts threadSize: it takes some 3 kB in memory and in the page's header, a call 60 bytes.
const (
	maxSampledView = 500_000
	maxRequested   = 5_000_000
	threadSize     = 50
)

// sampledView contains the results of one sampler: calls, samples and estimates. All of them are in app
// time, which excludes pauses. It is a [sampler.Observer]. It also counts the events that the
// sampler writes, which have times of the traced run.
type sampledView struct {
	rec        trace.Recording // recording of the sampler, with the length of the untraced run
	estimators *estimators
	pending    []openStack // by thread
	truth      *threadList // the truth's threads that have had events
	threads    threadList
	// by thread: numbers of the ticks with a change; their times are in thread.ticks
	ticks   [][]int64
	size    int // number of calls and samples
	most    int // maximum of size
	events  int64
	changes []trace.Event // reused
	err     error         // first error of the estimators
}

// full reports whether the size limit of the page is exceeded. No further data is then kept.
func (l *sampledView) full() bool { return l.size > l.most }

// openStack is a stack that is unchanged since a tick.
type openStack struct {
	snapshot trace.Snapshot
	tick     int64 // number of that tick; 0: none yet
	ended    int64 // the first tick without the thread
}

func newSampledView(most int, truth *threadList) *sampledView {
	return &sampledView{most: most, truth: truth}
}

// begin prepares l for the samples of a recording. It is called before the first sample.
func (l *sampledView) begin(rec *trace.Recording, o Options) {
	l.rec = *rec
	l.estimators = newEstimators(&l.rec, o)
}

// WriteEvents implements [trace.Writer].
func (l *sampledView) WriteEvents(p []trace.Event) error {
	l.events += int64(len(p))
	return nil
}

// estimate passes a sample to the estimators: the events that turn the previous stack into the
// sample's stack, and the snapshot that ends with it.
func (l *sampledView) estimate(s *sampler.Sample) error {
	if err := l.endStack(s.Thread, s.App, s.Tick); err != nil {
		return err
	}
	for int(s.Thread) >= len(l.pending) {
		l.pending = append(l.pending, openStack{})
	}
	p := &l.pending[s.Thread]
	stack := p.snapshot.Stack
	e := trace.Event{Thread: s.Thread, Wall: s.App, CPU: s.CPU}
	l.changes = l.changes[:0]
	for depth := len(stack) - 1; depth >= s.Same; depth-- {
		e.Action, e.Method = trace.Exit, stack[depth]
		l.changes = append(l.changes, e)
	}
	for _, m := range s.Stack[s.Same:] {
		e.Action, e.Method = trace.Enter, m
		l.changes = append(l.changes, e)
	}
	p.tick = s.Tick
	p.snapshot = trace.Snapshot{Thread: s.Thread, Wall: s.App, CPU: s.CPU, Same: s.Same, Stack: append(stack[:s.Same], s.Stack[s.Same:]...)}
	return l.estimators.WriteEvents(l.changes)
}

// endStack ends the stack of a thread, which was last sampled at the tick before the given one.
func (l *sampledView) endStack(id trace.ThreadID, until time.Duration, tick int64) error {
	if int(id) >= len(l.pending) || l.pending[id].tick == 0 {
		return nil
	}
	p := &l.pending[id]
	p.snapshot.Until, p.snapshot.Count = max(until, p.snapshot.Wall), tick-p.tick
	p.tick = 0
	return l.estimators.WriteSnapshot(&p.snapshot)
}

// Sample implements [sampler.Observer]. Threads without events are not shown.
func (l *sampledView) Sample(s *sampler.Sample) {
	if l.full() || !l.truth.has(s.Thread) {
		return
	}
	l.err = cmp.Or(l.err, l.estimate(s))
	for int(s.Thread) >= len(l.ticks) {
		l.ticks = append(l.ticks, nil)
	}
	l.ticks[s.Thread] = append(l.ticks[s.Thread], s.Tick)
	now := stamp{Main: s.App, CPU: s.CPU}
	if !l.threads.has(s.Thread) {
		l.size += threadSize
	}
	t := l.threads.get(s.Thread, now)
	for len(t.open) > s.Same {
		t.shut(now)
	}
	for depth := len(t.open); depth < len(s.Stack); depth++ {
		t.enter(now, s.Stack[depth])
		l.size++
	}
	t.ticks = append(t.ticks, s.App)
	t.last = now
	if l.size++; l.full() {
		l.threads, l.ticks, l.estimators, l.pending = nil, nil, nil, nil
	}
}

// Ended implements [sampler.Observer]. The last stack of a thread is shown until the end of the
// thread, which no sample observes.
func (l *sampledView) Ended(s *sampler.Sample) {
	if int(s.Thread) < len(l.pending) {
		l.pending[s.Thread].ended = s.Tick
	}
}

// recording returns the sampled recording.
func (l *sampledView) recording(stats *sampler.Stats) (*Recording, error) {
	l.rec.Info.Elapsed = stats.AppTime
	r := &Recording{
		Name: l.rec.Info.Interval.String(), info: l.rec.Info, Symbols: l.rec.Symbols, events: l.events,
		notes: []string{fmt.Sprintf("sampled %d times; suspended for %s in total, which is subtracted from the times", stats.Ticks, stats.Paused.Round(time.Microsecond))},
		ticks: l.allTicks(stats.Ticks),
	}
	for _, t := range l.threads.seen() {
		end := stats.AppTime
		if dead := l.rec.Symbols.Thread(t.id).End; dead > 0 {
			end = min(end, dead)
		}
		t.last.Main = max(end, t.last.Main)
		l.err = cmp.Or(l.err, l.endStack(t.id, t.last.Main, l.pending[t.id].ended))
		for len(t.open) > 0 {
			t.shut(t.last)
		}
		r.threads = append(r.threads, t)
	}
	if l.err != nil {
		return nil, l.err
	}
	return r, l.estimators.profile(r)
}

// allTicks returns the times of all ticks on the clock of the thread that changed at most of them,
// as each thread has its own delay; nil if there are too many. Ticks without a change are
// distributed evenly between those with one.
func (l *sampledView) allTicks(n int64) []time.Duration {
	if n > maxTicks {
		return nil
	}
	var numbers []int64
	var times []time.Duration
	for id, list := range l.ticks {
		if len(list) > len(numbers) {
			numbers, times = list, l.threads[id].ticks
		}
	}
	all := []time.Duration{}
	for i, at := range times {
		if i > 0 {
			before, between := times[i-1], numbers[i]-numbers[i-1]
			step := (at - before) / time.Duration(between)
			for k := int64(1); k < between; k++ {
				all = append(all, before+time.Duration(k)*step)
			}
		}
		all = append(all, at)
	}
	return all
}

// maxTicks is the maximum number of ticks of one recording that the page draws.
const maxTicks = 1_000_000
