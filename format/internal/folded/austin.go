package folded

import (
	"bytes"
	"cmp"
	"strconv"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// Austin, a profiler of Python, writes stacks as
//
//	P<pid>;T<tid>;<module>:<function>:<line>;… <number>
//
// In mode full, the number is three: time, 1 if the thread was idle, otherwise 0, and bytes of memory.
// From version 3.6 on, the id of the interpreter precedes that of the thread: T<iid>:<tid>. Comments
// at the begin of the file state the version and the mode.

// austinHeads recognizes the heads of Austin's stacks, which name the process and the thread. A file
// with Austin's comments has heads. A file whose comments were removed has them if its first line is
// a head with at least one frame, and all frames have Austin's form. Otherwise P1 and T1 are frames,
// because they can be names of functions.
type austinHeads struct {
	decided, present bool
	full             bool // stacks end in three numbers
}

// austinHeader begins Austin's first comment.
var austinHeader = []byte("# austin: ")

// austinMode reads the comments in which Austin states what the numbers of its stacks are: µs of
// wall time or of CPU time, bytes, or all of them.
func (p *parser) austinMode(line []byte) {
	if bytes.HasPrefix(line, austinHeader) {
		p.austin = austinHeads{decided: true, present: true}
	}
	if !p.austin.present {
		return
	}
	switch string(line) {
	case "# mode: wall", "# mode: cpu":
		p.interval, p.fileUnit, p.cpu = time.Microsecond, time.Microsecond, string(line) == "# mode: cpu"
	case "# mode: full":
		p.interval, p.fileUnit, p.cpu, p.austin.full = time.Microsecond, time.Microsecond, true, true
		p.Warn.Add(trace.WarnDumpLeftOut, p.Name, 0, "the memory is ignored, the time is read; austin --memory writes the memory alone", "")
	case "# mode: memory":
		p.interval, p.fileUnit, p.quantity = 1, 1, trace.Quantity{Name: "memory", Unit: trace.Bytes}
	}
}

// cutMetrics returns a line of mode full with its time only, and reports whether the thread was
// idle. It returns other lines without their last word, so that they have no count.
func cutMetrics(line []byte) (timed []byte, idle bool) {
	stack := line[:bytes.LastIndexAny(line, blanks)+1]
	metrics := bytes.Split(line[len(stack):], []byte(","))
	if len(metrics) != 3 || string(metrics[1]) != "0" && string(metrics[1]) != "1" {
		return stack, false
	}
	return line[:len(stack)+len(metrics[0])], string(metrics[1]) == "1"
}

// cutHead sets the process and the thread of t according to the head of a stack, and returns the
// frames. ok is false if the file has no heads or the stack has none.
func (a *austinHeads) cutHead(t *stackdump.Thread, stack []byte) (frames []byte, ok bool) {
	if a.decided && !a.present {
		return nil, false
	}
	process, rest, _ := bytes.Cut(stack, []byte(";"))
	thread, frames, _ := bytes.Cut(rest, []byte(";"))
	process, isProcess := bytes.CutPrefix(process, []byte("P"))
	thread, isThread := bytes.CutPrefix(thread, []byte("T"))
	interpreter, number, several := bytes.Cut(thread, []byte(":"))
	if !several {
		interpreter, number = []byte("0"), thread
	}
	pid, pidErr := strconv.ParseUint(string(process), 10, 63)
	iid, iidErr := austinID(interpreter)
	tid, tidErr := austinID(number)
	ok = isProcess && isThread && cmp.Or(pidErr, iidErr, tidErr) == nil
	if !a.decided {
		a.decided, a.present = true, ok && areAustinFrames(frames)
	}
	if !ok || !a.present {
		return nil, false
	}
	t.PID, t.ID.TID, t.ID.Number = int(pid), int64(tid), int64(iid)
	if t.Name = "thread-" + string(number); tid == pid { // Linux
		t.Name = "main"
	}
	if iid > 0 {
		t.Name += " (interpreter " + strconv.FormatUint(iid, 10) + ")"
	}
	return frames, true
}

// austinID returns the id of an interpreter or of a thread, which is hexadecimal on Windows.
func austinID(text []byte) (id uint64, err error) {
	if id, err = strconv.ParseUint(string(text), 10, 63); err != nil {
		id, err = strconv.ParseUint(string(text), 16, 63)
	}
	return id, err
}

// areAustinFrames reports whether there are frames, and all are of the form module:function:line.
func areAustinFrames(frames []byte) bool {
	for frame := range bytes.SplitSeq(frames, []byte(";")) {
		last := bytes.LastIndexByte(frame, ':')
		if last < 0 || bytes.IndexByte(frame[:last], ':') < 0 {
			return false
		}
		if _, err := strconv.ParseUint(string(frame[last+1:]), 10, 32); err != nil {
			return false
		}
	}
	return true
}
