package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/internal/cli"
)

// FlagGroup is a group of flags in the help of a command.
type FlagGroup struct {
	Title string   // what they are for
	Users []string // values of the flag that chooses what is done, such as --mode; nil: all
	Flags []string // their names
}

// RefuseFlags returns an error when a flag is set that does not apply to the
// given value of the flag that chooses.
func RefuseFlags(cmd *cobra.Command, groups []FlagGroup, chooser, value string) error {
	for _, g := range groups {
		if g.Users == nil || slices.Contains(g.Users, value) {
			continue
		}
		for _, name := range g.Flags {
			if cmd.Flags().Changed(name) {
				return Usagef("--%s does not apply to --%s %s", name, chooser, value)
			}
		}
	}
	return nil
}

// helpWidth returns how wide the help of flags is: 80 columns, or what the
// terminal has.
func helpWidth(w io.Writer) int {
	if width := cli.TerminalWidth(w); width > 0 {
		return max(40, min(100, width))
	}
	return 80
}

// GroupFlags makes cmd's help print its flags in groups; without groups they are
// one.
func GroupFlags(cmd *cobra.Command, groups []FlagGroup) {
	if groups == nil {
		groups = []FlagGroup{{Title: "Flags"}}
	}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		w := cmd.OutOrStderr()
		_, err := fmt.Fprintf(w, "Usage:\n  %s\n\nExamples:\n%s\n", cmd.UseLine(), cmd.Example)
		for i, g := range groups {
			title := g.Title
			if len(g.Users) == 1 {
				title += ", for mode " + g.Users[0]
			} else if g.Users != nil {
				title += ", for modes " + strings.Join(g.Users, ", ")
			}
			if err == nil {
				_, err = fmt.Fprintf(w, "\n%s:\n%s", title, FlagsOf(cmd, groups, i).FlagUsagesWrapped(helpWidth(w)))
			}
		}
		return err
	})
}

// TextWidth returns how wide text is wrapped: 80 columns, or less on a terminal
// that has less.
func TextWidth(w io.Writer) int {
	if width := cli.TerminalWidth(w); width > 0 {
		return min(80, width)
	}
	return 80
}

// FlagsOf returns the flags of the group with index i; the first has those of no
// group, too, such as --help.
func FlagsOf(cmd *cobra.Command, groups []FlagGroup, i int) *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	for _, name := range groups[i].Flags {
		set.AddFlag(cmd.Flags().Lookup(name))
	}
	if i == 0 {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !slices.ContainsFunc(groups, func(g FlagGroup) bool { return slices.Contains(g.Flags, f.Name) }) {
				set.AddFlag(f)
			}
		})
	}
	return set
}
