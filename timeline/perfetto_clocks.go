package timeline

import (
	"time"

	"artifice/internal/decode"
)

// clock is one of a sequence's own: it says how much later a packet is than the
// one before.
type clock struct {
	unit        time.Duration
	incremental bool
	value       uint64        // of the last packet
	offset      time.Duration // added to values
}

// at returns a time of one of the clocks.
func (q *sequence) at(id, value uint64) time.Duration {
	if id == 0 {
		id = q.clock
	}
	if id == 0 { // spares a look into the map
		return time.Duration(value)
	}
	c := q.clocks[id]
	if c == nil {
		return time.Duration(value)
	}
	if c.incremental {
		c.value += value
		value = c.value
	}
	return time.Duration(value)*c.unit + c.offset
}

// snapshot takes in a ClockSnapshot: what each clock shows at one instant. Clocks
// of a sequence have numbers from 64 to 127.
func (p *perfetto) snapshot(b []byte, seq *sequence) error {
	type reading struct {
		id, at, unit uint64
		incremental  bool
	}
	var all []reading
	err := decode.Fields(b, func(field int, _ uint64, body []byte) error {
		if field != 1 || body == nil {
			return nil
		}
		r := reading{unit: 1}
		err := decode.Fields(body, func(field int, number uint64, _ []byte) error {
			switch field {
			case 1:
				r.id = number
			case 2:
				r.at = number
			case 3:
				r.incremental = number != 0
			case 4:
				r.unit = max(1, number)
			}
			return nil
		})
		all = append(all, r)
		return err
	})
	for _, r := range all {
		if r.id < 64 || r.id > 127 {
			continue
		}
		c := &clock{unit: time.Duration(r.unit), incremental: r.incremental, value: r.at}
		for _, global := range all {
			if global.id < 64 {
				c.offset = time.Duration(global.at) - time.Duration(r.at)*c.unit
				break
			}
		}
		seq.clocks[r.id] = c
	}
	return err
}
