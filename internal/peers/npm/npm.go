// Package npm installs programs of the npm registry for tests that hold our files
// against other people's readers.
package npm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Install installs a package, "name@version", into a temporary folder and returns
// the package's folder there. It skips the test where node or npm is missing or
// the registry cannot be reached, and fails it where CI=true says that all has to
// be there.
func Install(t testing.TB, name, version string) string {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		Need(t, program, "on Debian: apt-get install nodejs npm")
	}
	dir := t.TempDir()
	cmd := exec.Command("npm", "install", "--prefix", dir, "--no-save", "--no-package-lock", "--no-audit", "--no-fund", name+"@"+version)
	if out, err := cmd.CombinedOutput(); err != nil {
		missing(t, fmt.Sprintf("npm install %s@%s: %v\n%s", name, version, err, out))
	}
	return filepath.Join(dir, "node_modules", filepath.FromSlash(name))
}

// Need returns the path of a program. It skips the test where that is not
// installed, and fails it with CI=true.
func Need(t testing.TB, program, how string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		missing(t, fmt.Sprintf("%s is not installed; %s", program, how))
	}
	return path
}

func missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}
