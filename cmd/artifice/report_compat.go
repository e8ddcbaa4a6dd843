package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/cmd/artifice/command"

	"artifice/internal/dmtracedump"
	"artifice/trace"
)

// compatFlags are the flags that apply to reports with --compat.
var compatFlags = []string{"compat", "to", "quiet", "limit", "input-format", "counter-hz", "mapping"}

// checkCompat refuses unknown programs, and flags that do not apply to --compat.
func checkCompat(cmd *cobra.Command, program string) error {
	if program != dmtracedumpName {
		return command.Usagef("--compat %q: want %s", program, dmtracedumpName)
	}
	return checkOnly(cmd, compatFlags, "--compat "+program)
}

// checkOnly refuses flags that do not apply to a form of report; way is how the user asked for it.
func checkOnly(cmd *cobra.Command, known []string, way string) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(known, flag.Name) {
			err = command.Usagef("--%s does not apply to %s", flag.Name, way)
		}
	})
	return err
}

// readCompat reads a file for dmtracedump's report.
func readCompat(cmd *cobra.Command, std command.Stdio, dumps *command.ReadFlags, name string) (*dmtracedump.Report, error) {
	dumps.Nesting = false
	src, err := dumps.Open(cmd, std, name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	d := dmtracedump.New(src.Recording)
	_, err = trace.Copy(d, src.Events)
	return d, command.ErrorOf(src.Name, err)
}

// compatible prints a file as dmtracedump does.
func (f *reportFlags) compatible(cmd *cobra.Command, std command.Stdio, name string) error {
	if err := checkCompat(cmd, f.compat); err != nil {
		return err
	}
	d, err := readCompat(cmd, std, &f.dumps, name)
	if err != nil {
		return err
	}
	return d.Print(std.Out)
}

// compatible prints a difference as dmtracedump does.
func (f *DiffFlags) compatible(cmd *cobra.Command, std command.Stdio, old, now []string) error {
	if err := checkCompat(cmd, f.compat); err != nil {
		return err
	}
	if len(old) != 1 || len(now) != 1 {
		return command.Usagef("--compat %s compares two traces: give one before --to and one after it", f.compat)
	}
	var sides [2]*dmtracedump.Report
	for i, name := range []string{old[0], now[0]} {
		var err error
		if sides[i], err = readCompat(cmd, std, &f.dumps, name); err != nil {
			return err
		}
	}
	return sides[1].PrintDiff(std.Out, sides[0])
}
