package ftrace

import (
	"bytes"

	"artifice/internal/decode"
)

// schedSwitch reads the two thread ids, and the state, of
//
//	prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120
//
// in which a name can be any text, or of trace-cmd's form
//
//	a:1 [120] S ==> b:2 [120]
func schedSwitch(text []byte) (prev, next uint32, state []byte, ok bool) {
	if left, right, found := bytes.Cut(text, []byte(" ==> ")); found && !bytes.Contains(left, []byte(" prev_pid=")) {
		prev, after, first := reportTask(left)
		next, _, second := reportTask(right)
		return prev, next, after, first && second
	}
	prev, first := pidOf(text, " prev_pid=")
	next, second := pidOf(text, " next_pid=")
	return prev, next, wordOf(text, " prev_state="), first && second
}

// wordOf returns the word after the last occurrence of key, or nil.
func wordOf(text []byte, key string) []byte {
	at := bytes.LastIndex(text, []byte(key))
	if at < 0 {
		return nil
	}
	word, _, _ := bytes.Cut(text[at+len(key):], []byte(" "))
	return word
}

// pidOf returns the thread id after the last occurrence of key.
func pidOf(text []byte, key string) (tid uint32, ok bool) {
	n, ok := decode.Uint(wordOf(text, key))
	return uint32(n), ok && n <= 1<<32-1
}

// reportTask parses "name:id [priority] state". It returns the thread id and the text after the
// priority. A name can be any text.
func reportTask(text []byte) (tid uint32, after []byte, ok bool) {
	priority := bytes.LastIndex(text, []byte(" ["))
	if priority < 0 {
		return 0, nil, false
	}
	n, ok := decode.Uint(text[bytes.LastIndexByte(text[:priority], ':')+1 : priority])
	if _, after, found := bytes.Cut(text[priority:], []byte("] ")); found {
		return uint32(n), bytes.TrimSpace(after), ok && n <= 1<<32-1
	}
	return uint32(n), nil, ok && n <= 1<<32-1
}
