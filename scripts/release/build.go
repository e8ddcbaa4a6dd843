package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"artifice/internal/pageprogram"
)

// release is a release under construction.
type release struct {
	ctx       context.Context
	out, temp string
	date      time.Time // date of the commit
	version   string
	own       string // path of the program for this machine
	shared    []entry
}

// Paths from which the program embeds the laboratory's files if it is built with the tag lab.
const (
	labFile     = "internal/pageprogram/lab.wasm.gz"
	rangesFile  = "internal/pageprogram/ranges.wasm.gz"
	supportFile = "internal/pageprogram/wasm_exec.js"
)

// begin builds the files shared by all systems: the laboratory's program, the page, manual pages
// and completions.
func (r *release) begin() error {
	seconds, err := output(r.ctx, nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	r.date = time.Unix(unix, 0).UTC()
	for name, file := range map[pageprogram.Name]string{pageprogram.Lab: labFile, pageprogram.Ranges: rangesFile} {
		p, err := pageprogram.Build(r.ctx, ".", name)
		if err != nil {
			return err
		}
		if err := errors.Join(os.WriteFile(file, p.Packed, 0o666), os.WriteFile(supportFile, []byte(p.Support), 0o666)); err != nil {
			return err
		}
	}
	r.own = filepath.Join(r.temp, "artifice")
	if err := r.build(r.own, runtime.GOOS, runtime.GOARCH); err != nil {
		return err
	}
	version, err := output(r.ctx, nil, r.own, "--version")
	if err != nil {
		return err
	}
	r.version, _, _ = strings.Cut(strings.TrimPrefix(version, "artifice "), " ")
	if _, err := output(r.ctx, nil, r.own, "lab", "-o", filepath.Join(r.out, "lab.html")); err != nil {
		return err
	}
	return r.texts(seconds)
}

// end removes the files that begin added to the sources.
func (r *release) end() {
	os.Remove(labFile)
	os.Remove(rangesFile)
	os.Remove(supportFile)
}

// build builds the program for a system, with the commit embedded.
func (r *release) build(file, system, machine string) error {
	_, err := output(r.ctx, []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + machine},
		"go", "build", "-trimpath", "-buildvcs=true", "-tags", "lab", "-ldflags=-s -w", "-o", file, "./cmd/artifice")
	return err
}

// completions are the supported shells, and the file names by their conventions.
var completions = map[string]string{"bash": "artifice.bash", "zsh": "_artifice", "fish": "artifice.fish", "powershell": "artifice.ps1"}

// texts collects the files that are part of every archive.
func (r *release) texts(seconds string) error {
	for _, name := range []string{"README.md", "LICENSE", "NOTICE", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, entry{name, data, 0o644})
	}
	manuals := filepath.Join(r.temp, "man")
	if err := os.Mkdir(manuals, 0o777); err != nil {
		return err
	}
	if _, err := output(r.ctx, nil, "go", "run", "-tags", "man", "./cmd/artifice", manuals, seconds); err != nil {
		return err
	}
	pages, err := os.ReadDir(manuals)
	if err != nil {
		return err
	}
	for _, page := range pages {
		data, err := os.ReadFile(filepath.Join(manuals, page.Name()))
		if err != nil {
			return err
		}
		r.shared = append(r.shared, entry{"man/man1/" + page.Name(), data, 0o644})
	}
	for shell, name := range completions {
		text, err := output(r.ctx, nil, r.own, "completion", shell)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, entry{"completions/" + name, []byte(text + "\n"), 0o644})
	}
	return nil
}

// program writes the archive of a system and, for Linux, the package.
func (r *release) program(system string) error {
	name, machine, ok := strings.Cut(system, "/")
	if !ok {
		return fmt.Errorf("want GOOS/GOARCH")
	}
	file, base := filepath.Join(r.temp, name+"-"+machine), "artifice"
	if err := r.build(file, name, machine); err != nil {
		return err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if name == "windows" {
		base += ".exe"
	}
	folder := fmt.Sprintf("artifice-%s-%s-%s", r.version, name, machine)
	entries := append([]entry{{base, data, 0o755}}, r.shared...)
	if name == "windows" {
		return r.write(folder+".zip", writeZip, folder, entries)
	}
	if err := r.write(folder+".tar.gz", writeTar, folder, entries); err != nil {
		return err
	}
	if name == "linux" {
		return r.debian(machine, entries)
	}
	return nil
}

// fixtures writes the corpus.
func (r *release) fixtures() error {
	folder := filepath.Join(r.temp, "fixtures")
	if _, err := output(r.ctx, nil, r.own, "fixtures", folder); err != nil {
		return err
	}
	entries, err := entriesOf(folder)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("artifice-%s-fixtures", r.version)
	return r.write(name+".tar.gz", writeTar, name, entries)
}

// output runs a command and returns what it prints.
func output(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var messages bytes.Buffer
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), &messages
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, messages.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}
