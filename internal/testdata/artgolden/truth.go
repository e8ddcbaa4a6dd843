package artgolden

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"artifice/trace"
	"artifice/workload"
)

// Truth is the truth of a workload, in memory.
type Truth struct {
	info    trace.Info
	symbols *trace.Symbols
	events  []trace.Event
}

// NewTruth generates the truth of a built-in workload. The drivers have no proxies: methods of
// proxies are ordinary ones.
func NewTruth(name string) (*Truth, error) {
	program, err := workload.ByName(name)
	if err != nil {
		return nil, err
	}
	rec, err := program.Truth(workload.Config{Seed: 1})
	if err != nil {
		return nil, err
	}
	var b trace.Buffer
	if _, err := trace.Copy(&b, rec.Events); err != nil {
		return nil, err
	}
	for i := range rec.Symbols.Methods {
		rec.Symbols.Methods[i].Flags &^= trace.Proxy
	}
	return &Truth{info: rec.Info, symbols: rec.Symbols, events: b.Events}, nil
}

// recording returns the truth as a recording that can be read once.
func (t *Truth) recording() *trace.Recording {
	return &trace.Recording{Info: t.info, Symbols: t.symbols, Events: trace.NewSliceReader(t.events)}
}

// addressed returns the symbols with the addresses of methods in the drivers as their ids.
func (t *Truth) addressed() *trace.Symbols {
	const first, size = 0x7000_0000, 32
	all := *t.symbols
	all.Methods = slices.Clone(all.Methods)
	for i := range all.Methods {
		all.Methods[i].ID = first + size*uint64(i)
	}
	return &all
}

// step is one event of the script.
type step struct {
	// O: frame open at the start, S: a thread starts, X: a thread has ended, 0 1 2: actions, Z: the
	// trace stops
	what   byte
	at     time.Duration
	cpu    time.Duration
	thread trace.ThreadID
	method trace.MethodID
	rank   int // order at one instant: ends, starts, events
}

// steps returns all steps, in order.
func (t *Truth) steps() []step {
	var opened, later []step
	open := make([]int, len(t.symbols.Threads))
	for i, th := range t.symbols.Threads {
		id := trace.ThreadID(i)
		open[i] = th.Open
		if th.Start > 0 {
			later = append(later, step{what: 'S', at: th.Start, thread: id, rank: 1})
		}
		if th.End > 0 {
			later = append(later, step{what: 'X', at: th.End + 1, thread: id})
		}
	}
	for i := range t.events {
		e := &t.events[i]
		s := step{what: '0' + byte(e.Action), at: e.Wall, cpu: e.CPU, thread: e.Thread, method: e.Method, rank: 2}
		if e.Wall == 0 && e.Action == trace.Enter && open[e.Thread] > 0 {
			open[e.Thread]--
			s.what = 'O'
			opened = append(opened, s)
			continue
		}
		later = append(later, s)
	}
	slices.SortStableFunc(later, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank))
	})
	return append(append(opened, later...), step{what: 'Z', at: t.info.Elapsed})
}

// Script writes the truth in the drivers' input format, as lines of text. The first line has the
// process and the numbers of threads, methods and steps. A thread has tid, start in ns and name,
// separated by tabs. A method has class, name, signature, file, and 0 or 1 each for waiting,
// collecting, native or inlined (without compiled code of its own) and internal to the runtime
// (without a frame). A step has its kind, wall and
// CPU ns, and thread and method by number.
func (t *Truth) Script(out io.Writer) error {
	w := bufio.NewWriter(out)
	flag := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	pid := t.info.PID
	if pid == 0 {
		pid = int(t.symbols.Threads[0].TID)
	}
	steps := t.steps()
	fmt.Fprintf(w, "%d %d %d %d\n", pid, len(t.symbols.Threads), len(t.symbols.Methods), len(steps))
	for _, th := range t.symbols.Threads {
		fmt.Fprintf(w, "%d\t%d\t%s\n", th.TID, th.Start, th.Name)
	}
	for _, m := range t.symbols.Methods {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n", m.Class, m.Name, m.Signature, m.File,
			flag(m.Wait != trace.Running), flag(m.Flags&trace.Collector != 0), flag(m.Flags&(trace.Native|trace.Inlined) != 0), flag(m.Flags&trace.RuntimeInternal != 0))
	}
	for _, s := range steps {
		fmt.Fprintf(w, "%c %d %d %d %d\n", s.what, s.at, s.cpu, s.thread, s.method)
	}
	return w.Flush()
}
