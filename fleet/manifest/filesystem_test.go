package manifest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// TestFileSystems: the schemes that README.md names have a file system each, and no other
// has; settings of AWS that cannot be read are an error with the path, not a panic.
func TestFileSystems(t *testing.T) {
	filesystem.ValidateScheme("gs://bucket/a.trace") // these panic for a scheme without one
	filesystem.ValidateScheme("s3://bucket/a.trace")
	filesystem.ValidateScheme("/a.trace")
	if _, err := FileSystem(t.Context(), "ftp://host/a.trace"); err == nil || !strings.Contains(err.Error(), "ftp") {
		t.Errorf("ftp: %v", err)
	}
	settings := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(settings, []byte("[profile other]\nregion = x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CONFIG_FILE", settings)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", settings)
	t.Setenv("AWS_PROFILE", "absent")
	if _, err := FileSystem(t.Context(), "s3://bucket/a.trace"); err == nil || !strings.HasPrefix(err.Error(), "s3://bucket/a.trace: ") || !strings.Contains(err.Error(), "absent") {
		t.Errorf("settings of another profile: %v", err)
	}
}
