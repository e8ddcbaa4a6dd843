package truths

import (
	"io"
	"time"

	"artifice/trace"
)

// Loop is a truth of N events that a thread has in turn, a microsecond apart: two
// calls, one in the other. It is a [trace.Reader] that keeps none of them.
type Loop struct {
	N  int
	at int
}

// ReadEvents implements [trace.Reader].
func (l *Loop) ReadEvents(p []trace.Event) (int, error) {
	k := 0
	for ; k < len(p) && l.at < l.N; k++ {
		at := time.Duration(l.at) * time.Microsecond
		p[k] = [...]trace.Event{{Method: 0}, {Method: 1}, {Method: 1, Action: trace.Exit}, {Method: 0, Action: trace.Exit}}[l.at%4]
		p[k].Wall, p[k].CPU = at, at
		l.at++
	}
	if k == 0 {
		return 0, io.EOF
	}
	return k, nil
}
