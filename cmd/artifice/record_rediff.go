package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"artifice/sampler"
)

// recordRediff writes what the stacks of a sampled trace, compared again, give:
// the same file.
func recordRediff(_ *cobra.Command, std stdio, f *recordFlags, src *source) error {
	out, err := f.out.create(std, src.Recording)
	if err != nil {
		return err
	}
	defer out.file.Abort()
	if err := sampler.Rediff(out, src.Recording); err != nil {
		return fmt.Errorf("%s: %w", src.name, err)
	}
	return out.Commit()
}
