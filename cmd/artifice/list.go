package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/internal/cli"
	"artifice/tracer/device"
	"artifice/workload"
)

// modeEntry is a tracer with its options, or a group of several.
type modeEntry struct {
	command.Entry
	Baseline     bool              `json:"baseline,omitempty"`     // emulation only
	Discontinued string            `json:"discontinued,omitempty"` // why it can no longer record
	Costs        map[string]string `json:"costs,omitempty"`        // origin of its costs, by device
}

// origin returns the origin of the costs on the default device, or why m cannot record.
func (m *modeEntry) origin() string {
	switch {
	case m.Baseline:
		return "baseline"
	case m.Discontinued != "":
		return "discontinued"
	}
	return m.Costs[command.DefaultDevice]
}

// catalogue is the JSON output of artifice list.
type catalogue struct {
	Workloads []command.Entry `json:"workloads,omitempty"`
	Devices   []command.Entry `json:"devices,omitempty"`
	Runtimes  []command.Entry `json:"runtimes,omitempty"`
	Formats   []command.Entry `json:"formats,omitempty"`
	Modes     []modeEntry     `json:"modes,omitempty"`
}

// kinds are the arguments of artifice list.
var kinds = []string{"workloads", "devices", "runtimes", "formats", "modes"}

// listCommand is artifice list.
var listCommand = command.Command{Name: "list", Add: newList}

func newList(std command.Stdio) *cobra.Command {
	var form cli.Form
	var name, device string
	cmd := &cobra.Command{
		Use:   "list [KIND...]",
		Short: "List workloads, devices, runtimes, formats and tracers",
		Long: `List built-in workloads, devices, runtimes, formats and modes (tracers). With arguments KIND, list
only these kinds.

  $ artifice list runtimes | tail -2
    art16      ART of Android 16
    art17      ART of 2026

The column "cost" states the source of a tracer's overhead on the built-in device A: measured,
published by the tracer's makers, or assumed. A baseline is no real tracer: it exists in
emulation only, for comparison. The list contains discontinued tools because artifice reads their
traces. bench recommends neither baselines nor discontinued tools. --json prints the costs on all
devices.`,
		Example: `  artifice list
  artifice list devices modes
  artifice list --json
  artifice list --workload w3-on-off > mine.yaml
  artifice list --device A > phone.yaml`,
		ValidArgs: kinds,
		Args:      checkKinds,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case name != "":
				return printWorkload(std, name)
			case device != "":
				return printDevice(std, device)
			case len(args) == 0:
				args = kinds
			}
			c := newCatalogue(args)
			if !form.CSV && !form.JSON {
				_, err := fmt.Fprint(std.Out, c.text(command.TopicWidth(std.Out)))
				return err
			}
			return form.Print(std.Out, c.table())
		},
	}
	cmd.Flags().StringVar(&name, "workload", "", "print this built-in `WORKLOAD` as YAML, to start your own file")
	cmd.Flags().StringVar(&device, "device", "", "print this `DEVICE` as YAML with the sources of its figures, to start your own file")
	form.AddFlags(cmd.Flags())
	return cmd
}

// checkKinds rejects arguments that are no kinds, and kinds with a flag that prints a single file.
func checkKinds(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		if !slices.Contains(kinds, arg) {
			return command.Usagef("unknown kind %q%s; the kinds are %s", arg, command.DidYouMean(arg, kinds), strings.Join(kinds, ", "))
		}
	}
	for _, flag := range []string{"workload", "device"} {
		if len(args) > 0 && cmd.Flags().Changed(flag) {
			return command.Usagef("--%s prints one file: omit %s", flag, strings.Join(args, " "))
		}
	}
	return nil
}

// printWorkload prints the file of a built-in workload.
func printWorkload(std command.Stdio, name string) error {
	p, err := workload.ByName(name)
	if err != nil {
		return command.Usagef("unknown workload %q%s; see artifice list", name, command.DidYouMean(name, command.Names(command.Workloads())))
	}
	_, err = std.Out.Write(p.Source())
	return err
}

// newCatalogue returns the entries of some kinds.
func newCatalogue(of []string) (c catalogue) {
	for _, kind := range of {
		switch kind {
		case "workloads":
			c.Workloads = command.Workloads()
		case "devices":
			c.Devices = command.Devices()
		case "runtimes":
			c.Runtimes = command.Runtimes()
		case "formats":
			c.Formats = listedFormats()
		case "modes":
			c.Modes = listedModes()
		}
	}
	return c
}

// listedFormats returns every format, those of ART by variant.
func listedFormats() (all []command.Entry) {
	for _, f := range format.All() {
		if f != &dmtrace.Format { // its variants are listed
			all = append(all, command.Entry{Name: f.Name, Description: f.About})
		}
	}
	return all
}

// group is a kind with its entries.
type group struct {
	kind, title string
	entries     []command.Entry
}

// groups returns all kinds except the modes.
func (c *catalogue) groups() []group {
	return []group{
		{"workload", "Workloads", c.Workloads}, {"device", "Devices", c.Devices},
		{"runtime", "Runtimes", c.Runtimes}, {"format", "Formats", c.Formats},
	}
}

// table returns c as rows, for CSV and JSON.
func (c *catalogue) table() *cli.Table {
	t := &cli.Table{Columns: []string{"kind", "name", "cost", "description"}, JSON: c}
	for _, g := range c.groups() {
		for _, e := range g.entries {
			t.Add(g.kind, e.Name, "", e.Description)
		}
	}
	for _, m := range c.Modes {
		t.Add("mode", m.Name, m.origin(), m.Description)
	}
	return t
}

// text returns c as text of at most width columns, a section for each kind.
func (c *catalogue) text(width int) string {
	var sections []string
	for _, g := range c.groups() {
		if len(g.entries) > 0 {
			sections = append(sections, g.title+"\n"+command.EntryLines(g.entries, width))
		}
	}
	if len(c.Modes) > 0 {
		rows := [][]string{{"name", "cost on " + command.DefaultDevice, "description"}}
		for _, m := range c.Modes {
			rows = append(rows, []string{m.Name, m.origin(), m.Description})
		}
		sections = append(sections, "Modes (record --mode, bench --modes)\n"+command.TextLines(rows, width))
	}
	return strings.Join(sections, "\n")
}

// printDevice prints the file of a device.
func printDevice(std command.Stdio, name string) error {
	d, err := command.Device(name)
	if err != nil {
		return err
	}
	return d.WriteYAML(std.Out)
}

// listedModes returns the modes of bench and their groups.
func listedModes() (all []modeEntry) {
	for _, m := range bench.Modes() {
		e := modeEntry{Entry: command.Entry{Name: m.Name, Description: m.Description}, Baseline: m.Control, Discontinued: m.Discontinued}
		if !m.Control {
			e.Costs = map[string]string{}
			for _, d := range device.All() {
				e.Costs[d.Name] = m.Costs.Kind(&d).String()
			}
		}
		all = append(all, e)
	}
	for _, g := range bench.Groups() {
		all = append(all, modeEntry{Entry: command.Entry{Name: g.Name, Description: g.Description}})
	}
	return all
}
