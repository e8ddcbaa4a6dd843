// Package catalog is what can be named on the command line: workloads, devices, runtimes, formats and ways of tracing.
// artifice list prints it, the shell completes by it, and a name that is in none is compared with it.
package command

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"artifice/art"
	"artifice/bench"

	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/internal/cli"
	"artifice/tracer/device"
	"artifice/workload"
)

// entry is one line of artifice list.
type entry struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// modeEntry is a way of tracing, or a group of several.
type modeEntry struct {
	entry
	Control bool              `json:"control,omitempty"` // it exists in emulation only
	Gone    string            `json:"gone,omitempty"`    // why it can no longer record
	Costs   map[string]string `json:"costs,omitempty"`   // by device: how surely it is known what it takes from the app
}

// standing says in a word whether people can record so and, if they can, how surely it is
// known what that takes from an app on the device that bench has by default.
func (m *modeEntry) standing() string {
	switch {
	case m.Control:
		return "control"
	case m.Gone != "":
		return "gone"
	}
	return m.Costs[DefaultDevice]
}

// catalogue is what artifice list prints.
type catalogue struct {
	Workloads []entry     `json:"workloads"`
	Devices   []entry     `json:"devices"`
	Runtimes  []entry     `json:"runtimes"`
	Formats   []entry     `json:"formats"`
	Modes     []modeEntry `json:"modes"`
}

// List is artifice list.
var List = Command{Name: "list", Add: newList}

func newList(std Stdio) *cobra.Command {
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
		Args: NoArgs,
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
func printWorkload(std Stdio, name string) error {
	p := workload.ByName(name)
	if p == nil {
		return Usagef("unknown workload %q%s; see artifice list", name, DidYouMean(name, Names(Workloads())))
	}
	_, err := std.Out.Write(p.Source())
	return err
}

// Workloads are the built-in workloads.
func Workloads() []entry {
	var all []entry
	for _, p := range workload.Builtin() {
		all = append(all, entry{p.Name, p.Description})
	}
	return all
}

func listEverything() *cli.Table {
	c := catalogue{Workloads: Workloads(), Devices: deviceEntries(), Runtimes: runtimeEntries(), Formats: []entry{}}
	for _, f := range format.All() {
		if f != &dmtrace.Format { // its variants are there
			c.Formats = append(c.Formats, entry{f.Name, f.About})
		}
	}
	c.Modes = modesListed()
	l := &cli.Table{Columns: []string{"kind", "name", "cost", "description"}, JSON: c}
	for _, group := range []struct {
		kind    string
		entries []entry
	}{{"workload", c.Workloads}, {"device", c.Devices}, {"runtime", c.Runtimes}, {"format", c.Formats}} {
		for _, e := range group.entries {
			l.Add(group.kind, e.Name, "", e.Description)
		}
	}
	for _, m := range c.Modes {
		l.Add("mode", m.Name, m.standing(), m.Description)
	}
	return l
}

// modesListed are the ways of tracing that bench compares, and their groups.
func modesListed() []modeEntry {
	var all []modeEntry
	for _, m := range bench.Modes() {
		e := modeEntry{entry: entry{m.Name, m.Description}, Control: m.Control, Gone: m.Discontinued}
		if !m.Control {
			e.Costs = map[string]string{}
			for _, d := range device.All() {
				e.Costs[d.Name] = m.Costs.Kind(&d).String()
			}
		}
		all = append(all, e)
	}
	for _, g := range bench.Groups() {
		all = append(all, modeEntry{entry: entry{g.Name, g.Description}})
	}
	return all
}

// Modes are the same for completion.
func Modes() []entry {
	var all []entry
	for _, m := range modesListed() {
		all = append(all, m.entry)
	}
	return all
}

func deviceEntries() []entry {
	var all []entry
	for _, d := range device.All() {
		all = append(all, entry{d.Name, d.Description})
	}
	return all
}

// Device returns a device by its name, built in or of a file; one that does
// not exist is wrong usage.
func Device(name string) (device.Device, error) {
	d, err := device.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = Usagef("%w%s", err, DidYouMean(name, Names(deviceEntries())))
	}
	return d, err
}

// printDevice prints the file of a device.
func printDevice(std Stdio, name string) error {
	d, err := Device(name)
	if err != nil {
		return err
	}
	return d.WriteYAML(std.Out)
}

// Names returns the names of entries of artifice list.
func Names(list []entry) []string {
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = e.Name
	}
	return all
}

func runtimeEntries() []entry {
	all := []entry{}
	for _, r := range art.All() {
		all = append(all, entry{r.Name, r.Description})
	}
	return all
}

// DefaultDevice is the one that bench emulates unless another is asked for.
const DefaultDevice = "A"
