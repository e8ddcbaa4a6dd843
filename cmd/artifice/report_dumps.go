package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"artifice/cmd/artifice/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/dumps"
)

// threadDumps is what thread dumps show, for people.
type threadDumps struct {
	*dumps.Summary
	full bool // names with their packages
	top  int  // rows; 0: all
}

// ofDumps reports whether the report is of thread dumps as such: what they tell is states, stacks and
// locks, as they are few and tell no time.
func (f *reportFlags) ofDumps(src *command.Source) bool {
	plain := !f.needsContexts() && !f.forPrograms() && f.clock == "" && !f.waiting
	return plain && src.Dumps != nil && src.Dumps.Counts().Format.Few
}

// print writes the report of one thread, or of all.
func (r *threadDumps) print(w io.Writer, name string, names []string) error {
	chosen, err := r.choose(names)
	if err != nil {
		return err
	}
	of := ""
	if r.Process != "" {
		of = " of " + r.Process
	}
	fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(fmt.Sprintf("%s: %s%s, %s", name, words.Count(r.Dumps, "dump"), of, words.Count(len(r.Threads), "thread")))))
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
	for _, note := range r.notes(chosen) {
		if _, err := fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(note))); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the threads of these names; without any the main thread, or all where none is
// called so.
func (r *threadDumps) choose(names []string) (chosen []*dumps.Thread, err error) {
	for i := range r.Threads {
		t := &r.Threads[i]
		if slices.Contains(names, report.AllThreads) || slices.Contains(names, t.Name) || len(names) == 0 && t.Name == "main" {
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

// thread writes what dumps show of one thread: its state, the stack that most of them share, whom it
// waits for, and the methods it was in.
func (r *threadDumps) thread(w io.Writer, t *dumps.Thread) error {
	head := t.Name
	if t.State != "" {
		head += ": " + t.State
	}
	of := fmt.Sprintf("%d of %s", t.Same, words.Count(t.Dumps, "dump"))
	if t.Dumps == 1 {
		of = "the dump"
	}
	lines := []string{head}
	if len(t.Stack) == 0 {
		lines[0] += "; no stack in " + of
	} else {
		lines[0] += "; stack in " + of + ":"
	}
	for i, f := range t.Stack {
		if i == shownFrames && r.top != 0 && len(t.Stack) > shownFrames+1 {
			lines = append(lines, fmt.Sprintf("  … %d more; --top 0 lists all", len(t.Stack)-i))
			break
		}
		lines = append(lines, "  "+r.frame(&f))
	}
	for _, l := range append(lines, waitsFor(t.Waits)...) {
		if _, err := fmt.Fprintln(w, cli.Quote(l)); err != nil {
			return err
		}
	}
	if t.Dumps == 1 || len(t.Methods) == 0 {
		return nil
	}
	return r.methods(t).WriteText(w)
}

// shownFrames is how much of a stack is shown.
const shownFrames = 12

// frame is a frame's method and its place.
func (r *threadDumps) frame(f *format.Frame) string {
	place := ""
	switch {
	case f.JNI:
		place = " (native)"
	case f.File != "" && f.Line > 0:
		place = fmt.Sprintf(" (%s:%d)", f.File, f.Line)
	}
	return r.method(f) + place
}

func (r *threadDumps) method(f *format.Frame) string {
	class := f.Class
	if !r.full {
		class = class[strings.LastIndexByte(class, '.')+1:]
	}
	if class == "" {
		return f.Method
	}
	return class + "." + f.Method
}

// waitsFor says whom a thread waits for, from one to the next, and what the last one does.
func waitsFor(chain []dumps.LockWait) (lines []string) {
	if len(chain) < 2 && (len(chain) == 0 || chain[0].Lock.How != format.ToEnter) {
		return nil // that it waits to be woken its stack tells
	}
	for i, l := range chain {
		switch {
		case i+1 < len(chain):
			lines = append(lines, fmt.Sprintf("%s waits for %s, which %s holds.", l.Thread, lockText(l.Lock), chain[i+1].Thread))
		case i > 0 && l.Thread == chain[0].Thread: // a deadlock, which is told of
		case l.Lock == nil:
			lines = append(lines, fmt.Sprintf("%s does not wait: %s.", l.Thread, cmp.Or(l.State, "its state is not known")))
		case l.Lock.How == format.ToEnter:
			lines = append(lines, fmt.Sprintf("%s waits for %s; the dump does not say who holds it.", l.Thread, lockText(l.Lock)))
		default:
			lines = append(lines, fmt.Sprintf("%s waits to be woken (%s).", l.Thread, lockText(l.Lock)))
		}
	}
	return lines
}

func lockText(l *format.Lock) string {
	switch {
	case l.Class == "" && l.Object == "":
		return "a lock that the runtime could not name"
	case l.Object == "":
		return l.Class
	}
	return strings.TrimLeft(l.Class+" ", " ") + l.Object
}

// methods are the methods that a thread was in, by number of dumps.
func (r *threadDumps) methods(t *dumps.Thread) *cli.Table {
	l := &cli.Table{Columns: []string{"dumps", "95 % of time", "with calls", "method"}, Right: []bool{true, true, true}, Spare: []string{"with calls"}, Cut: true}
	for i, m := range t.Methods {
		if m.Self == 0 || i == r.top && r.top > 0 {
			break // the rest was on the stack only, which is shown
		}
		l.Add(fmt.Sprint(m.Self), fmt.Sprintf("%.0f–%.0f %%", 100*m.Low, 100*m.High), fmt.Sprint(m.Total), r.method(&m.Frame))
	}
	return l
}

// list is a line for each thread.
func (r *threadDumps) list() *cli.Table {
	l := &cli.Table{Columns: []string{"dumps", "state", "thread", "innermost"}, Right: []bool{true}, Cut: true}
	for i := range r.Threads {
		t, top := &r.Threads[i], ""
		if len(t.Stack) > 0 {
			top = r.method(&t.Stack[0])
		}
		if len(t.Waits) > 1 {
			top += ", waits for " + t.Waits[1].Thread
		}
		l.Add(fmt.Sprint(t.Dumps), t.State, t.Name, top)
	}
	return l
}

// someOf returns some names, and how many more there are.
func someOf(names []string) string {
	const most = 3
	switch n := len(names); {
	case n == 1:
		return names[0]
	case n <= most:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// inDeadlock reports whether a thread is one of those that wait for each other.
func (r *threadDumps) inDeadlock(name string) bool {
	return slices.ContainsFunc(r.Deadlocks, func(circle []dumps.LockWait) bool {
		return slices.ContainsFunc(circle, func(l dumps.LockWait) bool { return l.Thread == name })
	})
}

// notes say what is wrong, and what to do.
func (r *threadDumps) notes(chosen []*dumps.Thread) (notes []string) {
	for _, circle := range r.Deadlocks {
		var parts []string
		for i, l := range circle {
			parts = append(parts, fmt.Sprintf("%s waits for %s, which %s holds", l.Thread, lockText(l.Lock), circle[(i+1)%len(circle)].Thread))
		}
		notes = append(notes, "Deadlock: "+strings.Join(parts, "; ")+".")
	}
	for _, b := range r.Blocked() {
		if len(b.Waiters) == 1 && (len(chosen) == 1 && b.Waiters[0] == chosen[0].Name || r.inDeadlock(b.Waiters[0])) {
			continue // which is told of
		}
		notes = append(notes, fmt.Sprintf("%s %s for %s, which %s holds.", someOf(b.Waiters), map[bool]string{true: "waits", false: "wait"}[len(b.Waiters) == 1], lockText(&b.Lock), b.Holder))
	}
	if r.Dumps < 5 {
		notes = append(notes, "A dump is one moment: to see where time goes, take 10 or more, some 100 ms apart, and report their folder.")
	}
	if r.Others > 0 {
		notes = append(notes, fmt.Sprintf("%s of other processes left out: --by thread --thread all has their threads.", words.Count(r.Others, "dump")))
	}
	if others := len(r.Threads) - len(chosen); others > 0 {
		notes = append(notes, fmt.Sprintf("%s more: --thread NAME, --thread all.", words.Count(others, "thread")))
	}
	return notes
}
