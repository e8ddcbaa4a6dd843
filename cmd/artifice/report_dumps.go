package main

import (
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

// threadDumps prints a summary of thread dumps as text.
type threadDumps struct {
	*dumps.Summary
	full bool // names with their packages
	top  int  // maximum number of rows and frames; 0: all
}

// ofDumps reports whether the report is about thread dumps as such: states, stacks and locks. Thread dumps are
// few and have no times; flags that ask for times select the report of a sampled trace.
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
	head := []string{fmt.Sprintf("%s: %s%s, %s", name, words.Count(r.Dumps, "thread dump"), of, words.Count(len(r.Threads), "thread"))}
	if err := printNotes(w, quoted(append(head, r.deadlocks()...))); err != nil {
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

// choose returns the threads with these names. Without names it returns the main thread, or all threads if
// there is none.
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

// thread writes what dumps show of one thread: its state, its most frequent stack, the locks it waits for with
// their holders, and the methods it was in.
func (r *threadDumps) thread(w io.Writer, t *dumps.Thread) error {
	head := t.Name + " " + r.doing(t.State, t.Stack)
	if t.Dumps > 1 { // state and stack can be of different dumps
		head = fmt.Sprintf("%s is most often %s; most frequent stack (%d of %s)", t.Name, strings.TrimPrefix(r.doing(t.State, nil), "is "), t.Same, words.Count(t.Dumps, "dump"))
	}
	if len(t.Stack) == 0 {
		head += "; no stack"
	} else {
		head += ":"
	}
	lines := append([]string{head}, r.stack(t.Stack)...)
	if err := printNotes(w, quoted(append(lines, r.waitsFor(t.Waits)...))); err != nil {
		return err
	}
	if t.Dumps == 1 || len(t.Methods) == 0 {
		return nil
	}
	return r.methods(t).WriteText(w)
}

// stateWords are the words for states of ART and of the JVM, in lower case.
var stateWords = map[string]string{
	"runnable": "runnable", "native": "in native code", "suspended": "suspended", "sleeping": "sleeping",
	"blocked": "blocked on a lock", "monitor": "blocked on a lock", "waiting": "waiting", "wait": "waiting",
	"timedwaiting": "waiting with a timeout", "timed_waiting": "waiting with a timeout",
}

// isBlocked reports whether a thread in a state waits for the monitor of an object.
func isBlocked(state string) bool {
	state = strings.ToLower(state)
	return state == "blocked" || state == "monitor"
}

// doing returns a verb phrase with the state of a thread and its leaf frame: "is sleeping in Thread.sleep (native)".
func (r *threadDumps) doing(state string, stack []format.Frame) string {
	text := "is"
	if word, ok := stateWords[strings.ToLower(state)]; ok {
		text += " " + word
	} else if state != "" {
		text += " in state " + state
	}
	if len(stack) > 0 {
		return text + " in " + r.frame(&stack[0])
	}
	if state == "" {
		return "is in an unknown state"
	}
	return text
}

// stack returns a line for each frame, innermost first, unless there are too many.
func (r *threadDumps) stack(frames []format.Frame) (lines []string) {
	for i := range frames {
		if i == shownFrames && r.top != 0 && len(frames) > shownFrames+1 {
			return append(lines, fmt.Sprintf("  … %d more: --top 0 lists all.", len(frames)-i))
		}
		lines = append(lines, "  "+r.frame(&frames[i]))
	}
	return lines
}

// shownFrames is the number of frames that are printed of a stack.
const shownFrames = 12

// frame returns a frame's method and its place in the source.
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

// waitsFor returns the chain of locks from the first thread on: each lock and its holder, with the holder's stack.
func (r *threadDumps) waitsFor(chain []dumps.LockWait) (lines []string) {
	for i, l := range chain {
		switch {
		case i+1 == len(chain) && i > 0 && l.Thread == chain[0].Thread: // a deadlock, which is closed here
		case i+1 < len(chain):
			holder := chain[i+1]
			line := fmt.Sprintf("%s waits for %s, held by %s", l.Thread, lockText(l.Lock), holder.Thread)
			if holder.Thread == chain[0].Thread {
				lines = append(lines, line+".")
				break
			}
			lines = append(lines, line+", which "+r.doing(holder.State, holder.Stack)+":")
			lines = append(lines, r.stack(holder.Stack)...)
		case l.Lock != nil && l.Lock.How == format.ToEnter:
			lines = append(lines, fmt.Sprintf("%s waits for %s; the dump does not name its holder.", l.Thread, lockText(l.Lock)))
		}
	}
	return lines
}

func lockText(l *format.Lock) string {
	switch {
	case l.Class == "" && l.Object == "":
		return "an unknown lock"
	case l.Object == "":
		return l.Class
	}
	return strings.TrimLeft(l.Class+" ", " ") + l.Object
}

// methods returns the methods that a thread was in, by number of dumps.
func (r *threadDumps) methods(t *dumps.Thread) *cli.Table {
	l := &cli.Table{Columns: []string{"self", "95 % CI", "total", "method"}, Right: []bool{true, true, true}, Spare: []string{"total"}, Cut: true}
	for i, m := range t.Methods {
		if m.Self == 0 || i == r.top && r.top > 0 {
			break // the rest were callers only; the stack above has them
		}
		l.Add(fmt.Sprintf("%d of %d", m.Self, t.Dumps), fmt.Sprintf("%.0f–%.0f %%", 100*m.Low, 100*m.High), fmt.Sprint(m.Total), r.method(&m.Frame))
	}
	return l
}

// list returns a row for each thread.
func (r *threadDumps) list() *cli.Table {
	l := &cli.Table{Columns: []string{"dumps", "state", "thread", "leaf"}, Right: []bool{true}, Cut: true}
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

// someOf returns the first names of a list, and the number of others.
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

// inDeadlock reports whether a thread is part of a deadlock.
func (r *threadDumps) inDeadlock(name string) bool {
	return slices.ContainsFunc(r.Deadlocks, func(circle []dumps.LockWait) bool {
		return slices.ContainsFunc(circle, func(l dumps.LockWait) bool { return l.Thread == name })
	})
}

// deadlocks returns a line for each deadlock.
func (r *threadDumps) deadlocks() (lines []string) {
	for _, circle := range r.Deadlocks {
		var parts []string
		for i, l := range circle {
			parts = append(parts, fmt.Sprintf("%s waits for %s, held by %s", l.Thread, lockText(l.Lock), circle[(i+1)%len(circle)].Thread))
		}
		lines = append(lines, "Deadlock: "+strings.Join(parts, "; ")+".")
	}
	return lines
}

// notes returns the lines below the threads: contention on locks, and what to do next.
func (r *threadDumps) notes(chosen []*dumps.Thread) (notes []string) {
	blocked := r.Blocked()
	for _, b := range blocked {
		if len(b.Waiters) == 1 && (len(chosen) == 1 && b.Waiters[0] == chosen[0].Name || r.inDeadlock(b.Waiters[0])) {
			continue // the report has this line already
		}
		verb := "wait"
		if len(b.Waiters) == 1 {
			verb = "waits"
		}
		notes = append(notes, fmt.Sprintf("%s %s for %s, held by %s.", someOf(b.Waiters), verb, lockText(&b.Lock), b.Holder))
	}
	if len(chosen) == 1 {
		if t := chosen[0]; t.State != "" && !isBlocked(t.State) && len(t.Stack) > 0 && len(blocked)+len(r.Deadlocks)+len(t.Waits) == 0 {
			notes = append(notes, t.Name+" waits for no lock; no deadlock.")
		}
	}
	var others []string
	if n := len(r.Threads) - len(chosen); n > 0 {
		others = append(others, words.Count(n, "other thread")+": --thread NAME, or --thread all.")
	}
	if r.Others > 0 {
		others = append(others, words.Count(r.Others, "dump")+" of other processes: --by thread --thread all has their threads.")
	}
	if len(others) > 0 {
		notes = append(notes, strings.Join(others, " "))
	}
	if r.Dumps < fewDumps && len(blocked)+len(r.Deadlocks) == 0 {
		notes = append(notes, "A dump shows one moment. To see where time is spent, take 10 dumps or more, about 100 ms apart, and report their folder.")
	}
	return notes
}

// fewDumps is the number of dumps below which the report recommends more.
const fewDumps = 5
