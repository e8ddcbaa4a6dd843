package input

import (
	"bytes"

	"artifice/trace"
)

// pprof are the profiles that package writer writes. What they add up cannot be
// told apart again, so they are no input.
var pprof = Format{Name: "pprof", Open: func(src Source, _ *Config) (*Opened, error) {
	return nil, &trace.FormatError{Name: src.Name, Offset: -1, Msg: "a pprof profile; artifice only writes these"}
}}

// looksLikePprof reports whether a file that begins with head is a profile: its
// first field is a sample type, which has two indexes of strings.
func looksLikePprof(head []byte) bool {
	return len(head) >= 6 && head[0] == 0x0a && bytes.IndexByte([]byte{4, 5, 6}, head[1]) >= 0 && head[2] == 0x08 && bytes.IndexByte(head[3:min(6, len(head))], 0x10) > 0
}
