package stackdump

import (
	"io"
	"time"
)

// tail delivers the dumps of the last window of a source: it reads them all and
// keeps those that may be in it.
type tail struct {
	source source
	window time.Duration
	line   timeline
	kept   []placed
	read   bool
}

// placed is a dump with its time.
type placed struct {
	dump *Dump
	at   time.Duration
}

func (t *tail) next() (*Dump, error) {
	if !t.read {
		if err := t.readAll(); err != nil {
			return nil, err
		}
		t.read = true
	}
	if len(t.kept) == 0 {
		return nil, io.EOF
	}
	d := t.kept[0].dump
	t.kept = t.kept[1:]
	return d, nil
}

// readAll reads to the end. A dump stays while it is no older than the window,
// bounds included, as in BlockCanaryX.
func (t *tail) readAll() error {
	for {
		d, err := t.source.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		at, _ := t.line.place(d)
		t.kept = append(t.kept, placed{d.keep(), at})
		drop := 0
		for t.line.latest-t.kept[drop].at > t.window {
			drop++
		}
		t.kept = t.kept[drop:]
	}
}
