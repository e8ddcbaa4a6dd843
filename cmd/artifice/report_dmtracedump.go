package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"artifice/internal/cli"
	"artifice/report/compat"
	"artifice/trace"
)

// dmtracedumpName is the command with the options of the program of that name.
const dmtracedumpName = "dmtracedump"

// isDmtracedump tells whether a program that is called by this name is to be dmtracedump.
func isDmtracedump(program string) bool {
	return strings.TrimSuffix(filepath.Base(program), ".exe") == dmtracedumpName
}

// asDmtracedump returns arguments for the command dmtracedump where report --compat asks
// for it, and others as they are.
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

// dmtracedumpFlags are the options of dmtracedump.
type dmtracedumpFlags struct {
	html, events, keep   bool
	sortable, graph, old string
	threshold            int
	dumps                dumpFlags
}

// dmtracedumpGroups are the groups of its flags.
var dmtracedumpGroups = append([]flagGroup{{title: "Flags"}, {"Options of dmtracedump", nil, []string{"html", "sortable", "events", "graph", "keep-dot", "threshold", "diff"}}}, readGroups[2:]...)

// newDmtracedump returns the command with the options of dmtracedump, of which -h and -o mean
// other things than elsewhere: so it is not listed among the others.
func newDmtracedump(std stdio) *cobra.Command {
	var f dmtracedumpFlags
	cmd := &cobra.Command{
		Use:    dmtracedumpName + " FILE",
		Hidden: true,
		Short:  "Print the report of Android's dmtracedump",
		Long: `Print the report of Android's dmtracedump (11.0.0), byte for byte, with its
options: as "artifice dmtracedump", "artifice report --compat dmtracedump", or by a
link to artifice that is named dmtracedump.

The page of -h has the text and the links of the original, and a head of its own:
classes unfold without a script. In differences, what became shorter has a minus
sign. A graph shows names such as <init>, which the original draws as empty
nodes. A file that cannot be read is an error with -o, too.`,
		Example: `  artifice report --compat dmtracedump app.trace
  artifice dmtracedump -h app.trace > app.html
  artifice dmtracedump -o app.trace         every event
  artifice dmtracedump -g calls.png -t 10 app.trace
  artifice dmtracedump -d old.trace new.trace
  ln -s "$(command -v artifice)" dmtracedump; ./dmtracedump app.trace`,
		Args: oneInput("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, std, args[0]) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.html, "html", "h", false, "write a page instead of text")
	flags.StringVarP(&f.sortable, "sortable", "s", "", "`URL`, with the slash at its end, at which the page finds the script sortable.js; default: none is named")
	flags.BoolVarP(&f.events, "events", "o", false, "print every event instead of a report")
	flags.StringVarP(&f.graph, "graph", "g", "", "draw the call graph as a PNG into this `FILE`, too, whatever its extension (needs Graphviz)")
	flags.BoolVarP(&f.keep, "keep-dot", "k", false, "keep the graph in Graphviz's language as FILE.dot")
	flags.IntVarP(&f.threshold, "threshold", "t", compat.DmtracedumpThreshold, "draw what has this share of its caller's time, in `PERCENT` from 0 to 99; 20 for others")
	flags.StringVarP(&f.old, "diff", "d", "", "print the difference to this `OLD` trace")
	flags.Bool("help", false, "help for dmtracedump")
	f.dumps.add(cmd)
	for _, name := range dumpFlagNames { // the original reads no stack dumps
		flags.Lookup(name).Hidden = true
	}
	return cmd
}

func (f *dmtracedumpFlags) run(cmd *cobra.Command, std stdio, name string) error {
	f.dumps.nesting = false
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
	d, err := f.read(cmd, std, name)
	if err != nil {
		return err
	}
	if f.html {
		err = d.PrintHTML(std.out, f.sortable)
	} else {
		err = d.Print(std.out)
	}
	if err != nil || f.graph == "" {
		return err
	}
	return f.draw(cmd, std, d)
}

// read adds a file up.
func (f *dmtracedumpFlags) read(cmd *cobra.Command, std stdio, name string) (*compat.Dmtracedump, error) {
	src, err := f.dumps.open(cmd, std, name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	d := compat.NewDmtracedump(src.Recording)
	_, err = trace.Copy(d, src.Events)
	return d, of(src.name, err)
}

func (f *dmtracedumpFlags) printEvents(cmd *cobra.Command, std stdio, name string) error {
	src, err := f.dumps.open(cmd, std, name)
	if err != nil {
		return err
	}
	defer src.Close()
	w := compat.NewDmtracedumpEvents(std.out, src.Recording)
	_, err = trace.Copy(w, src.Events)
	return errors.Join(of(src.name, err), w.Close()) // what was read before an error is printed all the same
}

func (f *dmtracedumpFlags) printDiff(cmd *cobra.Command, std stdio, name string) error {
	now, err := f.read(cmd, std, name)
	if err != nil {
		return err
	}
	old, err := f.read(cmd, std, f.old)
	if err != nil {
		return err
	}
	if f.html {
		return now.PrintDiffHTML(std.out, old, f.old, name, f.sortable)
	}
	return now.PrintDiff(std.out, old)
}

// draw writes the graph as a picture, and its text where it is to be kept.
func (f *dmtracedumpFlags) draw(cmd *cobra.Command, std stdio, d *compat.Dmtracedump) error {
	var text bytes.Buffer
	if err := d.WriteGraph(&text, f.threshold); err != nil {
		return err
	}
	if f.keep {
		err := saveFile(std, f.graph+".dot", func(file *cli.File) error {
			_, err := file.Write(text.Bytes())
			return err
		})
		if err != nil {
			return err
		}
	}
	return saveFile(std, f.graph, func(file *cli.File) error {
		return render(cmd.Context(), file, "png", &text)
	})
}
