package made

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"artifice/fixtures"
	"artifice/format/check"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/node"
)

// Viewer is a program that opens traces.
type Viewer interface {
	Limit(time.Duration)
	Load(file string) error
}

// patience is the time limit of a viewer for a file; hanging is the time after which it is
// considered to hang, for a file with that entry in the manifest.
const (
	patience = 5 * time.Minute
	hanging  = 5 * time.Second
)

// crashes, hangs and slow are the words of the manifest and of check for a viewer that crashes, never
// ends, or takes minutes and exceeds its memory.
const (
	crashes = "crashes"
	hangs   = "loops forever"
	slow    = "43 million"
)

// OpenCorpus opens the files of the corpus in a viewer; a part of them if the tests are not
// exhaustive. The viewer must reject the files listed as rejected by the manifest and by check;
// crashes and hangs must be listed by both. shown checks accepted files.
func OpenCorpus(t *testing.T, v Viewer, tool check.Tool, shown func(file string, e fixtures.Entry)) {
	t.Helper()
	dir, m := Corpus(t)
	tried := make(map[string]int)
	some := testdata.Some(t, m.Fixtures, 3)
	for _, e := range some {
		says, file := e.Readers[string(tool)], filepath.Join(dir, filepath.FromSlash(e.File))
		tried[says.Does]++
		if says.Does == check.Unknown.String() || strings.Contains(says.Why, slow) {
			continue
		}
		expectHang := strings.Contains(says.Why, hangs)
		v.Limit(patience)
		if expectHang {
			v.Limit(hanging)
		}
		err := v.Load(file)
		if refused := err != nil; refused != (says.Does == check.Refuses.String()) {
			t.Errorf("%s: %q, but %s: %v", e.File, says, tool, err)
		}
		if errors.Is(err, node.ErrHangs) != expectHang {
			t.Errorf("%s: %q, but %s: %v", e.File, says, tool, err)
		}
		if errors.Is(err, node.ErrCrashed) && !(strings.Contains(says.Why, crashes) && reasonHas(t, file, tool, crashes)) ||
			errors.Is(err, node.ErrHangs) && !reasonHas(t, file, tool, hangs) {
			t.Errorf("%s: the manifest does not state that %s fails: %v", e.File, tool, err)
		}
		if err == nil && says.Does == check.Accepts.String() && e.Broken == nil { // our reader stops in a broken file
			shown(file, e)
		}
	}
	if len(some) == len(m.Fixtures) && (tried["accepts"] < 60 || tried["refuses"] < 60 || tried["unknown"] > 5) {
		t.Errorf("too few files were tried: %v", tried)
	}
	t.Logf("tried %v", tried)
}

// reasonHas reports whether check's reasons contain a word.
func reasonHas(t *testing.T, file string, tool check.Tool, word string) bool {
	t.Helper()
	r, err := check.File(file, check.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(strings.Join(r.Verdict(tool).Reasons, " "), word)
}
