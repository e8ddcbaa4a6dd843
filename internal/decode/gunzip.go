package decode

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"artifice/trace"
)

// freeBytes is the decompressed size that is allowed for any compressed size.
const freeBytes = 64 << 20

// Gunzip decompresses r. Beyond 64 MiB, reading fails with a [trace.LimitError] if there are more
// than ratio bytes for each compressed one: a few bytes that expand to a full disk are not a
// trace. A ratio of 0 means that of [trace.Limits.OrDefault].
func Gunzip(r io.Reader, ratio int) (io.Reader, error) {
	packed := NewCounter(r)
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, broken(err)
	}
	return &unpacked{z: z, packed: packed, ratio: trace.Limits{Ratio: ratio}.OrDefault().Ratio}, nil
}

// unpacked is the output of a gzip reader within the allowed ratio.
type unpacked struct {
	z      io.Reader
	packed *Counter
	ratio  int
	n      int64
}

// Read implements io.Reader.
func (u *unpacked) Read(p []byte) (int, error) {
	if u.n > freeBytes && u.n/int64(u.ratio) > u.packed.Bytes() {
		return 0, &trace.LimitError{Limit: "ratio", Most: u.ratio, What: "uncompressed bytes per compressed byte"}
	}
	n, err := u.z.Read(p)
	u.n += int64(n)
	return n, broken(err)
}

// broken marks a decompression error as one of the compressed file, because offsets in its content
// do not locate it.
func broken(err error) error {
	switch {
	case err == nil, err == io.EOF:
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the gzip file is cut off: fetch or pack it again: %w", err)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		return fmt.Errorf("the gzip file is damaged: fetch or pack it again: %w", err)
	}
	return err
}
