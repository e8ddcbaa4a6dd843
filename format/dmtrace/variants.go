package dmtrace

import (
	"io"

	"artifice/format/internal/kind"
	"artifice/internal/dmformat"
	"artifice/internal/encode"
	"artifice/trace"
)

// Variants returns the variants of method traces as formats that are written. A file of any is
// read as [Format], which tells them apart.
func Variants() []*kind.Format {
	var all []*kind.Format
	add := func(name, about string, write func(io.Writer, *trace.Recording, encode.Options) (encode.Writer, error)) {
		all = append(all, &kind.Format{Name: name, About: about, Holds: kind.Binary, Write: write})
	}
	for _, v := range dmformat.Variants {
		add(v.Name, v.Description, func(w io.Writer, rec *trace.Recording, o encode.Options) (encode.Writer, error) {
			if o.Portable && v.Name == dmformat.ART {
				return NewPortable(w, rec, PortableConfig{TempDir: o.TempDir})
			}
			return NewWriter(w, rec, Config{Format: v.Name, Clock: o.Clock, Output: o.Output, TempDir: o.TempDir})
		})
	}
	for _, gen := range dmformat.LongRuns {
		add(gen.Name, gen.Description, func(w io.Writer, rec *trace.Recording, o encode.Options) (encode.Writer, error) {
			return NewLongRun(w, rec, LongRunConfig{Format: gen.Name, CounterHz: o.CounterHz, TempDir: o.TempDir})
		})
	}
	return all
}
