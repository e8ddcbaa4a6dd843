package workload

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"artifice/trace"
	"artifice/workload/internal/machine"
)

// maxTreeLine is the maximum length of a line of a call tree, in bytes: more than the longest name
// a trace file can hold.
const maxTreeLine = 1 << 18

// ReadTree reads a truth that is written as a list of calls:
//
//	# app.tree: a comment has # as its first character, blank lines are free
//	@thread 1 main
//	@thread 2 worker
//
//	2  1 app.Main.main ()V
//	5  1  app.Main.work (I)I
//	9  2 app.Bg.run ()V
//	12 1  app.Main.work (I)I
//	15 2 !app.Bg.run ()V
//	20 1 app.Main.main ()V
//
// A line has the time in µs, the tid, the indentation and the method. A deeper line than the one
// before on its thread enters the method; the next line at its depth leaves it, with ! by an
// exception. With both clocks the time is WALL/CPU, as in 10/4.25. A line of a method alone is of
// thread 1, 2 µs after the line before.
//
// The events are held in memory; their call sites are unknown. Errors are of type
// [trace.FormatError].
func ReadTree(r io.Reader, name string) (*trace.Recording, error) {
	p := &treeParser{name: name, symbols: &trace.Symbols{}, threads: map[uint32]trace.ThreadID{}, methods: map[string]trace.MethodID{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxTreeLine)
	for lines.Scan() {
		p.line++
		if err := p.parse(strings.TrimSuffix(lines.Text(), "\r")); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		e := &trace.FormatError{Name: name, Offset: -1, Line: p.line + 1, Msg: "reading failed", Err: err}
		if errors.Is(err, bufio.ErrTooLong) {
			e.Msg, e.Err = fmt.Sprintf("a line over %d bytes", maxTreeLine), nil
		}
		return nil, e
	}
	if len(p.events) == 0 {
		return nil, &trace.FormatError{Name: name, Offset: -1, Msg: "no call"}
	}
	return p.recording(), nil
}

// treeParser reads a tree line by line.
type treeParser struct {
	name    string
	line    int
	symbols *trace.Symbols
	threads map[uint32]trace.ThreadID
	methods map[string]trace.MethodID // by full name and signature
	state   []treeThread              // by thread
	events  []trace.Event
	last    time.Duration // of the line before
	timed   int           // line of the first explicit time; 0: none so far
	dual    bool          // explicit times have a CPU time
	implied int           // line of the first implied time; 0: none so far
}

// treeThread is the state of one thread.
type treeThread struct {
	begun bool
	base  int              // frames open before the tree begins, below those of its first line
	stack []trace.MethodID // frames entered since
	last  trace.Event
	open  int // number of its first lines that are frames open at the start
	lines int
}

// errorf returns an error about the current line, quoting text if it is not empty.
func (p *treeParser) errorf(text, format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	if text != "" {
		msg += fmt.Sprintf(": %.80q", text)
	}
	return &trace.FormatError{Name: p.name, Offset: -1, Line: p.line, Msg: msg}
}

// parse reads one line.
func (p *treeParser) parse(line string) error {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "" || trimmed[0] == '#':
		return nil
	case line[0] == '@':
		return p.directive(line)
	case line[0] >= '0' && line[0] <= '9':
		return p.explicit(line)
	}
	return p.implicit(line)
}

// explicit reads TIME TID INDENT NAME.
func (p *treeParser) explicit(line string) error {
	stamp, rest, ok := cutBlanks(line)
	if !ok {
		return p.errorf(line, "a line is TIME TID NAME, or NAME alone")
	}
	wallText, cpuText, dual := strings.Cut(stamp, "/")
	wall, err := parseMicros(wallText)
	if err != nil {
		return p.errorf(stamp, "%v", err)
	}
	var cpu time.Duration
	if dual {
		if cpu, err = parseMicros(cpuText); err != nil {
			return p.errorf(stamp, "%v", err)
		}
	}
	if p.timed > 0 && dual != p.dual || p.implied > 0 && dual {
		return p.errorf(stamp, "either all lines have a CPU time (WALL/CPU) or none does")
	}
	if p.timed == 0 {
		p.timed, p.dual = p.line, dual
	}
	// One blank ends the tid; those after it are the indentation.
	end := strings.IndexAny(rest, " \t")
	if end < 0 {
		return p.errorf(line, "a line is TIME TID NAME, or NAME alone")
	}
	tid, err := parseTID(rest[:end])
	if err != nil {
		return p.errorf(rest[:end], "%v", err)
	}
	return p.call(tid, wall, cpu, rest[end+1:])
}

// impliedStep is the time between two lines if the second states no time.
const impliedStep = 2 * time.Microsecond

// implicit reads INDENT NAME: thread 1, 2 us after the line before.
func (p *treeParser) implicit(line string) error {
	if p.dual {
		return p.errorf(line, "either all lines have a CPU time (WALL/CPU) or none does")
	}
	if p.implied == 0 {
		p.implied = p.line
	}
	return p.call(1, p.last+impliedStep, 0, line)
}

