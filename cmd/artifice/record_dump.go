package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/trace"
)

// writeDumps writes the samples of the source as stack dumps, to the file or folder that -o names.
// It is a folder if its name ends in "/" or if it exists as one.
func (f *recordFlags) writeDumps(std command.Stdio, src *command.Source, rec *trace.Recording, limits trace.Limits) error {
	kind, err := dumpFormat(&f.out)
	if err != nil {
		return err
	}
	cfg := format.DumpWriterConfig{Format: kind, Phase: f.phase, Limits: limits}
	out := dumpOutput{std: std, flags: &f.out, format: cfg.Format}
	if command.IsFolder(f.out.Name) {
		cfg.Split = format.FilePerDump
		folder, err := cli.CreateFolder(f.out.Name)
		if err != nil {
			return err
		}
		defer folder.Abort()
		out.folder = folder
	}
	stats, err := out.write(rec, cfg)
	if err != nil {
		out.file.Abort()
		return command.ErrorOf(src.Name, out.folder.Named(err))
	}
	if out.folder != nil {
		if err := out.folder.Commit(); err != nil {
			return err
		}
	}
	if left := out.leftover(); left != "" {
		fmt.Fprintf(std.Err, "artifice: warning: %s is from an earlier run, not one of these dumps; remove it before reading the folder\n", left)
	}
	std.Remark("%s with %s in %s\n", words.Count(stats.Dumps, "dump"), words.Count(stats.Samples, "stack"), words.Count(stats.Files, "file"))
	return nil
}

// dumpFormat returns the format of dumps: that of --format or, by default, of the extension of the
// output.
func dumpFormat(f *command.OutputFlags) (*format.DumpFormat, error) {
	want := "anr"
	switch name := strings.TrimSuffix(f.Name, ".gz"); {
	case f.Format == "jstack", f.Format == "" && strings.HasSuffix(name, ".jstack"):
		want = "jvm"
	case f.Format != "":
		want = f.Format
	case strings.HasSuffix(name, ".folded"), strings.HasSuffix(name, ".collapsed"):
		want = "folded"
	case strings.HasSuffix(name, ".jsonl"):
		want = "jsonl"
	}
	var written []string
	for _, d := range format.Dumps() {
		if !d.Written() {
			continue
		}
		if d.Name == want {
			return d, nil
		}
		written = append(written, d.Name)
	}
	return nil, fmt.Errorf("--format %s: not a format of stack dumps; use one of %s", want, strings.Join(written, ", "))
}

// dumpOutput creates the files of dumps.
type dumpOutput struct {
	std    command.Stdio
	flags  *command.OutputFlags
	folder *cli.Folder
	format *format.DumpFormat
	count  int
	file   *cli.File
}

// write writes the dumps of a recording.
func (o *dumpOutput) write(rec *trace.Recording, cfg format.DumpWriterConfig) (format.DumpWriterStats, error) {
	w, err := format.NewDumpWriter(rec, cfg, o.create)
	if err != nil {
		return format.DumpWriterStats{}, err
	}
	if _, err := trace.Copy(w, rec.Events); err != nil {
		return w.Stats(), err
	}
	err = w.Close()
	return w.Stats(), err
}

// create starts the next file.
func (o *dumpOutput) create() (_ io.WriteCloser, err error) {
	if o.folder != nil {
		o.count++
		return o.folder.Create(o.fileName())
	}
	o.file, err = o.flags.CreateFile(o.std)
	return committed{o.file}, err
}

// fileName returns the name of the next file in the folder.
func (o *dumpOutput) fileName() string {
	if o.format.OneFile {
		return "dumps." + o.format.Name
	}
	return fmt.Sprintf("dump-%05d.txt", o.count)
}

// leftover returns a file of an earlier, longer run that a reader of the folder would read as the
// next dump, or "" if there is none.
func (o *dumpOutput) leftover() string {
	if o.folder == nil || o.format.OneFile {
		return ""
	}
	o.count++
	name := filepath.Join(o.flags.Name, o.fileName())
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

// committed is a file that Close commits.
type committed struct{ *cli.File }

func (c committed) Close() error { return c.Commit() }
