package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/bench"
	draw "artifice/bench/report"
	"artifice/cmd/artifice/command"
	"artifice/internal/cli"
	"artifice/internal/words"
)

// reportModes are the ways of tracing that a report compares unless the user
// chooses: those of the table, and a control that is drawn beside them. The advice is the
// same.
var reportModes = []bench.Mode{bench.ARTSampling, bench.PoissonSampling, bench.InstrumentedDual}

// checkOutput refuses an output that no report can be written to.
func checkOutput(name string) error {
	if name == "" || command.IsFolder(name) || strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm") {
		return nil
	}
	return command.Usagef("-o %s: must be a page (report.html) or a folder for plots (plots/)", name)
}

// reportOutput is the page, or the folder of plots, that bench writes.
type reportOutput struct {
	std    command.Stdio
	name   string
	page   *cli.File
	folder *cli.Folder
}

// openReport starts the output called name; it can be empty for none.
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

// abort drops what was not written completely.
func (o *reportOutput) abort() {
	o.page.Abort()
	o.folder.Abort()
}

// unwritten states that a partial result is not written, so that it replaces no complete one; "" if there is no output.
func (o *reportOutput) unwritten() string {
	if o.name == "" {
		return ""
	}
	return fmt.Sprintf("; %s is not written, and what was there before is kept", cli.Quote(o.name))
}

// write writes the report and says where.
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

// repeat is the command that makes a report again: without what the result does
// not depend on, so that the same result is the same page.
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
