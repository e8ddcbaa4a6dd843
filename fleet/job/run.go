package job

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec/optimized" // functions called without reflection
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"artifice/fleet/local"
	"artifice/fleet/manifest"
	"artifice/internal/cli"
)

func init() {
	beam.RegisterType(reflect.TypeFor[listFn]())
}

// Config is the configuration of a job.
type Config struct {
	Runner   string // name of a runner of Beam; empty: in this process, see package local
	Workers  int    // maximum number of files read at the same time by each process; at least 1
	Folder   string // for lists and results, accessible by all workers; empty: a temporary one on this machine
	Attempts int    // maximum number of submissions of a job that loses its workers; at least 1

	// Ready, if not nil, is called before each submission of the job. Run returns its error.
	Ready func() error

	// Progress, if not nil, is called periodically with the amount that workers in this process
	// have read.
	Progress func(files, bytes int64)

	// Again, if not nil, is called when the job has failed and is submitted again.
	Again func(err error, attempt int)
}

// Work adds the work on files to a pipeline. Files come as JSON in streams. It returns collections
// of records, paired with the names of their collections.
type Work func(s beam.Scope, streams []beam.PCollection) []beam.PCollection

// Run runs a job over files and then calls results to read the job's output. It returns the
// outcome of the files.
func Run(ctx context.Context, files []manifest.File, cfg Config, work Work, results func(folder string, o *Outcome) error) (*Outcome, error) {
	base := cfg.Folder
	if base == "" {
		temp, remove, err := cli.TempFolder("artifice-fleet")
		if err != nil {
			return nil, err
		}
		defer remove()
		base = temp
	} else {
		base = fmt.Sprintf("%s/artifice-fleet-%d", base, time.Now().UnixNano())
		defer remove(context.WithoutCancel(ctx), base)
	}
	lists, err := writeLists(ctx, base, manifest.Deal(files, max(1, cfg.Workers)))
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		if cfg.Ready != nil {
			if err := cfg.Ready(); err != nil {
				return nil, err
			}
		}
		folder := fmt.Sprintf("%s/results-%d", base, attempt)
		err := submit(ctx, cfg, lists, folder, work)
		switch {
		case err == nil:
			o, err := outcomeOf(ctx, folder, files)
			if err != nil {
				return nil, err
			}
			return o, results(folder, o)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case final(err) != nil:
			return nil, final(err)
		case attempt >= cfg.Attempts:
			return nil, fmt.Errorf("the job failed %d times, last by this: %w", attempt, err)
		}
		if cfg.Again != nil {
			cfg.Again(err, attempt)
		}
	}
}

// Beam's messages for a running job that failed, and for a function in it that failed: those of
// runnerlib.WaitForCompletion and of package exec.
var (
	failedJob      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*job \S+ failed:`) })
	failedFunction = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`DoFn\[[^\]]*\] failed:\s*`) })
)

// final returns the error of a job that would fail again, or nil if the job lost a worker: only
// then can another submission succeed.
func final(err error) error {
	text := err.Error()
	if place := failedFunction().FindStringIndex(text); place != nil {
		return fmt.Errorf("a worker could not do its work: %s", text[place[1]:])
	}
	if failedJob().MatchString(text) {
		return nil
	}
	return err
}

// submit runs the pipeline once.
func submit(ctx context.Context, cfg Config, lists []string, folder string, work Work) error {
	p, s := beam.NewPipelineWithRoot()
	var streams []beam.PCollection
	for i, list := range lists {
		s := s.Scope(fmt.Sprintf("files %d", i))
		// With separate streams, each worker begins at once. After the reshuffle, files can move to
		// idle workers.
		streams = append(streams, beam.Reshuffle(s, beam.ParDo(s, &listFn{list}, beam.Impulse(s))))
	}
	write(s, folder, work(s, streams)...)
	stop := showProgress(cfg.Progress)
	defer stop()
	_, err := beam.Run(ctx, cmp.Or(cfg.Runner, local.Name), p)
	return err
}

// showProgress reports progress until stop is called.
func showProgress(progress func(files, bytes int64)) (stop func()) {
	if progress == nil {
		return func() {}
	}
	done.files.Store(0)
	done.bytes.Store(0)
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				progress(done.files.Load(), done.bytes.Load())
			}
		}
	}()
	return func() { close(end); <-ended }
}

// writeLists writes the list of each stream, and returns the names of the lists.
func writeLists(ctx context.Context, folder string, streams [][]manifest.File) (names []string, err error) {
	system, err := manifest.FileSystem(ctx, folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	defer system.Close()
	for i, files := range streams {
		name := fmt.Sprintf("%s/list-%d", folder, i)
		w, err := system.OpenWrite(ctx, name)
		if err != nil {
			return nil, err
		}
		buffer := bufio.NewWriter(w)
		enc := json.NewEncoder(buffer)
		for _, f := range files {
			enc.Encode(f) // Flush returns the error
		}
		if err := cmp.Or(buffer.Flush(), w.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		names = append(names, name)
	}
	return names, nil
}

// listFn reads the list of a stream.
type listFn struct{ List string }

// ProcessElement emits the files of the list, each as JSON.
func (f *listFn) ProcessElement(ctx context.Context, _ []byte, emit func([]byte)) error {
	system, err := manifest.FileSystem(ctx, f.List)
	if err != nil {
		return err
	}
	defer system.Close()
	r, err := system.OpenRead(ctx, f.List)
	if err != nil {
		return err
	}
	defer r.Close()
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		emit(slices.Clone(in.Bytes()))
	}
	return in.Err()
}

// fileOf decodes the file of an element.
func fileOf(element []byte) (f manifest.File, err error) {
	err = json.Unmarshal(element, &f)
	return f, err
}

// remove removes a job's folder, as far as its file system supports that. Remaining files do no
// harm.
func remove(ctx context.Context, folder string) {
	if !manifest.IsURL(folder) {
		os.RemoveAll(filepath.FromSlash(folder))
		return
	}
	system, err := manifest.FileSystem(ctx, folder)
	if err != nil {
		return
	}
	defer system.Close()
	remover, ok := system.(filesystem.Remover)
	for _, glob := range []string{folder + "/*", folder + "/*/*"} {
		names, err := system.List(ctx, glob)
		for _, name := range names {
			if ok && err == nil {
				remover.Remove(ctx, name)
			}
		}
	}
}
