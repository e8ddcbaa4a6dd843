package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"artifice/internal/cli"
	"artifice/trace"
)

// Exit statuses of the program.
const (
	exitOK     = 0
	exitFailed = 1 // the work could not be done, or a check found an error
	exitUsage  = 2 // the command line makes no sense
)

// stdio is what a command reads and prints. Results go to out and nothing else
// does; warnings, errors and progress go to err.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// messages is standard error as commands see it: what is printed is quoted.
type messages struct {
	io.Writer
	to    io.Writer
	quiet bool
}

// Unwrap returns where progress is shown.
func (m *messages) Unwrap() io.Writer {
	if m.quiet {
		return io.Discard
	}
	return m.to
}

// remark prints what is good to know; --quiet leaves it out.
func (std stdio) remark(format string, args ...any) {
	if m, ok := std.err.(*messages); ok && m.quiet {
		return
	}
	fmt.Fprintf(std.err, format, args...)
}

// buffered is standard output as commands see it.
type buffered struct {
	*bufio.Writer
	to io.Writer
}

func (b buffered) Unwrap() io.Writer { return b.to }

// results is standard output, whose errors say that it is.
type results struct{ io.Writer }

// Write implements io.Writer.
func (r results) Write(p []byte) (int, error) {
	n, err := r.Writer.Write(p)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		err = &cli.WriteError{Name: "standard output", Err: err}
	}
	return n, err
}

// usageError is a command line that makes no sense.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errFound ends a command that did its work and found errors in its input: the
// findings are printed, only the exit status is left to set.
var errFound = errors.New("errors found")

// cutError ends a command that was interrupted and printed what it had.
type cutError struct{ partial string } // in what way it is partial

func (e cutError) Error() string { return "interrupted: " + e.partial }

// run is the program: it returns the exit status.
func run(ctx context.Context, args []string, std stdio) (status int) {
	defer func() {
		if p := recover(); p != nil {
			reportBug(std.err, args, p, debug.Stack())
			status = exitFailed
		}
	}()
	std.err = &messages{Writer: cli.NewQuotingWriter(std.err), to: std.err}
	if cli.IsTerminal(std.out) { // elsewhere, formats for programs keep names as they are
		std.out = cli.NewQuotingWriter(std.out)
	}
	out := buffered{bufio.NewWriter(results{std.out}), std.out}
	args = asDmtracedump(args)
	root, begun := newRoot(stdio{std.in, out, std.err}, commandsFor(args))
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !*begun {
		err = usageError{err} // cobra's own: a flag is missing, or two exclude each other
	}
	if flushErr := out.Flush(); flushErr != nil && (err == nil || !*begun) {
		err = flushErr
	}
	return conclude(ctx, std.err, cmd, err)
}

// conclude prints why the program ends, unless it did what it was asked to, and
// returns the exit status.
func conclude(ctx context.Context, w io.Writer, cmd *cobra.Command, err error) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFound):
		return exitFailed
	case errors.As(err, new(usageError)):
		fmt.Fprintf(w, "artifice: %v\nSee '%s --help'.\n", err, cmd.CommandPath())
		return exitUsage
	case errors.As(err, new(cutError)):
		fmt.Fprintf(w, "artifice: %v\n", err)
		return interrupted(ctx)
	case ctx.Err() != nil:
		fmt.Fprintln(w, "artifice: interrupted")
		return interrupted(ctx)
	}
	fmt.Fprintf(w, "artifice: %s\n", inWords(err))
	var damage *trace.FormatError
	if salvage := cmd.Flags().Lookup("salvage"); errors.As(err, &damage) && errors.Is(err, io.ErrUnexpectedEOF) && damage.Offset > 0 && (salvage == nil || !salvage.Changed) {
		fmt.Fprintln(w, "artifice convert --salvage keeps what comes before the damage.")
	}
	return exitFailed
}

// reportBug prints that the program failed, and what a report of it should have.
// Arguments that are no flags can be private; their number is enough.
func reportBug(w io.Writer, args []string, cause any, stack []byte) {
	shape := make([]string, len(args))
	for i, arg := range args {
		name, _, hasValue := strings.Cut(arg, "=")
		switch {
		case i == 0, arg == "-":
			shape[i] = arg
		case !strings.HasPrefix(arg, "-"):
			shape[i] = "ARG"
		case hasValue:
			shape[i] = name + "=ARG"
		default:
			shape[i] = arg
		}
	}
	fmt.Fprintf(w, `artifice: this is a bug in artifice: %v
Please report it to whoever gave you the program, with the text below and, if
you may share it, the file it was reading. No output was written.

version %s, %s on %s/%s
artifice %s

%s`, cause, version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(shape, " "), stack)
}

