package main

import (
	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/internal/cli"
	"artifice/internal/pageprogram"
	"artifice/view"
)

// labCommand is artifice lab.
var labCommand = command.Command{Name: "lab", Add: newLab}

func newLab(std command.Stdio) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "lab -o lab.html",
		Short: "Write a page that runs artifice in the browser",
		Long: `Write a page that contains artifice as WebAssembly. The page opens from disk, without a server or
a network; files that you drop on the page stay on the machine. On the page, you can change the
interval of an emulated sampler, see which calls the sampler misses, and run view, report, bench
and plan.

  $ artifice lab -o lab.html
  $ grep -o '<title>.*</title>' lab.html
  <title>artifice: laboratory</title>

Releases of artifice contain lab.html. Without a release, lab compiles the page with the go
command, which takes about a minute: run lab in a clone of the repository.`,
		Example: `  artifice lab -o lab.html`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return command.Usagef("lab needs -o: the page to write, such as -o lab.html")
			}
			file, err := command.Create(std, out)
			if err != nil {
				return err
			}
			defer file.Abort()
			p, err := pageprogram.Get(cmd.Context(), pageprogram.Lab)
			if err != nil {
				return err
			}
			page := view.Laboratory{Version: cli.Version(), Program: p.Packed, Support: p.Support}
			if err := page.WriteHTML(file); err != nil {
				return file.Fail(err)
			}
			return file.Commit()
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the page to the file `OUT`; - is standard output")
	return cmd
}
