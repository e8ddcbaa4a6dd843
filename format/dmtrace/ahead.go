package dmtrace

import (
	"runtime"

	"artifice/trace"
)

// How a large file is decoded on several cores, unless a test sets other values.
const (
	aheadFrom  = 1 << 20   // bytes; a smaller file is decoded in place
	aheadBytes = 112 << 10 // of a chunk: 8 Ki records of 14 bytes; twice or half of that takes some 5 % longer
	aheadCores = 8         // more would wait for the one that takes their events
)

// aheadOptions overrides these in tests; 0 leaves them.
type aheadOptions struct {
	From  int64 // bytes of a file
	Bytes int   // of a chunk
	Cores int   // that decode
}

// ahead decodes chunks of a large file on other cores before they are requested.
//
// The reading itself, and everything that has an order, stays with the consumer, in the goroutine
// of ReadEvents: it cuts the file into chunks of whole items and starts a goroutine for each, which
// decodes the records in it as far as this needs only the chunk and the symbols that were known
// when it was cut. Then the consumer goes through the chunks in file order, as through a small
// file. When it reaches records, it takes over the events if they have been decoded, and adds the
// state before them: clock values and open calls. If there are none, or they do not fit, it decodes
// the records itself. So there is one reader of the format; it alone handles special cases, in
// order.
//
// A goroutine ends with its chunk and never waits, so none remains if a file is not read to its
// end.
type ahead[W worker] struct {
	of    chunker[W]
	most  int         // chunks that are being decoded, or wait to be read
	bytes int         // of a chunk
	off   int64       // of the first byte that is in no chunk
	now   *chunk[W]   // is being read
	next  []*chunk[W] // in file order
	idle  []*chunk[W]
}

// chunker is a file as ahead reads it.
type chunker[W worker] interface {
	// cut appends whole items to c.raw; none where what follows is not plain.
	cut(src *input, c *chunk[W])
	// newWorker returns a decoder of the file's chunks.
	newWorker() W
}

// worker decodes the records of a chunk.
type worker interface {
	// learn takes in the symbols that the file has by now.
	learn(s *trace.Symbols)
	// decodeChunk runs in a goroutine of its own, and uses nothing but raw, which is at
	// offset off of the file, and itself.
	decodeChunk(raw []byte, off int64)
}

// chunk is some items of a file.
type chunk[W worker] struct {
	raw  []byte // the items
	off  int64
	room int // how many bytes there should be
	done chan struct{}
	work W // what decodes them
}

// newAhead returns nil for a file that is better decoded in place.
func newAhead[W worker](f *File, of chunker[W]) *ahead[W] {
	how := f.options.ahead
	if f.options.InPlace {
		return nil
	}
	if how.From == 0 {
		how.From = aheadFrom
	}
	if how.Bytes == 0 {
		how.Bytes = aheadBytes
	}
	if how.Cores == 0 {
		how.Cores = min(runtime.GOMAXPROCS(0), aheadCores)
	}
	if f.total < how.From || how.Cores < 2 {
		return nil
	}
	return &ahead[W]{of: of, most: how.Cores, bytes: how.Bytes}
}

// turn is called where an item begins. It gives in the next chunk when the one before
// was read, and sees to it that others are being decoded. Where there is none, in
// reads from the file.
func (a *ahead[W]) turn(in *input, s *trace.Symbols) {
	if a == nil || len(in.mem) > 0 {
		return
	}
	if a.now != nil {
		a.idle, a.now = append(a.idle, a.now), nil
	}
	if len(a.next) == 0 {
		a.off = in.off
	}
	for in.broken == nil && len(a.next) < a.most && a.start(in, s) {
	}
	if len(a.next) == 0 {
		return
	}
	a.now = a.next[0]
	a.next = a.next[:copy(a.next, a.next[1:])]
	<-a.now.done
	in.mem, in.off = a.now.raw, a.now.off
}

// start cuts a chunk and has it decoded; false when nothing was cut.
func (a *ahead[W]) start(in *input, s *trace.Symbols) bool {
	if len(a.idle) == 0 {
		a.idle = append(a.idle, &chunk[W]{done: make(chan struct{}, 1), room: a.bytes, raw: make([]byte, 0, a.bytes+bufferSize), work: a.of.newWorker()})
	}
	c := a.idle[len(a.idle)-1]
	c.raw, c.off = c.raw[:0], a.off
	src := &input{r: in.r, name: in.name, off: a.off}
	if a.of.cut(src, c); len(c.raw) == 0 {
		return false
	}
	a.idle, a.next, a.off = a.idle[:len(a.idle)-1], append(a.next, c), src.off
	c.work.learn(s)
	go func() {
		c.work.decodeChunk(c.raw, c.off)
		c.done <- struct{}{}
	}()
	return true
}

// late are methods that were not known when a chunk was cut, and that its events have
// until they are delivered.
type late struct {
	IDs []uint64 // of the methods
}

// Ids from lateMethod on denote methods in late.ids.
const lateMethod trace.MethodID = 1 << 31

// Add returns a placeholder for the method with that id.
func (l *late) Add(id uint64) trace.MethodID {
	l.IDs = append(l.IDs, id)
	return lateMethod + trace.MethodID(len(l.IDs)-1)
}

// Of returns the id represented by the placeholder m; ok is false if m is not a placeholder.
func (l *late) Of(m trace.MethodID) (id uint64, ok bool) {
	if m < lateMethod {
		return 0, false
	}
	return l.IDs[m-lateMethod], true
}

// work returns what is known of the chunk that is being read; ok is false when that
// is the file.
func (a *ahead[W]) work() (w W, ok bool) {
	if a == nil || a.now == nil {
		return w, false
	}
	return a.now.work, true
}

// run is records that were decoded ahead; offset is that of the first one.
type run interface{ offset() int64 }

// runAt returns the first of the runs, which are in file order, if its offset is at; nil if
// there is none. It drops those in front of it, which were left to the consumer.
func runAt[R run](runs *[]R, at int64) *R {
	for len(*runs) > 0 && (*runs)[0].offset() < at {
		*runs = (*runs)[1:]
	}
	if len(*runs) > 0 && (*runs)[0].offset() == at {
		return &(*runs)[0]
	}
	return nil
}
