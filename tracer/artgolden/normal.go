package artgolden

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// Hash returns the hash of a file in normal form.
func Hash(file []byte, c Cell) (string, error) {
	normal, err := Normalize(file, c)
	sum := sha256.Sum256(normal)
	return hex.EncodeToString(sum[:12]), err
}

// Normalize returns a file without what is no fact of the runtime: the order of
// *methods, where runs are cut into blocks, and bytes that ART 13 never set.
func Normalize(file []byte, c Cell) ([]byte, error) {
	if c.V2 {
		return normalV2(file, c)
	}
	file = sortMethods(file)
	if c.Version == "13" && c.Streaming && c.Clock != trace.Dual {
		return clearUnset(file)
	}
	return file, nil
}

// sortMethods sorts the lines of the table of methods.
func sortMethods(file []byte) []byte {
	from := bytes.LastIndex(file, []byte("*methods\n"))
	if from < 0 {
		return file
	}
	from += len("*methods\n")
	to := bytes.Index(file[from:], []byte("*end\n"))
	if to < 0 {
		return file
	}
	lines := bytes.SplitAfter(file[from:from+to], []byte("\n"))
	slices.SortFunc(lines, bytes.Compare)
	return slices.Concat(file[:from], bytes.Join(lines, nil), file[from+to:])
}

// clearUnset clears the last four of the 14 bytes that ART up to 13 streams of a
// record with one clock: LogMethodTraceEvent sends its whole stack_buf.
func clearUnset(file []byte) ([]byte, error) {
	const record, unset = 14, 4
	file = slices.Clone(file)
	for at := dmformat.HeaderSize; at < len(file); {
		b := file[at:]
		switch {
		case len(b) < 7:
			return nil, fmt.Errorf("offset %d: %d bytes are left", at, len(b))
		case b[0] != 0 || b[1] != 0:
			if len(b) < record {
				return nil, fmt.Errorf("offset %d: a record of %d bytes", at, len(b))
			}
			clear(b[record-unset : record])
			at += record
		case b[2] == dmformat.ItemMethod:
			at += 5 + int(binary.LittleEndian.Uint16(b[3:]))
		case b[2] == dmformat.ItemThread:
			at += 7 + int(binary.LittleEndian.Uint16(b[5:]))
		case b[2] == dmformat.ItemSummary:
			return file, nil
		default:
			return nil, fmt.Errorf("offset %d: item %d", at, b[2])
		}
	}
	return nil, errors.New("no summary")
}
