package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"artifice/mapping"
	"artifice/stackdump"
)

// mappingFlag is the name of a mapping.txt of R8 or ProGuard; empty: none.
type mappingFlag string

func (f *mappingFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(f), "mapping", "", "give classes and methods the names they had before R8 or ProGuard wrote this `FILE`")
}

// read reads the mapping; it is nil when there is none.
func (f mappingFlag) read() (*mapping.Mapping, error) {
	if f == "" {
		return nil, nil
	}
	file, err := os.Open(string(f))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	if head, _ := in.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		return mapping.Read(z, string(f))
	}
	return mapping.Read(io.Reader(in), string(f))
}

// renameFrames returns what gives the frames of stack dumps their names; nil
// without a mapping.
func renameFrames(m *mapping.Mapping) func(stackdump.Frame) []stackdump.Frame {
	if m == nil {
		return nil
	}
	return func(f stackdump.Frame) []stackdump.Frame {
		if _, known := m.Class(f.Class); !known || f.Kind != stackdump.Managed {
			return []stackdump.Frame{f}
		}
		var frames []stackdump.Frame
		for _, n := range m.Frame(f.Class, f.Method, f.Line) {
			original := f
			original.Class, original.Method, original.File, original.Line = n.Class, n.Method, n.FileIn(f.File), n.Line
			frames = append(frames, original)
		}
		return frames
	}
}

// tellMapping says what a mapping could not tell.
func (s *source) tellMapping() {
	if s.renamed == nil {
		return
	}
	switch stats := s.renamed.Stats; {
	case stats.Known == 0 && stats.Methods > 0:
		fmt.Fprintf(s.std.err, "artifice: warning: %s: the mapping knows no class of the trace; is it of another build?\n", s.name)
	case stats.Ambiguous > 0:
		fmt.Fprintf(s.std.err, "artifice: %s: %s can be one of several in the mapping; their names have a | between them\n",
			s.name, plural(int64(stats.Ambiguous), "method"))
	}
}
