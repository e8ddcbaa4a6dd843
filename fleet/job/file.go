package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"artifice/fleet/manifest"
	"artifice/input"
	"artifice/trace"
	"artifice/workload"
)

// Verdict is what became of one file.
type Verdict struct {
	File     manifest.File
	Events   int64
	Error    string   // why nothing of the file counts; empty where it was read to its end
	Warnings []string // what the library told of it
}

// Counters of a job, as its runner shows them.
var (
	filesRead  = beam.NewCounter("artifice", "files")
	eventsRead = beam.NewCounter("artifice", "events")
	bytesRead  = beam.NewCounter("artifice", "bytes")
	errorsMet  = beam.NewCounter("artifice", "errors")
)

// done is what this process has read, for a bar: a job of workers in other processes
// shows there.
var done struct{ files, bytes atomic.Int64 }

// Worker says how a worker reads files.
type Worker struct {
	Cores int // files that a process reads at the same time, however many bundles it was given
}

// read lets use read a file under a name that the library can open, and returns what
// became of it. What use returns, also by panicking, is the file's error.
func (w Worker) read(ctx context.Context, f manifest.File, use func(name string, v *Verdict) error) Verdict {
	slots := slotsOf(w.Cores)
	slots <- struct{}{}
	defer func() { <-slots }()
	v := Verdict{File: f}
	if err := locally(ctx, f.Path, func(name string) error { return guard(func() error { return use(name, &v) }) }); err != nil {
		v.Error = err.Error()
		errorsMet.Inc(ctx, 1)
	}
	filesRead.Inc(ctx, 1)
	eventsRead.Inc(ctx, v.Events)
	bytesRead.Inc(ctx, max(0, f.Bytes))
	done.files.Add(1)
	done.bytes.Add(max(0, f.Bytes))
	return v
}

var (
	slotsMutex sync.Mutex
	slotsFor   = map[int]chan struct{}{}
)

// slotsOf returns the process's places for so many files.
func slotsOf(cores int) chan struct{} {
	slotsMutex.Lock()
	defer slotsMutex.Unlock()
	slots := slotsFor[cores]
	if slots == nil {
		slots = make(chan struct{}, max(1, cores))
		slotsFor[cores] = slots
	}
	return slots
}

// guard turns a panic into an error: a fault of the library on one file of thousands
// is that file's alone.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			text, _, _ := strings.Cut(fmt.Sprint(p), "\n")
			err = fmt.Errorf("this is a bug in artifice: %s", text)
		}
	}()
	return f()
}

// locally calls use with the name of a file on this machine: the file itself, or a copy
// of one in another file system, for the library reads some formats twice and not in
// order. Errors have the file's own name.
func locally(ctx context.Context, name string, use func(local string) error) error {
	if !manifest.IsURL(name) {
		return use(name)
	}
	folder, err := os.MkdirTemp("", "artifice-fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	local := filepath.Join(folder, path.Base(name)) // the ending can tell the format
	if err := fetch(ctx, name, local); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := use(local); err != nil {
		return errors.New(strings.ReplaceAll(err.Error(), local, name))
	}
	return nil
}

// fetch copies a file of any file system.
func fetch(ctx context.Context, from, to string) (err error) {
	system, err := filesystem.New(ctx, from)
	if err != nil {
		return err
	}
	defer system.Close()
	r, err := system.OpenRead(ctx, from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}

// open opens a file as artifice does without flags, lets use read it, and takes what it
// warns of into the verdict.
func open(name string, v *Verdict, cfg input.Config, use func(in *input.Input) error) error {
	cfg.Workload = workload.Config{Seed: 1} // that of artifice
	in, err := input.Open(name, cfg)
	if err != nil {
		return err
	}
	err = in.InTimeOrder()
	if err == nil {
		err = use(in)
	}
	err = errors.Join(err, in.Close())
	for _, w := range in.Warnings {
		v.Warnings = append(v.Warnings, w.String())
	}
	return err
}

// copyEvents reads all events of an input.
func copyEvents(to trace.Writer, in *input.Input, v *Verdict) error {
	n, err := trace.Copy(to, in.Events)
	v.Events = n
	return err
}
