package dmtrace

import (
	"runtime"

	"artifice/trace"
)

// Limits of the decoding of a large file on several cores, unless a test sets other values.
const (
	aheadFrom = 1 << 20 // in bytes; a smaller file is decoded in place
	// bytes of a chunk: 8 Ki records of 14 bytes; twice or half of that takes some 5 % longer
	aheadBytes = 112 << 10
	aheadCores = 8 // maximum; more cores would wait for the consumer of their events
)

// aheadOptions overrides these limits in tests; 0 keeps a limit.
type aheadOptions struct {
	From  int64 // minimum size of a file, in bytes
	Bytes int   // size of a chunk
	Cores int   // number of decoding cores
}

// ahead decodes chunks of a large file on other cores before they are requested.
//
// The consumer, in the goroutine of ReadEvents, reads the file and does everything that depends on
// its order. It cuts the file into chunks of whole items and starts a goroutine for each chunk.
// That goroutine decodes the records as far as this requires only the chunk and the symbols known
// when it was cut. The consumer then processes the chunks in file order, like a small file. If
// records have been decoded ahead, it takes over their events and adds the state before them: clock
// values and open calls. Otherwise, or if the state does not fit, it decodes the records itself.
// There is thus one reader of the format, and only that reader handles special cases, in order.
//
// A goroutine ends with its chunk and never waits, so none remains if a file is not read to its
// end.
type ahead[W worker] struct {
	of    chunker[W]
	most  int         // maximum number of chunks that are being decoded or wait to be read
	bytes int         // size of a chunk
	off   int64       // of the first byte that is in no chunk yet
	now   *chunk[W]   // the chunk being read
	next  []*chunk[W] // the following chunks, in file order
	idle  []*chunk[W]
}

// chunker is a file that can be cut into chunks.
type chunker[W worker] interface {
	// cut appends whole items to c.raw. It appends nothing before an item that cannot be decoded
	// ahead.
	cut(src *input, c *chunk[W])
	// newWorker returns a decoder of the file's chunks.
	newWorker() W
}

// worker decodes the records of a chunk.
type worker interface {
	// learn copies the symbols that are known so far.
	learn(s *trace.Symbols)
	// decodeChunk runs in its own goroutine. It uses only the worker and raw, which is at offset
	// off of the file.
	decodeChunk(raw []byte, off int64)
}

// chunk is a sequence of whole items of a file.
type chunk[W worker] struct {
	raw  []byte // the items
	off  int64
	room int // intended number of bytes
	done chan struct{}
	work W // the decoder of the items
}

// newAhead returns nil for a file that should be decoded in place.
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

// turn is called at the beginning of an item. If in has read a chunk to its end, turn passes the
// next chunk to in and starts the decoding of further chunks. Without a next chunk, in reads from
// the file.
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

// start cuts a chunk and starts its decoding. It returns false if nothing was cut.
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

// late contains the ids of methods that were unknown when a chunk was cut. The events of these
// methods have placeholders until they are delivered.
type late struct {
	IDs []uint64 // of the methods
}

// Method ids from lateMethod on are placeholders: indexes of late.IDs.
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

// work returns the worker of the chunk that is being read; ok is false if the file itself is being
// read.
func (a *ahead[W]) work() (w W, ok bool) {
	if a == nil || a.now == nil {
		return w, false
	}
	return a.now.work, true
}

// run is a sequence of records that were decoded ahead; offset is the position of the first one.
type run interface{ offset() int64 }

// runAt returns the first of the runs, which are in file order, if it begins at offset at, else
// nil. It drops earlier runs, because the consumer has decoded their records itself.
func runAt[R run](runs *[]R, at int64) *R {
	for len(*runs) > 0 && (*runs)[0].offset() < at {
		*runs = (*runs)[1:]
	}
	if len(*runs) > 0 && (*runs)[0].offset() == at {
		return &(*runs)[0]
	}
	return nil
}
