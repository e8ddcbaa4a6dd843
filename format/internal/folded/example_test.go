package folded_test

import (
	"log"
	"os"

	"artifice/format/dmtrace"
	"artifice/format/internal/folded"
	"artifice/trace"
)

// Flame-graph tools read folded stacks: each line has a stack and its exclusive wall time in
// microseconds.
func Example() {
	in, err := dmtrace.Open("../../../testdata/tiny.txt", dmtrace.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	w, err := folded.Format.Write(os.Stdout, &in.Recording)
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
