package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/dumps"
	"artifice/trace"
)

// threadDumps prints a summary of thread dumps as text.
type threadDumps struct {
	*dumps.Summary
	dumps.Text
	top int // maximum number of rows and frames; 0: all
}

// ofDumps reports whether the report is a summary of thread dumps: states, stacks and locks. Thread
// dumps are few and have no times. Flags about times select the report of a sampled trace instead.
func (f *reportFlags) ofDumps(src *command.Source) bool {
	plain := !f.needsContexts() && !f.forPrograms() && f.clock == "" && !f.waiting
	return plain && hasDumps(src)
}

// hasDumps reports whether a source consists of thread dumps, that is, of few dumps without times.
func hasDumps(src *command.Source) bool { return src.Dumps != nil && src.Dumps.Counts().Format.Few }

// watchDumps returns a collector of the thread dumps of the source opened with these flags. collect
// starts the collection: earlier dumps are ignored.
func watchDumps(f *command.ReadFlags) (collect func(*command.Source) *dumps.Collector) {
	var shown *dumps.Collector
	f.Watch = func(d *format.Dump, frames *format.FrameTable) {
		if shown != nil {
			shown.Watch(d, frames)
		}
	}
	return func(src *command.Source) *dumps.Collector {
		shown = &dumps.Collector{All: f.Frames == "all", Rename: src.RenameFrames()}
		return shown
	}
}

// print writes the report of one thread, or of all.
func (r *threadDumps) print(w io.Writer, name string, names []string) error {
	chosen, err := r.choose(names)
	if err != nil {
		return err
	}
	head := []string{name + ": " + r.Size()}
	for _, circle := range r.Deadlocks {
		head = append(head, r.Deadlock(circle))
	}
	if err := printNotes(w, quoted(head)); err != nil {
		return err
	}
	if len(chosen) == len(r.Threads) && len(chosen) > 1 {
		if err := r.list().WriteText(w); err != nil {
			return err
		}
	} else {
		for _, t := range chosen {
			if err := r.thread(w, t); err != nil {
				return err
			}
		}
	}
	return printNotes(w, quoted(r.notes(chosen)))
}

// quoted returns lines that are safe to print.
func quoted(lines []string) []string {
	for i := range lines {
		lines[i] = cli.Quote(lines[i])
	}
	return lines
}

// choose returns the threads with these names. Without names it returns the main thread, or all
// threads if there is none.
func (r *threadDumps) choose(names []string) (chosen []*dumps.Thread, err error) {
	for i := range r.Threads {
		t := &r.Threads[i]
		if slices.Contains(names, report.AllThreads) || slices.Contains(names, t.Name) || slices.Contains(names, t.Plain) || t.Main && (len(names) == 0 || slices.Contains(names, report.MainThread)) {
			chosen = append(chosen, t)
		}
	}
	switch {
	case len(chosen) > 0:
	case len(names) > 0:
		known := make([]string, len(r.Threads))
		for i := range r.Threads {
			known[i] = r.Threads[i].Name
		}
		return nil, command.Usagef("--thread: no thread is called %s%s; --thread all lists them", names[0], command.DidYouMean(names[0], known))
	default:
		for i := range r.Threads {
			chosen = append(chosen, &r.Threads[i])
		}
	}
	return chosen, nil
}

// relevant returns the warnings about the reported process. Warnings about processes with native
// frames only are mostly about other processes.
func (r *threadDumps) relevant(warnings []trace.Warning) []trace.Warning {
	if r.Others == 0 {
		return warnings
	}
	return slices.DeleteFunc(warnings, func(w trace.Warning) bool { return w.Code == trace.WarnDumpNative })
}

// thread writes the summary of one thread: its state, its most frequent stack, the locks it waits
// for with their holders, and the methods it was in.
func (r *threadDumps) thread(w io.Writer, t *dumps.Thread) error {
	lines := append([]string{r.Head(t)}, r.stack(t.Stack)...)
	if err := printNotes(w, quoted(append(lines, r.waitsFor(t.Waits)...))); err != nil {
		return err
	}
	if t.Dumps == 1 || len(t.Methods) == 0 {
		return nil
	}
	return r.methods(t).WriteText(w)
}

// stack returns a line for each frame, innermost first, unless there are too many.
func (r *threadDumps) stack(frames []format.Frame) (lines []string) {
	for i := range frames {
		if i == shownFrames && r.top != 0 && len(frames) > shownFrames+1 {
			return append(lines, fmt.Sprintf("  … %d more frames: --top 0 lists all.", len(frames)-i))
		}
		lines = append(lines, "  "+r.Frame(&frames[i]))
	}
	return lines
}

// shownFrames is the maximum number of printed frames of a stack.
const shownFrames = 12

