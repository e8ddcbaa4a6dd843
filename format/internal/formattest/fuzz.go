package formattest

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"artifice/format/internal/kind"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// Fuzz is the fuzz target of a format. No input may make its reader panic. The events read must be
// in time order, and nested on every thread.
func Fuzz(f *testing.F, of *kind.Format, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	cfg := kind.Config{Limits: trace.Limits{Depth: 100}}
	f.Fuzz(func(t *testing.T, file []byte) {
		of.Sniff(file[:min(len(file), of.Head)])
		o, err := of.Read(kind.Source{Name: "in", R: bytes.NewReader(file)}, &cfg)
		if err != nil {
			return
		}
		defer o.Close()
		checker := trace.NewChecker(&o.Recording.Info, o.Recording.Symbols, func(v *trace.Violation) {
			if !v.Rule.Normal() && v.Rule != trace.CPUForward {
				t.Error(v)
			}
		})
		if _, err := trace.Copy(checker, o.Recording.Events); err != nil && !errors.As(err, new(*trace.LimitError)) && err != io.EOF {
			t.Error(err)
		}
	})
}

// Cut truncates small files of a format at every byte. Each part must give an error with its
// position, or at least the begins of any shorter part. A truncated line can look like a different
// valid line, so parts in a format of lines are compared only at the ends of lines.
func Cut(t *testing.T, of *kind.Format, lines bool, files ...string) {
	for _, whole := range files {
		most := 0
		for n := range len(whole) + 1 {
			o, err := of.Read(kind.Source{Name: "in", R: bytes.NewReader([]byte(whole[:n]))}, &kind.Config{})
			var bad *trace.FormatError
			if err != nil && !errors.As(err, &bad) {
				t.Errorf("cut at %d: %v", n, err)
			}
			if err != nil {
				continue
			}
			begins := 0
			for _, e := range tracetest.Events(t, o.Recording.Events) {
				if e.Action == trace.Enter {
					begins++
				}
			}
			o.Close()
			if lines && n < len(whole) && whole[n-1] != '\n' {
				continue
			}
			if begins < most {
				t.Errorf("cut at %d: %d begins, but a shorter part has %d", n, begins, most)
			}
			most = begins
		}
		if most == 0 {
			t.Errorf("no call in %.60q", whole)
		}
	}
}
