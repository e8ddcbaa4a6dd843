package bench

import (
	"time"

	"artifice/bench/paths"
)

// ledger turns a watcher's notes into the columns and durations of its tally.
type ledger struct {
	accounts []account // by thread
}

// account is what a tracer has reported of one thread so far.
type account struct {
	path   paths.ID        // stack as reported last; None before the first note
	since  time.Duration   // stamp of the last note
	enters []time.Duration // stamps of its frames, outermost first
}

// enter tallies notes in the order in which they were made. Frames that are gone
// ended at ends, or when ends is empty at the note's stamp.
func (l *ledger) enter(t *tally, table *paths.Table, notes []note, ends []time.Duration) {
	t.columns.grow(table.Len())
	for i := range notes {
		n := &notes[i]
		a := l.account(table, n)
		if n.kept == paths.None {
			t.columns.self[a.path] += n.at - a.since
			*a = account{n.path, n.at, a.enters[:0]}
			continue
		}
		end := n.at
		if len(ends) > 0 {
			end = max(a.since, ends[i])
			t.columns.self[n.kept] += n.at - end
		}
		t.columns.self[a.path] += end - a.since
		a.leave(t, table, n.kept, end)
		a.call(t, table, n)
		a.path, a.since = n.path, n.at
	}
}

// leave ends the frames above path kept.
func (a *account) leave(t *tally, table *paths.Table, kept paths.ID, end time.Duration) {
	left := table.Depth(kept)
	for _, enter := range a.enters[left:] {
		t.durations.Add(end - enter)
	}
	a.enters = a.enters[:left]
}

// call begins the frames of n that are new.
func (a *account) call(t *tally, table *paths.Table, n *note) {
	enters := a.enters
	for p := n.path; p != n.kept; p = table.Parent(p) {
		t.columns.calls[p]++
		enters = append(enters, n.at)
	}
	t.reported += int64(len(enters) - len(a.enters))
	a.enters = enters
}

func (l *ledger) account(table *paths.Table, n *note) *account {
	id := table.Thread(n.path)
	for int(id) >= len(l.accounts) {
		l.accounts = append(l.accounts, account{})
	}
	a := &l.accounts[id]
	if a.path == paths.None {
		a.path, a.since = table.Root(id), n.at
	}
	return a
}
