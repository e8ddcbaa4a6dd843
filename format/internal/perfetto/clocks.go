package perfetto

import (
	"sort"
	"time"

	"artifice/internal/protobuf"
)

// clock is an incremental clock of a sequence: its values are differences from the previous packet.
type clock struct {
	unit        time.Duration
	incremental bool
	value       uint64        // value at the previous packet
	offset      time.Duration // offset added to values
}

// clocks relates the clocks of a trace to its primary clock, on which its times are given.
type clocks struct {
	primary uint64 // 0 means clockBoot
	seen    map[uint64][]reading
}

// reading is the values of a clock and of the primary clock at one instant.
type reading struct{ own, primary time.Duration }

// main returns the primary clock.
func (c *clocks) main() uint64 {
	if c.primary == 0 {
		return clockBoot
	}
	return c.primary
}

// at converts a time of a clock to the primary clock, using the latest snapshot that is not later
// than the time, as trace_processor's ClockTracker does. A clock that is in no snapshot with the
// primary clock is assumed to be the primary clock.
func (c *clocks) at(id uint64, t time.Duration) time.Duration {
	seen := c.seen[id]
	if len(seen) == 0 {
		return t
	}
	if last := seen[len(seen)-1]; last.own <= t {
		return t - last.own + last.primary
	}
	i := sort.Search(len(seen), func(i int) bool { return seen[i].own > t })
	nearest := seen[max(i-1, 0)]
	return t - nearest.own + nearest.primary
}

// add adds simultaneous readings of a clock and of the primary clock. It skips a reading that is
// not later than the previous one of its clock.
func (c *clocks) add(id uint64, r reading) {
	if seen := c.seen[id]; len(seen) > 0 && seen[len(seen)-1].own >= r.own {
		return
	}
	if c.seen == nil {
		c.seen = map[uint64][]reading{}
	}
	c.seen[id] = append(c.seen[id], r)
}

// at converts the time of a packet to the primary clock.
func (p *packets) at(seq *sequence, id, value uint64) time.Duration {
	if id == 0 {
		id = seq.clock
	}
	if id == 0 {
		return time.Duration(value)
	}
	c := seq.own(id)
	if c == nil {
		return p.clocks.at(id, time.Duration(value))
	}
	if c.incremental {
		c.value += value
		value = c.value
	}
	return time.Duration(value)*c.unit + c.offset
}

// own returns the sequence's own clock with a number, or nil if there is none.
func (seq *sequence) own(id uint64) *clock {
	// wraps around for smaller numbers
	if i := id - firstSequenceClock; i < uint64(len(seq.clocks)) {
		return seq.clocks[i]
	}
	return nil
}

// snapshot processes a ClockSnapshot: the values of several clocks at one instant.
func (p *packets) snapshot(b []byte, seq *sequence) error {
	type shown struct {
		id, at, unit uint64
		incremental  bool
	}
	var all []shown
	err := protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		if field == clocksPrimary && body == nil {
			p.clocks.primary = number
		}
		if field != clocksReading || body == nil {
			return nil
		}
		s := shown{unit: 1}
		err := protobuf.Fields(body, func(field int, number uint64, _ []byte) error {
			switch field {
			case readingID:
				s.id = number
			case readingAt:
				s.at = number
			case readingIncremental:
				s.incremental = number != 0
			case readingUnit:
				s.unit = max(1, number)
			}
			return nil
		})
		all = append(all, s)
		return err
	})
	ofSequence := func(s *shown) bool { return s.id >= firstSequenceClock && s.id <= lastSequenceClock }

	// now is the instant on the primary clock. It is determined from the primary clock's own value,
	// or from that of another clock.
	var now time.Duration
	known := false
	for i := range all {
		if s := &all[i]; s.id == p.clocks.main() {
			now, known = time.Duration(s.at*s.unit), true
		}
	}
	for i := range all {
		if s := &all[i]; !known && !ofSequence(s) {
			now, known = p.clocks.at(s.id, time.Duration(s.at*s.unit)), true
		}
	}
	if !known {
		return err
	}
	for i := range all {
		s := &all[i]
		own := time.Duration(s.at * s.unit)
		switch {
		case ofSequence(s):
			if seq.clocks == nil {
				seq.clocks = make([]*clock, lastSequenceClock-firstSequenceClock+1)
			}
			seq.clocks[s.id-firstSequenceClock] = &clock{unit: time.Duration(s.unit), incremental: s.incremental, value: s.at, offset: now - own}
		case s.id != p.clocks.main():
			p.clocks.add(s.id, reading{own, now})
		}
	}
	return err
}
