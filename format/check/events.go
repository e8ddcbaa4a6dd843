package check

import (
	"slices"
	"strings"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
	"artifice/trace/stats"
)

// events reads a recording to its end and checks the invariants. It
// returns errors that are not about the content.
func (r *Report) events(rec *trace.Recording, cfg *Config) error {
	r.facts.Clock = rec.Info.Clock
	checker := trace.NewChecker(&rec.Info, rec.Symbols, func(v *trace.Violation) {
		if !r.ofShared(v, rec) {
			r.breach(v, rec.Events)
		}
	})
	w := &eventWriter{cfg: cfg, checker: checker, summary: stats.NewSummary(rec)}
	w.summary.Groups.FollowedBy(checker.Nesting())
	_, err := trace.Copy(w, rec.Events)
	if rec.Source != nil {
		r.Format = rec.Source.Format
		r.facts.RecordSize = rec.Source.RecordSize
	}
	r.Events = w.summary.Groups.Events
	if err != nil {
		if w.stopped != nil {
			return w.stopped
		}
		if err := r.failed(err); err != nil {
			return err
		}
	} else {
		checker.Close()
		r.clean = true
	}
	r.Origin = origin(&w.summary.Groups, &rec.Info)
	r.symbols(rec)
	r.times(w, &rec.Info)
	r.tables(rec)
	r.settle()
	r.oddities(rec)
	r.emptyBlocks(rec)
	return nil
}

// emptyBlocks looks for the empty blocks that ART 16 writes for a full buffer.
func (r *Report) emptyBlocks(rec *trace.Recording) {
	if rec.Source == nil || rec.Source.Format != dmformat.ARTV2of16 {
		return
	}
	for _, b := range rec.Source.Blocks {
		if b.Events == 0 {
			r.add("W131", -1, "a block of thread %d without records", b.TID)
		}
	}
}

// sharedRules are the invariants that are broken if two threads have the same id in records,
// because each thread has its own CPU clock and stack.
var sharedRules = []trace.Rule{trace.WallForward, trace.CPUForward, trace.CPUContinues, trace.ExitMatches, trace.EnterPresent}

// ofShared processes a broken invariant of a thread if other threads may have the same id in
// records. It returns false if none can. The summary of a stream lists shared ids after the
// records, so breaches of threads that were announced under one id are pending until then.
func (r *Report) ofShared(v *trace.Violation, rec *trace.Recording) bool {
	if !slices.Contains(sharedRules, v.Rule) {
		return false
	}
	tid := uint16(rec.Symbols.Thread(v.Thread).TID)
	if !r.sharedIDs[tid] {
		if !r.announced.again(rec, v.Thread) || len(r.pending) == maxPending {
			return false
		}
		r.pending = append(r.pending, pendingBreach{tid, v.Rule, ruleOf[v.Rule], trace.OffsetOf(rec.Events, v.Event), v.Detail})
		return true
	}
	r.shared(v.Rule)
	return true
}

// announcedThreads counts the threads that a stream has announced, by id.
type announcedThreads struct {
	counts map[uint32]int
	next   int // index of the next announcement to count
}

// again reports whether the stream has announced several threads with a thread's id.
func (a *announcedThreads) again(rec *trace.Recording, id trace.ThreadID) bool {
	if rec.Source == nil {
		return false
	}
	for ; a.next < len(rec.Source.Announced); a.next++ {
		if item := &rec.Source.Announced[a.next]; !item.Method {
			a.counts[item.TID]++
		}
	}
	return a.counts[rec.Symbols.Thread(id).TID] > 1
}

// pendingBreach is a broken invariant that is not reported if two threads turn out to share the id.
type pendingBreach struct {
	tid    uint16
	rule   trace.Rule
	id     string
	at     int64
	detail string
}

// maxPending limits the memory of pending breaches.
const maxPending = 1 << 16

// settle processes the pending breaches after the tables have been read.
func (r *Report) settle() {
	for _, p := range r.pending {
		if r.sharedIDs[p.tid] {
			r.shared(p.rule)
		} else {
			r.add(p.id, p.at, "%s", p.detail)
		}
	}
	r.pending = nil
}

// shared counts a breach that W118 explains: the records with this id are those of two threads.
func (r *Report) shared(rule trace.Rule) {
	if rule == trace.CPUForward || rule == trace.CPUContinues {
		r.facts.NewCPUClocks++
	}
}

// breach processes a broken invariant.
func (r *Report) breach(v *trace.Violation, events trace.Reader) {
	id := ruleOf[v.Rule]
	at := int64(-1)
	if v.Rule != trace.ExitPresent && r.Counts[id] < PerRule {
		at = trace.OffsetOf(events, v.Event)
	}
	r.add(id, at, "%s", v.Detail)
}

