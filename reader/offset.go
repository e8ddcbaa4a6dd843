package reader

import "artifice/trace"

// Offset implements [trace.Locator] in file order.
func (e *fileEvents) Offset(event int64) int64 {
	if l, ok := e.next.(trace.Locator); ok {
		return l.Offset(event)
	}
	return -1
}

// Offset implements [trace.Locator]: records follow each other to where the
// reader stands.
func (c *classic) Offset(event int64) int64 {
	if event < 0 || event > c.n {
		return -1
	}
	return c.in.off - (c.n-event)*int64(c.recs.layout.Size)
}

// Offset implements [trace.Locator]: header, records and the announcements
// among them fill the file up to the event.
func (s *stream) Offset(event int64) int64 {
	if event < 0 || event > s.n {
		return -1
	}
	at := int64(len(s.f.Source.Header)) + event*int64(s.recs.layout.Size)
	for _, a := range s.f.Source.Announced {
		if a.Before > event {
			break
		}
		headBytes := 7
		if a.Method {
			headBytes = 5
		}
		at += int64(headBytes + len(a.Text))
	}
	return at
}
