package command

import (
	"context"

	"github.com/spf13/cobra"

	"artifice/trace"
)

// LimitsFlag is --limit, which every command has that reads traces.
type LimitsFlag struct{ trace.Limits }

// Type implements pflag.Value.
func (LimitsFlag) Type() string { return "NAME=N" }

// limitsKey is what a command's context has its limits under: they hold for every
// input that it opens.
type limitsKey struct{}

// AddLimits gives cmd the flag, and the context of its work the limits.
func AddLimits(cmd *cobra.Command) {
	var l LimitsFlag
	cmd.Flags().Var(&l, "limit", "allow N open frames (depth=N), methods, unlisted methods or unpacked bytes per packed one (ratio=N) in an input, or N samples made of sums (samples=N) in an output; repeatable")
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		cmd.SetContext(context.WithValue(cmd.Context(), limitsKey{}, l.Limits))
		return work(cmd, args)
	}
}

// LimitsOf returns the limits of the command whose context ctx is.
func LimitsOf(ctx context.Context) trace.Limits {
	l, _ := ctx.Value(limitsKey{}).(trace.Limits)
	return l
}
