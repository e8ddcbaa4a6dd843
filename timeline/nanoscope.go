package timeline

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"artifice/internal/decode"
)

// nanoscopeFormat is what Uber's nanoscope writes: a line "ns:name" for the begin
// of a method of one thread, whose name is as ART prints it, and "ns:POP" for the
// end of the innermost. A "#" begins metadata after a name, a "+" stands in front
// of one that is no method's.
var nanoscopeFormat = Format{
	Name: "nanoscope", Description: "nanoscope's text of one thread",
	Sniff: func(head []byte) bool {
		for line := range bytes.Lines(head) {
			ns, name, ok := bytes.Cut(bytes.TrimSpace(line), []byte(":"))
			if _, err := strconv.ParseUint(string(ns), 10, 63); !ok || err != nil || len(name) == 0 {
				return false
			}
			if string(name) == "POP" {
				return true
			}
		}
		return false
	},
	Read: readNanoscope,
}

func readNanoscope(s *Source) error {
	main := Thread{0, 1}
	if err := s.Calls.name(main, []byte("main")); err != nil {
		return err
	}
	return s.eachLine(func(line []byte) error {
		stamp, name, ok := bytes.Cut(line, []byte(":"))
		ns, isTime := decode.Time(stamp, time.Nanosecond)
		if !ok || !isTime {
			s.skip(fmt.Sprintf("want NS:NAME or NS:POP, got %.40q", line))
			return nil
		}
		if string(name) == "POP" {
			return s.Calls.end(main, nil, ns, -1)
		}
		name, _, _ = bytes.Cut(bytes.TrimPrefix(name, []byte("+")), []byte("#"))
		return s.Calls.begin(main, name, ns, -1)
	})
}
