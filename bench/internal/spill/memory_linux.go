package spill

import (
	"slices"
	"syscall"
	"unsafe"

	"artifice/internal/eventlog"
)

// Memory may be used by one goroutine at a time; memory.go describes it. The zero value is empty
// and ready to use.
type Memory struct {
	// Partner is a memory that releases its pages together with this one, because both are accessed
	// together; nil: none.
	Partner *Memory

	pieces  [][]byte // pieces of ordinary memory
	heap    int      // total size of the pieces
	spare   [][]byte // pieces from before Reset
	file    *eventlog.File
	size    int64 // size of the file
	chunks  [][]byte
	free    []byte // the rest of the latest piece or chunk
	touched int    // bytes accessed since pages were released
	full    bool   // the file cannot grow
}

// Allocate returns n bytes, or nil if ordinary memory is to be used.
func (m *Memory) Allocate(n uintptr) unsafe.Pointer {
	if m == nil || n == 0 {
		return nil
	}
	size := int(n+align-1) &^ (align - 1)
	if size > len(m.free) {
		more := m.more(size)
		if len(more)-size < len(m.free) { // keep the larger rest
			return unsafe.Pointer(&more[0])
		}
		m.free = more
	}
	p := unsafe.Pointer(&m.free[0])
	m.free = m.free[size:]
	return p
}

// more allocates at least size bytes.
func (m *Memory) more(size int) []byte {
	if m.heap < inMemory || m.full {
		return m.piece(max(size, pieceSize))
	}
	chunk, err := m.mapped((max(size, chunkSize) + 4095) &^ 4095)
	if err != nil {
		m.full = true
		return m.piece(max(size, pieceSize))
	}
	m.chunks = append(m.chunks, chunk)
	m.Touch(len(chunk))
	return chunk
}

// piece allocates a piece of ordinary memory.
func (m *Memory) piece(size int) []byte {
	var b []byte
	if n := len(m.spare); n > 0 && len(m.spare[n-1]) >= size {
		b, m.spare = m.spare[n-1], m.spare[:n-1]
		clear(b)
	} else {
		b = make([]byte, size) // an allocation of this size begins at a page boundary
	}
	m.pieces, m.heap = append(m.pieces, b), m.heap+len(b)
	return b
}

// mapped maps n more bytes of the file.
func (m *Memory) mapped(n int) (b []byte, err error) {
	if m.file == nil {
		if m.file, err = eventlog.CreateFile(""); err != nil {
			return nil, err
		}
	}
	file := int(m.file.Fd())
	// Otherwise a write to a page for which the disk has no room would kill the process.
	if err := syscall.Fallocate(file, 0, m.size, int64(n)); err != nil {
		return nil, err
	}
	b, err = syscall.Mmap(file, m.size, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	m.size += int64(n)
	return b, err
}

// Touch counts n accessed bytes. After enough of them all pages are released; their contents stay
// in the file.
func (m *Memory) Touch(n int) {
	if m == nil || len(m.chunks) == 0 {
		return
	}
	if m.touched += n; m.touched < resident {
		return
	}
	m.giveBack()
	if m.Partner != nil {
		m.Partner.giveBack()
	}
}

func (m *Memory) giveBack() {
	m.touched = 0
	for _, b := range m.chunks {
		syscall.Madvise(b, syscall.MADV_DONTNEED) // on failure the pages remain in memory
	}
}

// Reset empties the memory. None of it may be in use.
func (m *Memory) Reset() {
	if m == nil {
		return
	}
	spare := append(m.spare, m.pieces...)
	slices.SortFunc(spare, func(a, b []byte) int { return len(a) - len(b) })
	partner := m.Partner
	m.Close()
	m.Partner, m.spare = partner, spare
}

// Spilled returns the number of bytes in the file.
func (m *Memory) Spilled() int64 { return m.size }

// Close releases all memory. None of it may be in use.
func (m *Memory) Close() error {
	if m == nil {
		return nil
	}
	for _, b := range m.chunks {
		syscall.Munmap(b)
	}
	file := m.file
	*m = Memory{}
	return file.Close()
}
