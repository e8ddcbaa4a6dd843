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
	"artifice/internal/cli"
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
	Cores  int          // files that a process reads at the same time, however many bundles it was given
	Memory int64        // bytes that a process may use; 0: half of its machine's
	Limits trace.Limits // of each file
}

// source is a file that is being read.
type source struct {
	name    string // that the library can open
	verdict *Verdict
	limits  trace.Limits
	stop    func() error // its error ends the reading
}

// read lets use read a file, and returns what became of it. What use returns, also by
// panicking, is the file's error. use may be called twice: it must have no effect before
// the file is read.
func (w Worker) read(ctx context.Context, f manifest.File, use func(s *source) error) Verdict {
	p := processOf(w)
	p.slots <- struct{}{}
	defer func() { <-p.slots }()
	p.shared.RLock()
	v, short := p.attempt(ctx, w, f, use)
	p.shared.RUnlock()
	if short { // perhaps for what other files need
		p.shared.Lock()
		v, _ = p.attempt(ctx, w, f, use)
		p.shared.Unlock()
	}
	if v.Error != "" {
		errorsMet.Inc(ctx, 1)
	}
	filesRead.Inc(ctx, 1)
	eventsRead.Inc(ctx, v.Events)
	bytesRead.Inc(ctx, max(0, f.Bytes))
	done.files.Add(1)
	done.bytes.Add(max(0, f.Bytes))
	return v
}

// process is what the files that a process reads at the same time share.
type process struct {
	slots  chan struct{}
	budget *cli.MemoryBudget
	shared sync.RWMutex // locked where a file has the memory for itself
}

var (
	processesMutex sync.Mutex
	processes      = map[Worker]*process{}
)

func processOf(w Worker) *process {
	processesMutex.Lock()
	defer processesMutex.Unlock()
	p := processes[w]
	if p == nil {
		p = &process{slots: make(chan struct{}, max(1, w.Cores)), budget: cli.NewMemoryBudget(w.Memory)}
		processes[w] = p
	}
	return p
}

// attempt reads a file once. short is whether the memory did not last.
func (p *process) attempt(ctx context.Context, w Worker, f manifest.File, use func(s *source) error) (v Verdict, short bool) {
	v = Verdict{File: f}
	stop := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if short = p.budget.Exceeded(); short {
			size := p.budget.Size()
			return fmt.Errorf("more than %s of memory would be needed, as the stacks of this trace hardly repeat; allow more with --memory", &size)
		}
		return nil
	}
	err := locally(ctx, f.Path, func(name string) error {
		return guard(func() error { return use(&source{name, &v, w.Limits, stop}) })
	})
	if err != nil {
		v.Error = err.Error()
	}
	return v, short
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
	if base, is := strings.CutSuffix(name, ".key"); is { // the file has a second part; if it is missing, the reader says so
		if err := fetch(ctx, base+".data", strings.TrimSuffix(local, ".key")+".data"); err != nil {
			os.Remove(strings.TrimSuffix(local, ".key") + ".data")
		}
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

// open opens the file as artifice does without flags, lets use read it, and takes what it
// warns of into the verdict.
func (s *source) open(cfg input.Config, use func(in *input.Input) error) error {
	cfg.Stop, cfg.Workload = s.stop, workload.Config{Seed: 1} // that of artifice
	cfg.Traces.Limits, cfg.Dumps.Limits, cfg.Timelines.Limits = s.limits, s.limits, s.limits
	in, err := input.Open(s.name, cfg)
	if err != nil {
		return err
	}
	err = in.InTimeOrder()
	if err == nil {
		err = use(in)
	}
	err = errors.Join(err, in.Close())
	for _, w := range in.Warnings {
		s.verdict.Warnings = append(s.verdict.Warnings, w.String())
	}
	return err
}

// copyEvents reads all events of an input.
func copyEvents(to trace.Writer, in *input.Input, v *Verdict) error {
	n, err := trace.Copy(to, in.Events)
	v.Events = n
	return err
}
