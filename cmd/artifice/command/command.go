// Package command is what the program's commands share: a command as the program knows it, its streams, errors that set
// the exit status and say what to do, flags that several have, the help of flags in groups, and the limits and the memory
// that flags allow. What commands read and write is in packages source and output, what can be named in catalog.
package command

import "github.com/spf13/cobra"

// Command is a subcommand of the program.
type Command struct {
	Name   string                     // as it is called
	Add    func(Stdio) *cobra.Command // makes it
	Groups []FlagGroup                // of its flags in its help; nil: they are one
}
