package testdata

import "runtime"

// Heap returns the bytes in use on the heap after a garbage collection.
func Heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
