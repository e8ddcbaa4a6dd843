package ftrace

import (
	"bytes"

	"artifice/internal/decode"
)

// schedSwitch reads the two thread ids of
//
//	prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120
//
// where a name can have anything in it.
func schedSwitch(text []byte) (prev, next uint32, ok bool) {
	pid := func(key string) (uint32, bool) {
		at := bytes.LastIndex(text, []byte(key))
		if at < 0 {
			return 0, false
		}
		word, _, _ := bytes.Cut(text[at+len(key):], []byte(" "))
		n, ok := decode.Uint(word)
		return uint32(n), ok && n <= 1<<32-1
	}
	prev, first := pid(" prev_pid=")
	next, second := pid(" next_pid=")
	return prev, next, first && second
}
