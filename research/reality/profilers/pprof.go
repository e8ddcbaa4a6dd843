package profilers

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"time"

	"artifice/internal/protobuf"
)

// timeNanos is the field of a profile with its begin, since 1970 (proto/profile.proto of
// github.com/google/pprof).
const timeNanos = 9

// ofPprof compares the begin of the profile with the log's.
func ofPprof(r *run, t *truth) error {
	f, err := os.Open(r.profile)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	message, err := io.ReadAll(unzipped)
	if err != nil {
		return err
	}
	began := int64(0)
	err = protobuf.Fields(message, func(field int, number uint64, _ []byte) error {
		if field == timeNanos {
			began = int64(number)
		}
		return nil
	})
	if err == nil && began == 0 {
		err = errors.New("the profile does not state its start time")
	}
	if err != nil {
		return err
	}
	return within(time.Duration(began), t.unix)
}
