package reader

import (
	"encoding/binary"
	"io"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// Sizes of what runs keeps in memory. Pages are small, so that thousands of
// threads can have one each.
const (
	pageSize = 512
	slabSize = 1 << 20
	maxSlabs = 8

	maxBlockPages = slabSize / pageSize // of one block in the file
)

// maxEventBytes bounds an encoded event: three varints, and a fourth of at most
// 40 bits with the byte of a call site behind it.
const maxEventBytes = 4 * binary.MaxVarintLen64

// sited is set in the byte of an event's action when its call site follows, as
// only text traces of truths have.
const sited = 0x80

// runs keeps events by thread, in the order of each thread: in pages of memory
// and, when these are used up, in blocks of a temporary file. The blocks of a
// thread are a list, each with the place of the next one, so that what is kept
// in memory does not grow with the trace.
//
// An event is encoded as differences to the one before in its thread: its place
// in the file (uvarint), wall and CPU time (varints), method and action
// (uvarint), and its call site where it has one.
type runs struct {
	dir     string
	most    int // slabs
	slabs   [][]byte
	free    []int32 // pages
	threads []run
	seq     int64 // events so far
	file    *eventlog.File
	size    int64 // of file
	scratch []byte
}

// run is the events of one thread.
type run struct {
	pages       []int32
	used        []uint16 // bytes used of each page
	seq         int64    // the last event's
	wall, cpu   time.Duration
	end         time.Duration // the latest wall time
	first, last int64         // offsets of the first and last block; -1 for none
}

func (t *run) empty() bool { return len(t.pages) == 0 && t.first < 0 }

// blockHead is what stands in front of a block: u8 offset of the thread's next
// block, 0 for none (the first block of the file has no predecessor), u4 bytes.
const blockHead = 12

func newRuns(dir string) *runs { return &runs{dir: dir, most: maxSlabs} }

// Close removes the temporary file.
func (r *runs) Close() error {
	r.slabs, r.threads = nil, nil
	return r.file.Close()
}

// add appends an event to its thread.
func (r *runs) add(e *trace.Event) error {
	for int(e.Thread) >= len(r.threads) {
		r.threads = append(r.threads, run{first: -1, last: -1})
	}
	t := &r.threads[e.Thread]
	page, err := r.room(t)
	if err != nil {
		return err
	}
	b := binary.AppendUvarint(page, uint64(r.seq-t.seq))
	b = binary.AppendVarint(b, int64(e.Wall-t.wall))
	b = binary.AppendVarint(b, int64(e.CPU-t.cpu))
	word := uint64(e.Method)<<8 | uint64(e.Action)
	if e.Site == 0 {
		b = binary.AppendUvarint(b, word)
	} else {
		b = append(binary.AppendUvarint(b, word|sited), byte(e.Site))
	}
	t.used[len(t.used)-1] = uint16(len(b))
	t.seq, t.wall, t.cpu, t.end = r.seq, e.Wall, e.CPU, max(t.end, e.Wall)
	r.seq++
	return nil
}

// room returns the used part of the thread's last page, which has room for
// another event.
func (r *runs) room(t *run) ([]byte, error) {
	if n := len(t.pages); n > 0 && t.used[n-1]+maxEventBytes <= pageSize {
		return r.page(t.pages[n-1])[:t.used[n-1]], nil
	}
	if len(r.free) == 0 {
		if err := r.makeRoom(); err != nil {
			return nil, err
		}
	}
	p := r.free[len(r.free)-1]
	r.free = r.free[:len(r.free)-1]
	t.pages, t.used = append(t.pages, p), append(t.used, 0)
	return r.page(p)[:0], nil
}

func (r *runs) page(p int32) []byte {
	const perSlab = slabSize / pageSize
	at := int(p) % perSlab * pageSize
	return r.slabs[p/perSlab][at : at+pageSize : at+pageSize]
}

// makeRoom adds pages, or moves the threads that have most of them to the file:
// those with at least half the average, which are more than half of all pages.
func (r *runs) makeRoom() error {
	const perSlab = slabSize / pageSize
	if n := len(r.slabs); n < r.most {
		r.slabs = append(r.slabs, make([]byte, slabSize))
		for p := (n+1)*perSlab - 1; p >= n*perSlab; p-- {
			r.free = append(r.free, int32(p))
		}
		return nil
	}
	enough := max(1, r.most*perSlab/len(r.threads)/2)
	for i := range r.threads {
		if len(r.threads[i].pages) >= enough {
			if err := r.flush(&r.threads[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush moves a thread's pages to blocks of the file.
func (r *runs) flush(t *run) (err error) {
	if r.file == nil {
		if r.file, err = eventlog.CreateFile(r.dir); err != nil {
			return err
		}
	}
	for at := 0; at < len(t.pages); at += maxBlockPages {
		end := min(at+maxBlockPages, len(t.pages))
		if err := r.flushBlock(t, t.pages[at:end], t.used[at:end]); err != nil {
			return err
		}
	}
	r.free = append(r.free, t.pages...)
	t.pages, t.used = nil, nil
	return nil
}

// flushBlock writes one block and appends it to the thread's list.
func (r *runs) flushBlock(t *run, pages []int32, used []uint16) error {
	b := append(r.scratch[:0], make([]byte, blockHead)...)
	for i, p := range pages {
		b = append(b, r.page(p)[:used[i]]...)
	}
	binary.LittleEndian.PutUint32(b[8:], uint32(len(b)-blockHead))
	if _, err := r.file.WriteAt(b, r.size); err != nil {
		return err
	}
	if t.last >= 0 {
		if _, err := r.file.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(r.size)), t.last); err != nil {
			return err
		}
	} else {
		t.first = r.size
	}
	t.last = r.size
	r.size += int64(len(b))
	r.scratch = b[:0]
	return nil
}

// cursor reads a thread's events back.
type cursor struct {
	r     *runs
	event trace.Event   // the next one
	key   time.Duration // the latest wall time so far: what it is sorted by
	seq   int64

	data   []byte // encoded events in memory
	page   int    // the next page; when there is no file
	window []byte // backs data, when there is one
	at     int64  // where the rest of the block begins
	rest   int64  // bytes of the block that are not in memory
	next   int64  // the next block; 0 for none
}

// cursor returns a cursor in front of the first event of a thread.
func (r *runs) cursor(id trace.ThreadID) *cursor {
	c := &cursor{r: r, event: trace.Event{Thread: id}}
	if r.file != nil {
		c.window = make([]byte, min(1<<16, max(pageSize, maxSlabs*slabSize/len(r.threads))))
		c.next = r.threads[id].first
		c.at = -1
	}
	return c
}

// before reports whether c's next event comes before d's.
func (c *cursor) before(d *cursor) bool {
	return c.key < d.key || c.key == d.key && c.seq < d.seq
}

// advance reads the next event; at the end it returns io.EOF.
func (c *cursor) advance() error {
	if len(c.data) < maxEventBytes {
		if err := c.fill(); err != nil {
			return err
		}
	}
	e := &c.event
	seq, n := binary.Uvarint(c.data)
	c.data = c.data[n:]
	wall, n := binary.Varint(c.data)
	c.data = c.data[n:]
	cpu, n := binary.Varint(c.data)
	c.data = c.data[n:]
	word, n := binary.Uvarint(c.data)
	c.data = c.data[n:]
	c.seq += int64(seq)
	e.Wall += time.Duration(wall)
	e.CPU += time.Duration(cpu)
	e.Method, e.Action, e.Site = trace.MethodID(word>>8), trace.Action(word&^sited), 0
	if word&sited != 0 {
		e.Site = trace.Site(c.data[0])
		c.data = c.data[1:]
	}
	c.key = max(c.key, e.Wall)
	return nil
}

// fill sees to it that c.data begins with a whole event.
func (c *cursor) fill() error {
	if c.r.file == nil {
		return c.fillFromPages()
	}
	for c.rest == 0 && len(c.data) == 0 {
		if c.at >= 0 && c.next == 0 {
			return io.EOF
		}
		if err := c.openBlock(); err != nil {
			return err
		}
	}
	if c.rest == 0 {
		return nil
	}
	n := copy(c.window, c.data)
	more := int(min(c.rest, int64(len(c.window)-n)))
	if _, err := c.r.file.ReadAt(c.window[n:n+more], c.at); err != nil {
		return err
	}
	c.at += int64(more)
	c.rest -= int64(more)
	c.data = c.window[:n+more]
	return nil
}

func (c *cursor) fillFromPages() error {
	t := &c.r.threads[c.event.Thread]
	if len(c.data) > 0 {
		return nil
	}
	if c.page == len(t.pages) {
		return io.EOF
	}
	c.data = c.r.page(t.pages[c.page])[:t.used[c.page]]
	c.page++
	return nil
}

// openBlock reads the head of the next block.
func (c *cursor) openBlock() error {
	var head [blockHead]byte
	if _, err := c.r.file.ReadAt(head[:], c.next); err != nil {
		return err
	}
	c.at = c.next + blockHead
	c.next = int64(binary.LittleEndian.Uint64(head[:]))
	c.rest = int64(binary.LittleEndian.Uint32(head[8:]))
	return nil
}
