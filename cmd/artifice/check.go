package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"artifice/trace"
)

func newCheck(std stdio) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Validate traces",
		Long: `Hold every event of each trace against the rules of a method trace. Exit status 1
when a file cannot be read whole or breaks a rule. Exits without an entry and
frames that are open at the end are notes: nearly every real trace has them.`,
		Example: `  artifice check app.trace
  artifice check *.trace && echo all good`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			failed := false
			for _, name := range args {
				ok, err := checkFile(cmd, std, name)
				if err != nil {
					return err
				}
				failed = failed || !ok
			}
			if failed {
				return errFound
			}
			return nil
		},
	}
	return cmd
}

// maxBreaches bounds what is printed of one rule.
const maxBreaches = 10

// checkFile prints the findings of one file and reports whether it is valid.
func checkFile(cmd *cobra.Command, std stdio, name string) (ok bool, err error) {
	src, err := openSource(cmd.Context(), std, name, sourceFlags{})
	if err != nil {
		fmt.Fprintf(std.out, "%s: error: %v\n", name, err)
		return false, nil
	}
	defer src.Close()
	ok = true
	seen := map[trace.Rule]int64{}
	checker := trace.NewChecker(&src.Info, src.Symbols, func(v *trace.Violation) {
		level := "error"
		if v.Rule.Normal() {
			level = "note"
		} else {
			ok = false
		}
		if seen[v.Rule]++; seen[v.Rule] <= maxBreaches {
			fmt.Fprintf(std.out, "%s: %s: %v\n", name, level, v)
		}
	})
	n, err := trace.Copy(checker, src.Events)
	if err != nil {
		fmt.Fprintf(std.out, "%s: error: %v\n", name, err)
		return false, cmd.Context().Err()
	}
	checker.Close()
	for _, rule := range []trace.Rule{trace.KnownThread, trace.KnownMethod, trace.KnownAction, trace.WallForward,
		trace.CPUForward, trace.ExitMatches, trace.EnterPresent, trace.ExitPresent} {
		if more := seen[rule] - maxBreaches; more > 0 {
			fmt.Fprintf(std.out, "%s: %d more of %s\n", name, more, rule)
		}
	}
	if ok {
		fmt.Fprintf(std.out, "%s: valid, %s\n", name, plural(n, "event"))
	}
	return ok, nil
}
