package perfetto

import (
	"sort"
	"time"

	"artifice/internal/protobuf"
)

// clock is a clock of one sequence: it determines how much later a packet is than the
// one before.
type clock struct {
	unit        time.Duration
	incremental bool
	value       uint64        // of the last packet
	offset      time.Duration // added to values
}

// clocks relates the clocks of a trace to the one that its times are given by.
type clocks struct {
	primary uint64 // 0 is clockBoot
	seen    map[uint64][]reading
}

// reading is what a clock and the primary one showed at one instant.
type reading struct{ own, primary time.Duration }

// main returns the clock that times are given by.
func (c *clocks) main() uint64 {
	if c.primary == 0 {
		return clockBoot
	}
	return c.primary
}

// at returns a time of a clock on the primary one: by the latest snapshot that is no
// later, as trace_processor's ClockTracker does. A clock that no snapshot relates to
// the primary one is taken for it.
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

// add adds simultaneous readings of a clock and the primary one. Readings that go back are skipped.
func (c *clocks) add(id uint64, r reading) {
	if seen := c.seen[id]; len(seen) > 0 && seen[len(seen)-1].own >= r.own {
		return
	}
	if c.seen == nil {
		c.seen = map[uint64][]reading{}
	}
	c.seen[id] = append(c.seen[id], r)
}

// at returns a time of a packet on the primary clock.
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

// own returns the sequence's own clock of a number, nil if it has none.
func (seq *sequence) own(id uint64) *clock {
	if i := id - firstSequenceClock; i < uint64(len(seq.clocks)) { // larger for smaller numbers
		return seq.clocks[i]
	}
	return nil
}

// snapshot handles a ClockSnapshot: what each clock shows at one instant.
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

	// now is the instant on the primary clock, known from itself or from another one.
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
