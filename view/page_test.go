package view_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"artifice/internal/peers/browser"
	"artifice/internal/peers/npm"
)

// TestPage looks at pages in a browser.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := browser.Install(t)
	t.Run("use", func(t *testing.T) { testUse(t, b) })
	t.Run("names", func(t *testing.T) { testNames(t, b) })
	t.Run("numbers", func(t *testing.T) { testNumbers(t, b) })
}

// TestTypes checks the types in the page's code with TypeScript's compiler.
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("installs TypeScript")
	}
	tsc := filepath.Join(npm.Install(t, "typescript", "5.9.3"), "bin", "tsc")
	scripts, err := filepath.Glob("page/*.js")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	args := append([]string{tsc, "--checkJs", "--allowJs", "--strict", "--noEmit", "--target", "es2023", "--lib", "es2023,dom,dom.iterable"}, scripts...)
	if out, err := exec.Command("node", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
