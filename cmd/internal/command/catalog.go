package command

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"artifice/art"
	"artifice/bench"
	"artifice/tracer/device"
	"artifice/workload"
)

// Entry is an item that can be named on the command line.
type Entry struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Workloads are the built-in workloads.
func Workloads() []Entry {
	var all []Entry
	for _, p := range workload.Builtin() {
		all = append(all, Entry{p.Name, p.Description})
	}
	return all
}

// Modes are the tracers that bench compares, and their groups.
func Modes() []Entry {
	var all []Entry
	for _, m := range bench.Modes() {
		all = append(all, Entry{m.Name, m.Description})
	}
	for _, g := range bench.Groups() {
		all = append(all, Entry{g.Name, g.Description})
	}
	return all
}

// Devices are the built-in devices.
func Devices() []Entry {
	var all []Entry
	for _, d := range device.All() {
		all = append(all, Entry{d.Name, d.Description})
	}
	return all
}

// Device returns a device by its name, built in or from a file. A nonexistent device is a usage
// error.
func Device(name string) (device.Device, error) {
	d, err := device.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = Usagef("%w%s", err, DidYouMean(name, Names(Devices())))
	}
	return d, err
}

// Names returns the names of entries of artifice list.
func Names(list []Entry) []string {
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = e.Name
	}
	return all
}

// Runtimes are the runtimes that can be emulated.
func Runtimes() []Entry {
	all := []Entry{}
	for _, r := range art.All() {
		all = append(all, Entry{r.Name, r.Description})
	}
	return all
}

// DefaultDevice is the device that bench emulates by default.
const DefaultDevice = "A"

// DidYouMean returns " (did you mean …?)" with the known word that is most similar to an unknown
// one, or "" if none is similar. Cobra suggests subcommands only, so the known words are made
// subcommands of a command that is never run.
func DidYouMean(word string, known []string) string {
	var words cobra.Command
	for _, k := range known {
		words.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	for distance := 1; len(word) > 0 && distance <= max(1, (len(word)+1)/3); distance++ {
		words.SuggestionsMinimumDistance = distance
		if near := words.SuggestionsFor(word); len(near) > 0 {
			return fmt.Sprintf(" (did you mean %q?)", near[0])
		}
	}
	return ""
}

// LastWords returns the last n parts of a name with dots.
func LastWords(name string, n int) string {
	words := strings.Split(name, ".")
	return strings.Join(words[max(0, len(words)-n):], ".")
}

// LikeNames returns the known names, cut to the number of parts of the typed name.
func LikeNames(typed string, known []string) []string {
	short := make([]string, len(known))
	for i, full := range known {
		before, _, _ := strings.Cut(full, "(")
		short[i] = LastWords(before, strings.Count(typed, ".")+1)
	}
	return short
}
