package otlp

import (
	"reflect"

	"artifice/internal/protobuf"
)

// layout selects the field numbers of the release of a file. Release 1.10 of OTLP's protocol
// exchanged three numbers of a Sample, and release 1.9 closed a gap in Profile.
type layout struct{ sample, profile bool }

// The current field number for each field number of earlier releases; 0 for removed fields.
var (
	oldSample  = map[int]int{2: 4, 3: 2, 4: 3}                        // values, attributes, link: up to 1.9
	oldProfile = map[int]int{7: 0, 8: 7, 9: 8, 10: 9, 11: 10, 12: 11} // 7 was comments: up to 1.8
)

var (
	typeOfSample  = reflect.TypeFor[Sample]()
	typeOfProfile = reflect.TypeFor[Profile]()
)

// of returns the changed field numbers of a message type, or nil if there are none.
func (l layout) of(t reflect.Type) map[int]int {
	switch {
	case l.sample && t == typeOfSample:
		return oldSample
	case l.profile && t == typeOfProfile:
		return oldProfile
	}
	return nil
}

func renumbered(numbers map[int]int, number int) int {
	if now, ok := numbers[number]; ok {
		return now
	}
	return number
}

// layoutOf returns the layout of a file from the types of its fields: a link is an integer, lists
// and ids are bytes. Samples with only stacks and times are equal in both.
func layoutOf(file []byte) (l layout, err error) {
	err = within(file, 1, func(resource []byte) error {
		return within(resource, 2, func(scope []byte) error {
			return within(scope, 2, func(profile []byte) error {
				return protobuf.Fields(profile, func(number int, _ uint64, body []byte) error {
					switch {
					case number == 8 && body != nil, number == 9 && body == nil, number == 12:
						l.profile, l.sample = true, true
					case number == 2 && body != nil:
						return protobuf.Fields(body, func(number int, _ uint64, body []byte) error {
							if number == 3 && body != nil || number == 4 && body == nil {
								l.sample = true
							}
							return nil
						})
					}
					return nil
				})
			})
		})
	})
	return l, err
}

// within calls f for each message in the given field of the message b.
func within(b []byte, number int, f func(message []byte) error) error {
	return protobuf.Fields(b, func(n int, _ uint64, body []byte) error {
		if n != number || body == nil {
			return nil
		}
		return f(body)
	})
}
