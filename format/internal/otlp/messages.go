package otlp

import (
	"encoding/binary"

	"artifice/format/internal/kind"
)

// Index is an index into a table of the dictionary.
type Index = index

// Load reads and decodes a file without changes, for a check of its content. earlier reports
// whether it has the field numbers of a release before 1.10.
func Load(src kind.Source, cfg *kind.Config) (all []*Data, earlier bool, err error) {
	file, err := src.ReadAll(cfg)
	if err != nil {
		return nil, false, err
	}
	if all, err = parse(file, src.Name); err != nil {
		return nil, false, err
	}
	return all, ofEarlier(file), nil
}

// ofEarlier reports whether a file that [parse] reads has the field numbers of a release before
// 1.10.
func ofEarlier(file []byte) bool {
	for framed(file) {
		end := 4 + int(binary.BigEndian.Uint32(file))
		if end > len(file) {
			return false // JSON
		}
		if l, err := layoutOf(file[4:end]); err == nil && l.sample {
			return true
		}
		file = file[end:]
	}
	l, err := layoutOf(file)
	return err == nil && l.sample
}
