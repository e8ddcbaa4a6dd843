// Package command is the common part of artifice's subcommands: the type of a subcommand, its
// streams ([Stdio]), the input that it reads ([Source]) and the output that it writes
// ([OutputFlags]), flags that several have, help in groups of flags, shell completion, names that
// the command line accepts, limits of memory, and errors that set the exit status and state a
// remedy. The subcommands are in package main.
package command

import "github.com/spf13/cobra"

// Command is a subcommand of the program.
type Command struct {
	Name   string                     // as it is called
	Add    func(Stdio) *cobra.Command // makes it
	Groups []FlagGroup                // of its flags in its help; nil: they are one
}
