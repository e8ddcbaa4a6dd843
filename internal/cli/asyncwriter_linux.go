//go:build linux && !arm

package cli

import (
	"os"
	"syscall"
)

// startSync lets the system begin to write n bytes of a file from off on to the disk. They
// are not sure to be there before [os.File.Sync] returns; where the file system cannot do
// this, nothing happens.
func startSync(file *os.File, off, n int64) {
	const syncFileRangeWrite = 2 // SYNC_FILE_RANGE_WRITE of linux/fs.h
	syscall.SyncFileRange(int(file.Fd()), off, n, syncFileRangeWrite)
}
