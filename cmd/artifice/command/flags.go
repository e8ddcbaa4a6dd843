package command

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

// Micros returns the flag of an interval in whole microseconds, as Android's
// "am profile start --sampling" takes it, which sets d.
func Micros(d *time.Duration) pflag.Value { return microsValue{d} }

type microsValue struct{ d *time.Duration }

// String implements pflag.Value.
func (m microsValue) String() string {
	if m.d == nil {
		return ""
	}
	return strconv.FormatInt(m.d.Microseconds(), 10)
}

// Set implements pflag.Value.
func (m microsValue) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/1000 {
		return fmt.Errorf("%q is not an interval in microseconds; write 1000 for 1ms", text)
	}
	*m.d = time.Duration(n) * time.Microsecond
	return nil
}

// Type implements pflag.Value.
func (m microsValue) Type() string { return "us" }

// Intervals is a flag with sampling intervals: 1ms,2ms or 0.1ms..20ms.
type Intervals []time.Duration

// maxIntervals bounds a list.
const maxIntervals = 1000

// String implements pflag.Value.
func (v *Intervals) String() string {
	if len(*v) == 0 {
		return "100us..20ms"
	}
	var words []string
	for _, d := range *v {
		words = append(words, Short(d))
	}
	return strings.Join(words, ",")
}

// Set implements pflag.Value.
func (v *Intervals) Set(text string) error {
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

// Type implements pflag.Value.
func (v *Intervals) Type() string { return "durations" }

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

// likeFlag returns the flag of cmd that is meant by one that err does not know.
func likeFlag(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return ""
	}
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, "--"+f.Name) })
	return DidYouMean("--"+unknown.GetSpecifiedName(), all)
}

// Short is a duration without what is 0: 1ms, 500us.
func Short(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	if d < time.Millisecond && d%time.Microsecond == 0 {
		return fmt.Sprintf("%dus", d.Microseconds())
	}
	return d.String()
}

// Percent is a flag with a share in percent, 5%.
type Percent float64

// String implements pflag.Value.
func (p *Percent) String() string {
	if *p == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(*p), 'g', 6, 64) + "%"
}

// Set implements pflag.Value.
func (p *Percent) Set(text string) error {
	share, err := words.ParsePercent(text)
	if err == nil && share <= 0 {
		err = fmt.Errorf("%q is not above 0%%", text)
	}
	*p = Percent(share)
	return err
}

// Type implements pflag.Value.
func (p *Percent) Type() string { return "percent" }
