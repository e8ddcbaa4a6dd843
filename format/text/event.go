package text

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"

	"artifice/trace"
)

// event parses an event line. It allocates nothing.
func (t *reader) event(line []byte) (e trace.Event, err error) {
	var field [4][]byte
	rest := line
	for i := range field {
		var ok bool
		if field[i], rest, ok = bytes.Cut(rest, []byte{' '}); !ok {
			return e, errors.New("an event line is: wall-ns cpu-ns tid enter|exit|unwind method")
		}
	}
	if e.Wall, err = parseTime(field[0], "wall", t.rec.Info.Clock.HasWall()); err != nil {
		return e, err
	}
	if e.CPU, err = parseTime(field[1], "cpu", t.rec.Info.Clock.HasCPU()); err != nil {
		return e, err
	}
	var ok bool
	if e.Thread, ok = t.threads[string(field[2])]; !ok {
		return e, fmt.Errorf("no thread line for tid %s before this event", field[2])
	}
	if e.Action, ok = parseAction(field[3]); !ok {
		return e, fmt.Errorf("action %q is not enter, exit or unwind", field[3])
	}
	if e.Method, ok = t.methods[string(rest)]; ok {
		return e, nil
	}
	method, site, sited := bytes.Cut(rest, []byte(siteMark))
	if e.Method, ok = t.methods[string(method)]; !ok {
		return e, fmt.Errorf("no method line for %.200q before this event", method)
	}
	if sited {
		e.Site, err = parseSite(site, e.Action)
	}
	return e, err
}

// parseSite parses the call site of an event.
func parseSite(b []byte, a trace.Action) (trace.Site, error) {
	n, err := strconv.ParseUint(string(b), 10, 8)
	switch {
	case err != nil || n == 0:
		return 0, fmt.Errorf("call site %.40q is not a number from 1 to %d", b, trace.MaxSite)
	case a != trace.Enter:
		return 0, fmt.Errorf("an event with action %s cannot have a call site", a)
	}
	return trace.Site(n), nil
}

func parseTime(b []byte, clock string, present bool) (time.Duration, error) {
	if string(b) == "-" {
		if present {
			return 0, fmt.Errorf("the %s time is missing, but the file's line \"info clock\" lists that clock", clock)
		}
		return 0, nil
	}
	if !present {
		return 0, fmt.Errorf("there is a %s time, but the file's line \"info clock\" does not list that clock", clock)
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s time: %w", clock, err)
	}
	return time.Duration(n), nil
}

func parseAction(b []byte) (trace.Action, bool) {
	switch string(b) {
	case "enter":
		return trace.Enter, true
	case "exit":
		return trace.Exit, true
	case "unwind":
		return trace.Unwind, true
	case "action(3)": // reserved, as a damaged file may have it
		return trace.Unwind + 1, true
	}
	return 0, false
}
