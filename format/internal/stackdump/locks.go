package stackdump

import (
	"bytes"
	"strings"
)

// Locks is the state of a thread's locks in a dump: monitors, and the synchronizers of
// java.util.concurrent. Only dumps of ART and HotSpot contain it. It is read only if [Config.Watch]
// is set.
//
// Source: ART's StackDumpVisitor and Monitor::DescribeWait (runtime/thread.cc, monitor.cc),
// HotSpot's javaVFrame::print_lock_info_on.
type Locks struct {
	// as in the dump: Native or Blocked in ART, RUNNABLE or BLOCKED in HotSpot; empty if not stated
	State string
	Waits *Lock  // the lock that the thread waits for; nil if none
	Holds []Lock // locks in the order of the dump, innermost frame first
}

// Lock is a lock that a thread waits for or holds.
type Lock struct {
	// its address or hash, such as <0x0d3a2f0a>, equal for all threads of a dump; empty if not
	// stated
	Object string
	Class  string // class of the object; empty if not stated
	Holder int64  // the runtime's number of the thread that holds the lock; 0 if not stated
	How    Waiting
}

// Waiting is how a thread waits for a lock.
type Waiting uint8

const (
	ToEnter Waiting = iota // waits to enter a monitor that another thread holds
	// waits in LockSupport.park, for a synchronizer that another thread may hold
	Parked
	ToWake // waits in Object.wait or a sleep; it does not hold the object meanwhile
)

// BlockedInVM is the state of threads that are BLOCKED in the output of jstack -F, which includes
// all kinds of waits.
const BlockedInVM = "BLOCKED (any wait)"

// waits contains the text, after the dash, at the beginning of lines about the object that a thread
// waits for.
var waits = []struct {
	text string
	how  Waiting
}{
	{"waiting to lock ", ToEnter}, {"waiting to re-lock in wait() ", ToEnter}, {"blocked on ", ToEnter},
	{"parking to wait for ", Parked}, {"waiting on ", ToWake}, {"sleeping on ", ToWake},
}

// ReadLine reads a line about a lock, such as
//
//   - waiting to lock <0x0d3a2f0a> (a java.lang.Object) held by thread 5
//   - locked <0x3db5a142> (a java.lang.Object)
//   - waiting to lock an unknown object
//
// Other lines that begin with a dash are not about locks.
func (l *Locks) ReadLine(body []byte) {
	body = bytes.TrimLeft(bytes.TrimPrefix(body, []byte("-")), " ")
	for _, w := range waits {
		if rest, ok := bytes.CutPrefix(body, []byte(w.text)); ok && l.Waits == nil {
			lock := parseLock(rest)
			lock.How = w.how
			l.Waits = &lock
			return
		}
	}
	const locked = "locked " // Spring Boot's synchronizers are "Locked"
	if len(body) > len(locked) && strings.EqualFold(string(body[:len(locked)]), locked) {
		l.Holds = append(l.Holds, parseLock(body[len(locked):]))
	} else if synchronizer := parseLock(body); synchronizer.Object != "" && (body[0] == '<' || !bytes.Contains(body, []byte(" "))) {
		l.Holds = append(l.Holds, synchronizer)
	}
}

// ReadObject parses the object that a thread waits for, and its owner. The kind of wait follows
// from the thread's java.lang.Thread.State.
//
//	java.lang.Object@3551a94 owned by "main" Id=1
func (l *Locks) ReadObject(state string, text []byte) {
	lock := parseLock(text)
	switch {
	case state == "BLOCKED":
	case lock.Holder != 0:
		lock.How = Parked
	default:
		lock.How = ToWake
	}
	l.Waits = &lock
}

// parseLock parses an object and the thread that holds it, as written by a runtime or a program:
//
//	<0x0d3a2f0a> (a java.lang.Object) held by thread 5
//	<0x0d3a2f0a> (a java.lang.Object) held by threadid=5 (main)
//	<d3a2f0a> (a java.lang.Object) owned by "main" t@1
//	java.lang.Object@d3a2f0a owned by "main" Id=1
//	<java.util.concurrent.locks.ReentrantLock$NonfairSync@d3a2f0a>, owner #5
func parseLock(text []byte) (l Lock) {
	text = bytes.TrimLeft(text, " ")
	if rest, found := bytes.CutPrefix(text, []byte("<")); found {
		switch address, _, closed := bytes.Cut(rest, []byte(">")); {
		case closed && isHex(bytes.TrimPrefix(address, []byte("0x"))):
			l.Object = "<" + string(address) + ">"
		case closed:
			l.setIdentity(address)
		}
	} else {
		l.setIdentity(text)
	}
	if _, class, ok := bytes.Cut(text, []byte("(a ")); ok {
		if end := bytes.IndexByte(class, ')'); end >= 0 {
			l.Class = string(class[:end])
		}
	}
	for _, key := range []string{" held by thread ", " held by threadid=", " held by tid=", ">, owner #"} {
		if holder, ok := NumberAfter(text, key); ok {
			l.Holder = holder
		}
	}
	if i := bytes.Index(text, []byte(" owned by ")); i >= 0 {
		owner := text[max(i, bytes.LastIndexByte(text, '"')):]
		for _, key := range []string{" Id=", " t@"} {
			if holder, ok := NumberAfter(owner, key); ok {
				l.Holder = holder
			}
		}
	}
	return l
}

// setIdentity reads the identity of an object: class, "@", hash code.
func (l *Lock) setIdentity(text []byte) {
	class, hash, found := bytes.Cut(text, []byte("@"))
	if !found || bytes.Contains(class, []byte(" ")) {
		return
	}
	hash = bytes.TrimPrefix(hash, []byte("0x"))
	if end := bytes.IndexByte(hash, ' '); end >= 0 {
		hash = hash[:end]
	}
	if isHex(hash) {
		l.Class, l.Object = string(class), "<0x"+string(hash)+">"
	}
}

// isHex reports whether text is a hexadecimal number.
func isHex(text []byte) bool {
	return len(text) > 0 && len(bytes.Trim(text, "0123456789abcdefABCDEF")) == 0
}
