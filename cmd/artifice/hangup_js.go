package main

import "os"

// hangUp is empty: JavaScript has no terminals.
var hangUp []os.Signal
