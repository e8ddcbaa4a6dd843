package input

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"artifice/format"
	"artifice/format/registry"
	"artifice/trace"
)

// beatFormat is the smallest input format: a line of "beat METHOD MS" is a call of
// a millisecond. CONTRIBUTING.md says that a format is one folder with a file like this
// and a line in the registry.
var beatFormat = format.Format{
	Name: "beat", About: "calls of a millisecond",
	Sniff: func(head []byte) bool { return bytes.HasPrefix(head, []byte("beat ")) },
	Head:  len("beat "),
	Read:  openBeat,
}

func openBeat(src format.Source, _ *format.Config) (*format.Opened, error) {
	r := src.R
	if r == nil {
		file, err := os.Open(src.Name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		r = file
	}
	symbols := &trace.Symbols{}
	thread, _ := symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	var events []trace.Event
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		var name string
		var at int
		if _, err := fmt.Sscanf(lines.Text(), "beat %s %d", &name, &at); err != nil {
			return nil, &trace.FormatError{Name: src.Name, Offset: -1, Line: n, Msg: "want beat METHOD MS"}
		}
		method := symbols.AddMethod(trace.Method{Class: "a.A", Name: name})
		wall := time.Duration(at) * time.Millisecond
		events = append(events,
			trace.Event{Wall: wall, Thread: thread, Method: method},
			trace.Event{Wall: wall + time.Millisecond, Thread: thread, Method: method, Action: trace.Exit})
	}
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Wall}, Symbols: symbols, Events: trace.NewSliceReader(events)}
	return &format.Opened{Recording: rec}, lines.Err()
}

// TestAddFormat adds a format and opens a file of it, known by its content.
func TestAddFormat(t *testing.T) {
	t.Cleanup(registry.Add(&beatFormat)) // in front of folded stacks, which such lines could be, too

	open := func(text string) (*Input, error) {
		name := filepath.Join(t.TempDir(), "beats")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return Open(name, Config{})
	}
	in, err := open("beat tick 3\nbeat tock 7\n")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, in.Events); err != nil {
		t.Fatal(err)
	}
	if in.Format.Name != "beat" || len(all.Events) != 4 || all.Events[3].Wall != 8*time.Millisecond || in.Symbols.Methods[1].Name != "tock" {
		t.Errorf("format %s, events %+v, methods %+v", in.Format.Name, all.Events, in.Symbols.Methods)
	}
	if _, err := open("beat tick 3\nbeat\n"); err == nil || filepath.Base(err.Error()) != "beats:2: want beat METHOD MS" {
		t.Errorf("error %v", err)
	}
}
