package otlp

import (
	"bytes"
	"fmt"
	"io"

	"github.com/google/pprof/profile"

	"artifice/format/pprof"
	"artifice/trace"
)

// writer writes the profile that package pprof makes of a recording. Threads are described by
// OpenTelemetry's attributes thread.name and thread.id.
type writer struct {
	*pprof.Writer
	file   io.Writer
	buffer *bytes.Buffer // the profile in pprof's format
	encode func(io.Writer, *Data) error
}

func newWriter(file io.Writer, rec *trace.Recording, encode func(io.Writer, *Data) error, options []any) (*writer, error) {
	var buffer bytes.Buffer
	w, err := pprof.NewWriter(&buffer, rec, options...)
	if err != nil {
		return nil, err
	}
	return &writer{w, file, &buffer, encode}, nil
}

// Close writes the file.
func (w *writer) Close() error {
	if err := w.Writer.Close(); err != nil {
		return err
	}
	p, err := profile.ParseUncompressed(w.buffer.Bytes())
	if err != nil {
		return fmt.Errorf("otlp: %w", err)
	}
	for _, s := range p.Sample {
		rename(s.Label, "thread", attrThreadName)
		rename(s.NumLabel, "tid", attrThreadID)
	}
	return w.encode(w.file, fromProfile(p))
}

func rename[T any](labels map[string][]T, from, to string) {
	if v, ok := labels[from]; ok {
		labels[to] = v
		delete(labels, from)
	}
}
