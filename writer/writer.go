// Package writer writes recordings as files of any format that package format lists: [Create] for a
// caller that has the events, [Write] and [WriteFile] for all events of a recording.
//
// It has no formats of its own; their options are values of types of package format,
// format/dmtrace and format/pprof. Package format reads.
//
// # Example
//
//	notes, err := writer.WriteFile("app.pb.gz", "", rec) // the format by the name's ending
//	fmt.Println(notes)
//
// # Units and errors
//
// Each format has its own unit of time, which it states or documents; notes state what a file does
// not contain. An unknown format or extension is an error that lists the formats. WriteFile's file
// appears only when it is complete.
package writer

import (
	"fmt"
	"io"
	"strings"

	"artifice/format"
	"artifice/internal/cli"
	"artifice/trace"
)

// Create returns a writer of rec's events to w in a format, by its name. It reads rec.Info and
// rec.Symbols until it is closed, and rec.Events never. Options are those of package format and of
// the format's package, at most one value of a type; those of other formats are ignored.
func Create(w io.Writer, formatName string, rec *trace.Recording, options ...any) (format.Writer, error) {
	f := format.ToWrite(formatName)
	if f == nil {
		return nil, fmt.Errorf("no writer for format %q; use one of %s", formatName, names())
	}
	return f.Create(w, rec, options...)
}

// Write writes all of rec to w in a format, by its name. It returns how the file differs from the
// recording, a sentence each.
func Write(w io.Writer, formatName string, rec *trace.Recording, options ...any) (notes []string, err error) {
	out, err := Create(w, formatName, rec, options...)
	if err != nil {
		return nil, err
	}
	if _, err := trace.Copy(out, rec.Events); err != nil {
		return nil, err
	}
	err = out.Close()
	return out.Notes(), err
}

// WriteFile writes all of rec to the file path, which appears only when it is complete; a path that
// ends in .gz is compressed. The format is that of the path's extension where formatName is "".
func WriteFile(path, formatName string, rec *trace.Recording, options ...any) (notes []string, err error) {
	if formatName == "" {
		f := format.ForFile(path, rec.Source, rec.Info.VM)
		if f == nil {
			return nil, fmt.Errorf("%s: no format has the extension of this file; choose one of the formats %s", path, names())
		}
		formatName = f.Name
	}
	file, err := cli.Create(path, nil)
	if err != nil {
		return nil, err
	}
	err = file.Complete(func(file *cli.File) error {
		notes, err = Write(file, formatName, rec, options...)
		return err
	})
	return notes, err
}

// names returns the names of the formats that can be written.
func names() string {
	var list []string
	for _, f := range format.Written() {
		list = append(list, f.Name)
	}
	return strings.Join(list, ", ")
}
