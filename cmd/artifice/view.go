package main

import (
	"github.com/spf13/cobra"

	"artifice/calltree"
	"artifice/view"
)

// viewFlags are the flags of view.
type viewFlags struct {
	out   string
	until string
	dumps dumpFlags
}

// viewGroups are the groups of view's flags.
var viewGroups = append([]flagGroup{{title: "Flags"}}, readGroups[1:]...)

func newView(std stdio) *cobra.Command {
	f := viewFlags{dumps: dumpFlags{nesting: true}}
	cmd := &cobra.Command{
		Use:   "view FILE",
		Short: "Look at a recording in a browser",
		Long: `Make a page of a recording that needs no network: a time line of every thread,
and tables and flame graphs of any part of it.`,
		Example: `  artifice view app.trace -o app.html`,
		Args:    oneInput("FILE"),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, std, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "write the page to the file `OUT`; - is standard output")
	flags.StringVar(&f.until, "until", "last", "frames open at the end run `UNTIL` their thread's last event (last) or the stop of the trace (stop)")
	cmd.MarkFlagRequired("output")
	f.dumps.add(cmd)
	return cmd
}

func (f *viewFlags) run(cmd *cobra.Command, std stdio, name string) error {
	until, err := calltree.ParseEndPolicy(f.until)
	if err != nil {
		return usagef("--until: %v", err)
	}
	src, err := f.dumps.open(cmd, std, name)
	if err != nil {
		return err
	}
	defer src.Close()
	rec, err := view.Read(src.Recording, name, view.Options{Until: until})
	if err != nil {
		return err
	}
	page := view.Page{Title: name, Version: "artifice " + version(), Recordings: []*view.Recording{rec}}
	file, err := createFile(std, f.out)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := page.WriteHTML(file); err != nil {
		return err
	}
	return file.Commit()
}
