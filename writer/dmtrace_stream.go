package writer

import (
	"fmt"

	"artifice/internal/dmformat"
)

// announceSource writes the announcements that stand in front of the next event
// and returns how many of the n next events come before another one.
func (d *Dmtrace) announceSource(n int) int {
	list := d.rec.Source.Announced
	for d.announced < len(list) {
		a := &list[d.announced]
		if a.Before > d.n {
			return int(min(int64(n), a.Before-d.n))
		}
		if a.Method {
			d.buf, d.err = dmformat.AppendMethodItem(d.buf, a.Text)
		} else {
			d.buf, d.err = dmformat.AppendThreadItem(d.buf, uint16(a.TID), a.Text)
		}
		if d.err != nil {
			return 0
		}
		d.announced++
	}
	return n
}

// finishStream writes what follows the last event.
func (d *Dmtrace) finishStream() error {
	if d.follow {
		d.announceSource(0)
		if d.err != nil {
			return d.err
		}
		if left := len(d.rec.Source.Announced) - d.announced; left > 0 {
			return fmt.Errorf("%d announcements of the source stand behind event %d, which is the last", left, d.n)
		}
		if !d.rec.Source.HasSummary {
			return d.flush()
		}
	}
	key, err := d.keySection()
	if err != nil {
		return err
	}
	if d.buf, err = dmformat.AppendSummaryHead(d.buf, len(key)); err != nil {
		return err
	}
	d.buf = append(d.buf, key...)
	return d.flush()
}
