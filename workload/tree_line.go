package workload

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"artifice/trace"
	"artifice/workload/internal/machine"
)

// cutBlanks cuts s at its first run of blanks.
func cutBlanks(s string) (before, after string, ok bool) {
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, "", false
	}
	return s[:i], strings.TrimLeft(s[i:], " \t"), true
}

// parseMicros reads a time in us, with up to three digits after the point.
func parseMicros(s string) (time.Duration, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	us, err := strconv.ParseUint(whole, 10, 63)
	digits := (fraction + "000")[:max(3, len(fraction))]
	ns, err2 := strconv.ParseUint(digits, 10, 63)
	if err != nil || err2 != nil || len(fraction) > 3 {
		return 0, fmt.Errorf("not a time in us such as 12, 12.5 or WALL/CPU")
	}
	if us > uint64(maxDuration/time.Microsecond) {
		return 0, fmt.Errorf("a time above %v", maxDuration)
	}
	return time.Duration(us)*time.Microsecond + time.Duration(ns), nil
}

func parseTID(s string) (uint32, error) {
	tid, err := strconv.ParseUint(s, 10, 32)
	if err != nil || tid < 1 || tid > maxTID {
		return 0, fmt.Errorf("not a thread id from 1 to %d", maxTID)
	}
	return uint32(tid), nil
}

// thread returns the thread with that id, and adds it if it is new.
func (p *treeParser) thread(tid uint32) (trace.ThreadID, error) {
	if id, ok := p.threads[tid]; ok {
		return id, nil
	}
	name := fmt.Sprintf("Thread-%d", tid)
	if len(p.symbols.Threads) == 0 {
		name = "main"
	}
	id, err := p.symbols.AddThread(trace.Thread{TID: tid, Name: name})
	if err != nil {
		return 0, p.errorf("", "too many threads: %v", err)
	}
	p.threads[tid] = id
	p.state = append(p.state, treeThread{})
	return id, nil
}

// method returns the method written as CLASS.METHOD SIGNATURE, CLASS.METHOD or a single word, and
// adds it if it is new.
func (p *treeParser) method(text string) (trace.MethodID, error) {
	m, err := treeMethod(text)
	if err != nil {
		return 0, err
	}
	key := m.String()
	if id, ok := p.methods[key]; ok {
		return id, nil
	}
	// As in ART, ids are assigned in order of first use. 0 is never assigned, since some readers
	// reserve it.
	m.ID = uint64(len(p.symbols.Methods)+1) << 2
	id := p.symbols.AddMethod(m)
	p.methods[key] = id
	return id, nil
}

// treeMethod parses a name. The class ends at the last dot before the signature. A single word is a
// class with a method m, as in the files of ART's create_test_dmtrace.
func treeMethod(text string) (trace.Method, error) {
	if text == "" {
		return trace.Method{}, fmt.Errorf("no method")
	}
	name, signature, spaced := cutBlanks(text)
	if spaced && !strings.HasPrefix(signature, "(") {
		return trace.Method{}, fmt.Errorf("a signature begins with a parenthesis, as in (I)V")
	}
	if !spaced && !strings.ContainsAny(name, ".(") {
		name += ".m"
	}
	return splitMethod(name + signature)
}

// directive reads a line that begins with @.
func (p *treeParser) directive(line string) error {
	word, rest, _ := cutBlanks(line)
	switch word {
	case "@thread":
		return p.nameThread(rest)
	case "@open":
		return p.openFrames(rest)
	case "@method":
		return p.describeMethod(rest)
	}
	return p.errorf(word, "unknown directive; use @thread, @open or @method")
}

// nameThread reads "TID NAME".
func (p *treeParser) nameThread(rest string) error {
	number, name, ok := cutBlanks(rest)
	tid, err := parseTID(number)
	if err != nil {
		return p.errorf(number, "%v", err)
	}
	if name = strings.TrimSpace(name); !ok || name == "" {
		return p.errorf(rest, "@thread TID NAME lacks the name")
	}
	id, err := p.thread(tid)
	if err == nil {
		p.symbols.Thread(id).Name = name
	}
	return err
}

// openFrames reads "TID N".
func (p *treeParser) openFrames(rest string) error {
	number, frames, _ := cutBlanks(rest)
	tid, err := parseTID(number)
	if err != nil {
		return p.errorf(number, "%v", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(frames))
	if err != nil || n < 1 || n > machine.MaxDepth {
		return p.errorf(frames, "not a number of frames from 1 to %d", machine.MaxDepth)
	}
	id, err := p.thread(tid)
	if err != nil {
		return err
	}
	if p.state[id].begun {
		return p.errorf("", "@open must come before the first line of its thread")
	}
	p.state[id].open = n
	return nil
}

// describeMethod reads "NAME key=value …".
func (p *treeParser) describeMethod(rest string) error {
	words := strings.Fields(rest)
	named := 0
	for named < len(words) && !strings.Contains(words[named], "=") {
		named++
	}
	id, err := p.method(strings.Join(words[:named], " "))
	if err != nil {
		return p.errorf(rest, "%v", err)
	}
	for _, word := range words[named:] {
		key, value, _ := strings.Cut(word, "=")
		if err := describe(p.symbols.Method(id), key, value); err != nil {
			return p.errorf(word, "%v", err)
		}
	}
	return nil
}

// describe sets a property of m from @method.
func describe(m *trace.Method, key, value string) (err error) {
	switch key {
	case "file":
		m.File = value
	case "line":
		m.Line, err = strconv.Atoi(value)
		if err != nil || m.Line < 1 {
			return fmt.Errorf("not a line number")
		}
	case "flags":
		for _, word := range strings.Split(value, ",") {
			flag, ok := methodFlags[word]
			if !ok {
				return fmt.Errorf("unknown flag %q; use native, runtime, inlined, leaf, proxy, collector or interpreted", word)
			}
			m.Flags |= flag
		}
	case "wait":
		var ok bool
		if m.Wait, ok = trace.ParseWait(value); !ok {
			return fmt.Errorf("unknown wait; use sleep, lock, io, binder or gc")
		}
	default:
		return fmt.Errorf("unknown attribute; use file=, line=, flags= or wait=")
	}
	return nil
}
