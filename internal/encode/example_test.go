package encode_test

import (
	"bytes"
	"fmt"
	"log"

	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/trace"
)

// ByName of package format finds a format by its name in the output of artifice list. Every trace
// can be written in any of these formats.
func Example() {
	in, err := dmtrace.Open("../../testdata/tiny.txt", dmtrace.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	var file bytes.Buffer
	w, err := format.ByName("art-stream").Write(&file, &in.Recording)
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
