package timeline

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"artifice/internal/decode"
	"artifice/trace"
)

// Marks processes tracing marks, which android.os.Trace writes to the kernel's ftrace. It is used
// for formats with marks as text and for formats with records of ftrace.
type Marks struct {
	*Source
	tasks Numbers[*markTask] // by tid

	Clocked  bool // marks are in time order, so that switches determine CPU times
	switched bool // a switch occurred
}

// markTask is a thread with tracing marks. Its id is the kernel's, so only one task has it at a
// time. A mark without a process, such as an end before Android 4.3, therefore belongs to the
// process of the task's other marks.
type markTask struct {
	pid    uint32 // the process; 0 if not known yet
	name   string // set if a source other than the marks states the name
	named  bool   // the thread of the calls has this name
	thread trace.ThreadID
	known  bool // thread is set
	cpu    onCore
	states scheduled
}

// task returns the thread with an id, in one process.
func (m *Marks) task(tid uint32) *markTask {
	task, ok := m.tasks.Get(uint64(tid))
	if !ok {
		task = &markTask{}
		m.tasks.Set(uint64(tid), task)
	}
	return task
}

// DescribeThread sets the process and name of a thread from a source other than a mark.
func (m *Marks) DescribeThread(t Thread, name string) {
	task := m.task(t.Tid)
	task.pid = t.Pid
	m.assign(task)
	if name == "" {
		return
	}
	task.name = name
	if task.known && !task.named {
		task.named = true
		m.Calls.NameOf(task.thread, name)
	}
}

// assign sets the process of a thread that had no process at its first call.
func (m *Marks) assign(task *markTask) {
	if task.known && m.Calls.pids[task.thread] == 0 {
		m.Calls.pids[task.thread] = task.pid
	}
}

// ThreadID returns the index of a thread. In processes with separate namespaces, such as Chrome's
// renderers, several threads can have the same id.
func (m *Marks) ThreadID(t Thread) (trace.ThreadID, error) {
	task := m.task(t.Tid)
	if task.pid == 0 {
		task.pid = t.Pid
		m.assign(task)
	}
	if task.pid != t.Pid {
		return m.Calls.Thread(t)
	}
	return m.idOf(task, t.Tid)
}

// idOf returns the index of a thread that has or will have calls.
func (m *Marks) idOf(task *markTask, tid uint32) (id trace.ThreadID, err error) {
	if m.Calls.pid == 0 {
		m.Calls.pid = task.pid
	}
	if !task.known {
		task.thread, err = m.Calls.Thread(Thread{task.pid, tid})
		task.known = err == nil
	}
	return task.thread, err
}

// NameOf sets the name of a thread.
func (m *Marks) NameOf(t Thread, name string) error {
	id, err := m.ThreadID(t)
	if err == nil {
		m.Calls.NameOf(id, name)
	}
	return err
}

// Mark is a tracing mark as written by a thread.
type Mark struct {
	Comm []byte // the thread's name in the kernel; empty if not stated
	Tid  uint32
	At   time.Duration
	Text []byte // the written text: B|pid|name, E, and others
}

// Add adds a mark. The kernels of some vendors write ends with a name: E|pid|name. HarmonyOS writes
// a level and a tag in place of the name, and after the name of a begin. Marks other than B and E
// (counters, asynchronous sections) are not calls of a thread.
func (m *Marks) Add(mark *Mark) error {
	text := mark.Text
	if len(text) > 1 && (text[0] == 'S' || text[0] == 'G') && text[1] == '|' {
		m.Async++
	}
	if len(text) == 0 || text[0] != 'B' && text[0] != 'E' || len(text) > 1 && text[1] != '|' {
		return nil
	}
	pid, name, hasName := bytes.Cut(text[min(2, len(text)):], []byte("|"))
	n, hasPID := decode.Uint(bytes.TrimSpace(pid))
	hasPID = hasPID && n <= math.MaxUint32
	if text[0] == 'B' && !(hasName && hasPID) {
		m.Skip(fmt.Sprintf("a begin without process id and name: %.40q", text))
		return nil
	}
	name = withoutTag(name)
	task := m.task(mark.Tid)
	if task.pid == 0 && hasPID {
		task.pid = uint32(n)
		m.assign(task)
	}
	id, err := m.idOf(task, mark.Tid)
	if err != nil {
		return err
	}
	m.Calls.Marked = true
	if text[0] == 'E' {
		return m.Calls.EndOf(id, name, mark.At, m.cpuOf(task, mark.At))
	}
	if !task.named && (task.name != "" || len(mark.Comm) > 0 && mark.Comm[0] != '<') {
		task.named = true
		if task.name == "" {
			task.name = string(mark.Comm)
		}
		m.Calls.NameOf(id, task.name)
	}
	method, err := m.Calls.Method(name)
	if err != nil {
		return err
	}
	return m.Calls.BeginOf(id, method, mark.At, m.cpuOf(task, mark.At))
}

// withoutTag returns the name of a mark without the level and tag of HarmonyOS: "M62" of an end,
// "H:draw" of a begin "H:draw|M62".
func withoutTag(name []byte) []byte {
	if n := len(name) - len("M62"); n >= 0 && isTag(name[n:]) && (n == 0 || n > 2 && name[n-1] == '|' && bytes.HasPrefix(name, []byte("H:"))) {
		return name[:max(0, n-1)]
	}
	return name
}

// isTag reports whether text is a level (debug, info, critical, commercial) and the number of a
// tag.
func isTag(text []byte) bool {
	isDigit := func(c byte) bool { return c >= '0' && c <= '9' }
	return bytes.IndexByte([]byte("DICM"), text[0]) >= 0 && isDigit(text[1]) && isDigit(text[2])
}
