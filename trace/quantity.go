package trace

import "fmt"

// Quantity is what the numbers of a profile measure if they are not the time in which threads ran
// or waited: bytes, objects, the delay of locks, or a difference of two profiles. The zero value
// means the time of threads. In the events of a recording of a quantity, a unit of it counts as a
// nanosecond of wall time.
type Quantity struct {
	Name string // as the profile names it, such as inuse_space
	Unit string // nanoseconds, bytes, count, or another unit of the profile
	// some numbers are negative, as in a difference; wall times of a thread can then decrease
	Signed bool
}

// Nanoseconds is the unit of a quantity of time, and Bytes that of a quantity of memory.
const (
	Nanoseconds = "nanoseconds"
	Bytes       = "bytes"
)

// IsSet reports whether the recording has a quantity in place of times.
func (q Quantity) IsSet() bool { return q.Name != "" }

// Describe describes the numbers in messages: "inuse_space in bytes", "cpu differences".
func (q Quantity) Describe() string {
	what := q.Name
	if q.Signed {
		what += " differences"
	}
	switch q.Unit {
	case Nanoseconds:
		return what
	case "count":
		return what + " as a count"
	}
	return fmt.Sprintf("%s in %s", what, q.Unit)
}
