//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "artifice-lab runs in a browser: write its page with artifice lab -o lab.html")
	os.Exit(2)
}
