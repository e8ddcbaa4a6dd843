package decode

import "io"

// Counter counts the bytes read, including those that a buffer above it reads ahead.
type Counter struct {
	r io.Reader
	n int64
}

// NewCounter returns a Counter that reads from r.
func NewCounter(r io.Reader) *Counter { return &Counter{r: r} }

// Bytes returns the number of bytes read.
func (c *Counter) Bytes() int64 { return c.n }

// Read implements io.Reader.
func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
