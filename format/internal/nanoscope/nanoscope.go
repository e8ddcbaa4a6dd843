// Package nanoscope reads the format of Uber's nanoscope, which contains one thread. A line
// "ns:name" is the start of a method, with its name as printed by ART, and "ns:POP" is the end of
// the innermost method. A "#" after a name begins metadata. A "+" precedes the names of sections
// that are not methods.
package nanoscope

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
	"artifice/internal/decode"
)

// Format is the text format of nanoscope.
var Format = kind.OfCalls(kind.Format{
	Name: "nanoscope", About: "nanoscope's text, of one thread", Sniff: sniff,
}, timeline.Format{Read: read})

func sniff(head []byte) bool {
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
}

func read(s *timeline.Source) error {
	main := timeline.Thread{Tid: 1}
	if err := s.Calls.Name(main, []byte("main")); err != nil {
		return err
	}
	return s.EachLine(func(line []byte) error {
		stamp, name, ok := bytes.Cut(line, []byte(":"))
		ns, isTime := decode.Time(stamp, time.Nanosecond)
		if !ok || !isTime {
			s.Skip(fmt.Sprintf("want NS:NAME or NS:POP, got %.40q", line))
			return nil
		}
		if string(name) == "POP" {
			return s.Calls.End(main, nil, ns, -1)
		}
		name, _, _ = bytes.Cut(bytes.TrimPrefix(name, []byte("+")), []byte("#"))
		return s.Calls.Begin(main, name, ns, -1)
	})
}
