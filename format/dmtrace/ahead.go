package dmtrace

import (
	"runtime"

	"artifice/trace"
)

// How a large file is decoded on several cores, unless a test says otherwise.
const (
	aheadFrom  = 1 << 20   // bytes; a smaller file is decoded in place
	aheadBytes = 112 << 10 // of a chunk: 8 Ki records of 14 bytes; twice as many take some 5 % longer, half as many, too
	aheadCores = 8         // more would wait for the one that takes their events
)

// AheadConfig overrides these in tests; 0 leaves them.
type AheadConfig struct {
	From  int64 // bytes of a file
	Bytes int   // of a chunk
	Cores int   // that decode
}

// Ahead decodes chunks of a large file on other cores before they are asked for.
//
// The reading itself, and everything that has an order, stays with the consumer, in whose
// goroutine ReadEvents runs: it cuts the file into chunks of whole items and starts a
// goroutine for each, which decodes the records in it as far as this needs nothing but
// the chunk and the symbols that were known when it was cut. Then the consumer goes
// through the chunks in file order as it goes through a file that is small. Where it
// comes to records, it takes over the events if they have been decoded, and tells them
// what came before: how far the clocks had run, which calls were open. Where it finds
// none, or they do not fit, it decodes the records itself. So there is one reader of
// the format; what is not plain is done by it alone, in order.
//
// A goroutine ends with its chunk and waits for nobody, so none is left behind when a
// file is not read to its end.
type Ahead[W worker] struct {
	cut   func(src *Input, c *Chunk[W]) // appends whole items to c.raw; none where what follows is not plain
	fresh func() W
	most  int         // chunks that are being decoded, or wait to be read
	bytes int         // of a chunk
	off   int64       // of the first byte that is in no chunk
	Now   *Chunk[W]   // is being read
	next  []*Chunk[W] // in file order
	idle  []*Chunk[W]
}

// worker decodes the records of a chunk.
type worker interface {
	// Learn takes in the symbols that the file has by now.
	Learn(s *trace.Symbols)
	// Decode runs in a goroutine of its own, and uses nothing but raw, which is at
	// offset off of the file, and itself.
	Decode(raw []byte, off int64)
}

// Chunk is some items of a file.
type Chunk[W worker] struct {
	Raw  []byte // the items
	off  int64
	Room int // how many bytes there should be
	done chan struct{}
	Work W // what decodes them
}

// NewAhead returns nil for a file that is better decoded in place.
func NewAhead[W worker](f *File, cut func(src *Input, c *Chunk[W]), fresh func() W) *Ahead[W] {
	how := f.Config.Ahead
	if f.Config.InPlace {
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
	if f.Total < how.From || how.Cores < 2 {
		return nil
	}
	return &Ahead[W]{cut: cut, fresh: fresh, most: how.Cores, bytes: how.Bytes}
}

// Turn is called where an item begins. It gives in the next chunk when the one before
// was read, and sees to it that others are being decoded. Where there is none, in
// reads from the file.
func (a *Ahead[W]) Turn(in *Input, s *trace.Symbols) {
	if a == nil || len(in.Mem) > 0 {
		return
	}
	if a.Now != nil {
		a.idle, a.Now = append(a.idle, a.Now), nil
	}
	if len(a.next) == 0 {
		a.off = in.Off
	}
	for in.Broken == nil && len(a.next) < a.most && a.start(in, s) {
	}
	if len(a.next) == 0 {
		return
	}
	a.Now = a.next[0]
	a.next = a.next[:copy(a.next, a.next[1:])]
	<-a.Now.done
	in.Mem, in.Off = a.Now.Raw, a.Now.off
}

// start cuts a chunk and has it decoded; false when nothing was cut.
func (a *Ahead[W]) start(in *Input, s *trace.Symbols) bool {
	if len(a.idle) == 0 {
		a.idle = append(a.idle, &Chunk[W]{done: make(chan struct{}, 1), Room: a.bytes, Raw: make([]byte, 0, a.bytes+BufferSize), Work: a.fresh()})
	}
	c := a.idle[len(a.idle)-1]
	c.Raw, c.off = c.Raw[:0], a.off
	src := &Input{Bytes: in.Bytes, Name: in.Name, Off: a.off}
	if a.cut(src, c); len(c.Raw) == 0 {
		return false
	}
	a.idle, a.next, a.off = a.idle[:len(a.idle)-1], append(a.next, c), src.Off
	c.Work.Learn(s)
	go func() {
		c.Work.Decode(c.Raw, c.off)
		c.done <- struct{}{}
	}()
	return true
}

// Late are methods that were not known when a chunk was cut, and that its events have
// until they are delivered.
type Late struct {
	IDs []uint64 // of the methods
}

// LateMethod and what is above stand for methods in late.ids.
const LateMethod trace.MethodID = 1 << 31

// Add returns what stands for the method with that id.
func (l *Late) Add(id uint64) trace.MethodID {
	l.IDs = append(l.IDs, id)
	return LateMethod + trace.MethodID(len(l.IDs)-1)
}

// Of returns the id that m stands for; ok is false when m is a method itself.
func (l *Late) Of(m trace.MethodID) (id uint64, ok bool) {
	if m < LateMethod {
		return 0, false
	}
	return l.IDs[m-LateMethod], true
}

// Work returns what is known of the chunk that is being read; ok is false when that
// is the file.
func (a *Ahead[W]) Work() (w W, ok bool) {
	if a == nil || a.Now == nil {
		return w, false
	}
	return a.Now.Work, true
}

// RunAt returns the first of the runs, which are in file order, if its offset is at; nil if
// there is none. It drops those in front of it, which were left to the consumer.
func RunAt[R any](runs *[]R, at int64, offset func(*R) int64) *R {
	for len(*runs) > 0 && offset(&(*runs)[0]) < at {
		*runs = (*runs)[1:]
	}
	if len(*runs) > 0 && offset(&(*runs)[0]) == at {
		return &(*runs)[0]
	}
	return nil
}
