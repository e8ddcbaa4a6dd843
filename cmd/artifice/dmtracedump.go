package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/cmd/internal/command"
	"artifice/internal/cli"
	"artifice/internal/dmtracedump"
	"artifice/trace"
)

// dmtracedumpName is the name of the command with the options of the program dmtracedump.
const dmtracedumpName = "dmtracedump"

// dmtracedumpFlags are the options of dmtracedump.
type dmtracedumpFlags struct {
	html, events, keep   bool
	sortable, graph, old string
	threshold            int
	dumps                command.ReadFlags
}

// dmtracedumpGroups are the groups of flags in its help.
var dmtracedumpGroups = append([]command.FlagGroup{
	{Title: "Options of dmtracedump", Flags: []string{"html", "sortable", "events", "graph", "keep-dot", "threshold", "diff"}},
}, command.ReadGroups()...)

// dmtracedumpCommand is artifice dmtracedump.
var dmtracedumpCommand = command.Command{Name: dmtracedumpName, Add: newDmtracedump, Groups: dmtracedumpGroups}

// newDmtracedump returns the command with the options of dmtracedump. Its options -h and -o differ
// from those of other commands, so it is not listed with them.
func newDmtracedump(std command.Stdio) *cobra.Command {
	var f dmtracedumpFlags
	cmd := &cobra.Command{
		Use:    dmtracedumpName + " FILE",
		Hidden: true,
		Short:  "Print the report of Android's dmtracedump",
		Long: `Print the report of Android's dmtracedump (11.0.0) byte for byte. The command has the
options of the original; a link to artifice that is named dmtracedump runs the command, too.

  $ artifice dmtracedump truth.trace | cut -c1-76
  ...
      Usecs  self %  sum %  Method
     747836   75.30  75.30  [2] com.example.reader.data.Catalogue$load$1.call
      48962    4.93  80.23  [14] art.gc.Heap.CollectGarbageInternal ()V	heap.c
      30188    3.04  83.27  [21] android.view.View.draw (Landroid/graphics/Can
  ...

Differences from the original: in the page of -h, classes can be expanded without a script;
graphs show names such as <init>, which the original draws as empty nodes; a file that cannot be
read is an error with -o, too. As in the original, -d prints decreases of a time as unsigned
numbers: 18446744073709551611 is -5.

Other reports, with confidence intervals: artifice report.`,
		Example: `  artifice report --compat dmtracedump app.trace
  artifice dmtracedump -h app.trace > app.html
  artifice dmtracedump -o app.trace         every event
  artifice dmtracedump -g calls.png -t 10 app.trace
  artifice dmtracedump -d old.trace new.trace
  ln -s "$(command -v artifice)" dmtracedump; ./dmtracedump app.trace`,
		Args: command.OneInput("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, std, args[0]) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.html, "html", "h", false, "write a page instead of text")
	flags.StringVarP(&f.sortable, "sortable", "s", "", "base `URL` of the script sortable.js, with a trailing slash; default: the page loads no script")
	flags.BoolVarP(&f.events, "events", "o", false, "print every event instead of a report")
	flags.StringVarP(&f.graph, "graph", "g", "", "draw the call graph as a PNG into this `FILE`, too, whatever its extension (needs Graphviz)")
	flags.BoolVarP(&f.keep, "keep-dot", "k", false, "keep the graph in Graphviz's language as FILE.dot")
	flags.IntVarP(&f.threshold, "threshold", "t", dmtracedump.DefaultThreshold, "draw calls with at least this share of their caller's time, in `PERCENT` from 0 to 99; other values: 20")
	flags.StringVarP(&f.old, "diff", "d", "", "print the difference to this `OLD` trace")
	flags.Bool("help", false, "help for dmtracedump")
	f.dumps.Add(cmd)
	for _, name := range command.DumpFlagNames { // the original reads no stack dumps
		flags.Lookup(name).Hidden = true
	}
	return cmd
}

func (f *dmtracedumpFlags) run(cmd *cobra.Command, std command.Stdio, name string) error {
	f.dumps.Nesting = false
	switch {
	case f.events:
		return f.printEvents(cmd, std, name)
	case f.old != "":
		return f.printDiff(cmd, std, name)
	}
	if f.graph != "" {
		if err := checkGraphviz(f.graph); err != nil {
			return err
		}
	}
	d, err := readCompat(cmd, std, &f.dumps, name)
	if err != nil {
		return err
	}
	if f.html {
		err = d.PrintHTML(std.Out, f.sortable)
	} else {
		err = d.Print(std.Out)
	}
	if err != nil || f.graph == "" {
		return err
	}
	return f.draw(cmd, std, d)
}

func (f *dmtracedumpFlags) printEvents(cmd *cobra.Command, std command.Stdio, name string) error {
	src, err := f.dumps.Open(cmd, std, name)
	if err != nil {
		return err
	}
	defer src.Close()
	w := dmtracedump.NewEventWriter(std.Out, src.Recording)
	_, err = trace.Copy(w, src.Events)
	// the output before the error is printed in any case
	return errors.Join(command.ErrorOf(src.Name, err), w.Close())
}

func (f *dmtracedumpFlags) printDiff(cmd *cobra.Command, std command.Stdio, name string) error {
	now, err := readCompat(cmd, std, &f.dumps, name)
	if err != nil {
		return err
	}
	old, err := readCompat(cmd, std, &f.dumps, f.old)
	if err != nil {
		return err
	}
	if f.html {
		return now.PrintDiffHTML(std.Out, old, f.old, name, f.sortable)
	}
	return now.PrintDiff(std.Out, old)
}

// draw writes the graph as a picture, and its DOT text if -k requests it.
func (f *dmtracedumpFlags) draw(cmd *cobra.Command, std command.Stdio, d *dmtracedump.Report) error {
	var text bytes.Buffer
	if err := d.WriteGraph(&text, f.threshold); err != nil {
		return err
	}
	if f.keep {
		err := command.Save(std, f.graph+".dot", func(file *cli.File) error {
			_, err := file.Write(text.Bytes())
			return err
		})
		if err != nil {
			return err
		}
	}
	return command.Save(std, f.graph, func(file *cli.File) error {
		return render(cmd.Context(), file, "png", &text)
	})
}

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
	dumps.Nesting, dumps.Quantity = false, false
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
func (f *diffFlags) compatible(cmd *cobra.Command, std command.Stdio, old, now []string) error {
	if err := checkCompat(cmd, f.compat); err != nil {
		return err
	}
	if len(old) != 1 || len(now) != 1 {
		return command.Usagef("--compat %s compares two traces: pass one before --to and one after it", f.compat)
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

// isDmtracedump reports whether a program with this name behaves like dmtracedump.
func isDmtracedump(program string) bool {
	return strings.TrimSuffix(filepath.Base(program), ".exe") == dmtracedumpName
}

// asDmtracedump converts the arguments of report --compat to arguments of the command dmtracedump.
// It returns other arguments unchanged.
func asDmtracedump(args []string) []string {
	if len(args) == 0 || args[0] != "report" {
		return args
	}
	if i := slices.Index(args, "--compat="+dmtracedumpName); i >= 0 {
		return slices.Concat([]string{dmtracedumpName}, args[1:i], args[i+1:])
	}
	if i := slices.Index(args, "--compat"); i >= 0 && i+1 < len(args) && args[i+1] == dmtracedumpName {
		return slices.Concat([]string{dmtracedumpName}, args[1:i], args[i+2:])
	}
	return args
}
