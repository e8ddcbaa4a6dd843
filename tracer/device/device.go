package device

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"artifice/instrument"
	"artifice/sampler"
	"artifice/trace"
)

// Device is the timing of one device.
type Device struct {
	Name         string
	Description  string
	Sampling     sampler.Cost
	Instrumented instrument.Cost
	Tools        Tools
	Origins      []Origin // where the numbers come from; empty for one read from a file without them
}

// All returns the built-in devices. Tools take nothing on the first, which is ideal.
var All = sync.OnceValue(func() (list []Device) {
	all := builtin()
	list = append(list, all[0])
	for _, d := range all[1:] {
		list = append(list, d.withPublishedTools())
	}
	return list
})

// Using returns the device for traces with these clocks: only the clocks in use
// are read, and measured (Trace::ReadClocks, MeasureClockOverhead). The clocks'
// cost, which Sampling has for both, and the walk of a thread, of which it is a
// part, lose what the other clock takes. Where the costs of the two clocks are not known
// separately, nothing changes.
func (d Device) Using(clock trace.Clock) Device {
	if clock == trace.Dual || d.Instrumented.Overhead(trace.Dual) == 0 {
		return d
	}
	s := &d.Sampling
	unused := max(0, s.ClockOverhead-d.Instrumented.Overhead(clock))
	s.ClockOverhead -= unused
	s.PerThread = max(0, s.PerThread-unused)
	return d
}

// Open returns the built-in device of a name, or the one in the YAML file of
// that name, which ends in .yaml or .yml. Where there is no such device or file
// the error is fs.ErrNotExist (errors.Is).
func Open(name string) (Device, error) {
	if !strings.HasSuffix(name, ".yaml") && !strings.HasSuffix(name, ".yml") {
		for _, d := range All() {
			if d.Name == name {
				return d, nil
			}
		}
		return Device{}, unknownError(name)
	}
	file, err := os.Open(name)
	if err != nil {
		return Device{}, err
	}
	defer file.Close()
	return ReadYAML(file, name)
}

// unknownError is the name of a device that is not built in. It says which are.
type unknownError string

func (name unknownError) Error() string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Name)
	}
	return fmt.Sprintf("unknown device %q; there are %s, or write a YAML file", string(name), strings.Join(names, ", "))
}

// Is lets errors.Is find fs.ErrNotExist.
func (unknownError) Is(target error) bool { return target == fs.ErrNotExist }
