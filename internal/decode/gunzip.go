package decode

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"artifice/trace"
)

// freeBytes is how much a packed file may unpack to, whatever its size.
const freeBytes = 64 << 20

// Gunzip returns what is packed in r. Reading it fails with a [trace.LimitError]
// beyond 64 MiB when there are more than ratio bytes for each packed one: a few
// bytes that unpack to a disk full of them are no trace. A ratio of 0 is that of
// [trace.Limits.OrDefault].
func Gunzip(r io.Reader, ratio int) (io.Reader, error) {
	packed := NewCounter(r)
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, broken(err)
	}
	return &unpacked{z: z, packed: packed, ratio: trace.Limits{Ratio: ratio}.OrDefault().Ratio}, nil
}

// unpacked is what a gzip reader delivers, as far as it is in proportion.
type unpacked struct {
	z      io.Reader
	packed *Counter
	ratio  int
	n      int64
}

// Read implements io.Reader.
func (u *unpacked) Read(p []byte) (int, error) {
	if u.n > freeBytes && u.n/int64(u.ratio) > u.packed.Bytes() {
		return 0, &trace.LimitError{Limit: "ratio", Most: u.ratio, What: "bytes unpacked for each packed one"}
	}
	n, err := u.z.Read(p)
	u.n += int64(n)
	return n, broken(err)
}

// broken says of an error of unpacking that it is about the packed file, as no offset in
// what it holds tells the place.
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
