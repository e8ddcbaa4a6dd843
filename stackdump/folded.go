package stackdump

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/internal/foldfile"
	"artifice/trace"
)

// FirstFrame says what the first frame of a folded stack is.
type FirstFrame uint8

const (
	// AutoFirst takes "[name tid=N]", as async-profiler writes it with its
	// option -t, for a thread and anything else for a frame.
	AutoFirst   FirstFrame = iota
	ThreadFirst            // always the thread's name
	FrameFirst             // always a frame; all lines are one thread's
)

// foldedParser reads folded stacks: "outermost;…;innermost count".
type foldedParser struct {
	input
	first    FirstFrame
	timed    bool          // see [Config.Timed]
	cpu      bool          // of these, it has the CPU time
	interval time.Duration // of a sample
	told     time.Duration // the file's unit, if its first line tells it
	elapsed  map[ID]Sum    // per thread, the time its samples so far took
}

// next implements parser. Each line is a dump of its thread.
func (p *foldedParser) next(d *Dump) error {
	for {
		line, ok := p.lines.next()
		if !ok {
			return p.end()
		}
		if string(line) == noStacks {
			d.begin(&p.input)
			d.Partial, d.None = true, true
			return nil
		}
		if unit, cpu, ok := foldfile.ParseUnit(line); ok && p.lines.line == 1 && !p.timed {
			p.interval, p.told, p.cpu = unit, unit, cpu
		}
		if isFoldedComment(line) {
			continue
		}
		stack, count, sum, ok := p.numbers(line)
		if !ok {
			p.complain(trace.WarnDumpLine, "not a folded stack: frames, a space and a count", quoted(line))
			continue
		}
		if count > 0 {
			return p.dump(d, stack, count, sum)
		}
	}
}

// numbers cuts a line before its numbers: a count, whose time is that of so many intervals,
// or, where it is timed, CPU time, wall time and a count. Those who scale their counts have
// fractions; there is one sample at least where the count is above 0.
func (p *foldedParser) numbers(line []byte) (stack []byte, count int64, sum Sum, ok bool) {
	if p.timed {
		numbers := [3]int64{}
		stack, ok = line, true
		for i := range numbers {
			if ok {
				stack, numbers[i], ok = cutValue(stack)
			}
		}
		return stack, numbers[2], Sum{Wall: time.Duration(numbers[1]), CPU: time.Duration(numbers[0])}, ok
	}
	stack, count, part, ok := cutCount(line)
	if !ok {
		return nil, 0, sum, false
	}
	if count <= int64(farthest/p.interval) { // what is too long is told of the line
		sum.Wall = time.Duration(count)*p.interval + time.Duration(math.Round(part*float64(p.interval)))
	}
	if part > 0 {
		count, sum.Wall = max(count+int64(math.Round(part)), 1), max(sum.Wall, 1)
	}
	if p.cpu {
		sum.CPU = sum.Wall
	}
	return stack, count, sum, true
}

// noStacks is the line of a file that has no stack, as package writer writes it.
const noStacks = "# no stacks"

func isFoldedComment(line []byte) bool {
	return len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("//"))
}

// cutCount cuts a folded line at its last blank. The number is a decimal, not below 0,
// and a fraction that it can have, 0 to 1.
func cutCount(line []byte) (stack []byte, number int64, fraction float64, ok bool) {
	blank := bytes.LastIndexByte(line, ' ')
	point := bytes.IndexByte(line[blank+1:], '.')
	if point < 0 {
		stack, number, ok = cutValue(line)
		return stack, number, 0, ok
	}
	point += blank + 1
	stack, number, ok = cutValue(line[:point])
	if digits := line[point+1:]; ok && len(digits) > 0 {
		ok = !bytes.ContainsFunc(digits, func(c rune) bool { return c < '0' || c > '9' })
		fraction, _ = strconv.ParseFloat("0."+string(digits), 64)
	}
	return stack, number, fraction, ok
}

// cutValue cuts a folded line at its last blank. The number is a decimal, not below 0.
func cutValue(line []byte) (stack []byte, number int64, ok bool) {
	blank := bytes.LastIndexByte(line, ' ')
	if blank <= 0 {
		return nil, 0, false
	}
	number, err := strconv.ParseInt(string(line[blank+1:]), 10, 64)
	return bytes.TrimRight(line[:blank], " "), number, err == nil && number >= 0
}

// dump fills d with one line. Its time is that of the thread's first sample in
// it: the samples of a thread follow each other at the interval.
func (p *foldedParser) dump(d *Dump, stack []byte, count int64, sum Sum) error {
	d.begin(&p.input)
	d.Partial, d.Interval = true, p.told
	t := d.addThread(p.lines.line)
	t.Count = count
	stack = p.thread(t, stack)
	for len(stack) > 0 {
		cut := bytes.LastIndexByte(stack, ';')
		if name := stack[cut+1:]; p.told > 0 && string(name) == foldfile.Toplevel {
			// no frame
		} else if len(name) > 0 {
			t.push(&p.input, p.frame(foldedSyntax, name))
		} else {
			p.complain(trace.WarnDumpLine, "an empty frame is left out", quoted(stack))
		}
		stack = stack[:max(cut, 0)]
	}
	at := p.elapsed[t.ID]
	if sum.Wall > farthest-at.Wall || sum.CPU > farthest-at.CPU || !p.timed && sum.Wall == 0 {
		return formatError(p.name, p.lines.line, fmt.Sprintf("the samples so far last longer than %s; give a shorter interval", farthest), nil)
	}
	d.Stamp = Stamp{Uptime: at.Wall, HasUptime: true}
	t.Sum, t.CPU, t.HasCPU = sum, at.CPU, p.cpu
	p.elapsed[t.ID] = Sum{at.Wall + sum.Wall, at.CPU + sum.CPU}
	return nil
}

