package command

import (
	"cmp"
	"fmt"
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

// MaxDuration is the maximum length of a truth, and the maximum sampling interval.
const MaxDuration = 10_000 * time.Hour

// span is the range of a flag's numbers in the flag's own notation. An empty bound means no bound.
// If zero is set, 0 is also allowed, and zero describes its meaning.
type span struct{ least, most, zero string }

// spans are the ranges of the flags with numbers, by "command flag" or by "flag" for all commands
// that have it.
var spans = map[string]span{
	"bench intervals":       {"1us", "10000h", ""},
	"bench ladder":          {"1us", "10000h", "none"},
	"budget":                {"0.000001%", "1000000%", ""},
	"buffer":                {"1KiB", "1TiB", "the default"},
	"buffer-kb":             {"1", "1073741824", "no limit"},
	"calibrate interval":    {"1us", "10000h", "a guess"},
	"change":                {"0.000001%", "1000000%", ""},
	"convert interval":      {"1ns", "10000h", "an estimate"},
	"cores":                 {"1", "1024", "all"},
	"counter-hz":            {"1", "1000000000000", "the default"},
	"cut":                   {"0", "100", ""},
	"duration":              {"1ns", "10000h", "the default"},
	"dmtracedump threshold": {"", "", ""}, // as in the original program
	"events":                {"2", "1000000000", ""},
	"fail-above":            {"0.000001%", "1000000%", ""},
	"from":                  {"0s", "", ""},
	"to":                    {"0s", "", "the end"},
	"last":                  {"1ns", "", "all"},
	"late-frames":           {"1ns", "10000h", ""},
	"length":                {"1ns", "10000h", ""},
	"level":                 {"0.000001%", "99.9999%", ""},
	"memory":                {"64MiB", "", ""},
	"most":                  {"0", "", ""},
	"offset":                {"-10000h", "10000h", ""},
	"phase":                 {"0s", "10000h", ""},
	"plan intervals":        {"1us", "10000h", ""},
	"port":                  {"0", "65535", ""},
	"record interval":       {"1us", "10000h", ""},
	"record threshold":      {"1ns", "10000h", ""},
	"ring":                  {"1", "1073741824", ""},
	"sample":                {"1us", "10000h", ""},
	"sampled":               {"10us", "1m", "none"},
	"sampling":              {"1", "36000000000000", ""},
	"seed":                  {"", "", ""}, // any number
	"seeds":                 {"1", "1048576", ""},
	"size":                  {"1MiB", "1TiB", "none"},
	"top":                   {"0", "", ""},
}

// spanOf returns the range of a flag; ok is false for flags without a range.
func spanOf(cmd *cobra.Command, f *pflag.Flag) (s span, ok bool) {
	if s, ok = spans[cmd.Name()+" "+f.Name]; !ok {
		s, ok = spans[f.Name]
	}
	return s, ok
}

// String returns the range in words, or "" if there is none.
func (s span) String() string {
	text := ""
	switch {
	case s.least == "":
		return ""
	case s.most == "":
		text = "at least " + s.least
	default:
		text = fmt.Sprintf("from %s to %s", s.least, s.most)
	}
	if s.zero != "" {
		text += ", or 0 for " + s.zero
	}
	return text
}

// has reports whether the range contains the number that text represents for a flag of this type.
func (s span) has(kind, text string) bool {
	v, ok := numberOf(kind, text)
	if !ok {
		return false
	}
	if v == 0 && s.zero != "" {
		return true
	}
	least, most := math.Inf(-1), math.Inf(1)
	if s.least != "" {
		least, _ = numberOf(kind, s.least)
	}
	if s.most != "" {
		most, _ = numberOf(kind, s.most)
	}
	return least <= v && v <= most
}

// shortValue formats a value as on a command line.
func shortValue(v pflag.Value) string {
	if d, err := time.ParseDuration(v.String()); err == nil && d > 0 && v.Type() == "duration" {
		return words.Setting(d)
	}
	return v.String()
}

// oneNumber are the types of flags with a single number as the value.
var oneNumber = []string{"int", "int64", "uint64", "us", "duration", "float64", "percent", "size"}

// numberOf parses a number in the notation of a flag of this type.
func numberOf(kind, text string) (v float64, ok bool) {
	switch kind {
	case "duration":
		d, err := time.ParseDuration(text)
		return float64(d), err == nil
	case "percent":
		share, err := words.ParsePercent(cmp.Or(text, "0%"))
		return share, err == nil
	case "size":
		var size cli.Size
		err := size.Set(strings.Replace(text, "1TiB", "1024GiB", 1))
		return float64(size), err == nil
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsNaN(v)
}

// checkValues returns an error for flags with a number outside its range, an empty name, or an
// empty element in a list of names. Lists of intervals and limits are checked when they are parsed.
func checkValues(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && emptyValue(f.Value) {
			err = Usagef("--%s %s: empty value", f.Name, words.Shell(f.Value.String()))
		}
		s, ok := spanOf(cmd, f)
		if kind := f.Value.Type(); ok && err == nil && slices.Contains(oneNumber, kind) && !s.has(kind, f.Value.String()) {
			err = Usagef("--%s %s: must be %s", f.Name, shortValue(f.Value), s)
		}
	})
	return err
}

// emptyValue reports whether a flag with a list of names has an empty name.
func emptyValue(v pflag.Value) bool {
	if list, ok := v.(pflag.SliceValue); ok && v.Type() == "stringSlice" {
		return len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
	}
	return v.Type() == "string" && v.String() == ""
}
