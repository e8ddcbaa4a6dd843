// Artifice-fleet runs artifice on thousands of traces: a common profile, the sampling interval for
// all, the changes between releases, and the broken files. It runs on Apache Beam, in its own
// process or on a cluster.
//
// Usage:
//
//	artifice-fleet COMMAND [flags] LIST...
//
// A LIST is a folder, a glob, a trace, or a manifest of traces with labels (CSV or JSON lines).
// Every command has --help with its flags and examples. The exit status is that of artifice: 0 on
// success; 1 if the command failed, a file could not be read, or a check found an error; 2 for an
// invalid command line; 128 plus the number of the signal after an interruption. With --keep-going
// there is a result for the files that could be read.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/spf13/cobra"

	"artifice/internal/cli"
	"artifice/internal/inputs"
)

func main() {
	beamlog.SetupLogging("error", "text")
	if isWorker(os.Args[1:]) {
		endWithPool()
		flag.Parse()
		beam.Init() // returns when the runner ends the worker
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the program at once
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// isWorker reports whether a runner has started the program as one of its workers.
func isWorker(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		return strings.TrimLeft(arg, "-") == "worker=true" || arg == "--worker" || arg == "-worker"
	})
}

// Exit statuses, as artifice has them.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// interrupted returns the exit status of a program that a signal ended, as shells define it: 128
// plus the number of the signal, which is the cause of a context of [signal.NotifyContext].
func interrupted(ctx context.Context) int {
	if context.Cause(ctx).Error() == syscall.SIGTERM.String()+" signal received" {
		return 128 + int(syscall.SIGTERM)
	}
	return 128 + int(syscall.SIGINT)
}

// stdio are the outputs of a command. Only results go to out.
type stdio struct {
	out, err io.Writer
	quiet    bool
}

// remark prints a remark, unless --quiet is set.
func (std *stdio) remark(format string, args ...any) {
	if !std.quiet {
		fmt.Fprintf(std.err, format, args...)
	}
}

// usageError is an invalid command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errFound ends a command that succeeded and found errors in the files.
var errFound = errors.New("errors found")

// buffered is buffered standard output; [cli.TerminalWidth] unwraps it to find the terminal.
type buffered struct {
	*bufio.Writer
	to io.Writer
}

func (b buffered) Unwrap() io.Writer { return b.to }

// run runs the program and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := buffered{bufio.NewWriter(stdout), stdout}
	std := &stdio{out: out, err: stderr}
	root, begun := newRoot(std)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !*begun {
		err = usageError{err}
	}
	if flushErr := out.Flush(); flushErr != nil && err == nil {
		err = fmt.Errorf("standard output: %w", flushErr)
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFound):
		return exitFailed
	case errors.As(err, new(usageError)), errors.As(err, new(*cli.InputError)):
		fmt.Fprintf(stderr, "artifice-fleet: %s\nSee '%s --help'.\n", cli.QuoteLines(err.Error()), cmd.CommandPath())
		return exitUsage
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "artifice-fleet: interrupted")
		return interrupted(ctx)
	}
	fmt.Fprintf(stderr, "artifice-fleet: %s\n", cli.QuoteLines(err.Error()))
	return exitFailed
}

// newRoot returns the root command. *begun becomes true when a subcommand has started to work.
func newRoot(std *stdio) (root *cobra.Command, begun *bool) {
	begun = new(bool)
	root = &cobra.Command{
		Use:     "artifice-fleet",
		Short:   "Profile, compare and check thousands of method traces",
		Version: cli.Version(),
		Long: `Process thousands of method traces on Apache Beam, in this process or on a cluster.
Files that cannot be read are listed with the reason, and the exit status is 1; there is
a result only if all files were read, or with --keep-going.

A LIST is a folder, a glob, a trace, or a manifest of traces with labels: CSV with the
column path and any others (app, version, device), or JSON lines with these fields.`,
		Example: `  artifice-fleet profile traces/ -o all.pb.gz
  artifice-fleet bench traces.csv --by app -o fleet.html
  artifice-fleet diff traces.csv --by version --from 1.2 --to 1.3
  artifice-fleet check 'traces/*.trace'`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 100"))
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.PersistentFlags().BoolVarP(&std.quiet, "quiet", "q", false, "print only results and errors")
	for _, add := range []func(*stdio) *cobra.Command{newProfile, newBench, newDiff, newCheck, newWorker} {
		cmd := add(std)
		work := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			*begun = true
			inputs.Track(args...)
			return work(cmd, args)
		}
		cmd.Flags().SortFlags = false
		root.AddCommand(cmd)
	}
	return root, begun
}
