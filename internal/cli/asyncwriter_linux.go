//go:build linux && !arm

package cli

import (
	"os"
	"syscall"
)

// startSync makes the system begin to write n bytes of a file to the disk, starting at off. Only
// [os.File.Sync] guarantees that they are there. On file systems without support nothing happens.
func startSync(file *os.File, off, n int64) {
	const syncFileRangeWrite = 2 // SYNC_FILE_RANGE_WRITE of linux/fs.h
	syscall.SyncFileRange(int(file.Fd()), off, n, syncFileRangeWrite)
}
