package main

import (
	"errors"
	"fmt"
	"path"

	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/fixtures"
	"artifice/internal/cli"
	"artifice/internal/dmformat"
	"artifice/internal/words"
)

// fixturesFlags are the flags of fixtures.
type fixturesFlags struct {
	seed uint64
	size cli.Size
	load []string

	only, damage, version string
	events                uint64
}

// fixturesCommand is the subcommand fixtures.
var fixturesCommand = command.Command{Name: "fixtures", Add: newFixtures}

func newFixtures(std command.Stdio) *cobra.Command {
	var f fixturesFlags
	cmd := &cobra.Command{
		Use:   "fixtures DIR",
		Short: "Write valid and broken traces for testing readers",
		Long: `Write test files into a new folder DIR. For each file, manifest.json states the content (threads,
methods, events, times), the damage, the findings of artifice check, and the behavior of readers.

  valid/   correct files: every variant, clock and mode, recursion, exceptions, many threads,
           deep stacks, long names; other formats
  odd/     properties of real files that break some readers
  broken/  every kind of damage in every version and format
  load/    large files, with --size

  $ artifice fixtures corpus
  corpus: 167 valid, 50 odd and 215 broken files; expected values: manifest.json

Compare the results of your reader with manifest.json.`,
		Example: `  artifice fixtures corpus
  artifice fixtures other --seed 7                           different times, same counts
  artifice fixtures big --size 1GiB                          also adds one .trace of 1 GiB
  artifice fixtures both --size 100MiB --load art,art-stream
  artifice fixtures some --only 'broken/v2-*'
  artifice fixtures cut --damage cut-record --version dalvik2
  artifice fixtures one --events 1000 --version art-v2-17    exactly 1,000 events`,
		Args: command.Needs(1, 1, "DIR", ""),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, std, args[0]) },
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", command.DefaultSeed, "random seed; the same seed gives the same bytes")
	flags.Var(&f.size, "size", "add a file of this `SIZE`, at least 1MiB, for load tests")
	flags.StringSliceVar(&f.load, "load", nil, "write the files of --size in these `VARIANTS` (artifice list formats); default: art")
	flags.StringVar(&f.only, "only", "", "write only files with a path or name that matches `PATTERN`")
	flags.StringVar(&f.damage, "damage", "", "write only files with this `KIND` of damage, such as cut-record")
	flags.StringVar(&f.version, "version", "", "write only files of this `VERSION` or format, such as art-v2-17 or chrome")
	flags.Uint64Var(&f.events, "events", 0, "write a single file with this even `NUMBER` of events, in the format of --version (default art)")
	return cmd
}

func (f *fixturesFlags) run(cmd *cobra.Command, std command.Stdio, dir string) error {
	if len(f.load) > 0 && f.size == 0 {
		return command.Usagef("--load needs --size, the size of each load file")
	}
	for _, name := range f.load {
		if _, err := dmformat.ByName(name); err != nil {
			return command.AsUsage(err)
		}
	}
	bar := cli.NewBar(std.Err, "fixtures")
	defer bar.Hide()
	m, err := fixtures.Write(cmd.Context(), dir, fixtures.Config{
		Seed: f.seed, Size: int64(f.size), Load: f.load, Only: f.only, Damage: f.damage, Variant: f.version,
		Events: int64(f.events), Progress: bar.Updates(),
	})
	var selection *fixtures.SelectionError
	if errors.As(err, &selection) {
		return command.AsUsage(err)
	} else if err != nil {
		return err
	}
	bar.Hide()
	std.Remark("%s: %s; expected values: %s\n", dir, countFiles(m), fixtures.ManifestName)
	return nil
}

// countFiles returns the numbers of files of a corpus by folder.
func countFiles(m *fixtures.Manifest) string {
	n := map[string]int{}
	for _, e := range m.Fixtures {
		n[path.Dir(e.File)]++
	}
	for _, e := range m.Formats {
		n[path.Dir(e.File)]++
	}
	var parts []string
	for _, folder := range []string{"valid", "odd", "broken", "load"} {
		if n[folder] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[folder], folder))
		}
	}
	if len(m.Fixtures)+len(m.Formats) == 1 {
		return parts[0] + " file"
	}
	return words.And(parts) + " files"
}
