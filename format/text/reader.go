package text

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"artifice/trace"
)

// maxTextLine is the maximum length of a line: four names of 65535 bytes, with every byte escaped,
// fit.
const maxTextLine = 1 << 20

// Is reports whether a file that begins with head is a trace in the text format.
func Is(head []byte) bool {
	for _, p := range []string{textHeader[:len(textHeader)-1], "info\t", "thread\t", "method\t"} {
		if bytes.HasPrefix(head, []byte(p)) {
			return true
		}
	}
	return false
}

// reader reads the text format line by line.
type reader struct {
	name    string
	scanner *bufio.Scanner
	line    int
	rec     *trace.Recording
	threads map[string]trace.ThreadID
	methods map[string]trace.MethodID
	tids    map[uint32]int
	texts   map[string]int
	first   *trace.Event // the first event, which was read with the tables
	err     error
}

// NewReader returns the trace in the text that r reads. It reads the tables before the first event;
// later ones are added while events are read. Errors begin with "name:line: ".
func NewReader(r io.Reader, name string) (*trace.Recording, error) {
	t := &reader{
		name: name, scanner: bufio.NewScanner(r), rec: &trace.Recording{Symbols: &trace.Symbols{}},
		threads: map[string]trace.ThreadID{}, methods: map[string]trace.MethodID{},
		tids: map[uint32]int{}, texts: map[string]int{},
	}
	t.scanner.Buffer(make([]byte, 0, 1<<16), maxTextLine)
	t.rec.Info.Events = -1
	t.rec.Events = t
	e, err := t.next()
	if err == nil {
		t.first = &e
	} else if err != io.EOF {
		return nil, err
	}
	t.err = err
	return t.rec, nil
}

// ReadEvents implements [trace.Reader].
func (t *reader) ReadEvents(p []trace.Event) (n int, err error) {
	if t.first != nil && len(p) > 0 {
		p[0], t.first, n = *t.first, nil, 1
	}
	for n < len(p) && t.err == nil {
		var e trace.Event
		if e, t.err = t.next(); t.err == nil {
			p[n] = e
			n++
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, t.err
}

// next processes table lines up to the next event and returns it.
func (t *reader) next() (trace.Event, error) {
	for t.scanner.Scan() {
		t.line++
		line := t.scanner.Bytes()
		var err error
		switch {
		case len(line) == 0 || line[0] == '#':
			continue
		case line[0] == '-' || '0' <= line[0] && line[0] <= '9':
			e, err := t.event(line)
			if err != nil {
				return e, t.fail(err)
			}
			return e, nil
		}
		fields := strings.Split(string(line), "\t")
		switch fields[0] {
		case "info":
			err = t.info(fields[1:])
		case "thread":
			err = t.thread(fields[1:])
		case "end":
			err = t.end(fields[1:])
		case "stop":
			err = t.stop(fields[1:])
		case "method":
			err = t.method(fields[1:])
		default:
			err = fmt.Errorf("%.40q is not an info, thread, end, stop, method or event line", line)
		}
		if err != nil {
			return trace.Event{}, t.fail(err)
		}
	}
	if err := t.scanner.Err(); err != nil {
		t.line++
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("longer than %d bytes: %w", maxTextLine, err)
		}
		return trace.Event{}, t.fail(err)
	}
	return trace.Event{}, io.EOF
}

func (t *reader) fail(err error) error {
	return &trace.FormatError{Name: t.name, Offset: -1, Line: t.line, Err: err}
}

func (t *reader) info(f []string) error {
	if len(f) != 2 {
		return fmt.Errorf("an info line has a key and a value, not %d fields", len(f))
	}
	for _, known := range infoFields(&t.rec.Info) {
		if known.key == f[0] {
			return known.value.Set(unescape(f[1]))
		}
	}
	return fmt.Errorf("unknown info key %q", f[0])
}

func (t *reader) thread(f []string) error {
	th, err := parseThread(f)
	if err != nil {
		return err
	}
	id, err := t.rec.Symbols.AddThread(th)
	if err != nil {
		return err
	}
	t.tids[th.TID]++
	t.threads[strconv.FormatUint(uint64(th.TID), 10)+nth("#", t.tids[th.TID])] = id
	return nil
}

// parseThread parses TID or TID NAME, optionally followed by START, END and OPEN.
func parseThread(f []string) (th trace.Thread, err error) {
	switch len(f) {
	case 1, 4:
		th.Unlisted = true
	case 2, 5:
		th.Name = unescape(f[1])
	default:
		return th, fmt.Errorf("a thread line has a tid and a name, and optionally start, end and open frames, not %d fields", len(f))
	}
	tid, err := strconv.ParseUint(f[0], 10, 32)
	if err != nil {
		return th, fmt.Errorf("tid: %w", err)
	}
	th.TID = uint32(tid)
	if len(f) < 4 {
		return th, nil
	}
	var n [3]int64
	for i, text := range f[len(f)-3:] {
		if n[i], err = strconv.ParseInt(text, 10, 64); err != nil || n[i] < 0 {
			return th, fmt.Errorf("%.40q is not a start, an end or a number of open frames", text)
		}
	}
	th.Start, th.End, th.Open = time.Duration(n[0]), time.Duration(n[1]), int(n[2])
	return th, nil
}

func (t *reader) stop(f []string) error {
	if len(f) != 2 {
		return fmt.Errorf("a stop line has a tid and a state, not %d fields", len(f))
	}
	id, ok := t.threads[f[0]]
	if !ok {
		return fmt.Errorf("no thread line for tid %.40s before this stop line", f[0])
	}
	state, err := trace.ParseAtStop(f[1])
	t.rec.Symbols.Thread(id).AtStop = state
	return err
}

func (t *reader) end(f []string) error {
	if len(f) != 2 {
		return fmt.Errorf("an end line has a tid and a time, not %d fields", len(f))
	}
	id, ok := t.threads[f[0]]
	if !ok {
		return fmt.Errorf("no thread line for tid %.40s before this end line", f[0])
	}
	ns, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil || ns < 0 {
		return fmt.Errorf("%.40q is not a time in ns", f[1])
	}
	t.rec.Symbols.Thread(id).End = time.Duration(ns)
	return nil
}

func (t *reader) method(f []string) error {
	m, err := parseMethod(f)
	if err != nil {
		return err
	}
	text := escape(m.String())
	t.texts[text]++
	t.methods[text+nth("\t#", t.texts[text])] = t.rec.Symbols.AddMethod(m)
	return nil
}

func parseMethod(f []string) (m trace.Method, err error) {
	if n := len(f); n != 1 && n != 6 && n != 7 {
		return m, fmt.Errorf("a method line has id, class, name, signature, file and line, not %d fields", n)
	}
	if m.ID, err = strconv.ParseUint(f[0], 0, 64); err != nil {
		return m, fmt.Errorf("method id: %w", err)
	}
	if len(f) == 1 {
		m.Unlisted = true
		return m, nil
	}
	m.Class, m.Name, m.Signature, m.File = unescape(f[1]), unescape(f[2]), unescape(f[3]), unescape(f[4])
	if m.Line, err = strconv.Atoi(f[5]); err != nil {
		return m, fmt.Errorf("source line: %w", err)
	}
	if m.Line == -1 { // -1 means unknown; native methods of Dalvik have -2
		m.Line = 0
	}
	if len(f) == 7 {
		err = parseTraits(&m, f[6])
	}
	return m, err
}
