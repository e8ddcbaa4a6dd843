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

// fleetFlags are the flags of every command: how the job runs, and where unreadable files are
// listed.
type fleetFlags struct {
	workers  int
	temp     string
	attempts int
	errors   string   // file that lists the files that cannot be read; empty: none
	out      string   // file or folder of the result; empty: standard output alone
	labels   []string // each must be a label of at least one file
	memory   cli.Size
	timeout  time.Duration
	goOn     bool // continue without unreadable files
	limits   limitsFlag

	keep func([]manifest.File) ([]manifest.File, error) // selects the files to read; nil: all
}

// limitsFlag is --limit, as artifice has it.
type limitsFlag struct{ trace.Limits }

// Type implements pflag.Value.
func (limitsFlag) Type() string { return "NAME=N" }

// beamFlags are the flags of Beam that the help lists; Beam's other flags work, too.
var beamFlags = []string{"runner", "endpoint", "environment_type", "environment_config", "parallelism"}

func (f *fleetFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.goOn, "keep-going", false, "print or write the result of the readable files if others cannot be read; the exit status is still 1")
	flags.StringVar(&f.errors, "errors", "", "list unreadable files with their errors in this `FILE` (CSV)")
	flags.IntVar(&f.workers, "workers", min(runtime.NumCPU(), 8), "number of files to read at the same time")
	flags.Var(&f.memory, "memory", "skip a file before it alone needs more than half of `SIZE`; default: half of the machine's memory")
	flags.Lookup("memory").DefValue = ""
	flags.Var(&f.limits, "limit", "raise a safety limit of inputs: depth (open frames), methods, unlisted (methods), ratio (unpacked per packed bytes); repeatable")
	flags.DurationVar(&f.timeout, "timeout", time.Hour, "skip a file that is not read within `TIME`; 0: never")
	flags.StringVar(&f.temp, "temp", "", "`FOLDER` for lists and results that all workers reach, such as gs://bucket/temp; default: on this machine")
	flags.IntVar(&f.attempts, "attempts", 3, "number of attempts to run a job; a job fails if a worker is lost")
	flag.CommandLine.VisitAll(func(option *flag.Flag) {
		if flags.Lookup(option.Name) == nil {
			flags.AddGoFlag(option)
			flags.Lookup(option.Name).Hidden = !slices.Contains(beamFlags, option.Name)
		}
	})
	flags.Lookup("runner").Usage = "`NAME` of the runner: local (in this process; default), or of Beam: flink, spark, dataflow, universal (any job server)"
	flags.Lookup("endpoint").Usage = "`HOST:PORT` of the runner's job server"
	flags.Lookup("environment_type").Usage = "`KIND` of workers: loopback (in this process; default if the job server is on this machine), external (artifice-fleet worker), process or docker"
	flags.Lookup("environment_config").Usage = "`HOST:PORT` of external workers; for others see Beam"
	flags.Lookup("parallelism").Usage = "number `N` of parallel tasks on Flink and Spark"
}

var initBeam = sync.OnceFunc(beam.Init)

// run processes the files of the arguments with work on Beam, and then calls results to read the
// outcome.
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
		if err := f.reportUnread(std, o); err != nil {
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

// check rejects invalid flags.
func (f *fleetFlags) check() error {
	switch {
	case f.workers < 1:
		return usagef("--workers %d: must be at least 1", f.workers)
	case f.attempts < 1:
		return usagef("--attempts %d: must be at least 1", f.attempts)
	case f.timeout < 0:
		return usagef("--timeout %s: must not be below 0", f.timeout)
	case f.memory != 0 && f.memory < cli.MinMemory:
		return usagef("--memory %s: want 64MiB or more", &f.memory)
	}
	if f.errors != "" {
		if err := cli.CheckOutput(f.errors); err != nil {
			return err
		}
	}
	return nil
}

// checkOutputs rejects outputs that are files of the list, and two outputs in the same file.
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

// checkLabels rejects a label that no file has.
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

// someBad is the number of unreadable files that are listed; others are counted.
const someBad = 10

// reportUnread lists the files that could not be read. It returns an error if there are any, unless
// --keep-going is set and other files were read.
func (f *fleetFlags) reportUnread(std *stdio, o *job.Outcome) error {
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

// withName prefixes an error with the name of a file, unless it begins with it.
func withName(name, text string) string {
	if strings.Contains(text, name) {
		return text
	}
	return name + ": " + text
}