// eventWriter passes events to the checker and the summary.
type eventWriter struct {
	cfg       *Config
	checker   *trace.Checker
	summary   *stats.Summary
	stopped   error
	wall, cpu time.Duration // latest times on both clocks
}

// WriteEvents implements [trace.Writer].
func (w *eventWriter) WriteEvents(p []trace.Event) error {
	if w.cfg.Stop != nil {
		if w.stopped = w.cfg.Stop(); w.stopped != nil {
			return w.stopped
		}
	}
	for i := range p {
		w.wall, w.cpu = max(w.wall, p[i].Wall), max(w.cpu, p[i].CPU)
	}
	w.summary.WriteEvents(p)
	return w.checker.WriteEvents(p)
}

// symbols checks the threads and methods that events use.
func (r *Report) symbols(rec *trace.Recording) {
	for i := range rec.Symbols.Threads {
		t := &rec.Symbols.Threads[i]
		r.facts.MaxTID = max(r.facts.MaxTID, t.TID)
		if t.Unlisted {
			r.add("W120", -1, "records refer to thread id %d, which is not listed", t.TID)
		}
		if t.TID >= 1<<15 && !r.facts.V2 && r.Format != "text" {
			r.add("W125", -1, "thread %s has id %d", t, t.TID)
		}
	}
	for i := range rec.Symbols.Methods {
		m := &rec.Symbols.Methods[i]
		if m.Unlisted {
			r.add("N203", -1, "records refer to method id %#x, which is not listed", m.ID)
		}
		if len(m.Class)+len(".")+len(m.Name)+len(": ")+len(m.Signature) >= longName {
			r.facts.LongNames++
		}
	}
}

// longName is the length in bytes of a name that Perfetto truncates.
const longName = 2048

// times reports times that do not fit into 32 bits of microseconds.
func (r *Report) times(w *eventWriter, info *trace.Info) {
	r.facts.MaxDepth = int64(w.checker.Nesting().Deepest())
	for _, t := range w.summary.Threads() {
		if t.Events > 0 && t.First.Wall == 0 {
			r.facts.StartsAt0++
		}
	}
	latest := max(w.wall, w.cpu)
	r.facts.MaxTime = latest.Microseconds()
	r.facts.MaxFirst = w.cpu.Microseconds()
	if !info.Clock.HasCPU() {
		r.facts.MaxFirst = w.wall.Microseconds()
	}
	switch bits32 := r.Format != "text" && !r.facts.V2; {
	case bits32 && r.facts.MaxTime >= 1<<32:
		r.add("W127", -1, "the last event is at %s", latest)
	case bits32 && r.facts.MaxTime >= 1<<31:
		r.add("W126", -1, "the last event is at %s", latest)
	}
	if info.Elapsed > 0 && info.Elapsed < w.wall.Truncate(time.Microsecond) {
		r.add("W123", -1, "elapsed time %s, but the last event is at %s", info.Elapsed, w.wall)
	}
	if depth := r.facts.MaxDepth; depth > 3000 {
		r.add("W128", -1, "%d frames are open at once", depth)
	}
	if r.Events == 0 && r.clean {
		r.add("N206", -1, "no event")
	}
}

// tables checks the lines of a streaming file, which are in announcements and in its summary. The
// lines of a classic file have been checked by the scan.
func (r *Report) tables(rec *trace.Recording) {
	src := rec.Source
	if src == nil || !r.facts.Streaming && !r.facts.V2 {
		return
	}
	if r.clean && !src.HasSummary {
		r.add("W121", -1, "%d events, but no summary", r.Events)
	}
	announced := lineChecker{report: r, tidMask: 0xffff}
	seen := make(map[uint32]bool)
	for _, a := range src.Announced {
		if a.Method {
			line := strings.TrimSuffix(a.Text, "\n")
			if r.facts.V2 {
				announced.methodV2(line)
			} else {
				announced.method(-1, line)
			}
			continue
		}
		announced.threadName(-1, trace.Thread{TID: a.TID, Name: a.Text})
		if seen[a.TID] {
			r.add("N207", -1, "thread id %d is announced again, as %.60q", a.TID, a.Text)
		}
		seen[a.TID] = true
	}
	if !src.HasSummary {
		return
	}
	summary := lineChecker{report: r, tidMask: 0xffff}
	for _, line := range src.Options {
		summary.option(-1, line)
	}
	if !summary.hasClock {
		r.add("W103", -1, "the summary has no option %s", dmformat.KeyClock)
	}
	for _, line := range src.Threads {
		summary.thread(-1, line)
	}
}

// oddities reports the reader's warnings that no rule covers.
func (r *Report) oddities(rec *trace.Recording) {
	for _, w := range rec.Warnings {
		if !slices.ContainsFunc(Rules, func(r Rule) bool { return r.covers != "" && r.covers == w.Code }) {
			r.add("W130", w.Offset, "%s", w.Text)
		}
	}
}
