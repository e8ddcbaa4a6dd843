// Package speedscope imports profiles with the importer of speedscope, the flame graph viewer, so
// that tests can check how it interprets our files.
//
// It is for tests. It needs node and npm; the version of speedscope is pinned. Its own tests open
// the viewer itself in Chromium.
package speedscope

import (
	"path/filepath"
	"strings"
	"testing"

	"artifice/research/internal/browser"
)

// The version for which the tests were written.
const version = "1.25.0"

// unpack returns the folder of the page.
func unpack(t testing.TB) string {
	t.Helper()
	dir := browser.Unpack(t, "speedscope", version, func(path string) bool { return strings.HasPrefix(path, "dist/") })
	return filepath.Join(dir, "dist", "release")
}
