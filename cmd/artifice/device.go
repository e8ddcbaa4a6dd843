package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"artifice/device"
)

func deviceEntries() []entry {
	var all []entry
	for _, d := range device.All() {
		all = append(all, entry{d.Name, d.Description})
	}
	return all
}

// deviceOf returns the built-in device of that name, or the one in the YAML file
// of that name.
func deviceOf(name string) (device.Device, error) {
	if !strings.HasSuffix(name, ".yaml") && !strings.HasSuffix(name, ".yml") {
		d, err := device.ByName(name)
		if err != nil {
			return d, usageError{err}
		}
		return d, nil
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return device.Device{}, usageError{err}
	}
	if err != nil {
		return device.Device{}, err
	}
	defer file.Close()
	return device.ReadYAML(file, name)
}

// printDevice prints the file of a device.
func printDevice(std stdio, name string) error {
	d, err := deviceOf(name)
	if err != nil {
		return err
	}
	return d.WriteYAML(std.out)
}
