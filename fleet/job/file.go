package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"artifice/fleet/manifest"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/trace"
	"artifice/workload"
)

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
	Cores  int           // files that a process reads at the same time, however many bundles it was given
	Memory int64         // bytes that a process may use; 0: half of its machine's
	Time   time.Duration // that each file may take; 0: any
	Limits trace.Limits  // of each file
}

// source is a file that is being read.
type source struct {
	file   manifest.File
	name   string // that the library can open
	limits trace.Limits
	ctx    context.Context
	stop   func() error // its error ends the reading
	ended  func() error // an error where what was read takes too much memory, while it is held
	events int64        // read
}

// read lets use read the file of an element, adds what use returns, and says in o what
// became of the file. An error of use, and a panic, is the file's; one that read returns
// is the job's. use may be called twice, and may be left running when the file takes too
// long: it has no effect but what it returns.
func read[T any](ctx context.Context, w Worker, o *Outcome, element []byte, use func(s *source) (T, error), add func(f manifest.File, value T)) error {
	f, err := fileOf(element)
	if err != nil {
		return err
	}
	p := processOf(w)
	p.slots <- struct{}{}
	defer func() { <-p.slots }()
	p.shared.RLock()
	a := attempt(ctx, w, f, p.budget, use)
	p.shared.RUnlock()
	if errors.Is(a.err, errMemory) { // perhaps for what other files need
		if a, err = alone(ctx, w, f, p, use); err != nil {
			return err
		}
	}
	switch {
	case ctx.Err() != nil: // nobody knows what the file would have come to
		return ctx.Err()
	case a.err != nil:
		errorsMet.Inc(ctx, 1)
		o.Unread = append(o.Unread, Unread{f.Index, f.Path, a.err.Error()})
	default:
		add(f, a.value)
		o.Read = append(o.Read, f.Index)
		o.Events += a.events
		eventsRead.Inc(ctx, a.events)
	}
	o.Bytes += max(0, f.Bytes)
	filesRead.Inc(ctx, 1)
	bytesRead.Inc(ctx, max(0, f.Bytes))
	done.files.Add(1)
	done.bytes.Add(max(0, f.Bytes))
	return nil
}

// alone reads a file while no other is read, with half of the memory for itself: whether
// that lasts depends on the file alone, and not on what else the process holds.
func alone[T any](ctx context.Context, w Worker, f manifest.File, p *process, use func(s *source) (T, error)) (a attempted[T], err error) {
	p.shared.Lock()
	defer p.shared.Unlock()
	budget, err := p.budget.Alone()
	if err != nil {
		return a, fmt.Errorf("%w; the combined result does not fit into --memory: allow more, or read fewer files at a time", err)
	}
	defer budget.End()
	return attempt(ctx, w, f, budget, use), nil
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

// attempted is what came of a file that was read once.
type attempted[T any] struct {
	value  T
	events int64
	err    error
}

// Why a file is not read to its end.
var (
	errMemory = errors.New("memory")
	errTime   = errors.New("time")
)

// patience is how long a file that took too long has to stop by itself.
const patience = time.Second

// attempt reads a file once. Where it takes too long it is left: nothing can end a read
// from a file system that does not answer.
func attempt[T any](ctx context.Context, w Worker, f manifest.File, budget *cli.MemoryBudget, use func(s *source) (T, error)) attempted[T] {
	if w.Time > 0 {
		late := because(errTime, fmt.Sprintf("not read within %s; allow more with --timeout", w.Time))
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, w.Time, late)
		defer cancel()
	}
	stop := func() error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if budget.Exceeded() {
			return tooMuch(budget)
		}
		return nil
	}
	ended := func() error {
		if budget.Ended() {
			return tooMuch(budget)
		}
		return nil
	}
	folder := "" // of the copy of a file of another file system, which goes also where the read is left
	if manifest.IsURL(f.Path) {
		temp, remove, err := cli.TempFolder("artifice-fleet-copy")
		if err != nil {
			return attempted[T]{err: err}
		}
		defer remove()
		folder = temp
	}
	result := make(chan attempted[T], 1)
	go func() {
		var a attempted[T]
		a.err = locally(ctx, f.Path, folder, func(name string) error {
			s := &source{file: f, name: name, limits: w.Limits, ctx: ctx, stop: stop, ended: ended}
			return guard(func() (err error) {
				a.value, err = use(s)
				a.events = s.events
				return err
			})
		})
		result <- a
	}()
	select {
	case a := <-result:
		return a
	case <-ctx.Done():
	}
	select {
	case <-result:
	case <-time.After(patience):
	}
	return attempted[T]{err: context.Cause(ctx)}
}

// tooMuch is the error of a file that needs more than a budget.
func tooMuch(budget *cli.MemoryBudget) error {
	size := budget.Size()
	return because(errMemory, fmt.Sprintf("more than %s of memory would be needed, as the stacks of this trace hardly repeat; allow more with --memory", &size))
}

// reason is an error of a kind with a text of its own.
type reason struct {
	kind error
	text string
}

func because(kind error, text string) error { return reason{kind, text} }

func (r reason) Error() string { return r.text }
func (r reason) Unwrap() error { return r.kind }

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
// in folder of one in another file system, for the library reads some formats twice and not in
// order. Errors have the file's own name.
func locally(ctx context.Context, name, folder string, use func(local string) error) error {
	if !manifest.IsURL(name) {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return fmt.Errorf("%s: a pipe, a socket or a device; a trace is a file, which can be read twice", name)
		}
		return use(name)
	}
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
		return renamed{err, local, name}
	}
	return nil
}

// renamed is an error with another name of the file.
type renamed struct {
	error
	from, to string
}

func (r renamed) Error() string { return strings.ReplaceAll(r.error.Error(), r.from, r.to) }
func (r renamed) Unwrap() error { return r.error }

// fetch copies a file of any file system.
func fetch(ctx context.Context, from, to string) (err error) {
	system, err := manifest.FileSystem(ctx, from)
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

// open opens the file as artifice does without flags, and lets use read it.
func (s *source) open(cfg format.Config, use func(in *format.Input) error) error {
	cfg.Stop, cfg.Workload = s.stop, workload.Config{Seed: 1} // that of artifice
	cfg.Limits = s.limits
	in, err := format.Open(s.name, cfg)
	if err != nil {
		return err
	}
	err = in.InTimeOrder()
	if err == nil {
		err = use(in)
	}
	return errors.Join(err, in.Close())
}

// copyEvents reads all events of an input. What to has made of them counts at the end.
func (s *source) copyEvents(to trace.Writer, in *format.Input) error {
	n, err := trace.Copy(to, in.Events)
	s.events = n
	if err == nil {
		err = s.ended()
	}
	runtime.KeepAlive(to)
	return err
}
