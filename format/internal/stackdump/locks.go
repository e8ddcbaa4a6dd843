package stackdump

import "bytes"

// Locks is what a dump says of a thread and the locks of the runtime: monitors, and the
// synchronizers of java.util.concurrent. Only dumps of ART and HotSpot have it, and only
// where [Config.Watch] asks for it.
//
// Source: ART's StackDumpVisitor and Monitor::DescribeWait (runtime/thread.cc, monitor.cc),
// HotSpot's javaVFrame::print_lock_info_on.
type Locks struct {
	State string // as the dump has it: Native, Blocked of ART; RUNNABLE, BLOCKED of HotSpot; empty where it has none
	Waits *Lock  // what it waits for; nil: nothing
	Holds []Lock // in the order of the dump, innermost frame first
}

// Lock is one of them.
type Lock struct {
	Object string // its address or hash, as <0x0d3a2f0a>, the same for all threads of a dump; empty if the runtime did not state it
	Class  string // of the object; empty likewise
	Holder int64  // the runtime's number of the thread that holds it; 0 where the dump does not say
	How    Waiting
}

// Waiting is how a thread waits for a lock.
type Waiting uint8

const (
	ToEnter Waiting = iota // to enter a monitor that another thread holds
	Parked                 // in LockSupport.park, for a synchronizer, which a thread may hold
	ToWake                 // in Object.wait or a sleep, to be woken: it holds the object no more
)

// waits are the beginnings of lines about the object that a thread waits for.
var waits = []struct {
	text string
	how  Waiting
}{
	{"- waiting to lock ", ToEnter}, {"- waiting to re-lock in wait() ", ToEnter}, {"- blocked on ", ToEnter},
	{"- parking to wait for ", Parked}, {"- waiting on ", ToWake}, {"- sleeping on ", ToWake},
}

// holds are the beginnings of lines about held objects; the second is of synchronizers.
var holds = []string{"- locked ", "- <"}

// ReadLine reads a line about a lock, such as
//
//   - waiting to lock <0x0d3a2f0a> (a java.lang.Object) held by thread 5
//   - locked <0x3db5a142> (a java.lang.Object)
//   - waiting to lock an unknown object
//
// Others that begin with a dash are none.
func (l *Locks) ReadLine(body []byte) {
	for _, w := range waits {
		if rest, ok := bytes.CutPrefix(body, []byte(w.text)); ok && l.Waits == nil {
			lock := parseLock(rest)
			lock.How = w.how
			l.Waits = &lock
			return
		}
	}
	for _, h := range holds {
		if rest, ok := bytes.CutPrefix(body, []byte(h)); ok {
			if h == "- <" {
				rest = body[len("- "):]
			}
			l.Holds = append(l.Holds, parseLock(rest))
			return
		}
	}
}

// parseLock reads "<0x0d3a2f0a> (a java.lang.Object) held by thread 5".
func parseLock(text []byte) (l Lock) {
	text = bytes.TrimLeft(text, " ")
	if from, to := bytes.IndexByte(text, '<'), bytes.IndexByte(text, '>'); from == 0 && to > 0 && text[1] == '0' {
		l.Object = string(text[:to+1])
	}
	if _, class, ok := bytes.Cut(text, []byte("(a ")); ok {
		if end := bytes.IndexByte(class, ')'); end >= 0 {
			l.Class = string(class[:end])
		}
	}
	l.Holder, _ = NumberAfter(text, " held by thread ")
	return l
}
