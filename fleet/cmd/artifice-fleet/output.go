package main

import (
	"io"

	"artifice/internal/cli"
)

// writeFile writes a file that appears when it is complete; "-" is standard output.
func writeFile(name string, std *stdio, write func(io.Writer) error) error {
	file, err := cli.Create(name, std.out)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := write(file); err != nil {
		return file.Fail(err)
	}
	return file.Commit()
}

// formFlags choose the form of a table.
type formFlags struct{ json, csv bool }

func (f *formFlags) print(w io.Writer, t *cli.Table) error {
	switch {
	case f.json:
		return t.WriteJSON(w)
	case f.csv:
		return t.WriteCSV(w)
	}
	return t.WriteText(w)
}
