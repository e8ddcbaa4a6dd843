package perf

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"artifice/format/internal/stackdump"
	"artifice/internal/words"
	"artifice/trace"
)

// heads states which heads the samples of a file have.
type heads uint8

const (
	fullHeads   heads = iota // heads with a thread, as perf script writes by default
	partHeads                // some fields, without a thread (perf script -F comm,ip,sym)
	noHeads                  // stacks that empty lines separate (perf script -F ip,sym)
	notStacks                // frames without heads and empty lines, which may be one stack or many samples
	unclearPart              // heads with a number that may be a thread or a count of events
)

// headsOf returns which heads a file has that begins with text. A thread in any head decides.
func headsOf(text []byte) heads {
	groups, found := 0, fullHeads
	within := false // within a group of lines without an empty line
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case isBlank(line):
			within = false
			continue
		case line[0] == '#' || isMessage(line) || within && isFrame(line):
			continue
		}
		if _, ok := parseHead(line); ok {
			return fullHeads
		}
		if within {
			continue
		}
		within = true
		groups++
		switch _, number, ok := partHead(line); {
		case isWholeFrame(line):
			found = max(found, noHeads)
		case number:
			return unclearPart
		case ok:
			found = max(found, partHeads)
		}
	}
	if found == noHeads && groups < 2 {
		return notStacks
	}
	return found
}

// partHead reads the head of a sample without a thread: any of the command, the CPU, the time and
// the event, as "app", "[002] 12.000001: cycles:" or "app cycles:u:". number reports that it has a
// number that perf script prints for a thread, and also for a count of events.
func partHead(line []byte) (h head, number, ok bool) {
	list := strings.Fields(string(line))
	comm := len(list)
	for i, w := range list {
		switch {
		case isNumber(w):
			number = true
		case !isCPU(w) && !strings.HasSuffix(w, ":"):
			continue
		}
		comm = min(comm, i)
	}
	h.comm = strings.Join(list[:comm], " ")
	h.fields(list[comm:])
	return h, number, len(list) > 0 && len(h.comm) <= maxComm && (comm == len(list) || number || strings.HasSuffix(list[len(list)-1], ":"))
}

// maxComm is the maximum length of a command in bytes (TASK_COMM_LEN of Linux, less a NUL).
const maxComm = 15

// startsUnheaded reports whether text begins with a sample without a thread: with a frame, or with
// the remaining fields of a head and a frame.
func startsUnheaded(line, next []byte) bool {
	if isWholeFrame(line) {
		return true
	}
	_, _, ok := partHead(line)
	return ok && line[0] != '@' && isAligned(next) // bpftrace's maps begin with "@"
}

// isWholeFrame reports whether a line is a frame and has its module, or is aligned.
func isWholeFrame(line []byte) bool {
	return isFrame(line) && bytes.HasSuffix(line, []byte(")")) || isAligned(line)
}

// isAligned reports whether a line is a frame as perf script prints it, with a tab before the
// address, which has at least 16 columns. Other text, such as counts of words, has neither.
func isAligned(line []byte) bool {
	body := bytes.TrimLeft(line, " \t")
	digits, rest, _ := bytes.Cut(body, []byte(" "))
	rest = bytes.TrimLeft(rest, " ")
	return isFrame(line) && len(digits) >= 4 && len(rest) > 0 && (rest[0] < '0' || rest[0] > '9') && bytes.ContainsAny(digits, "0123456789") &&
		(line[0] == '\t' || len(line)-len(body)+len(digits) >= 16)
}

// unheaded reads a sample whose head has no thread, from its first line.
func (p *parser) unheaded(d *stackdump.Dump, line []byte) (ok bool, err error) {
	const add = "; " + AllFields
	switch p.heads {
	case notStacks:
		return false, stackdump.BadLine(p.Input.Name, p.Lines.Line, "the samples have no first line (command, pid, time and event), and no empty line separates them, so they can be one stack or several"+add, nil)
	case unclearPart:
		return false, stackdump.BadLine(p.Input.Name, p.Lines.Line, "the first line of a sample has a number that can be its thread or its count of events: "+words.Quote(line)+add, nil)
	case fullHeads:
		return false, nil
	}
	h, _, ok := partHead(line)
	frame := isWholeFrame(line)
	if frame {
		h, ok = head{}, true
	}
	if !ok {
		return false, nil
	}
	if !p.warned {
		p.warned = true
		p.Complain(trace.WarnDumpHead, "samples do not state "+lacking(&h)+" (perf script -F); samples of one command are read as samples of one thread", "")
	}
	if frame {
		p.Lines.Back()
	}
	p.sample(d, h)
	return true, nil
}

// AllFields is the advice for output of perf script that lacks fields.
const AllFields = "run perf script without -F, or with -F comm,pid,tid,time,period,event,ip,sym,dso"

// LacksStacks reports whether a text is output of perf script whose lines have neither a thread and
// an event nor stacks, as perf script -F comm,period,event prints it.
func LacksStacks(head []byte) bool {
	const enough = 100
	lines := 0
	for line := range bytes.Lines(head) {
		whole := line[len(line)-1] == '\n'
		line = bytes.TrimRight(line, "\r\n")
		if isBlank(line) || line[0] == '#' || isMessage(line) || !whole && lines > 0 {
			continue
		}
		if !isPartLine(line) {
			return false
		}
		if lines++; lines == enough {
			break
		}
	}
	return lines > 0
}

// isPartLine reports whether a line has a time or an event of perf and nothing after it, or a
// command or an event and a frame.
func isPartLine(line []byte) bool {
	list := strings.Fields(string(line))
	if len(list) == 0 { // other white space than isBlank allows, such as a form feed
		return false
	}
	if last := list[len(list)-1]; strings.HasSuffix(last, ")") {
		for i, w := range list[:len(list)-1] {
			if len(w) >= leafDigits && isAddress([]byte(w)) && strings.Contains(list[i+1], "+0x") {
				return i == 1 || i > 0 && perfEvent().MatchString(list[i-1])
			}
		}
		return false
	} else if !strings.HasSuffix(last, ":") {
		// a command, an address in 16 columns and a symbol (perf script -F comm,ip,sym)
		_, rest, _ := bytes.Cut(bytes.TrimLeft(line, " "), []byte(" "))
		address := bytes.TrimLeft(rest, " ")
		columns, _, _ := bytes.Cut(address, []byte(" "))
		return len(list) >= 3 && len(columns) >= leafDigits && isAddress(columns) && len(rest)-len(address)+len(columns) >= 16
	}
	h, _, ok := partHead(line)
	return ok && (h.event == "" && h.hasTime || perfEvent().MatchString(h.event))
}

// perfEvent matches names of events of perf's default output, and of tracepoints.
var perfEvent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-z_0-9]+/.*/|(ref-|cpu-|bus-)?cycles|(cpu|task)-clock|instructions|cache-(misses|references)|branch(es|-misses|-instructions)|(page-|minor-|major-)?faults|context-switches|cpu-migrations|[a-z_0-9]+:[a-z_0-9]+)(:[ukhGHpPSDIWbe]+)?:?$`)
})

// lacking lists the fields that a head without a thread lacks.
func lacking(h *head) string {
	fields := []string{"the thread"}
	if !h.hasTime {
		fields = append(fields, "the time")
	}
	if h.event == "" {
		fields = append(fields, "the event")
	}
	return words.And(fields)
}
