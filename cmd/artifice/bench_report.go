package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/bench"
	draw "artifice/bench/report"
	"artifice/cmd/internal/command"
	"artifice/internal/cli"
	"artifice/internal/words"
)

// reportModes lists the default modes of a report: those of the table, and a baseline. The advice
// is the same.
var reportModes = []bench.Mode{bench.ARTSampling, bench.PoissonSampling, bench.InstrumentedDual}

// checkOutput returns an error if no report can be written to the output.
func checkOutput(name string) error {
	if name == "" || command.IsFolder(name) || strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm") {
		return nil
	}
	return command.Usagef("-o %s: must be a page (report.html) or a folder for plots (plots/)", name)
}

// reportOutput is the page or folder of plots that bench writes.
type reportOutput struct {
	std    command.Stdio
	name   string
	page   *cli.File
	folder *cli.Folder
}

// openReport creates the output; an empty name means none.
func openReport(std command.Stdio, name string) (o *reportOutput, err error) {
	o = &reportOutput{std: std, name: name}
	switch {
	case name == "":
	case command.IsFolder(name):
		o.folder, err = cli.CreateFolder(name)
	default:
		o.page, err = command.Create(std, name)
	}
	return o, err
}

// abort discards an incomplete output.
func (o *reportOutput) abort() {
	o.page.Abort()
	o.folder.Abort()
}

// unwritten states that a partial result does not replace an existing output; "" without an output.
func (o *reportOutput) unwritten() string {
	if o.name == "" {
		return ""
	}
	return fmt.Sprintf("; %s is not written, an existing one is kept", cli.Quote(o.name))
}

// write writes the report and prints its name.
func (o *reportOutput) write(page draw.Page) error {
	switch {
	case o.page != nil:
		if err := draw.WriteHTML(o.page, page); err != nil {
			return err
		}
		if err := o.page.Commit(); err != nil {
			return err
		}
		o.std.Remark("wrote %s\n", o.name)
	case o.folder != nil:
		figures := draw.Figures(page.Result)
		for _, f := range figures {
			if err := o.folder.WriteFile(f.Name+".svg", f.WriteSVG); err != nil {
				return err
			}
		}
		if err := o.folder.Commit(); err != nil {
			return err
		}
		o.std.Remark("wrote %s to %s\n", words.Count(len(figures), "plot"), o.name)
	}
	return nil
}

// repeat returns the command that repeats a report, without flags that do not change the result:
// equal results have equal pages.
func repeat(cmd *cobra.Command, source string) string {
	list := []string{cmd.CommandPath(), words.Shell(source)}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		value := flag.Value.String()
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		switch flag.Name {
		case "output", "cores", "quiet", "wide", "csv", "json":
		default:
			list = append(list, "--"+flag.Name+"="+words.Shell(value))
		}
	})
	return strings.Join(append(list, "-o report.html"), " ")
}