// thread names t and returns the stack without the frame that is its name.
func (p *foldedParser) thread(t *Thread, stack []byte) []byte {
	first, rest, _ := bytes.Cut(stack, []byte(";"))
	name, tid, bracketed := cutThread(first)
	switch {
	case p.first == FrameFirst, p.first == AutoFirst && !bracketed:
		t.Name = "main"
		rest = stack
	case bracketed:
		t.Name, t.ID.TID = p.text(name), tid
	default:
		t.Name = p.text(first)
	}
	if t.ID.TID == 0 {
		t.ID.Name = t.Name
	}
	return rest
}

// cutThread reads "[name tid=N]".
func cutThread(s []byte) (name []byte, tid int64, ok bool) {
	if len(s) == 0 || s[0] != '[' || s[len(s)-1] != ']' {
		return nil, 0, false
	}
	i := bytes.LastIndex(s, []byte(" tid="))
	if i < 0 {
		return nil, 0, false
	}
	tid, err := strconv.ParseInt(string(s[i+len(" tid="):len(s)-1]), 10, 64)
	return s[1:i], tid, err == nil
}

// isFolded reports whether most of the first lines are folded stacks.
func isFolded(head []byte) bool {
	if first, _, _ := bytes.Cut(head, []byte("\n")); string(bytes.TrimRight(first, "\r")) == noStacks {
		return true
	}
	const enough = 100
	good, bad := 0, 0
	for len(head) > 0 && good+bad < enough {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if !whole && good+bad > 0 && len(head) > SniffLen/2 {
			break // the window ends in it
		}
		head = rest
		line = bytes.TrimRight(line, "\r")
		if isFoldedComment(line) {
			continue
		}
		stack, number, fraction, ok := cutCount(line)
		usual := number > 0 && bytes.IndexByte(line[len(stack):], '.') < 0
		switch {
		case !ok, !usual && bytes.IndexByte(stack, ';') < 0 && bytes.IndexByte(stack, ' ') >= 0:
			bad++ // tables end in such numbers, too
		case number > 0 || fraction > 0:
			good++
		}
	}
	return good > bad
}

func newFolded(in input, _ io.Reader, cfg ReaderConfig) parser {
	return &foldedParser{input: in, first: cfg.First, timed: cfg.Timed, cpu: cfg.CPU, interval: cfg.Interval, elapsed: map[ID]Sum{}}
}

// foldedEncoder writes a line for each run of dumps in which a thread's stack
// stayed the same, with the thread in front as async-profiler has it. Time
// without a frame is a line with the thread alone, so that the samples of a
// thread add up to its time.
type foldedEncoder struct {
	runs    map[trace.ThreadID]*foldedRun
	order   []trace.ThreadID
	symbols *trace.Symbols
	dumps   int64
}

// foldedRun is the run that a thread is in.
type foldedRun struct {
	stack []trace.MethodID
	count int64
	until int64 // dumps that the thread's lines account for
}

func (f *foldedEncoder) dump(w *bufio.Writer, m *moment) {
	f.symbols = m.symbols
	for _, t := range m.threads {
		run := f.runs[t.id]
		if run == nil {
			run = &foldedRun{}
			f.runs[t.id] = run
			f.order = append(f.order, t.id)
		}
		if missed := f.dumps - run.until; missed > 0 { // without a frame
			f.add(w, t.id, run, nil, missed)
		}
		f.add(w, t.id, run, t.stack, 1)
	}
	f.dumps++
}

// add lets a thread have a stack in count more dumps.
func (f *foldedEncoder) add(w *bufio.Writer, id trace.ThreadID, run *foldedRun, stack []trace.MethodID, count int64) {
	if !slices.Equal(run.stack, stack) {
		f.write(w, id, run)
		run.stack = append(run.stack[:0], stack...)
	}
	run.count += count
	run.until += count
}

// write writes the run that a thread was in.
func (f *foldedEncoder) write(w *bufio.Writer, id trace.ThreadID, run *foldedRun) {
	if run.count == 0 {
		return
	}
	thread := f.symbols.Thread(id)
	fmt.Fprintf(w, "[%s tid=%d]", foldedName(thread.String()), thread.TID)
	for _, m := range run.stack {
		w.WriteByte(';')
		w.WriteString(foldedName(frameName(f.symbols.Method(m))))
	}
	fmt.Fprintf(w, " %d\n", run.count)
	run.count = 0
}

func (f *foldedEncoder) end(w *bufio.Writer) {
	for _, id := range f.order {
		run := f.runs[id]
		if missed := f.dumps - run.until; missed > 0 {
			f.add(w, id, run, nil, missed)
		}
		f.write(w, id, run)
	}
}

// foldedName returns a name without the separator of frames.
func foldedName(name string) string { return strings.ReplaceAll(lineOf(name), ";", ":") }
