package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/internal/cli"
	"artifice/internal/words"
)

// flagGroup is a group of flags in the help of a command.
type flagGroup struct {
	title string
	users []string // values of the flag that chooses what is done, such as --mode; nil: all
	flags []string
}

// refuseFlags returns an error when a flag is set that does not apply to the
// given value of the flag that chooses.
func refuseFlags(cmd *cobra.Command, groups []flagGroup, chooser, value string) error {
	for _, g := range groups {
		if g.users == nil || slices.Contains(g.users, value) {
			continue
		}
		for _, name := range g.flags {
			if cmd.Flags().Changed(name) {
				return usagef("--%s does not apply to --%s %s", name, chooser, value)
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

// groupFlags makes cmd's help print its flags in groups; without groups they are
// one.
func groupFlags(cmd *cobra.Command, groups []flagGroup) {
	if groups == nil {
		groups = []flagGroup{{title: "Flags"}}
	}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		w := cmd.OutOrStderr()
		_, err := fmt.Fprintf(w, "Usage:\n  %s\n\nExamples:\n%s\n", cmd.UseLine(), cmd.Example)
		for i, g := range groups {
			title := g.title
			if len(g.users) == 1 {
				title += ", for mode " + g.users[0]
			} else if g.users != nil {
				title += ", for modes " + strings.Join(g.users, ", ")
			}
			if err == nil {
				_, err = fmt.Fprintf(w, "\n%s:\n%s", title, flagsOf(cmd, groups, i).FlagUsagesWrapped(helpWidth(w)))
			}
		}
		return err
	})
}

// textWidth returns how wide text is wrapped: 80 columns, or less on a terminal
// that has less.
func textWidth(w io.Writer) int {
	if width := cli.TerminalWidth(w); width > 0 {
		return min(80, width)
	}
	return 80
}

// flagsOf returns the flags of the group with index i; the first has those of no
// group, too, such as --help.
func flagsOf(cmd *cobra.Command, groups []flagGroup, i int) *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	for _, name := range groups[i].flags {
		set.AddFlag(cmd.Flags().Lookup(name))
	}
	if i == 0 {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !slices.ContainsFunc(groups, func(g flagGroup) bool { return slices.Contains(g.flags, f.Name) }) {
				set.AddFlag(f)
			}
		})
	}
	return set
}

// microsValue is a flag with an interval in whole microseconds, as Android's
// "am profile start --sampling" takes it. It sets a duration.
type microsValue struct{ d *time.Duration }

func (m microsValue) String() string {
	if m.d == nil {
		return ""
	}
	return strconv.FormatInt(m.d.Microseconds(), 10)
}

func (m microsValue) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/1000 {
		return fmt.Errorf("%q is not an interval in microseconds; write 1000 for 1ms", text)
	}
	*m.d = time.Duration(n) * time.Microsecond
	return nil
}

func (m microsValue) Type() string { return "us" }

// intervalsValue is a flag with sampling intervals: 1ms,2ms or 0.1ms..20ms.
type intervalsValue []time.Duration

// maxIntervals bounds a list.
const maxIntervals = 1000

func (v *intervalsValue) String() string {
	if len(*v) == 0 {
		return "100us..20ms"
	}
	var words []string
	for _, d := range *v {
		words = append(words, short(d))
	}
	return strings.Join(words, ",")
}

func (v *intervalsValue) Set(text string) error {
	*v = nil
	for _, word := range strings.Split(text, ",") {
		from, to, isRange := strings.Cut(word, "..")
		low, err := parseInterval(from)
		if err != nil {
			return err
		}
		if !isRange {
			*v = append(*v, low)
			continue
		}
		high, err := parseInterval(to)
		if err != nil {
			return err
		}
		if high < low {
			return fmt.Errorf("the range %q ends before it begins", word)
		}
		*v = append(*v, steps(low, high)...)
	}
	if len(*v) > maxIntervals {
		return fmt.Errorf("%d intervals: at most %d are allowed", len(*v), maxIntervals)
	}
	return nil
}

func (v *intervalsValue) Type() string { return "durations" }

func parseInterval(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not an interval; write 500us, 1ms, or 0.1ms..20ms", text)
	}
	return d, nil
}

// steps returns low, high, and what lies between of 1, 2, 5, 10, 20, … ns.
func steps(low, high time.Duration) []time.Duration {
	list := []time.Duration{low}
	for decade := time.Duration(1); decade <= high && decade < math.MaxInt64/10; decade *= 10 {
		for _, n := range []time.Duration{1, 2, 5} {
			if d := n * decade; low < d && d < high {
				list = append(list, d)
			}
		}
	}
	if high > low {
		list = append(list, high)
	}
	return list
}

// number prints a float as short as it can be read back; empty for none.
func number(v float64) string { return words.Number(v) }

// listFlags are the flags that choose a table's form.
type listFlags struct{ cli.Form }

func (f *listFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.JSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&f.CSV, "csv", false, "print CSV")
}

// didYouMean returns " (did you mean …?)" with the known word that is nearest to
// an unknown one, or nothing when none is near. Cobra suggests subcommands only,
// so the known words are made subcommands of a command that is never run.
func didYouMean(word string, known []string) string {
	var words cobra.Command
	for _, k := range known {
		words.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	for distance := 1; len(word) > 0 && distance <= max(1, (len(word)+1)/3); distance++ {
		words.SuggestionsMinimumDistance = distance
		if near := words.SuggestionsFor(word); len(near) > 0 {
			return fmt.Sprintf(" (did you mean %q?)", near[0])
		}
	}
	return ""
}

// names returns the names of entries of artifice list.
func names(list []entry) []string {
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = e.Name
	}
	return all
}

// commandNames returns the names of cmd's subcommands.
func commandNames(cmd *cobra.Command) []string {
	var all []string
	for _, c := range cmd.Commands() {
		all = append(all, c.Name())
	}
	return all
}

// likeFlag returns the flag of cmd that is meant by one that err does not know.
func likeFlag(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return ""
	}
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, "--"+f.Name) })
	return didYouMean("--"+unknown.GetSpecifiedName(), all)
}
