package check_test

import (
	"bytes"
	"testing"

	"artifice/format/check"
)

// FuzzFile checks that a file with any content is read to the end, and that every finding has a
// rule and a position within the file.
func FuzzFile(f *testing.F) {
	for _, s := range spoiledFiles {
		if data := s.make(goodFile()); len(data) < 4096 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := checkBytes(t, data)
		gzip := bytes.HasPrefix(data, []byte{0x1f, 0x8b})
		for _, finding := range r.Findings {
			if finding.Text == "" || finding.Rule == nil || !gzip && finding.Offset > int64(len(data)) {
				t.Errorf("finding %+v in a file of %d bytes", finding, len(data))
			}
		}
		for _, tool := range check.Tools {
			r.Verdict(tool)
		}
	})
}
