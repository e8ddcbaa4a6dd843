// Package command is the common part of artifice's subcommands: the type of a subcommand, its
// streams ([Stdio]), its input ([Source]) and output ([OutputFlags]), common flags, help in groups
// of flags, shell completion, the names accepted on the command line, memory limits, and errors
// that determine the exit status and include advice. The subcommands are in package main.
package command

import "github.com/spf13/cobra"

// Command is a subcommand of the program.
type Command struct {
	Name   string                     // name on the command line
	Add    func(Stdio) *cobra.Command // constructs it
	Groups []FlagGroup                // groups of its flags in its help; nil: a single group
}
