package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/cobra"

	"artifice/fleet/job"
	"artifice/fleet/manifest"
	"artifice/internal/cli"
	"artifice/internal/inputs"
	"artifice/internal/words"
	"artifice/trace"
)

// fleetFlags are the flags of every command: how the job is run, and where the files
// are listed that were left out.
type fleetFlags struct {
	workers  int
	temp     string
	attempts int
	errors   string   // file that lists the files that cannot be read; empty: none
	out      string   // file or folder of the result; empty: standard output alone
	labels   []string // that some file must have
	memory   cli.Size
	timeout  time.Duration
	goOn     bool // without the files that cannot be read
	limits   limitsFlag

	keep func([]manifest.File) ([]manifest.File, error) // which of the files are read; nil: all
}

// limitsFlag is --limit, as artifice has it.
type limitsFlag struct{ trace.Limits }

// Type implements pflag.Value.
func (limitsFlag) Type() string { return "NAME=N" }

// beamFlags are the flags of Beam that the help shows; its others work, too.
var beamFlags = []string{"runner", "endpoint", "environment_type", "environment_config", "parallelism"}

func (f *fleetFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.goOn, "keep-going", false, "where files cannot be read, print or write what the others come to; the exit status is 1 still")
	flags.StringVar(&f.errors, "errors", "", "list the files that cannot be read, with what is wrong with them, in this `FILE` (CSV)")
	flags.IntVar(&f.workers, "workers", min(runtime.NumCPU(), 8), "files that are read at the same time")
	flags.Var(&f.memory, "memory", "give a file up before it needs more than half of `SIZE` by itself; default half of the machine's memory")
	flags.Lookup("memory").DefValue = ""
	flags.Var(&f.limits, "limit", "let a file have N frames open (depth=N), methods, unlisted methods, or bytes unpacked for a packed one (ratio=N); may be repeated")
	flags.DurationVar(&f.timeout, "timeout", time.Hour, "give a file up that is not read within `TIME`; 0: never")
	flags.StringVar(&f.temp, "temp", "", "`FOLDER` for lists and results that all workers reach, such as gs://bucket/temp; default: one on this machine")
	flags.IntVar(&f.attempts, "attempts", 3, "how often to submit a job that fails, as it does when a worker is lost")
	flag.CommandLine.VisitAll(func(option *flag.Flag) {
		if flags.Lookup(option.Name) == nil {
			flags.AddGoFlag(option)
			flags.Lookup(option.Name).Hidden = !slices.Contains(beamFlags, option.Name)
		}
	})
	flags.Lookup("runner").Usage = "`NAME` of the runner: local, which is in this process and the default, or of Beam's flink, spark, dataflow, or universal for any job server"
	flags.Lookup("endpoint").Usage = "`HOST:PORT` of the runner's job server"
	flags.Lookup("environment_type").Usage = "where workers are: `KIND` loopback (in this process, the default where the job server is on this machine), external (artifice-fleet worker), process or docker"
	flags.Lookup("environment_config").Usage = "of external workers their `HOST:PORT`; see Beam for others"
	flags.Lookup("parallelism").Usage = "`N` tasks at the same time on Flink and Spark"
}

var initBeam = sync.OnceFunc(beam.Init)

