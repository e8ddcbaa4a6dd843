package dmtrace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/trace"
)

// TestDmtraceInPlace: a classic file that is written in place equals the output of a pipe, whose
// records are in a temporary file until the key section is complete. This also holds if the key
// section becomes longer than expected, because methods and threads with ids unknown so far are
// added after 1 MiB.
func TestDmtraceInPlace(t *testing.T) {
	for _, late := range []int{0, 3} {
		pipe, file := new(bytes.Buffer), create(t, filepath.Join(t.TempDir(), "out.trace"))
		defer file.Close()
		pipeNotes := writeLong(t, pipe, late, t.TempDir())
		fileNotes := writeLong(t, file, late, filepath.Join(t.TempDir(), "none")) // no temporary file can be created
		got, err := os.ReadFile(file.Name())
		if err != nil || !bytes.Equal(got, pipe.Bytes()) {
			t.Errorf("%d late methods: the file of %d bytes differs from the pipe's %d bytes; error %v", late, len(got), pipe.Len(), err)
		}
		if len(fileNotes) != len(pipeNotes) {
			t.Errorf("%d late methods: notes %q, and %q for the pipe", late, fileNotes, pipeNotes)
		}
	}
}

// writeLong writes a trace of 9.8 MB that ends with late events of new methods and threads, and
// returns the notes.
func writeLong(t *testing.T, w interface{ Write([]byte) (int, error) }, late int, temp string) []string {
	t.Helper()
	const n = 700_000
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	rec.Symbols.AddMethod(trace.Method{ID: 4, Class: "C", Name: "a", Signature: "()V"})
	d, err := dmtrace.NewWriter(w, rec, dmtrace.Options{Format: "art", TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]trace.Event, 1000)
	for at := 0; at < n; at += len(batch) {
		for i := range batch {
			us := time.Duration(at+i) * time.Microsecond
			batch[i] = trace.Event{Action: trace.Action(i % 2), Wall: us, CPU: us}
		}
		if err := d.WriteEvents(batch); err != nil {
			t.Fatal(err)
		}
	}
	for i := range late {
		thread, _ := rec.Symbols.AddThread(trace.Thread{TID: uint32(1 + i), Name: "late"})           // the first tid is taken
		method := rec.Symbols.AddMethod(trace.Method{ID: uint64(4 + 4*i), Class: "C", Name: "late"}) // so is the first id
		us := time.Duration(n+i) * time.Microsecond
		if err := d.WriteEvents([]trace.Event{{Thread: thread, Method: method, Wall: us, CPU: us}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return d.Notes()
}
