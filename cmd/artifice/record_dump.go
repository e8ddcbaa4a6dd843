package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"artifice/stackdump"
)

// recordDumps writes stack dumps of the source: into the file that -o names, or
// into the folder, which it is when it ends in "/" or is there already.
func recordDumps(cmd *cobra.Command, std stdio, f *recordFlags, src *source) error {
	cfg := stackdump.RecordConfig{Format: dumpFormat(&f.out), Phase: f.phase}
	if flags := cmd.Flags(); flags.Changed("interval") || flags.Changed("sampling") {
		if cfg.Interval = f.interval; cfg.Interval <= 0 {
			return usagef("--interval %s: want one above 0", f.interval)
		}
	}
	out := dumpOutput{std: std, name: f.out.name, format: cfg.Format}
	if isFolder(f.out.name) {
		cfg.Split = stackdump.FilePerDump
		if err := os.MkdirAll(f.out.name, 0o777); err != nil {
			return err
		}
		out.folder = true
	}
	stats, err := stackdump.Record(src.Recording, cfg, out.create)
	if err != nil {
		out.abort()
		return fmt.Errorf("cannot write dumps of %s: %w", src.name, err)
	}
	if left := out.leftover(); left != "" {
		fmt.Fprintf(std.err, "artifice: warning: %s was there before and is none of these dumps\n", left)
	}
	fmt.Fprintf(std.err, "wrote %s of %s in %s\n", plural(stats.Dumps, "dump"), plural(stats.Samples, "stack"), plural(stats.Files, "file"))
	return nil
}

// dumpFormat returns the format of dumps that the flags ask for, by the ending
// of the output where --format does not say. Record checks it.
func dumpFormat(f *outputFlags) stackdump.Format {
	switch name := strings.TrimSuffix(f.name, ".gz"); {
	case f.format == "jstack":
		return stackdump.JVM
	case f.format != "":
		return stackdump.Format(f.format)
	case strings.HasSuffix(name, ".folded"), strings.HasSuffix(name, ".collapsed"):
		return stackdump.Folded
	case strings.HasSuffix(name, ".jsonl"):
		return stackdump.JSONLines
	case strings.HasSuffix(name, ".jstack"):
		return stackdump.JVM
	}
	return stackdump.ANR
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return strings.HasSuffix(name, string(filepath.Separator)) || err == nil && info.IsDir()
}

// dumpOutput is the files that dumps are written to.
type dumpOutput struct {
	std    stdio
	name   string // of the file, or of the folder
	folder bool
	format stackdump.Format
	count  int
	file   *atomicFile // the latest
	made   []string    // files of the folder that were not there before
}

// abort removes what was made, and the folder unless it holds something else.
func (o *dumpOutput) abort() {
	o.file.Abort()
	for _, name := range o.made {
		os.Remove(name)
	}
	if o.folder {
		os.Remove(o.name)
	}
}

// create starts the next file.
func (o *dumpOutput) create() (io.WriteCloser, error) {
	name := o.name
	if o.folder {
		o.count++
		name = filepath.Join(o.name, o.fileName())
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			o.made = append(o.made, name)
		}
	}
	var err error
	o.file, err = createAtomic(o.std, name)
	return committed{o.file}, err
}

// fileName returns the name of the next file in the folder.
func (o *dumpOutput) fileName() string {
	switch o.format {
	case stackdump.Folded:
		return "dumps.folded"
	case stackdump.JSONLines:
		return "dumps.jsonl"
	}
	return fmt.Sprintf("dump-%05d.txt", o.count)
}

// leftover returns a file of an earlier, longer run that a reader of the folder
// would take for the next dump; "" when there is none.
func (o *dumpOutput) leftover() string {
	if !o.folder || o.format == stackdump.Folded || o.format == stackdump.JSONLines {
		return ""
	}
	o.count++
	name := filepath.Join(o.name, o.fileName())
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

// committed is a file that is complete when it is closed.
type committed struct{ *atomicFile }

func (c committed) Close() error { return c.Commit() }
