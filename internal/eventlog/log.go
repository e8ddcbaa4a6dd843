package eventlog

import (
	"encoding/binary"
	"io"
	"math/bits"
	"slices"
	"time"

	"artifice/trace"
)

// Memory is the default number of bytes that a log keeps in memory: about a million events.
const Memory = 8 << 20

// Log stores events of many threads, each thread in its own order: in blocks of memory and, when
// these are full, in blocks of a temporary file. The blocks of a thread in the file are a linked
// list, so the memory does not grow with the number of events.
type Log struct {
	dir    string
	memory int // bytes
	pool   Pool
	lists  []list // by thread, or by run
	seq    uint64 // of the latest event

	runs     runs            // if the lists are runs
	cpu      []time.Duration // of AddInOrder, by thread: the time of its latest event
	unsorted []trace.Event   // of AddByTime, in the order of adding, not yet in a run

	consumed bool          // reading removes events
	heap     Heap[*cursor] // of the threads with such events, ordered by the place of the first event
	err      error

	file    *File
	turn    int // the next list to be moved to the file
	end     int64
	free    [32][]int64 // free places in the file, by the logarithm of their size
	scratch []byte
}

// list is the events of one thread: those in the file, then those in memory.
type list struct {
	first, last int64 // blocks in the file; 0 for none
	blocks      [][]byte
	taken       int // bytes of the first block that the taker has read
	coder       coder
	taker       *cursor // removes the entries it reads; nil in a Log
}

// longBlock is the block size while the last blocks of all threads take at most a quarter of the
// memory. Long blocks save time: an event that begins a block is slower than others.
const longBlock = 4096

// fileBlock is the maximum number of bytes of one write to the file.
const fileBlock = 1 << 20

// fileHead is the size of the head of a block: u8 place of the thread's next block, 0 for none; u4
// bytes. The first block begins at this offset, so no block has place 0.
const fileHead = 12

// NewLog returns an empty Log that keeps memory bytes in memory, and the rest in a file in dir; ""
// is os.TempDir.
func NewLog(dir string, memory int) *Log {
	return &Log{dir: dir, memory: memory, pool: Pool{size: longBlock}, end: fileHead}
}

// Close removes the file.
func (l *Log) Close() error {
	l.lists, l.heap, l.unsorted, l.pool = nil, nil, nil, Pool{}
	return l.file.Close()
}

// Size returns the bytes of the events in memory and the length of the file.
func (l *Log) Size() (memory, disk int64) {
	if l.file != nil {
		disk = l.end
	}
	return int64(l.pool.used), disk
}

// Add appends an entry to its thread and sets its Seq to the next number.
func (l *Log) Add(e *Entry) error {
	l.seq++
	e.Seq = l.seq
	return l.add(l.list(int(e.Event.Thread)), e)
}

// list returns the list with index i.
func (l *Log) list(i int) *list {
	for i >= len(l.lists) {
		n := len(l.lists)
		var taker *cursor
		if l.consumed {
			taker = &cursor{log: l, list: n, take: true, coder: coder{thread: trace.ThreadID(n)}}
		}
		l.lists = append(l.lists, list{taker: taker})
		if len(l.lists) > l.memory/longBlock/4 {
			l.pool.shorten(blockSize)
		}
	}
	return &l.lists[i]
}

func (l *Log) add(t *list, e *Entry) error {
	if t.full() {
		if err := l.extend(t); err != nil {
			return err
		}
	}
	b := t.tail()
	*b = t.coder.append(*b, e)
	return nil
}

// full reports whether a list's last block lacks the capacity for another entry.
func (t *list) full() bool {
	return len(t.blocks) == 0 || cap(*t.tail())-len(*t.tail()) < maxEntryBytes
}

func (t *list) tail() *[]byte { return &t.blocks[len(t.blocks)-1] }

// extend adds an empty block to a list.
func (l *Log) extend(t *list) error {
	if l.pool.used+l.pool.size > l.memory {
		if err := l.spill(); err != nil {
			return err
		}
	}
	t.blocks = append(t.blocks, l.pool.get())
	return nil
}

// spill moves a quarter of the memory to the file: in rotation, the oldest blocks of the threads
// with at least half the average. These threads have more than half of all memory. Data still in
// memory at the end is never written.
func (l *Log) spill() error {
	enough := l.pool.used / len(l.lists) / 2
	for most := max(0, min(l.memory/4*3, l.memory-l.pool.size)); l.pool.used > most; l.turn++ {
		if t := &l.lists[l.turn%len(l.lists)]; bytesOf(t.blocks) >= enough {
			if err := l.flush(t, l.pool.used-most); err != nil {
				return err
			}
		}
	}
	return nil
}

