package dmtrace_test

import (
	"errors"
	"fmt"
	"log"
	"strings"

	"artifice/format/dmtrace"
	"artifice/trace"
)

// Open recognizes the format by content, and InTimeOrder merges the threads.
func ExampleOpen() {
	f, err := dmtrace.Open("../../testdata/scroll.txt", dmtrace.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	if err := f.InTimeOrder(); err != nil {
		log.Fatal(err)
	}
	calls := 0
	for e, err := range trace.All(f.Events) {
		if err != nil {
			log.Fatal(err)
		}
		if e.Action == trace.Enter {
			calls++
		}
	}
	fmt.Println(calls, "calls of", len(f.Symbols.Methods), "methods")
	// Output: 636 calls of 33 methods
}

// A damaged file causes a [trace.FormatError], which contains the position of the damage.
func ExampleNew() {
	_, err := dmtrace.New(strings.NewReader("*version\n3\nclock=dual\n*threads\n1\tmain\n"), "cut.trace", dmtrace.ReadOptions{})
	var format *trace.FormatError
	fmt.Println(errors.As(err, &format))
	fmt.Println(err)
	// Output:
	// true
	// cut.trace: offset 38: the file ends in the key section, before its *end: unexpected EOF
}
