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

// Counters of a job, displayed by its runner.
var (
	filesRead  = beam.NewCounter("artifice", "files")
	eventsRead = beam.NewCounter("artifice", "events")
	bytesRead  = beam.NewCounter("artifice", "bytes")
	errorsMet  = beam.NewCounter("artifice", "errors")
)

// done counts the files and bytes read by this process, for a progress bar. Jobs with workers in
// other processes display their progress there.
var done struct{ files, bytes atomic.Int64 }

// Worker is the configuration of reading files on a worker.
type Worker struct {
	Cores  int           // maximum number of files read at the same time by a process, for any number of bundles
	Memory int64         // bytes for a process; 0: half of the machine's memory
	Time   time.Duration // limit for each file; 0: none
	Limits trace.Limits  // of each file
}

// source is a file being read.
type source struct {
	file   manifest.File
	name   string // for the library
	limits trace.Limits
	ctx    context.Context
	stop   func() error // an error ends the reading
	ended  func() error // an error if the results, still in memory, are too large
	events int64        // read
}

// read calls use with the file of an element, passes its result to add, and records the outcome of
// the file in o. Errors and panics of use are errors of the file; an error that read returns is
// one of the job. use must have no side effects: it may be called twice, and it may be abandoned
// if the file takes too long.
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
	if errors.Is(a.err, errMemory) { // possibly because of other files
		if a, err = alone(ctx, w, f, p, use); err != nil {
			return err
		}
	}
	switch {
	case ctx.Err() != nil: // the result of the file is unknown
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

// alone reads a file while no other is read, with half of the memory. Whether that suffices
// depends only on the file, not on other data of the process.
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

// process is the state shared by the files that a process reads at the same time.
type process struct {
	slots  chan struct{}
	budget *cli.MemoryBudget
	shared sync.RWMutex // locked while one file uses all memory
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

// attempted is the result of reading a file once.
type attempted[T any] struct {
	value  T
	events int64
	err    error
}

// Reasons for not reading a file to its end.
var (
	errMemory = errors.New("memory")
	errTime   = errors.New("time")
)

// patience is the time that a file has to stop by itself after its time limit.
const patience = time.Second

// attempt reads a file once. If the file takes too long, attempt abandons the reading: a read from
// an unresponsive file system cannot be cancelled.
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
	folder := "" // for the copy of a remote file; removed even if the reading is abandoned
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

// tooMuch is the error of a file that exceeds a memory budget.
func tooMuch(budget *cli.MemoryBudget) error {
	size := budget.Size()
	return because(errMemory, fmt.Sprintf("more than %s of memory would be needed, as the stacks of this trace hardly repeat; allow more with --memory", &size))
}

// reason is an error of a kind with its own text.
type reason struct {
	kind error
	text string
}

func because(kind error, text string) error { return reason{kind, text} }

func (r reason) Error() string { return r.text }
func (r reason) Unwrap() error { return r.kind }

// guard converts a panic to an error: a bug of the library that one file triggers must not affect
// thousands of others.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			text, _, _ := strings.Cut(fmt.Sprint(p), "\n")
			err = fmt.Errorf("this is a bug in artifice: %s", text)
		}
	}()
	return f()
}

// locally calls use with the name of a file on this machine: the file itself, or a copy in folder
// of a file in another file system, because the library reads some formats twice or out of order.
// Errors contain the original name.
func locally(ctx context.Context, name, folder string, use func(local string) error) error {
	if !manifest.IsURL(name) {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return fmt.Errorf("%s: a pipe, a socket or a device; a trace is a file, which can be read twice", name)
		}
		return use(name)
	}
	local := filepath.Join(folder, path.Base(name)) // the extension can determine the format
	if err := fetch(ctx, name, local); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if base, is := strings.CutSuffix(name, ".key"); is { // the file has a second part; if that is missing, the reader reports it
		if err := fetch(ctx, base+".data", strings.TrimSuffix(local, ".key")+".data"); err != nil {
			os.Remove(strings.TrimSuffix(local, ".key") + ".data")
		}
	}
	if err := use(local); err != nil {
		return renamed{err, local, name}
	}
	return nil
}

// renamed is an error with the original name of the file.
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

// open opens the file like artifice without flags and calls use to read it.
func (s *source) open(cfg format.Config, use func(in *format.Input) error) error {
	cfg.Stop, cfg.Workload = s.stop, workload.Config{Seed: 1} // the seed of artifice
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

// copyEvents reads all events of an input. At the end it checks the memory of the results of to.
func (s *source) copyEvents(to trace.Writer, in *format.Input) error {
	n, err := trace.Copy(to, in.Events)
	s.events = n
	if err == nil {
		err = s.ended()
	}
	runtime.KeepAlive(to)
	return err
}
