package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"artifice/cmd/artifice/command"
	"artifice/fixtures"
	"artifice/internal/cli"
	"artifice/internal/dmformat"
)

// fixturesFlags are the flags of fixtures.
type fixturesFlags struct {
	seed uint64
	size cli.Size
	load []string
}

// fixturesCommand is the subcommand fixtures.
var fixturesCommand = command.Command{Name: "fixtures", Add: newFixtures}

func newFixtures(std command.Stdio) *cobra.Command {
	var f fixturesFlags
	cmd := &cobra.Command{
		Use:   "fixtures DIR",
		Short: "Write valid and broken traces for testing readers",
		Long: `Write test files into a new folder DIR. manifest.json lists for each file its content, its
variant and clock, the numbers of threads, methods, enters, exits, unwinds and frames open at
the end, its defects, the findings of artifice check, and the behavior of existing readers.

  valid/   correct files: every variant, clock and mode, recursion, exceptions, many threads,
           deep stacks, long names
  odd/     properties of real files that break some readers
  broken/  every structural error once; most are a small file with the edits of the manifest
  load/    large files, with --size

  $ artifice fixtures corpus
  corpus: 151 valid, 51 odd and 66 broken files; expected values: manifest.json

Read the manifest in your reader's tests. DIR appears when it is complete.`,
		Example: `  artifice fixtures corpus
  artifice fixtures other --seed 7                           different times, same counts
  artifice fixtures big --size 1GiB                          plus one large classic file
  artifice fixtures both --size 100MiB --load art,art-stream`,
		Args: command.Needs(1, 1, "DIR", ""),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, std, args[0]) },
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", command.DefaultSeed, "random seed; the same seed gives the same bytes")
	flags.Var(&f.size, "size", "add a file of this `SIZE`, at least 1MiB, for load tests")
	flags.StringSliceVar(&f.load, "load", nil, "`VARIANTS` of the load files, one file each: "+strings.Join(dmformat.Names(), ", ")+"; default: art")
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
		Seed: f.seed, Size: int64(f.size), Load: f.load, Progress: bar.Updates(),
	})
	if err != nil {
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
		folder, _, _ := strings.Cut(e.File, "/")
		n[folder]++
	}
	text := fmt.Sprintf("%d valid, %d odd and %d broken files", n["valid"], n["odd"], n["broken"])
	if n["load"] > 0 {
		text += fmt.Sprintf(", %d for load tests", n["load"])
	}
	return text
}
