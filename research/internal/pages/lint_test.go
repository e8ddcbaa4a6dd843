package pages

import (
	"os/exec"
	"path/filepath"
	"testing"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
)

// TestTypes checks the types in the page's modules with TypeScript's compiler, and that every name
// they use is declared or imported.
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("installs TypeScript")
	}
	folder := filepath.Join(testdata.Root(), "view", "page")
	tsc := filepath.Join(browser.NpmInstall(t, "typescript", "5.9.3"), "bin", "tsc")
	var scripts []string
	for _, of := range []string{folder, filepath.Join(folder, "lab")} {
		list, err := filepath.Glob(filepath.Join(of, "*.js"))
		if err != nil || len(list) == 0 {
			t.Fatal("no scripts in", of, err)
		}
		scripts = append(scripts, list...)
	}
	args := append([]string{tsc, "--checkJs", "--allowJs", "--strict", "--noEmit", "--target", "es2023", "--module", "es2022", "--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable"}, scripts...)
	if out, err := exec.Command("node", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestLint runs ESLint with its recommended rules on the page's modules. In the folder view/page,
// "npx eslint@9.39.1" does the same.
func TestLint(t *testing.T) {
	if testing.Short() {
		t.Skip("installs ESLint")
	}
	cmd := exec.Command("node", filepath.Join(browser.NpmInstall(t, "eslint", "9.39.1"), "bin", "eslint.js"), "--max-warnings", "0", "--report-unused-disable-directives")
	cmd.Dir = filepath.Join(testdata.Root(), "view", "page")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
