package testdata

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build builds the working tree's artifice as dir/artifice and returns its path. It may be called
// in any module.
func Build(dir string) (program string, err error) {
	program = filepath.Join(dir, "artifice")
	return program, command(Root(), "go", "build", "-o", program, "./cmd/artifice")
}

// BuildBefore builds the artifice of a commit as dir/artifice-before, from a clone of this
// repository in dir, and returns its path.
func BuildBefore(dir, commit string) (program string, err error) {
	clone := filepath.Join(dir, "before")
	if err := command("", "git", "clone", "-q", "--shared", "--no-checkout", Root(), clone); err != nil {
		return "", err
	}
	if err := command(clone, "git", "checkout", "-q", commit); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "artifice-before")
	return program, command(clone, "go", "build", "-o", program, "./cmd/artifice")
}

// command runs a command in a folder. Its error contains the command's output.
func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
