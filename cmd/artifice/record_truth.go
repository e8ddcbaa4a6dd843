package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"artifice/trace"
)

// recordTruth writes the source as it is: what happened, with exact times.
func recordTruth(_ *cobra.Command, std stdio, f *recordFlags, src *source) error {
	out, err := f.out.create(std, src.Recording)
	if err != nil {
		return err
	}
	defer out.file.Abort()
	n, err := trace.Copy(out, src.Events)
	if err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	fmt.Fprintf(std.err, "wrote %s, %s\n", plural(n, "event"), src.Info.Elapsed)
	return nil
}