// bytesOf returns the memory used by blocks.
func bytesOf(blocks [][]byte) (n int) {
	for _, b := range blocks {
		n += cap(b)
	}
	return n
}

// flush moves a thread's oldest blocks to the file, until it has moved the given number of bytes or
// all blocks.
func (l *Log) flush(t *list, bytes int) (err error) {
	if l.file == nil {
		if l.file, err = CreateFile(l.dir); err != nil {
			return err
		}
	}
	if t.taken > 0 {
		t.taker.save()
	}
	n := 0
	for ; n < len(t.blocks) && bytes > 0; n++ {
		bytes -= cap(t.blocks[n])
	}
	for part := range slices.Chunk(t.blocks[:n], fileBlock/longBlock) {
		if err := l.write(t, part); err != nil {
			return err
		}
	}
	l.pool.put(t.blocks[:n]...)
	t.blocks = slices.Delete(t.blocks, 0, n)
	return nil
}

// write combines blocks of memory into one block of the file, the last of its thread.
func (l *Log) write(t *list, blocks [][]byte) error {
	b := slices.Grow(l.scratch[:0], fileHead+bytesOf(blocks))[:fileHead]
	clear(b)
	for i := range blocks {
		b = append(b, blocks[i][t.taken:]...)
		t.taken = 0
	}
	l.scratch = b
	if len(b) == fileHead {
		return nil
	}
	binary.LittleEndian.PutUint32(b[8:], uint32(len(b)-fileHead))
	at := l.allot(len(b))
	if _, err := l.file.WriteAt(b, at); err != nil {
		return err
	}
	if t.last == 0 {
		t.first = at
	} else if _, err := l.file.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(at)), t.last); err != nil {
		return err
	}
	t.last = at
	return nil
}

// readAt fills b from the file.
func (l *Log) readAt(b []byte, at int64) error {
	_, err := l.file.ReadAt(b, at)
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// allot returns a place in the file for n bytes.
func (l *Log) allot(n int) (at int64) {
	if !l.consumed {
		at = l.end
		l.end += int64(n)
		return at
	}
	class := bits.Len(uint(n - 1))
	if k := len(l.free[class]); k > 0 {
		at = l.free[class][k-1]
		l.free[class] = l.free[class][:k-1]
		return at
	}
	at = l.end
	l.end += 1 << class
	return at
}

// remove frees the place of a thread's first block, of n bytes.
func (l *Log) remove(t *list, next int64, n int) {
	class := bits.Len(uint(n - 1))
	l.free[class] = append(l.free[class], t.first)
	if t.first = next; next == 0 {
		t.last = 0
	}
}

// Push adds an event to a Log that Peek and Pop read while it is filled. Events with the same
// place come in the order of Push. So do the events of one thread, so a thread's next event must
// be pushed before an event with a later place is removed. Err returns errors.
func (l *Log) Push(e trace.Event, at time.Duration) {
	if !l.consumed {
		l.consumed = true
		l.pool.shorten(blockSize) // few events of a thread wait
	}
	t := l.list(int(e.Thread))
	l.seq++
	entry := Entry{e, at, l.seq}
	c := t.taker
	if c.left > 0 {
		if err := l.add(t, &entry); err != nil {
			l.fail(err)
			return
		}
		c.left++
		return
	}
	// It is the next one, and need not be encoded.
	c.left, c.entry = 1, entry
	t.coder = coder{wall: e.Wall, cpu: e.CPU, at: at, seq: entry.Seq, thread: e.Thread}
	c.coder = t.coder
	l.heap.Push(Item[*cursor]{at, entry.Seq, c})
}

// Len returns the number of a thread's events that were pushed and not removed.
func (l *Log) Len(id trace.ThreadID) int {
	if int(id) >= len(l.lists) {
		return 0
	}
	return l.lists[id].taker.left
}

// Peek returns the earliest event, or nil if there is none. It is valid until the next Push
// or Pop.
func (l *Log) Peek() *Entry {
	if len(l.heap) == 0 {
		return nil
	}
	return &l.heap[0].Value.entry
}

// Pop removes the earliest event.
func (l *Log) Pop() {
	first := &l.heap[0]
	c := first.Value
	if c.left--; c.left > 0 {
		if err := c.advance(); err != nil {
			l.fail(err)
			c.left = 0
		}
	}
	if c.left == 0 {
		l.heap.Pop()
		return
	}
	first.At, first.Tie = c.entry.At, c.entry.Seq
	l.heap.Down()
}

func (l *Log) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// Err returns the first error of the file in Push and Pop, after which events are missing.
func (l *Log) Err() error { return l.err }

// Added returns the number of events that were ever added.
func (l *Log) Added() uint64 { return l.seq }
