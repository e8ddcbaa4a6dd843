package writer_test

import (
	"bytes"
	"fmt"
	"log"
	"os"

	"artifice/format/registry"
	"artifice/reader"
	"artifice/trace"
	"artifice/writer"
)

// Folded stacks are what flame-graph tools read: a stack to a line, and its
// exclusive wall time in microseconds.
func ExampleFolded() {
	in, err := reader.Open("../testdata/tiny.txt", reader.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	w, err := writer.NewFolded(os.Stdout, &in.Recording, writer.FoldedConfig{})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := trace.Copy(w, in.Events); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// # wall;us 0
	// app.Main.main;app.Main.work 5000
	// app.Main.main 2000
}

// ByName finds a writer by the name that artifice list prints. Every trace can be
// written in any of the formats.
func ExampleByName() {
	in, err := reader.Open("../testdata/tiny.txt", reader.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	var file bytes.Buffer
	w, err := registry.ByName("art-stream").Write(&file, &in.Recording, writer.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := trace.Copy(w, in.Events); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("it begins with %q\n", file.Next(4))
	// Output: it begins with "SLOW"
}
