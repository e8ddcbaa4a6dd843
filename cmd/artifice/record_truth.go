package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// recordTruth writes the source as it is: what happened, with exact times.
func recordTruth(_ *cobra.Command, std stdio, f *recordFlags, src *source) error {
	n, err := f.out.write(std, src.Recording)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.err, "wrote %s, %s\n", plural(n, "event"), src.Info.Elapsed)
	return nil
}
