package instrument

import (
	"encoding/binary"
	"fmt"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// memoryChunks is how many chunks the queues keep in memory, 10 MiB: what is
// beyond that waits in a temporary file. A thread that calls a million methods
// in a second and loses 3 us at each falls behind by three million of them.
const memoryChunks = 1024

// itemBytes is the size of an item on disk: times of the event and of its
// place, sequence number, method, thread, action.
const itemBytes = 4*8 + 4 + 2 + 1

// disk is where chunks go that do not fit into memory. The zero value has no
// file yet.
type disk struct {
	dir    string // of the file; empty: os.TempDir
	file   *eventlog.File
	end    int64
	free   []int64 // places whose chunks have been read
	buffer []byte
	err    error // the first one
}

// spill moves a full chunk to disk.
func (m *merger) spill(c *chunk) {
	d := &m.disk
	if d.err != nil {
		return // the chunk stays in memory, and the recording ends with the error
	}
	if d.file == nil {
		if d.file, d.err = eventlog.CreateFile(d.dir); d.err != nil {
			d.err = fmt.Errorf("events that wait for their turn: %w", d.err)
			return
		}
	}
	if n := len(d.free); n > 0 {
		c.place, d.free = d.free[n-1], d.free[:n-1]
	} else {
		c.place = d.end
		d.end += chunkItems * itemBytes
	}
	d.buffer = d.buffer[:0]
	for i := range c.items {
		d.buffer = c.items[i].append(d.buffer)
	}
	if _, err := d.file.WriteAt(d.buffer, c.place); err != nil {
		d.err = fmt.Errorf("events that wait for their turn: %w", err)
		return
	}
	m.recycle(c.items)
	c.items = nil
}

// load brings a chunk back into memory.
func (m *merger) load(c *chunk) {
	d := &m.disk
	c.items = m.fresh()
	d.buffer = append(d.buffer[:0], make([]byte, chunkItems*itemBytes)...)
	if _, err := d.file.ReadAt(d.buffer, c.place); err != nil {
		if d.err == nil {
			d.err = fmt.Errorf("events that wait for their turn: %w", err)
		}
		return
	}
	d.free = append(d.free, c.place)
	for i := range c.items {
		c.items[i].parse(d.buffer[i*itemBytes:])
	}
}

func (d *disk) close() {
	if err := d.file.Close(); err != nil && d.err == nil {
		d.err = err
	}
	d.file = nil
}

func (it *item) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(it.event.Wall))
	b = binary.LittleEndian.AppendUint64(b, uint64(it.event.CPU))
	b = binary.LittleEndian.AppendUint64(b, uint64(it.at))
	b = binary.LittleEndian.AppendUint64(b, it.seq)
	b = binary.LittleEndian.AppendUint32(b, uint32(it.event.Method))
	b = binary.LittleEndian.AppendUint16(b, uint16(it.event.Thread))
	return append(b, byte(it.event.Action))
}

func (it *item) parse(b []byte) {
	it.event.Wall = time.Duration(binary.LittleEndian.Uint64(b))
	it.event.CPU = time.Duration(binary.LittleEndian.Uint64(b[8:]))
	it.at = time.Duration(binary.LittleEndian.Uint64(b[16:]))
	it.seq = binary.LittleEndian.Uint64(b[24:])
	it.event.Method = trace.MethodID(binary.LittleEndian.Uint32(b[32:]))
	it.event.Thread = trace.ThreadID(binary.LittleEndian.Uint16(b[36:]))
	it.event.Action = trace.Action(b[38])
}
