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
	Title string
	Users []string // values of the selecting flag, such as --mode, that accept the flags; nil: all
	Flags []string // names
	Rare  bool     // help lists the group only with --advanced
}

// advancedFlag is the flag that makes help list rare groups, too.
const advancedFlag = "advanced"

// RefuseFlags returns an error if a flag is set that does not apply to value, the value of the
// selecting flag.
func RefuseFlags(cmd *cobra.Command, groups []FlagGroup, selecting, value string) error {
	for _, g := range groups {
		if g.Users == nil || slices.Contains(g.Users, value) {
			continue
		}
		for _, name := range g.Flags {
			if cmd.Flags().Changed(name) {
				return Usagef("--%s does not apply to --%s %s", name, selecting, value)
			}
		}
	}
	return nil
}

// HelpWidth returns the width of help on w: 80 columns, or the width of the terminal from 40 to
// 100 columns.
func HelpWidth(w io.Writer) int {
	if width := cli.TerminalWidth(w); width > 0 {
		return max(40, min(100, width))
	}
	return 80
}

// GroupFlags makes the help of cmd print its flags in groups. Without groups, all flags are in one
// group. If some group is rare, cmd gets the flag --advanced.
func GroupFlags(cmd *cobra.Command, groups []FlagGroup) {
	if groups == nil {
		groups = []FlagGroup{{Title: "Flags"}}
	}
	rare := slices.ContainsFunc(groups, func(g FlagGroup) bool { return g.Rare })
	if rare {
		cmd.Flags().Bool(advancedFlag, false, "with --help, list all flags")
	}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		w := cmd.OutOrStderr()
		_, err := fmt.Fprintf(w, "Usage:\n  %s\n\nExamples:\n%s\n", cmd.UseLine(), cmd.Example)
		advanced, _ := cmd.Flags().GetBool(advancedFlag)
		for i, g := range groups {
			if err == nil && (advanced || !g.Rare) {
				_, err = fmt.Fprintf(w, "\n%s:\n%s", g.heading(), FlagsOf(cmd, groups, i).FlagUsagesWrapped(HelpWidth(w)))
			}
		}
		if err == nil && rare && !advanced {
			_, err = fmt.Fprintf(w, "\nFlags of single modes and formats: %s --help --advanced\n", cmd.CommandPath())
		}
		return err
	})
}

// namedUsers is the maximum number of users listed in the heading of a group.
const namedUsers = 5

// heading returns the title of g with its users, if they are few.
func (g *FlagGroup) heading() string {
	switch n := len(g.Users); {
	case n == 1:
		return g.Title + " (mode " + g.Users[0] + ")"
	case n > 1 && n <= namedUsers:
		return g.Title + " (modes " + strings.Join(g.Users, ", ") + ")"
	}
	return g.Title
}

// TextWidth returns the width of wrapped text on w: 80 columns, or less on a narrower terminal.
func TextWidth(w io.Writer) int {
	if width := cli.TerminalWidth(w); width > 0 {
		return min(80, width)
	}
	return 80
}

// FlagsOf returns the flags of groups[i]. The first group also has the flags of no group, such as
// --help.
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
