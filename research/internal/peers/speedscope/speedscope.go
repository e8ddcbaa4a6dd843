// Package speedscope imports profiles with the importer of speedscope, the flame graph viewer, so
// that tests can check how it interprets our files.
//
// It is for tests. It needs node and npm; the version of speedscope is pinned. Its own tests open
// the viewer itself in Chromium.
package speedscope

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
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

// Page returns the file of the viewer's page.
func Page(t testing.TB) string {
	t.Helper()
	return filepath.Join(unpack(t), "index.html")
}

// WriteScript writes a script with which the page opens a file, as speedscope's command line does.
// It returns the end of the page's address, after the #.
func WriteScript(t testing.TB, file string) (hash string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name, err := json.Marshal(filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "profile.js")
	load := fmt.Sprintf("speedscope.loadFileFromBase64(%s, %q)", name, base64.StdEncoding.EncodeToString(data))
	if err := os.WriteFile(script, []byte(load), 0o600); err != nil {
		t.Fatal(err)
	}
	return "localProfilePath=" + script
}
