package main

import (
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/bench"
	draw "artifice/bench/report"
	"artifice/input"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/trace"
)

// reportModes are the ways of tracing that a report compares unless the user
// chooses: those of the table, and a control that is drawn beside them. The advice is the
// same.
var reportModes = []bench.Mode{bench.ARTSampling, bench.PoissonSampling, bench.InstrumentedDual}

// checkOutput refuses an output that no report can be written to.
func checkOutput(name string) error {
	if name == "" || isFolder(name) || strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm") {
		return nil
	}
	return usagef("-o %s: must be a page (report.html) or a folder for plots (plots/)", name)
}

// reportOutput is the page, or the folder of plots, that bench writes.
type reportOutput struct {
	std    stdio
	name   string
	page   *cli.File
	folder *cli.Folder
}

// openReport starts the output called name; it can be empty for none.
func openReport(std stdio, name string) (o *reportOutput, err error) {
	o = &reportOutput{std: std, name: name}
	switch {
	case name == "":
	case isFolder(name):
		o.folder, err = cli.CreateFolder(name)
	default:
		o.page, err = createFile(std, name)
	}
	return o, err
}

// abort drops what was not written completely.
func (o *reportOutput) abort() {
	o.page.Abort()
	o.folder.Abort()
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
		o.std.remark("wrote %s\n", o.name)
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
		o.std.remark("wrote %s to %s\n", words.Count(len(figures), "plot"), o.name)
	}
	return nil
}

// repeat is the command that makes a report again: without what the result does
// not depend on, so that the same result is the same page.
func repeat(cmd *cobra.Command, source string) string {
	list := []string{cmd.CommandPath(), shellWord(source)}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		value := flag.Value.String()
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		switch flag.Name {
		case "output", "cores", "quiet", "wide", "csv", "json":
		default:
			list = append(list, "--"+flag.Name+"="+shellWord(value))
		}
	})
	return strings.Join(append(list, "-o report.html"), " ")
}

// shellWord quotes a word for a shell where it needs that.
func shellWord(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./,:=+@%", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// dateOf says when a trace was recorded, where it tells: Dalvik's start times count
// from 1970, ART's from when the phone was switched on. Of other files it says when
// they were last changed.
func dateOf(name string, info *trace.Info) string {
	const layout = "2006-01-02 15:04 UTC"
	if info.VM == "dalvik" && info.Start > 0 {
		return "was recorded on " + time.Unix(0, int64(info.Start)).UTC().Format(layout)
	}
	if file, err := os.Stat(name); err == nil && file.Mode().IsRegular() && !input.IsWorkload(name) {
		return "was last changed on " + file.ModTime().UTC().Format(layout)
	}
	return ""
}
