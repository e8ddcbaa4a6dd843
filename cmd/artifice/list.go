package main

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/device"
	"artifice/input"
	"artifice/internal/cli"
	"artifice/workload"
	"artifice/writer"
)

// entry is one line of artifice list.
type entry struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// catalogue is what artifice list prints.
type catalogue struct {
	Workloads []entry `json:"workloads"`
	Devices   []entry `json:"devices"`
	Runtimes  []entry `json:"runtimes"`
	Formats   []entry `json:"formats"`
	Modes     []entry `json:"modes"`
}

func newList(std stdio) *cobra.Command {
	var form listFlags
	var name, device string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List built-in workloads, devices, runtimes, formats and ways of tracing",
		Example: `  artifice list
  artifice list --json
  artifice list --workload w3-on-off > mine.yaml
  artifice list --device A > phone.yaml`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if name != "" {
				return printWorkload(std, name)
			}
			if device != "" {
				return printDevice(std, device)
			}
			return form.Print(std.out, listEverything())
		},
	}
	cmd.Flags().StringVar(&name, "workload", "", "print the YAML of this built-in `WORKLOAD`, as a starting point for your own")
	cmd.Flags().StringVar(&device, "device", "", "print the YAML of this `DEVICE`, with the sources of its numbers, as a starting point for your own")
	form.add(cmd)
	return cmd
}

// printWorkload prints the file of a built-in workload.
func printWorkload(std stdio, name string) error {
	p := workload.ByName(name)
	if p == nil {
		return usagef("unknown workload %q%s; see artifice list", name, didYouMean(name, names(workloadEntries())))
	}
	_, err := std.out.Write(p.Source())
	return err
}

func workloadEntries() []entry {
	var all []entry
	for _, p := range workload.Builtin() {
		all = append(all, entry{p.Name, p.Description})
	}
	return all
}

func listEverything() *cli.Table {
	c := catalogue{Workloads: workloadEntries(), Devices: deviceEntries(), Runtimes: runtimeEntries(), Formats: []entry{}}
	for _, f := range writer.Formats() {
		c.Formats = append(c.Formats, entry{f.Name, f.Description})
	}
	for _, f := range input.Formats() {
		if f.Named == nil && f.Name != input.MethodTrace && writer.ByName(f.Name) == nil { // those are there already
			c.Formats = append(c.Formats, entry{f.Name, f.Description})
		}
	}
	c.Modes = modeEntries()
	l := &cli.Table{Columns: []string{"kind", "name", "description"}, JSON: c}
	for _, group := range []struct {
		kind    string
		entries []entry
	}{{"workload", c.Workloads}, {"device", c.Devices}, {"runtime", c.Runtimes}, {"format", c.Formats}, {"mode", c.Modes}} {
		for _, e := range group.entries {
			l.Add(group.kind, e.Name, e.Description)
		}
	}
	return l
}

// modeEntries are the ways of tracing that bench compares.
func modeEntries() []entry {
	var all []entry
	for _, m := range bench.Modes() {
		all = append(all, entry{m.Name, m.Description})
	}
	for _, g := range bench.Groups() {
		all = append(all, entry{g.Name, g.Description})
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

// deviceOf returns a device by its name, built in or of a file; one that does
// not exist is wrong usage.
func deviceOf(name string) (device.Device, error) {
	d, err := device.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = usageError{err}
	}
	return d, err
}

// printDevice prints the file of a device.
func printDevice(std stdio, name string) error {
	d, err := deviceOf(name)
	if err != nil {
		return err
	}
	return d.WriteYAML(std.out)
}
