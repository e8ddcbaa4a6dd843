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

// patience is how long a viewer may take for a file; hanging is after which it is taken to
// hang on a file of which the manifest says so.
const (
	patience = 5 * time.Minute
	hanging  = 5 * time.Second
)

// OpenCorpus lets a viewer open the files of the corpus, some where the tests are not exhaustive: it refuses those that the manifest and
// check say it refuses, and where it crashes or hangs both say that. shown looks at what it
// accepts.
func OpenCorpus(t *testing.T, v Viewer, tool check.Tool, shown func(file string, e fixtures.Entry)) {
	t.Helper()
	dir, m := Corpus(t)
	tried := make(map[string]int)
	some := testdata.Some(t, m.Fixtures, 3)
	for _, e := range some {
		says, file := e.Readers[string(tool)], filepath.Join(dir, filepath.FromSlash(e.File))
		tried[says.Does]++
		if says.Does == check.Unknown.String() || strings.Contains(says.Why, "43 million") {
			continue // these are more than it has memory for, and take minutes
		}
		hangs := strings.Contains(says.Why, "hangs")
		v.Limit(patience)
		if hangs {
			v.Limit(hanging)
		}
		err := v.Load(file)
		if refused := err != nil; refused != (says.Does == check.Refuses.String()) {
			t.Errorf("%s: %q, but %s: %v", e.File, says, tool, err)
		}
		if errors.Is(err, node.ErrHangs) != hangs {
			t.Errorf("%s: %q, but %s: %v", e.File, says, tool, err)
		}
		if errors.Is(err, node.ErrCrashed) && !(strings.Contains(says.Why, "crashes") && reasonHas(t, file, tool, "crashes")) ||
			errors.Is(err, node.ErrHangs) && !reasonHas(t, file, tool, "hangs") {
			t.Errorf("%s: nobody says that %s: %v", e.File, tool, err)
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

// reasonHas reports whether check's reasons have a word.
func reasonHas(t *testing.T, file string, tool check.Tool, word string) bool {
	t.Helper()
	r, err := check.File(file, check.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(strings.Join(r.Verdict(tool).Reasons, " "), word)
}
