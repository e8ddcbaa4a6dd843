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

	"artifice/cmd/internal/command"
	"artifice/internal/cli"
	"artifice/internal/inputs"
	"artifice/trace"
)

// Exit statuses of the program.
const (
	exitOK     = 0
	exitFailed = 1 // a command failed, or a check found an error
	exitUsage  = 2 // invalid command line; of expect, any error
	exitTooFew = 3 // of expect: too few samples for a verdict
)

// run runs the program and returns the exit status.
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
		// error of cobra: a flag is missing, or two flags exclude each other
		err = command.AsUsage(err)
	}
	if flushErr := std.Flush(); flushErr != nil && (err == nil || !*begun) {
		err = flushErr
	}
	return conclude(ctx, std.Err, cmd, err)
}

// conclude prints why the program failed, if it did, and returns the exit status.
func conclude(ctx context.Context, w io.Writer, cmd *cobra.Command, err error) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, command.ErrFound):
		return exitFailed
	case errors.Is(err, errTooFew):
		return exitTooFew
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
		fmt.Fprintln(w, "artifice convert --salvage keeps everything before the damage.")
	}
	if errors.As(err, new(notTested)) {
		return exitUsage
	}
	return exitFailed
}

// reportBug prints a bug report. It omits arguments other than flags, because they can be private.
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
Please report it to the distributor of the program, with the text below and, if
you may share it, the input file. No output was written.

version %s, %s on %s/%s
artifice %s

%s`, cause, cli.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(shape, " "), stack)
}

// newRoot returns the root command. *begun becomes true when the command line was accepted and a
// subcommand has started to work.
func newRoot(std command.Stdio, commands []command.Command) (root *cobra.Command, begun *bool) {
	begun = new(bool)
	root = &cobra.Command{
		Use:           "artifice",
		Short:         "Measure the accuracy of method traces of Android apps, and the slowdown that recording causes",
		Long:          "artifice measures the accuracy of method traces of Android apps, and the slowdown that recording causes.",
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
	for _, topic := range command.Topics {
		root.AddCommand(&cobra.Command{Use: topic.Name, Short: topic.About})
	}
	rejectUnknownTopics(root)
	return root, begun
}

// rejectUnknownTopics makes help fail if its arguments name no command and no topic.
func rejectUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil || help == root {
		return
	}
	help.Args = func(_ *cobra.Command, args []string) error {
		if named, _, _ := root.Find(args); len(args) > 0 && named == root {
			return command.Usagef("unknown command or topic %q%s", args[0], command.DidYouMean(args[0], commandNames(root)))
		}
		return nil
	}
}

// setHelp replaces the help of the root command by an overview, prints topics as they are, and
// wraps the help of commands.
func setHelp(root *cobra.Command) {
	helpOf := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		w := cmd.OutOrStdout()
		if cmd == root {
			fmt.Fprint(w, overview(root))
		} else if text := command.TopicText(cmd.Name()); text != nil && cmd.Parent() == root {
			fmt.Fprint(w, text(command.TopicWidth(w)))
		} else {
			cmd.Long = cli.WrapParagraphs(cmd.Long, command.HelpWidth(w))
			helpOf(cmd, args)
		}
	})
}

// subcommand adds the common parts of subcommands: limits, groups of flags, completion, and
// setting *begun.
func subcommand(c command.Command, std command.Stdio, begun *bool) *cobra.Command {
	cmd := c.Add(std)
	if !readsNothing[c.Name] {
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

// readsNothing are the commands that read no traces.
var readsNothing = map[string]bool{"list": true, "fixtures": true, "lab": true}

// sections are the groups of commands in the overview.
var sections = []struct {
	title    string
	commands []string
}{
	{"Look at recordings", []string{"report", "view", "diff", "info", "convert", "dump"}},
	{"Choose how to record", []string{"bench", "plan", "calibrate"}},
	{"Make and test", []string{"record", "fixtures", "check", "score", "expect"}},
	{"More", []string{"lab", "list", "help"}}, // completion is described in the help of help
}

// overview returns the help of the program as a whole. It fits a screen of 24 lines.
func overview(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", root.Long)
	for _, s := range sections {
		fmt.Fprintf(&b, "%s\n", s.title)
		for _, name := range s.commands {
			short := overviewShort[name]
			if i := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == name }); short == "" && i >= 0 {
				short = root.Commands()[i].Short
			}
			fmt.Fprintf(&b, "  %-11s %s\n", name, short)
		}
	}
	return b.String()
}

// overviewShort are the descriptions of cobra's own commands.
var overviewShort = map[string]string{
	"help": "Explain a command, or a topic: " + strings.Join(command.TopicNames(), ", "),
}

// commands are the subcommands.
var commands = []command.Command{
	reportCommand, viewCommand, diffCommand, infoCommand, convertCommand, dumpCommand,
	benchCommand, planCommand, calibrateCommand,
	recordCommand, fixturesCommand, checkCommand, scoreCommand, expectCommand,
	labCommand, listCommand, dmtracedumpCommand,
}

// commandsFor returns the subcommands that are needed for args: the one named by the first
// argument, none for --version alone, otherwise all. Constructing a command takes as long as
// running a short one.
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
