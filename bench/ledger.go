package bench

import (
	"time"

	"artifice/bench/paths"
	"artifice/diffstack"
)

// ledger turns a watcher's notes into the columns and durations of its tally.
type ledger struct {
	accounts []account // by thread
}

// account is what a tracer has reported of one thread so far.
type account struct {
	path   paths.ID        // stack as reported last; None before the first note
	since  time.Duration   // stamp of the last note
	cpu    time.Duration   // its CPU stamp, where CPU time is asked for
	met    bool            // cpu is set
	enters []time.Duration // stamps of its frames, outermost first
}

// enter tallies a page of notes, in the order in which they were made. rule says
// when frames that are gone ended in CPU time.
func (l *ledger) enter(t *tally, table *paths.Table, page *page, rule diffstack.SliceEnd) {
	t.columns.grow(table.Len())
	for i := range page.notes {
		n := &page.notes[i]
		a := l.account(table, n)
		if len(page.cpu) > 0 {
			a.spendCPU(t, n, &page.cpu[i], rule)
		}
		if n.kept == paths.None {
			t.columns.self[a.path] += n.at - a.since
			a.path, a.since, a.enters = n.path, n.at, a.enters[:0]
			continue
		}
		end := n.at
		if len(page.ends) > 0 {
			end = max(a.since, page.ends[i])
			t.columns.self[n.kept] += n.at - end
		}
		t.columns.self[a.path] += end - a.since
		a.leave(t, table, n.kept, end)
		a.call(t, table, n)
		a.path, a.since = n.path, n.at
	}
}

// spendCPU gives the CPU time since the last note to the stack reported then, up
// to the end of the frames that are gone, and the rest to what is left of it.
func (a *account) spendCPU(t *tally, n *note, c *cpuNote, rule diffstack.SliceEnd) {
	if !a.met {
		a.met, a.cpu = true, c.at
	}
	end := c.at
	if n.kept != paths.None {
		end = rule.Between(min(max(a.cpu, c.last), c.at), c.at)
		t.columns.cpu[n.kept] += c.at - end
	}
	t.columns.cpu[a.path] += end - a.cpu
	a.cpu = c.at
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
