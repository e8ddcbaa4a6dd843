package main

import (
	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/cmd/artifice/command"
	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/internal/cli"
	"artifice/tracer/device"
	"artifice/workload"
)

// modeEntry is a way of tracing, or a group of several.
type modeEntry struct {
	command.Entry
	Control      bool              `json:"control,omitempty"` // emulation-only baseline
	Discontinued string            `json:"gone,omitempty"`    // why it can no longer record
	Costs        map[string]string `json:"costs,omitempty"`   // by device: where its cost comes from
}

// costOrigin states where the cost on the default device comes from, or why people cannot record so.
func (m *modeEntry) costOrigin() string {
	switch {
	case m.Control:
		return "control"
	case m.Discontinued != "":
		return "gone"
	}
	return m.Costs[command.DefaultDevice]
}

// catalogue is what artifice list prints.
type catalogue struct {
	Workloads []command.Entry `json:"workloads"`
	Devices   []command.Entry `json:"devices"`
	Runtimes  []command.Entry `json:"runtimes"`
	Formats   []command.Entry `json:"formats"`
	Modes     []modeEntry     `json:"modes"`
}

// listCommand is artifice list.
var listCommand = command.Command{Name: "list", Add: newList}

func newList(std command.Stdio) *cobra.Command {
	var form cli.Form
	var name, device string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List built-in workloads, devices, runtimes, formats and ways of tracing",
		Long: `List built-in workloads, devices, runtimes, formats and ways of tracing.

The column "cost" says where the cost of a way of tracing on device A comes from:
measured there, published by its makers, or assumed. A control exists in emulation
only, to compare others with. A tool that is gone can no longer record. The
advice of bench names neither. --json has the costs for all devices.`,
		Example: `  artifice list
  artifice list --json
  artifice list --workload w3-on-off > mine.yaml
  artifice list --device A > phone.yaml`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if name != "" {
				return printWorkload(std, name)
			}
			if device != "" {
				return printDevice(std, device)
			}
			return form.Print(std.Out, listEverything())
		},
	}
	cmd.Flags().StringVar(&name, "workload", "", "print the YAML of this built-in `WORKLOAD`, as a starting point for your own")
	cmd.Flags().StringVar(&device, "device", "", "print the YAML of this `DEVICE`, with the sources of its numbers, as a starting point for your own")
	form.AddFlags(cmd.Flags())
	return cmd
}

// printWorkload prints the file of a built-in workload.
func printWorkload(std command.Stdio, name string) error {
	p := workload.ByName(name)
	if p == nil {
		return command.Usagef("unknown workload %q%s; see artifice list", name, command.DidYouMean(name, command.Names(command.Workloads())))
	}
	_, err := std.Out.Write(p.Source())
	return err
}

func listEverything() *cli.Table {
	c := catalogue{Workloads: command.Workloads(), Devices: command.Devices(), Runtimes: command.Runtimes(), Formats: []command.Entry{}}
	for _, f := range format.All() {
		if f != &dmtrace.Format { // its variants are there
			c.Formats = append(c.Formats, command.Entry{Name: f.Name, Description: f.About})
		}
	}
	c.Modes = modesListed()
	l := &cli.Table{Columns: []string{"kind", "name", "cost", "description"}, JSON: c}
	for _, group := range []struct {
		kind    string
		entries []command.Entry
	}{{"workload", c.Workloads}, {"device", c.Devices}, {"runtime", c.Runtimes}, {"format", c.Formats}} {
		for _, e := range group.entries {
			l.Add(group.kind, e.Name, "", e.Description)
		}
	}
	for _, m := range c.Modes {
		l.Add("mode", m.Name, m.costOrigin(), m.Description)
	}
	return l
}

// printDevice prints the file of a device.
func printDevice(std command.Stdio, name string) error {
	d, err := command.Device(name)
	if err != nil {
		return err
	}
	return d.WriteYAML(std.Out)
}

// modesListed are the ways of tracing that bench compares, and their groups.
func modesListed() []modeEntry {
	var all []modeEntry
	for _, m := range bench.Modes() {
		e := modeEntry{Entry: command.Entry{Name: m.Name, Description: m.Description}, Control: m.Control, Discontinued: m.Discontinued}
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
