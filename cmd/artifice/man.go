//go:build man

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra/doc"

	"artifice/cmd/internal/command"
	"artifice/internal/cli"
)

// A build with the tag man writes the program's manual pages into a folder, with a date given in
// UNIX seconds: "go run -tags man ./cmd/artifice FOLDER SECONDS". scripts/release uses it.
func init() {
	if err := writeManuals(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func writeManuals(args []string) error {
	if len(args) != 2 {
		return errors.New("expected a folder and a date in UNIX seconds")
	}
	var seconds int64
	if _, err := fmt.Sscan(args[1], &seconds); err != nil {
		return err
	}
	date := time.Unix(seconds, 0).UTC()
	root, _ := newRoot(command.Stdio{In: os.Stdin, Out: io.Discard, Err: io.Discard}, commandsFor(nil))
	root.DisableAutoGenTag = true
	return doc.GenManTree(root, &doc.GenManHeader{Title: "ARTIFICE", Section: "1", Date: &date, Source: "artifice " + cli.Version(), Manual: "artifice"}, args[0])
}
