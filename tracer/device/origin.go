package device

import (
	"fmt"
	"slices"
	"strings"
)

// Origin says where some of a device's numbers come from.
type Origin struct {
	Numbers string // keys of the YAML form, separated by ", ", or "all"
	Source  string
	Kind    Kind
}

// Kind is how a number is known, in ascending order of certainty.
type Kind uint8

const (
	// Unknown numbers are 0 for want of a figure, not because they cost nothing.
	Unknown Kind = iota

	Assumed   // taken from something similar, or guessed
	Published // by the makers of a tool, of another device
	Measured  // in a trace of this device
	Defined   // true by definition: the device is ideal
)

var kindNames = []string{"unknown", "assumed", "published", "measured", "defined"}

// String returns the kind as the YAML form spells it.
func (k Kind) String() string { return kindNames[k] }

// parseKind is the opposite of String.
func parseKind(text string) (Kind, error) {
	i := slices.Index(kindNames, text)
	if i < 0 {
		return 0, fmt.Errorf("%q is none of %s", text, strings.Join(kindNames, ", "))
	}
	return Kind(i), nil
}

// KindOf returns how surely a group of numbers of the device is known: as surely as the least
// sure of them. They are named as in the YAML form. A number without an origin is assumed, and
// unknown if it is 0.
func (d *Device) KindOf(numbers ...string) Kind {
	least := Defined
	for _, number := range numbers {
		least = min(least, d.kindOf(number))
	}
	return least
}

func (d *Device) kindOf(number string) Kind {
	for _, o := range d.Origins {
		if o.Numbers == "all" || slices.Contains(strings.Split(o.Numbers, ", "), number) {
			return o.Kind
		}
	}
	for _, f := range fields {
		if f.key == number && *f.value(d) > 0 {
			return Assumed
		}
	}
	return Unknown
}
