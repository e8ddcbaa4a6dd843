package testdata

import "runtime"

// Heap returns the bytes of the heap that are in use, when the garbage has been collected.
func Heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
