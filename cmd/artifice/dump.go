package main

import (
	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/format/text"
	"artifice/trace"
)

// dumpCommand is artifice dump.
var dumpCommand = command.Command{Name: "dump", Add: newDump, Groups: command.ReadGroups()}

func newDump(std command.Stdio) *cobra.Command {
	var dumps command.ReadFlags
	cmd := &cobra.Command{
		Use:   "dump FILE",
		Short: "Print every event of a trace as text",
		Long: `Print a trace in the text format: the tables of threads and methods, then one event per line
with wall time (ns), CPU time (ns), tid, action and method. All commands read the text format.
For stack dumps (a file or a folder), dump prints the trace that Android's sampler would have
written.

  $ artifice dump testdata/tiny.txt
  ...
  method	0x8	app.Main	work	(I)I	Main.java	9
  1000000 900000 1 enter app.Main.main()V
  ...`,
		Example: `  artifice dump app.trace | less
  artifice dump app.trace | grep ' enter .*Activity.onCreate'
  artifice dump app.trace > app.txt; artifice convert app.txt -o again.trace`,
		Args: command.OneInput("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := dumps.Open(cmd, std, args[0])
			if err != nil {
				return err
			}
			defer src.Close()
			w := text.NewWriter(std.Out, src.Recording)
			_, err = trace.Copy(w, src.Events)
			// The events before an error are printed, too.
			if closeErr := w.Close(); err == nil {
				err = closeErr
			}
			return err
		},
	}
	dumps.Add(cmd)
	return cmd
}
