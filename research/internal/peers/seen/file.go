// Package seen counts the contents of a method trace in the simplest possible way. Tests convert
// the trace, and compare the counts with those of another program that reads the converted file.
// The package shares no code with the packages that read and write traces, and supports only
// classic files: those that ART writes without streaming.
package seen

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Trace is the contents of a classic file.
type Trace struct {
	Start   time.Duration  // of the tracing, on the device's clock
	Wall    bool           // events have wall times
	CPU     bool           // events have CPU times of their threads
	Threads map[int]string // names of the listed threads by their ids
	Events  []Event
}

// Event is a record.
type Event struct {
	Thread    int
	Enter     bool // else it is an exit or an unwind
	Method    string
	Wall, CPU time.Duration // since the start
	Inherited bool          // an enter without a record, see [Trace.Enclosed]
	Closing   bool          // an exit without a record: the frame is open at the trace's end
}

// Read reads a file.
func Read(file string) (*Trace, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	text, records, found := bytes.Cut(data, []byte("*end\n"))
	if !found || len(records) < 18 {
		return nil, errors.New("no *end, or no header after it")
	}
	t := &Trace{Wall: true, CPU: bytes.Contains(text, []byte("clock=dual\n")), Threads: make(map[int]string)}
	if bytes.Contains(text, []byte("clock=thread-cpu\n")) {
		t.Wall, t.CPU = false, true
	}
	methods := make(map[uint32]string)
	section := ""
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch id, _ := strconv.ParseUint(fields[0], 0, 32); {
		case fields[0][:1] == "*":
			section = fields[0]
		case section == "*threads":
			t.Threads[int(id)] = fields[1]
		case section == "*methods":
			methods[uint32(id)] = fields[1] + "." + fields[2]
		}
	}
	return t, t.records(records, methods)
}

// records reads the header and what follows it.
func (t *Trace) records(data []byte, methods map[uint32]string) error {
	u2, u4 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	version, offset := u2(data[4:]), u2(data[6:])
	t.Start = time.Duration(binary.LittleEndian.Uint64(data[8:])) * time.Microsecond
	size := 10
	if version == 3 {
		size = int(u2(data[16:]))
	}
	if version < 2 || version > 3 || size < 10 || t.Wall && t.CPU && size < 14 {
		return fmt.Errorf("version %d with records of %d bytes", version, size)
	}
	for r := range slices.Chunk(data[offset:], size) {
		method := u4(r[2:])
		e := Event{Thread: int(u2(r)), Enter: method&3 == 0, Method: methods[method&^3]}
		if e.Method == "" {
			e.Method = fmt.Sprintf("unknown.method_0x%x", method&^3)
		}
		first := time.Duration(u4(r[6:])) * time.Microsecond
		switch {
		case t.Wall && t.CPU:
			e.CPU, e.Wall = first, time.Duration(u4(r[10:]))*time.Microsecond
		case t.CPU:
			e.CPU = first
		default:
			e.Wall = first
		}
		t.Events = append(t.Events, e)
	}
	return nil
}

// Time returns the time at which viewers draw an event: wall time if there is one.
func (t *Trace) Time(e Event) time.Duration {
	if t.Wall {
		return e.Wall
	}
	return e.CPU
}
