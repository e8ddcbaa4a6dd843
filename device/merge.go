package device

import (
	"fmt"
	"slices"
	"strings"
)

// Merge returns the device that recorded two traces, a sampled and an instrumented one:
// what sampling takes from the first, what an event takes from the second, and the
// origins of both. It takes the two devices in any order, as [Calibration.Device] makes
// them, and fails where none of them, or both, know what an event takes.
func Merge(a, b Device) (Device, error) {
	sampled, every := a, b
	if sampled.KindOf("hook") != Unknown {
		sampled, every = b, a
	}
	if every.KindOf("hook") == Unknown {
		return Device{}, fmt.Errorf("%s, and the other %s: both were sampled, and what an event takes is in neither", a.Description, b.Description)
	}
	if sampled.KindOf("hook") != Unknown {
		return Device{}, fmt.Errorf("%s, and the other %s: both have every call, and what a sample takes is in neither", a.Description, b.Description)
	}
	of := []string{"cpu-read", "wall-read", "hook", "compiled"} // what an event takes
	merged := sampled
	merged.Description = sampled.Description + " and " + strings.TrimPrefix(every.Description, descriptionOf(""))
	merged.Instrumented = every.Instrumented
	merged.Origins = slices.Concat(
		originsOf(sampled.Origins, func(number string) bool { return !slices.Contains(of, number) }),
		originsOf(every.Origins, func(number string) bool { return slices.Contains(of, number) }),
	)
	return merged, nil
}

// originsOf returns the origins of some of the numbers.
func originsOf(all []Origin, takes func(number string) bool) []Origin {
	var some []Origin
	for _, o := range all {
		numbers := slices.DeleteFunc(strings.Split(o.Numbers, ", "), func(number string) bool { return !takes(number) })
		if len(numbers) > 0 {
			some = append(some, Origin{strings.Join(numbers, ", "), o.Source, o.Kind})
		}
	}
	return some
}

// descriptionOf is what is said of a device that comes from a trace of that name.
func descriptionOf(source string) string { return "estimated from " + source }
