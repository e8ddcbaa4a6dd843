package thread

import (
	"time"

	"artifice/trace"
)

// snapshots converts samples to [trace.Snapshot]s. Consecutive samples of a thread with the same
// stack become one snapshot. A sample of CPU time represents one interval, starting at the sample.
// Samples further apart than that, with a wait of the thread between them, are separate.
type snapshots struct {
	to       trace.SnapshotWriter
	interval time.Duration // time that a sample represents; 0: until the next one
	threads  []snapshotRun
	err      error
}

// snapshotRun is a run of samples of a thread with the same stack.
type snapshotRun struct {
	now  trace.Snapshot
	last time.Duration // wall time of the last sample
}

// add adds the next sample of a thread.
func (s *snapshots) add(x *Sample) {
	for int(x.Thread) >= len(s.threads) {
		s.threads = append(s.threads, snapshotRun{})
	}
	r := &s.threads[x.Thread]
	same := common(r.now.Stack, x.Stack)
	if r.now.Count > 0 && same == max(len(r.now.Stack), len(x.Stack)) && (s.interval == 0 || x.Stamp.Wall-r.last < 2*s.interval) {
		r.now.Count++
		r.last = x.Stamp.Wall
		return
	}
	s.flush(r, x.Stamp.Wall)
	stack := append(r.now.Stack[:same], x.Stack[same:]...)
	r.now = trace.Snapshot{Thread: x.Thread, Wall: x.Stamp.Wall, CPU: x.Stamp.CPU, Count: 1, Stack: stack, Same: same}
	r.last = x.Stamp.Wall
}

// common returns the number of frames that two stacks share, starting at the outermost.
func common(a, b []trace.MethodID) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// end ends a thread with an empty stack. The CPU time is the thread's at that end.
func (s *snapshots) end(id trace.ThreadID, wall, cpu time.Duration) {
	if int(id) >= len(s.threads) || s.threads[id].now.Count == 0 {
		return
	}
	r := &s.threads[id]
	wall = max(wall, r.last)
	s.flush(r, wall)
	r.now = trace.Snapshot{Thread: id, Wall: wall, CPU: max(cpu, r.now.CPU), Until: wall}
	s.write(&r.now)
}

// flush writes the run that ends before a sample at the time next.
func (s *snapshots) flush(r *snapshotRun, next time.Duration) {
	if r.now.Count == 0 {
		return
	}
	if r.now.Until = next; s.interval > 0 {
		r.now.Until = min(next, r.last+s.interval)
	}
	s.write(&r.now)
}

// write writes a snapshot, unless an earlier write failed.
func (s *snapshots) write(x *trace.Snapshot) {
	if s.err == nil {
		s.err = s.to.WriteSnapshot(x)
	}
}

// First makes s the first sample of a record: its events are the enters of the whole stack, and all
// frames are fresh.
func (s *Sample) First() {
	s.Events, s.ExitApp, s.Fresh = nil, s.App, len(s.Stack)
	for _, m := range s.Stack {
		e := s.Stamp
		e.Method = m
		s.Events = append(s.Events, e)
	}
}

// Clone returns a sample that stays valid.
func (s *Sample) Clone() *Sample {
	c := *s
	c.Stack, c.Events = append([]trace.MethodID(nil), s.Stack...), append([]trace.Event(nil), s.Events...)
	return &c
}
