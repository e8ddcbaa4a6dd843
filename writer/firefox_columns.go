package writer

import (
	"errors"
	"io"

	"artifice/internal/eventlog"
)

// firefoxColumns are the columns of a thread's samples being made. The first goes
// straight to the file, and the others wait.
type firefoxColumns []firefoxColumn

type firefoxColumn struct {
	name string
	text []byte
	wait *eventlog.Spool // nil for the first column
}

func newFirefoxColumns(tempDir string) firefoxColumns {
	columns := firefoxColumns{{name: "stack"}, {name: "time"}, {name: "weight"}, {name: "threadCPUDelta"}}
	for i := range columns[1:] {
		columns[i+1].wait = eventlog.NewSpool(tempDir)
	}
	return columns
}

// close removes what waits.
func (columns firefoxColumns) close() (err error) {
	for i := range columns {
		err = errors.Join(err, columns[i].wait.Close())
	}
	return err
}

// firefoxFlush is how many rows are worth a flush.
const firefoxFlush = 512

// end ends the list of values, each of which has a comma behind it.
func (columns firefoxColumns) end() {
	for i := range columns {
		if n := len(columns[i].text); n > 0 {
			columns[i].text = columns[i].text[:n-1]
		}
	}
}

// flush puts the text where it belongs, the first column's to w.
func (columns firefoxColumns) flush(w io.Writer) (err error) {
	for i := range columns {
		c := &columns[i]
		if c.wait == nil {
			_, err = w.Write(c.text)
		} else {
			_, err = c.wait.Write(c.text)
		}
		if err != nil {
			return err
		}
		c.text = c.text[:0]
	}
	return nil
}
