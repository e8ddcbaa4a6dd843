package ftrace

import (
	"bytes"

	"artifice/internal/decode"
)

// schedSwitch reads the two thread ids, and the state, of
//
//	prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120
//
// in which a name can be any text.
func schedSwitch(text []byte) (prev, next uint32, state []byte, ok bool) {
	prev, first := pidOf(text, " prev_pid=")
	next, second := pidOf(text, " next_pid=")
	return prev, next, wordOf(text, " prev_state="), first && second
}

// wordOf returns the word after the last key; nil: there is none.
func wordOf(text []byte, key string) []byte {
	at := bytes.LastIndex(text, []byte(key))
	if at < 0 {
		return nil
	}
	word, _, _ := bytes.Cut(text[at+len(key):], []byte(" "))
	return word
}

// pidOf returns the thread id after the last key.
func pidOf(text []byte, key string) (tid uint32, ok bool) {
	n, ok := decode.Uint(wordOf(text, key))
	return uint32(n), ok && n <= 1<<32-1
}
