// Command release builds the files of a release into an empty folder:
//
//	go run ./scripts/release -o dist
//
// The files are archives of the program for each system, with manual pages and shell completions; a
// Debian package; lab.html, the laboratory; the corpus of fixtures; and SHA256SUMS of all files.
// All dates are that of the checked-out commit, so that the same commit and toolchain give the same
// bytes: -check FOLDER compares with an earlier release. The package requires dpkg-deb; without it
// a message is printed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

// systems are the default systems of a release.
const systems = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := flag.String("o", "", "the `FOLDER` to write to; it must not exist")
	only := flag.String("systems", systems, "`GOOS/GOARCH` to build for, separated by commas")
	check := flag.String("check", "", "compare with the release in this `FOLDER`")
	flag.Parse()
	if err := run(ctx, *out, strings.Split(*only, ","), *check); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string, systems []string, check string) error {
	if out == "" || flag.NArg() > 0 {
		return fmt.Errorf("want -o FOLDER and no arguments")
	}
	if err := os.Mkdir(out, 0o777); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "artifice-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	r := &release{ctx: ctx, out: out, temp: temp}
	if err := r.begin(); err != nil {
		return err
	}
	defer r.end()
	for _, system := range systems {
		if err := r.program(system); err != nil {
			return fmt.Errorf("%s: %w", system, err)
		}
	}
	if err := r.fixtures(); err != nil {
		return err
	}
	sums, err := writeSums(out)
	if err != nil {
		return err
	}
	fmt.Print(sums)
	if check == "" {
		return nil
	}
	before, err := os.ReadFile(filepath.Join(check, sumsName))
	if err != nil {
		return err
	}
	if string(before) != sums {
		return fmt.Errorf("%s has other sums:\n%s", check, before)
	}
	fmt.Printf("%s has the same sums\n", check)
	return nil
}
