package command

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/internal/words"
)

// Needs returns a check of the number of arguments. what is the name of the arguments in messages;
// most is -1 for no maximum; instead is a hint for too many arguments.
func Needs(least, most int, what, instead string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		number := "one " + what
		if least != 1 || most != 1 {
			number = fmt.Sprintf("at least %d %s", least, what)
			if least == 1 {
				number = "at least one " + what
			}
		}
		switch got := len(args); {
		case got == 0:
			return Usagef("%s needs %s, got none", cmd.Name(), number)
		case got < least:
			return Usagef("%s needs %s, got %d", cmd.Name(), number, got)
		case most >= 0 && got > most:
			return Usagef("%s takes %s, got %d: %s%s", cmd.Name(), number, got, strings.Join(args, ", "), instead)
		}
		return nil
	}
}

// OneInput returns the check for a command with one input.
func OneInput(what string) cobra.PositionalArgs {
	return Needs(1, 1, what, "; to read several stack dumps as one recording, pass their folder")
}

// excluding are pairs of flags that exclude each other.
var excluding = [][2]string{{"json", "csv"}, {"wide", "json"}, {"interval", "sampling"}, {"workload", "device"}, {"clock", "waiting"}}

// CheckGiven rejects values out of range, flags that exclude each other, and a missing required
// output.
func CheckGiven(cmd *cobra.Command, _ []string) error {
	flags := cmd.Flags()
	if err := checkValues(cmd); err != nil {
		return err
	}
	for _, pair := range excluding {
		if flags.Changed(pair[0]) && flags.Changed(pair[1]) {
			return Usagef("--%s and --%s cannot be used together", pair[0], pair[1])
		}
	}
	if out := flags.Lookup("output"); out != nil && out.Annotations[cobra.BashCompOneRequiredFlag] != nil && !out.Changed {
		return Usagef("%s needs an output: -o FILE, or -o - with --format for standard output", cmd.Name())
	}
	return nil
}

// FlagError returns the error of an invalid flag, in words.
func FlagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if !errors.As(err, &value) {
		return Usagef("%w%s", err, likeFlag(cmd, err))
	}
	name, text := "--"+value.GetFlag().Name, words.Shorten(value.GetValue())
	allowed := ""
	if s, _ := spanOf(cmd, value.GetFlag()); s.String() != "" {
		allowed = " (" + s.String() + ")"
	}
	switch kind := value.GetFlag().Value.Type(); kind {
	case "duration", "durations":
		return Usagef("%s %s: %s%s", name, text, durationError(text, value.Unwrap()), allowed)
	case "int", "int64", "uint64":
		return Usagef("%s %s: must be a whole number%s", name, text, allowed)
	case "float64":
		return Usagef("%s %s: must be a number%s", name, text, allowed)
	case "us":
		return Usagef("%s %s: must be a whole number of microseconds%s", name, text, allowed)
	}
	return Usagef("%s: %w%s", name, value.Unwrap(), allowed)
}

// durationError describes an invalid duration.
func durationError(text string, cause error) string {
	if n, err := strconv.ParseFloat(text, 64); err == nil && n != 0 && !math.IsNaN(n) && !math.IsInf(n, 0) {
		return fmt.Sprintf("missing unit: did you mean %sms?", text)
	}
	if _, err := time.ParseDuration(text); err != nil && !strings.ContainsAny(text, ",.") {
		return "not a duration; write 500us, 5ms or 2s"
	}
	return cause.Error()
}

// likeFlag suggests a flag of cmd that is similar to an unknown one.
func likeFlag(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return ""
	}
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, "--"+f.Name) })
	return DidYouMean("--"+unknown.GetSpecifiedName(), all)
}
