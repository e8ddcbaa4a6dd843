package reading

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/cmd/artifice/command"

	"artifice/report"
	"artifice/trace"
)

// compatFlags are the flags that a report in another program's form goes with.
var compatFlags = []string{"compat", "to", "quiet", "limit", "input-format", "counter-hz", "mapping"}

// checkCompat refuses unknown programs, and flags that their reports do not have.
func checkCompat(cmd *cobra.Command, program string, known []string) error {
	if !slices.Contains(known, program) {
		return command.Usagef("--compat %q: want %s", program, strings.Join(known, " or "))
	}
	return checkOnly(cmd, compatFlags, "--compat "+program)
}

// checkOnly refuses flags other than those that a way of reporting, as it was asked for, goes with.
func checkOnly(cmd *cobra.Command, known []string, way string) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(known, flag.Name) {
			err = command.Usagef("--%s does not apply to %s", flag.Name, way)
		}
	})
	return err
}

// readCompat adds a file up as another program does.
func readCompat(cmd *cobra.Command, std command.Stdio, dumps *command.ReadFlags, program, name string) (report.Report, error) {
	dumps.Nesting = false
	src, err := dumps.Open(cmd, std, name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	c, err := report.CompatNew(program, src.Recording)
	if err != nil {
		return nil, err
	}
	_, err = trace.Copy(c, src.Events)
	return c, command.ErrorOf(src.Name, err)
}

// compatible prints a file as another program does.
func (f *reportFlags) compatible(cmd *cobra.Command, std command.Stdio, name string) error {
	if err := checkCompat(cmd, f.compat, report.Programs()); err != nil {
		return err
	}
	c, err := readCompat(cmd, std, &f.dumps, f.compat, name)
	if err != nil {
		return err
	}
	return c.Print(std.Out)
}

// compatible prints a difference as dmtracedump does.
func (f *DiffFlags) compatible(cmd *cobra.Command, std command.Stdio, old, now []string) error {
	const program = "dmtracedump"
	if err := checkCompat(cmd, f.compat, []string{program}); err != nil {
		return err
	}
	if len(old) != 1 || len(now) != 1 {
		return command.Usagef("--compat %s compares two traces: give one before --to and one after it", program)
	}
	var sides [2]*report.Dmtracedump
	for i, name := range []string{old[0], now[0]} {
		c, err := readCompat(cmd, std, &f.dumps, program, name)
		if err != nil {
			return err
		}
		sides[i] = c.(*report.Dmtracedump)
	}
	return sides[1].PrintDiff(std.Out, sides[0])
}
