package artgolden

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Hashes are the hashes of ART's files in normal form, by the cell's text. The key
// "truth" and the name of a workload has the hash of its [Truth.Script].
type Hashes map[string]string

// TruthKey is the key of a workload's truth.
func TruthKey(workload string) string { return "truth " + workload }

// ReadHashes reads lines of a key and its hash; those that begin with # say what they
// are.
func ReadHashes(r io.Reader) (Hashes, error) {
	all := Hashes{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		i := strings.LastIndexByte(line, ' ')
		if i < 0 {
			return nil, fmt.Errorf("line %d has no hash: %q", n, line)
		}
		all[line[:i]] = line[i+1:]
	}
	return all, lines.Err()
}
