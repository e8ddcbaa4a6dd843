package main

import "os"

// hangUp is nothing: JavaScript has no terminals to be closed.
var hangUp []os.Signal
