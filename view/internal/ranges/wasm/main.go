//go:build !js

package main

import (
	"fmt"
	"os"
)

// main answers one request on standard output.
func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "artifice-ranges: expected RECORDING QUERY")
		os.Exit(2)
	}
	if err := answer(os.Stdout, os.Args[1], "last?"+os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "artifice-ranges:", err)
		os.Exit(1)
	}
}
