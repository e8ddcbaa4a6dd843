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
	return file.Complete(func(file *cli.File) error { return write(file) })
}
