package device

import (
	"fmt"
	"strings"

	"artifice/instrument"
	"artifice/sampler"
)

// Device is the timing of one device.
type Device struct {
	Name         string
	Description  string
	Sampling     sampler.Cost
	Instrumented instrument.Cost
	Origins      []Origin // where the numbers come from; empty for one read from a file without them
}

// Origin says where some of a device's numbers come from.
type Origin struct {
	Numbers string // keys of the YAML form, separated by ", "
	Source  string
}

// All returns the built-in devices.
func All() []Device { return builtin }

// ByName returns the built-in device of a name, or an error that lists the
// names.
func ByName(name string) (Device, error) {
	var names []string
	for _, d := range builtin {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return Device{}, fmt.Errorf("unknown device %q; there are %s, or write a YAML file", name, strings.Join(names, ", "))
}
