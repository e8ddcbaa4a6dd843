package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"artifice/cmd/artifice/command"
	"artifice/internal/cli"
	"artifice/internal/inputs"
	"artifice/trace"
)

// Exit statuses of the program.
const (
	exitOK     = 0
	exitFailed = 1 // the work could not be done, or a check found an error
	exitUsage  = 2 // the command line makes no sense
)

// run is the program: it returns the exit status.
func run(ctx context.Context, args []string, std command.Stdio) (status int) {
	defer func() {
		if p := recover(); p != nil {
			reportBug(std.Err, args, p, debug.Stack())
			status = exitFailed
		}
	}()
	std = std.Dressed()
	args = asDmtracedump(args)
	root, begun := newRoot(std, commandsFor(args))
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !*begun {
		err = command.AsUsage(err) // cobra's own: a flag is missing, or two exclude each other
	}
	if flushErr := std.Flush(); flushErr != nil && (err == nil || !*begun) {
		err = flushErr
	}
	return conclude(ctx, std.Err, cmd, err)
}

// conclude prints why the program ends, unless it did what it was asked to, and
// returns the exit status.
func conclude(ctx context.Context, w io.Writer, cmd *cobra.Command, err error) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, command.ErrFound):
		return exitFailed
	case errors.As(err, new(command.UsageError)), errors.As(err, new(*cli.InputError)):
		fmt.Fprintf(w, "artifice: %v\nSee '%s --help'.\n", err, cmd.CommandPath())
		return exitUsage
	case errors.As(err, new(command.CutError)):
		fmt.Fprintf(w, "artifice: %v\n", err)
		return interrupted(ctx)
	case ctx.Err() != nil:
		fmt.Fprintln(w, "artifice: interrupted")
		return interrupted(ctx)
	}
	fmt.Fprintf(w, "artifice: %s\n", command.InWords(err))
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

%s`, cause, cli.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(shape, " "), stack)
}

// newRoot returns the program's command, and where it will say that the command
// line was accepted and a subcommand has begun its work.
func newRoot(std command.Stdio, commands []command.Command) (root *cobra.Command, begun *bool) {
	begun = new(bool)
	root = &cobra.Command{
		Use:   "artifice",
		Short: "What would Android's method tracers have recorded, and how wrong is it?",
		Long:  `artifice tells how wrong a method trace of an Android app is, and what it costs.`,
		Example: `  artifice report app.trace                where the time goes, and how sure that is
  artifice view app.trace                  the same in a browser
  artifice bench every-call.trace          which interval, or every call?`,
		Version:       cli.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			*begun = true
			if len(args) > 0 {
				return command.Usagef("unknown command %q%s", args[0], command.DidYouMean(args[0], commandNames(cmd)))
			}
			return cmd.Help()
		},
	}
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	root.SetVersionTemplate("artifice {{.Version}}\n")
	root.SetFlagErrorFunc(command.FlagError)
	root.PersistentFlags().BoolP("quiet", "q", false, "print only results, warnings and errors")
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		quiet, _ := cmd.Flags().GetBool("quiet")
		std.BeQuiet(quiet)
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	setHelp(root)
	for _, c := range commands {
		root.AddCommand(subcommand(c, std, begun))
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
		cmd.Long = cli.WrapParagraphs(cmd.Long, command.TextWidth(cmd.OutOrStdout()))
		helpOf(cmd, args)
	})
}

// subcommand adds to a command what all have: limits, groups of flags, completion, and that
// it says when it has begun.
func subcommand(c command.Command, std command.Stdio, begun *bool) *cobra.Command {
	cmd := c.Add(std)
	if name := cmd.Name(); name != "list" && name != "fixtures" {
		command.AddLimits(cmd)
	}
	command.AddMemory(cmd)
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		*begun = true
		inputs.Track(args...)
		return work(cmd, args)
	}
	cmd.PreRunE = command.CheckGiven
	cmd.Flags().SortFlags = false
	command.Complete(cmd)
	command.GroupFlags(cmd, c.Groups)
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

// commands are the subcommands in the order of the help.
var commands = []command.Command{
	recordCommand, benchCommand, scoreCommand, reportCommand, diffCommand, planCommand,
	viewCommand, convertCommand, infoCommand, dumpCommand, checkCommand,
	calibrateCommand, fixturesCommand, labCommand, listCommand, dmtracedumpCommand,
}

// commandsFor returns the subcommands that arguments need: one that they begin with, none
// for the version alone, else all. To make a command takes as long as a short one runs.
func commandsFor(args []string) []command.Command {
	if len(args) == 1 && args[0] == "--version" {
		return nil
	}
	if len(args) > 0 {
		if i := slices.IndexFunc(commands, func(c command.Command) bool { return c.Name == args[0] }); i >= 0 {
			return commands[i : i+1]
		}
	}
	return commands
}

// commandNames returns the names of cmd's subcommands.
func commandNames(cmd *cobra.Command) []string {
	var all []string
	for _, c := range cmd.Commands() {
		all = append(all, c.Name())
	}
	return all
}
