package main

import (
	"io"
	"strings"

	"artifice/format/pprof"
	"artifice/report"
)

// checkOutput refuses an output of an unknown kind before anything is read.
func (f *diffFlags) checkOutput() error {
	if f.out == "" {
		return nil
	}
	for _, ending := range []string{".html", ".csv", ".json", ".pb.gz", ".pb"} {
		if strings.HasSuffix(f.out, ending) {
			return checkWritable(f.out, false)
		}
	}
	return usagef("-o %s: must end in .html, .csv, .json or .pb.gz", f.out)
}

// print writes the difference where the flags say.
func (f *diffFlags) print(std stdio, t *diffTable) error {
	if f.out == "" {
		if f.form.CSV || f.form.JSON {
			return f.form.Print(std.out, t.List())
		}
		return t.WriteText(std.out)
	}
	file, err := createFile(std, f.out)
	if err != nil {
		return err
	}
	defer file.Abort()
	switch {
	case strings.HasSuffix(f.out, ".csv"):
		err = t.List().WriteCSV(file)
	case strings.HasSuffix(f.out, ".json"):
		err = t.List().WriteJSON(file)
	case strings.HasSuffix(f.out, ".pb.gz"), strings.HasSuffix(f.out, ".pb"):
		err = t.profile(file)
	default:
		err = t.WriteHTML(file, t.names[0], t.names[1], version())
	}
	if err != nil {
		return file.Fail(err)
	}
	return file.Commit()
}

// profile writes the differences of all calling contexts for pprof.
func (t *diffTable) profile(w io.Writer) error {
	rec, tree, err := report.Difference(t.sides[0], t.sides[1])
	if err != nil {
		return err
	}
	comments := append([]string{"new less old, per trace"}, strings.Split(t.Headline(), "\n")...)
	return pprof.WriteTree(w, rec, tree, t.Clock, comments...)
}
