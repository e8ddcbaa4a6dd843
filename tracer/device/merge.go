package device

import (
	"slices"
	"strings"
)

// Merge returns the device that recorded two traces: what sampling takes from the one that
// the sampled trace gave, what an event takes from the one that the instrumented trace gave, and
// the origins of both, as [Calibration.Device] makes them of those two traces.
func Merge(sampled, instrumented Device) Device {
	events := []string{"cpu-read", "wall-read", "hook", "compiled", "code", "interpreted"} // what an event takes
	ofEvents := func(number string) bool { return slices.Contains(events, number) }
	merged := sampled
	merged.Description += " and " + strings.TrimPrefix(instrumented.Description, estimatedFrom)
	merged.Instrumented = instrumented.Instrumented
	merged.Origins = slices.Concat(
		originsOf(sampled.Origins, func(number string) bool { return !ofEvents(number) }),
		originsOf(instrumented.Origins, ofEvents),
	)
	return merged
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
