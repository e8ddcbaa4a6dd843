// Package pageprogram provides the programs that run in pages, as WebAssembly: a release contains
// them (build tag lab); otherwise Go builds them from the sources of the module.
package pageprogram

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"artifice/internal/cli"
)

// Program is a program and the matching support code of Go for browsers.
type Program struct {
	Packed  []byte // WebAssembly, compressed with gzip
	Support string // lib/wasm/wasm_exec.js of the toolchain that built it
}

// Name is the name of a command.
type Name string

const (
	Lab    Name = "artifice-lab"    // the laboratory's
	Ranges Name = "artifice-ranges" // of a page that artifice view writes
)

// folders are the folders of the commands.
var folders = map[Name]string{Lab: "artifice/view/internal/lab/wasm", Ranges: "artifice/view/internal/ranges/wasm"}

// Get returns a program. If there is none, the error describes how to get it.
func Get(ctx context.Context, n Name) (*Program, error) {
	if p := Embedded(n); p != nil {
		return p, nil
	}
	p, err := Build(ctx, ".", n)
	if err != nil {
		return nil, fmt.Errorf("the page's program is not part of this build, and cannot be built here: %w; use artifice or lab.html of a release, or run artifice in a clone with Go installed", err)
	}
	return p, nil
}

// Build builds a program from the sources in a folder of the module. The same sources and
// toolchain give the same bytes. The tag inpage omits code that serves pages, which a page does
// not need.
func Build(ctx context.Context, folder string, n Name) (*Program, error) {
	root, err := output(ctx, folder, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	support, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("the Go toolchain does not support browsers: %w", err)
	}
	temp, remove, err := cli.TempFolder("artifice-lab")
	if err != nil {
		return nil, err
	}
	defer remove()
	file := filepath.Join(temp, "program.wasm")
	if _, err := output(ctx, folder, "build", "-trimpath", "-buildvcs=false", "-tags=inpage", "-ldflags=-s -w -buildid=", "-o", file, folders[n]); err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(wasm); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return &Program{packed.Bytes(), string(support)}, nil
}

// output runs the go command for WebAssembly in a folder, and returns its output.
func output(ctx context.Context, folder string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		lines := strings.Split(strings.TrimSpace(string(exit.Stderr)), "\n")
		return "", fmt.Errorf("go %s: %s", args[0], lines[len(lines)-1])
	}
	return strings.TrimSpace(string(out)), err
}
