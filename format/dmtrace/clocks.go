package dmtrace

import (
	"math"
	"time"
)

// Clocks unwraps one thread's times: a clock shows 32 bits of microseconds, which wrap
// every 71.6 minutes. A step back of more than half of that is a wrap.
type Clocks struct {
	Shown     uint64        // last: wall time in the upper half, CPU time in the lower one, as a record has them
	Wall, CPU time.Duration // when the clocks showed 0, or would have
}

// Shown returns what clocks show as clocks has it.
func Shown(wall, cpu uint32) uint64 { return uint64(wall)<<32 | uint64(cpu) }

// turn is how long a clock takes to show the same again.
const turn = 1 << 32 * time.Microsecond

// Next makes the clocks show this, and returns their times.
func (c *Clocks) Next(shown uint64) (wall, cpu time.Duration) {
	if wraps(c.Shown>>32, shown>>32) {
		c.Wall += turn
	}
	if wraps(c.Shown&math.MaxUint32, shown&math.MaxUint32) {
		c.CPU += turn
	}
	c.Shown = shown
	return c.Times()
}

// wraps reports whether a clock wrapped that showed last and shows us now.
func wraps(last, us uint64) bool { return us < last && last-us > 1<<31 }

// Times returns the times of what the clocks show.
func (c *Clocks) Times() (wall, cpu time.Duration) {
	return c.Wall + time.Duration(c.Shown>>32)*time.Microsecond, c.CPU + time.Duration(uint32(c.Shown))*time.Microsecond
}

// Begun returns the clocks of a thread that begins where c are another one's: all
// threads have the wall clock in common.
func (c *Clocks) Begun() Clocks { return Clocks{Shown: c.Shown &^ math.MaxUint32, Wall: c.Wall} }
