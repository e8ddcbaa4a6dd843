package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// places maps the files of an archive, by prefix, to their locations in Debian.
var places = []struct{ from, to string }{
	{"artifice", "usr/bin/artifice"},
	{"man/", "usr/share/man/"},
	{"completions/artifice.bash", "usr/share/bash-completion/completions/artifice"},
	{"completions/_artifice", "usr/share/zsh/vendor-completions/_artifice"},
	{"completions/artifice.fish", "usr/share/fish/vendor_completions.d/artifice.fish"},
	{"LICENSE", "usr/share/doc/artifice/copyright"},
	{"NOTICE", "usr/share/doc/artifice/NOTICE"},
	{"README.md", "usr/share/doc/artifice/README.md"},
}

const control = `Package: artifice
Version: %s
Architecture: %s
Maintainer: artifice <artifice@localhost>
Section: devel
Priority: optional
Installed-Size: %d
Description: emulator of Android ART's method tracers
 Replays what ART's instrumented and sampling modes would record of a workload whose
 truth is known, and measures the accuracy and overhead of each tracing method. Reads,
 writes, checks and shows method traces of every version.
`

// debian writes the package for a machine.
func (r *release) debian(machine string, entries []entry) error {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		fmt.Println("there is no dpkg-deb: no package for Debian")
		return nil
	}
	root := filepath.Join(r.temp, "debian-"+machine)
	size := 0
	put := func(name string, e entry) error {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, e.data, e.mode); err != nil {
			return err
		}
		size += len(e.data)
		return os.Chtimes(file, r.date, r.date)
	}
	for _, e := range entries {
		for _, p := range places {
			if rest, ok := strings.CutPrefix(e.name, p.from); ok && (rest == "" || strings.HasSuffix(p.from, "/")) {
				if err := put(path.Join(p.to, rest), e); err != nil {
					return err
				}
				break
			}
		}
	}
	text := fmt.Sprintf(control, r.version, machine, (size+1023)/1024)
	if err := put("DEBIAN/control", entry{data: []byte(text), mode: 0o644}); err != nil {
		return err
	}
	_, err := output(r.ctx, []string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.date.Unix())},
		"dpkg-deb", "--root-owner-group", "-Zgzip", "--build", root, filepath.Join(r.out, fmt.Sprintf("artifice_%s_%s.deb", r.version, machine)))
	return err
}
