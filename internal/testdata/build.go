// Package earlier builds the artifice of another commit, for scripts that hold
// it against the one at hand.
package testdata

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build builds the artifice of the working tree as dir/artifice, and that of a
// commit, from a clone of this repository in dir, as dir/artifice-before. With
// an empty commit it builds the first alone.
func Build(dir, commit string) (own, before string, err error) {
	own = filepath.Join(dir, "artifice")
	if err := command("", "go", "build", "-o", own, "artifice/cmd/artifice"); err != nil || commit == "" {
		return own, "", err
	}
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return "", "", fmt.Errorf("-before needs to run in the repository: %w", err)
	}
	clone := filepath.Join(dir, "before")
	if err := command("", "git", "clone", "-q", "--shared", "--no-checkout", strings.TrimSpace(string(top)), clone); err != nil {
		return "", "", err
	}
	if err := command(clone, "git", "checkout", "-q", commit); err != nil {
		return "", "", err
	}
	before = filepath.Join(dir, "artifice-before")
	return own, before, command(clone, "go", "build", "-o", before, "./cmd/artifice")
}

// command runs a command in a folder. Its error has what the command printed.
func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