// run reads the files that the arguments stand for with work on Beam, and then lets
// results read what came of them.
func (f *fleetFlags) run(ctx context.Context, std *stdio, args []string, work func(job.Worker) job.Work, results func(folder string, o *job.Outcome) error) error {
	if err := f.check(); err != nil {
		return err
	}
	files, err := manifest.List(ctx, args, f.labels)
	if err != nil {
		return err
	}
	if err := f.checkLabels(files); err != nil {
		return err
	}
	if err := f.checkOutputs(files); err != nil {
		return err
	}
	if f.keep != nil {
		if files, err = f.keep(files); err != nil {
			return err
		}
	}
	runner, err := chooseRunner(f.temp)
	if err != nil {
		return err
	}
	initBeam()
	stop, err := startLoopback(ctx)
	if err != nil {
		return err
	}
	defer stop()
	bar := cli.NewBar(std.err, fmt.Sprintf("%d files", len(files)))
	cfg := job.Config{Runner: runner, Workers: f.workers, Folder: f.temp, Attempts: f.attempts, Ready: othersAnswer}
	if bar != nil && !std.quiet {
		cfg.Progress = func(done, _ int64) { bar.Update(done, int64(len(files))) }
	}
	cfg.Again = func(err error, attempt int) {
		bar.Hide()
		fmt.Fprintf(std.err, "artifice-fleet: warning: the job failed and is submitted again (%d of %d): %s\n", attempt+1, f.attempts, firstLine(err))
	}
	begun := time.Now()
	worker := job.Worker{Cores: f.workers, Memory: int64(f.memory), Time: f.timeout, Limits: f.limits.Limits}
	o, err := job.Run(ctx, files, cfg, work(worker), func(folder string, o *job.Outcome) error {
		bar.Hide()
		if err := f.tellUnread(std, o); err != nil {
			return err
		}
		return results(folder, o)
	})
	bar.Hide()
	if err != nil {
		return err
	}
	left := ""
	if len(o.Unread) > 0 {
		left = fmt.Sprintf(" (%d left out)", len(o.Unread))
		err = errFound
	}
	std.remark("%s%s, %s, %s in %s\n", words.Count(o.Files(), "file"), left, words.Count(o.Events, "event"), megabytes(o.Bytes), time.Since(begun).Round(10*time.Millisecond))
	return err
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return cli.Quote(line)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// check refuses flags that make no sense.
func (f *fleetFlags) check() error {
	switch {
	case f.workers < 1:
		return usagef("--workers %d: must be at least 1", f.workers)
	case f.attempts < 1:
		return usagef("--attempts %d: must be at least 1", f.attempts)
	case f.timeout < 0:
		return usagef("--timeout %s: must not be below 0", f.timeout)
	case f.memory != 0 && f.memory < cli.LeastMemory:
		return usagef("--memory %s: want 64MiB or more", &f.memory)
	}
	if f.errors != "" {
		if err := cli.CheckOutput(f.errors); err != nil {
			return err
		}
	}
	return nil
}

// checkOutputs refuses outputs that are files of the list, and two outputs that are the same file.
func (f *fleetFlags) checkOutputs(files []manifest.File) error {
	exists := false
	for _, name := range []string{f.out, f.errors} {
		info, err := os.Stat(name)
		exists = exists || err == nil && !info.IsDir()
	}
	if exists {
		for i := range files {
			inputs.Add(files[i].Path)
		}
	}
	if f.out != "" && f.errors != "" && filepath.Clean(f.out) == filepath.Clean(f.errors) {
		return usagef("-o and --errors are both %s: name two files", f.out)
	}
	for _, name := range []string{f.out, f.errors} {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			if err := cli.CheckOutput(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkLabels refuses a label that no file has.
func (f *fleetFlags) checkLabels(files []manifest.File) error {
	for _, name := range f.labels {
		known := map[string]bool{}
		for i := range files {
			for label := range files[i].Labels {
				known[label] = true
			}
		}
		if !known[name] {
			var names []string
			for label := range known {
				names = append(names, label)
			}
			if slices.Sort(names); len(names) == 0 {
				names = []string{"none: labels come from a manifest"}
			}
			return usagef("no file has the label %s; labels are %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// someBad are listed; others are counted.
const someBad = 10

// tellUnread lists the files that could not be read. It fails where there are some, unless
// the work is to go on without them, and where there are no others.
func (f *fleetFlags) tellUnread(std *stdio, o *job.Outcome) error {
	table := cli.Table{Columns: []string{"file", "error"}}
	for i := range o.Unread {
		u := &o.Unread[i]
		table.Add(u.Path, u.Error)
		if i < someBad {
			fmt.Fprintf(std.err, "artifice-fleet: %s\n", cli.Quote(withName(u.Path, u.Error)))
		}
	}
	if more := len(o.Unread) - someBad; more > 0 {
		hint := ""
		if f.errors == "" {
			hint = "; --errors FILE lists all"
		}
		fmt.Fprintf(std.err, "artifice-fleet: %d more files could not be read%s\n", more, hint)
	}
	if f.errors != "" {
		if err := writeFile(f.errors, std, table.WriteCSV); err != nil {
			return err
		}
	}
	switch {
	case len(o.Unread) == 0:
		return nil
	case len(o.Read) == 0:
		return errors.New("none of the files could be used")
	case !f.goOn:
		return fmt.Errorf("%d of %d files could not be used, and there is no result; --keep-going leaves them out", len(o.Unread), o.Files())
	}
	return nil
}

// withName puts a file's name in front of an error that does not begin with it.
func withName(name, text string) string {
	if strings.Contains(text, name) {
		return text
	}
	return name + ": " + text
}