// waitsFor returns the chain of locks from the first thread on: each lock and its holder, with the
// holder's stack.
func (r *threadDumps) waitsFor(chain []dumps.LockWait) (lines []string) {
	for i := range chain {
		l := &chain[i]
		switch {
		// a deadlock: the chain is closed here
		case i+1 == len(chain) && i > 0 && l.Thread == chain[0].Thread:
		case i+1 < len(chain):
			holder := chain[i+1]
			line := r.WaitsFor(l, holder.Thread)
			if holder.Thread == chain[0].Thread {
				lines = append(lines, line+".")
				break
			}
			lines = append(lines, line+", which "+r.Doing(holder.State, holder.Stack)+colon(holder.Stack))
			lines = append(lines, r.stack(holder.Stack)...)
		default:
			if line := r.NoHolder(l); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// colon ends a sentence: with a colon if a stack follows.
func colon(stack []format.Frame) string {
	if len(stack) == 0 {
		return "."
	}
	return ":"
}

// methods returns the methods that a thread was in, by number of dumps.
func (r *threadDumps) methods(t *dumps.Thread) *cli.Table {
	l := &cli.Table{Columns: []string{"self", "95 % CI", "total", "method"}, Right: []bool{true, true, true}, Spare: []string{"total"}, Cut: true}
	for i, m := range t.Methods {
		if m.Self == 0 || i == r.top && r.top > 0 {
			break // all further methods are callers, which are in the stack above
		}
		l.Add(fmt.Sprintf("%d of %d", m.Self, t.Dumps), fmt.Sprintf("%.0f–%.0f %%", 100*m.Low, 100*m.High), fmt.Sprint(m.Total), r.Method(&m.Frame))
	}
	return l
}

// list returns a row for each thread.
func (r *threadDumps) list() *cli.Table {
	l := &cli.Table{Columns: []string{"dumps", "state", "thread", "leaf"}, Right: []bool{true}, Cut: true}
	for i := range r.Threads {
		t, top := &r.Threads[i], ""
		if len(t.Stack) > 0 {
			top = r.Method(&t.Stack[0])
		}
		if len(t.Waits) > 1 {
			top += ", waits for " + t.Waits[1].Thread
		}
		l.Add(fmt.Sprint(t.Dumps), t.State, t.Name, top)
	}
	return l
}

// inDeadlock reports whether a thread is part of a deadlock.
func (r *threadDumps) inDeadlock(name string) bool {
	return slices.ContainsFunc(r.Deadlocks, func(circle []dumps.LockWait) bool {
		return slices.ContainsFunc(circle, func(l dumps.LockWait) bool { return l.Thread == name })
	})
}

// notes returns the lines below the threads: contention on locks, and what to do next.
func (r *threadDumps) notes(chosen []*dumps.Thread) (notes []string) {
	blocked := r.Blocked()
	shown := 0
	for i := range blocked {
		b := &blocked[i]
		if len(b.Waiters) == 1 && (len(chosen) == 1 && b.Waiters[0] == chosen[0].Name || r.inDeadlock(b.Waiters[0])) {
			continue // the report has this line already
		}
		if shown++; shown > shownLocks {
			notes = append(notes, r.Waits(b)+".")
			continue
		}
		notes = append(notes, r.contention(b)...)
	}
	if len(chosen) == 1 {
		if t := chosen[0]; t.State != "" && dumps.StateOf(t.State) != dumps.OnLock && len(t.Stack) > 0 && len(blocked)+len(r.Deadlocks)+len(t.Waits) == 0 {
			notes = append(notes, t.Name+" waits for no lock; no deadlock.")
		}
	}
	var others []string
	if n := len(r.Threads) - len(chosen); n > 0 {
		others = append(others, words.Count(n, "other thread")+" not shown: --thread NAME, or --thread all.")
	}
	if r.Others > 0 {
		others = append(others, words.Count(r.Others, "dump")+" of other processes not shown: --by thread --thread all lists their threads.")
	}
	if len(others) > 0 {
		notes = append(notes, strings.Join(others, " "))
	}
	if r.Dumps < fewDumps && len(blocked)+len(r.Deadlocks) == 0 {
		notes = append(notes, "A single dump shows one moment: to see where time is spent, take 10 dumps or more, about 100 ms apart, and report their folder.")
	}
	return notes
}

// contention returns the threads that wait for a lock, with the stacks of its holder and of the
// first waiting thread.
func (r *threadDumps) contention(b *dumps.Blocked) (lines []string) {
	waiter, holder := b.Chain[0], b.Chain[1]
	lines = append(lines, r.Waits(b)+", which "+r.Doing(holder.State, holder.Stack)+colon(holder.Stack))
	lines = append(lines, r.stack(holder.Stack)...)
	if len(waiter.Stack) > 0 {
		lines = append(lines, waiter.Thread+" "+r.Doing(waiter.State, waiter.Stack)+":")
		lines = append(lines, r.stack(waiter.Stack)...)
	}
	return lines
}

// shownLocks is the maximum number of locks printed with the stacks of their holders and waiting
// threads.
const shownLocks = 5

// fewDumps is the number of dumps below which the report recommends more.
const fewDumps = 5