// call reads INDENT NAME and adds the enter or exit that it represents.
func (p *treeParser) call(tid uint32, wall, cpu time.Duration, text string) error {
	name := strings.TrimLeft(text, " \t")
	level := len(text) - len(name) + 1
	name, unwind := strings.CutPrefix(strings.TrimRight(name, " \t"), "!")
	m, err := p.method(strings.TrimSpace(name))
	if err != nil {
		return p.errorf(name, "%v", err)
	}
	id, err := p.thread(tid)
	if err != nil {
		return err
	}
	t := &p.state[id]
	e := trace.Event{Wall: wall, CPU: cpu, Method: m, Thread: id}
	if t.begun && (e.Wall < t.last.Wall || e.CPU < t.last.CPU) {
		return p.errorf(text, "time goes backwards on thread %d, from %s to %s", tid, stampOf(t.last, p.dual), stampOf(e, p.dual))
	}
	if e.Action, err = t.apply(level, unwind, m, p); err != nil {
		return err
	}
	if t.lines < t.open && (e.Action != trace.Enter || e.Wall != 0) {
		return p.errorf(text, "the first %d lines of thread %d are open at the start, so they must enter at time 0", t.open, tid)
	}
	t.begun, t.last, p.last = true, e, wall
	t.lines++
	p.events = append(p.events, e)
	return nil
}

// apply applies a line at that level to the thread's stack and returns the action.
func (t *treeThread) apply(level int, unwind bool, m trace.MethodID, p *treeParser) (trace.Action, error) {
	if !t.begun {
		t.base = level - 1
		if unwind {
			t.base = level // only an existing frame can be left
		}
	}
	if level > machine.MaxDepth {
		return 0, p.errorf("", "%d frames deep; a stack has at most %d", level, machine.MaxDepth)
	}
	leave := trace.Exit
	if unwind {
		leave = trace.Unwind
	}
	depth := t.base + len(t.stack)
	switch {
	case level == depth+1 && !unwind:
		t.stack = append(t.stack, m)
		return trace.Enter, nil
	case level != depth && depth == 0:
		return 0, p.errorf("", "indented by %d, but no frame is open to leave; indent by 0 to enter a method", level-1)
	case level != depth:
		return 0, p.errorf("", "indented by %d; indent by %d to leave %s, by %d to enter a callee", level-1, depth-1, p.innermost(t), depth)
	case len(t.stack) == 0:
		t.base-- // a frame entered before the tree begins
		return leave, nil
	case t.stack[len(t.stack)-1] != m:
		return 0, p.errorf("", "this leaves %s, but %s is innermost; leave that first, or indent by one more to enter a callee", p.symbols.Method(m), p.innermost(t))
	}
	t.stack = t.stack[:len(t.stack)-1]
	return leave, nil
}

// innermost names the innermost frame of t.
func (p *treeParser) innermost(t *treeThread) string {
	if len(t.stack) > 0 {
		return p.symbols.Method(t.stack[len(t.stack)-1]).String()
	}
	if t.base > 0 {
		return "a frame from before the tree"
	}
	return "nothing"
}

func stampOf(e trace.Event, dual bool) string {
	if dual {
		return fmt.Sprintf("%s/%s", e.Wall, e.CPU)
	}
	return e.Wall.String()
}

// recording returns the recording in time order. Its lines determine the life of a thread: it is
// attached at the first line, and ends at the last one if no frame is open then. The first thread
// is main and exists throughout.
func (p *treeParser) recording() *trace.Recording {
	for i := range p.state {
		t, life := &p.state[i], &p.symbols.Threads[i]
		life.Open = t.open
		if !t.begun || i == 0 {
			continue
		}
		if len(t.stack)+t.base == 0 {
			life.End = t.last.Wall
		}
	}
	first := make([]bool, len(p.state))
	for _, e := range p.events {
		if life := p.symbols.Thread(e.Thread); e.Thread > 0 && !first[e.Thread] {
			first[e.Thread], life.Start = true, e.Wall
		}
	}
	p.sortThreads()
	slices.SortStableFunc(p.events, func(a, b trace.Event) int {
		return cmp.Or(cmp.Compare(a.Wall, b.Wall), cmp.Compare(a.Thread, b.Thread))
	})
	info := trace.Info{Clock: trace.Wall, Technique: trace.Truth, Elapsed: p.events[len(p.events)-1].Wall,
		VM: "art", PID: int(p.symbols.Threads[0].TID), Events: int64(len(p.events))}
	if p.dual {
		info.Clock = trace.Dual
	}
	return &trace.Recording{Info: info, Symbols: p.symbols, Events: trace.NewSliceReader(p.events)}
}

// sortThreads puts the threads in the order of attaching.
func (p *treeParser) sortThreads() {
	order := make([]trace.ThreadID, len(p.symbols.Threads))
	for i := range order {
		order[i] = trace.ThreadID(i)
	}
	slices.SortStableFunc(order[1:], func(a, b trace.ThreadID) int {
		return cmp.Compare(p.symbols.Thread(a).Start, p.symbols.Thread(b).Start)
	})
	place := make([]trace.ThreadID, len(order))
	sorted := make([]trace.Thread, len(order))
	for i, id := range order {
		place[id], sorted[i] = trace.ThreadID(i), p.symbols.Threads[id]
	}
	p.symbols.Threads = sorted
	for i := range p.events {
		p.events[i].Thread = place[p.events[i].Thread]
	}
}