// newRoot returns the program's command, and where it will say that the command
// line was accepted and a subcommand has begun its work.
func newRoot(std stdio, commands []command) (root *cobra.Command, begun *bool) {
	begun = new(bool)
	root = &cobra.Command{
		Use:   "artifice",
		Short: "What would Android's method tracers have recorded, and how wrong is it?",
		Long:  `artifice tells how wrong a method trace of an Android app is, and what it costs.`,
		Example: `  artifice report app.trace                where the time goes, and how sure that is
  artifice view app.trace                  the same in a browser
  artifice bench every-call.trace          which interval, or every call?`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			*begun = true
			if len(args) > 0 {
				return usagef("unknown command %q%s", args[0], didYouMean(args[0], commandNames(cmd)))
			}
			return cmd.Help()
		},
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetVersionTemplate("artifice {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolP("quiet", "q", false, "print only results, warnings and errors")
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		if m, ok := std.err.(*messages); ok {
			m.quiet, _ = cmd.Flags().GetBool("quiet")
		}
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	setHelp(root)
	for _, c := range commands {
		root.AddCommand(subcommand(c.add(std), begun))
	}
	return root, begun
}

// setHelp lets the program's own help be its overview, and wraps that of commands.
func setHelp(root *cobra.Command) {
	helpOf := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd == root {
			fmt.Fprint(cmd.OutOrStdout(), overview(root))
			return
		}
		cmd.Long = cli.WrapParagraphs(cmd.Long, textWidth(cmd.OutOrStdout()))
		helpOf(cmd, args)
	})
}

// subcommand adds to a command what all have: limits, groups of flags, completion, and that
// it says when it has begun.
func subcommand(cmd *cobra.Command, begun *bool) *cobra.Command {
	if name := cmd.Name(); name != "list" && name != "fixtures" {
		addLimits(cmd)
	}
	if memoryAdvice[cmd.Name()] != "" {
		addMemory(cmd)
	}
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		*begun = true
		return work(cmd, args)
	}
	cmd.PreRunE = checkGiven
	cmd.Flags().SortFlags = false
	completeValues(cmd)
	groupFlags(cmd, flagGroups[cmd.Name()])
	return cmd
}

// overview is the help of the program as a whole: it fits a screen of 24 lines.
func overview(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\nCommands:\n", root.Long, root.Example)
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			fmt.Fprintf(&b, "  %-11s %s\n", cmd.Name(), cmd.Short)
		}
	}
	b.WriteString("See 'artifice COMMAND --help' for flags and examples.\n")
	return b.String()
}

// command is a subcommand.
type command struct {
	name string
	add  func(stdio) *cobra.Command
}

// commands are the subcommands, each in its own file.
var commands = []command{
	{"record", newRecord}, {"bench", newBench}, {"score", newScore}, {"report", newReport}, {"diff", newDiff}, {"plan", newPlan},
	{"view", newView}, {"convert", newConvert}, {"info", newInfo}, {"dump", newDump}, {"check", newCheck},
	{"calibrate", newCalibrate}, {"fixtures", newFixtures}, {"lab", newLab}, {"list", newList}, {dmtracedumpName, newDmtracedump},
}

// commandsFor returns the subcommands that arguments need: one that they begin with, none
// for the version alone, else all. To make a command takes as long as a short one runs.
func commandsFor(args []string) []command {
	if len(args) == 1 && args[0] == "--version" {
		return nil
	}
	if len(args) > 0 {
		if i := slices.IndexFunc(commands, func(c command) bool { return c.name == args[0] }); i >= 0 {
			return commands[i : i+1]
		}
	}
	return commands
}

// flagGroups are the groups of flags in the help of the commands that have many.
var flagGroups = map[string][]flagGroup{
	"record": recordGroups, "bench": benchGroups, "convert": convertGroups, "info": readGroups, "report": reportGroups, "diff": diffGroups, "plan": planGroups, "view": viewGroups, "dump": readGroups, dmtracedumpName: dmtracedumpGroups,
}

func version() string { return cli.Version() }
