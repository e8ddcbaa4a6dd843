// Command artifice-lab is the program of the page that "artifice lab" writes, as
// WebAssembly (GOOS=js GOARCH=wasm). It runs in a Web Worker and answers the page's requests with
// package lab. Built for another system it answers the same requests, JSON objects, from standard
// input, for debugging:
//
//	echo '{"op":"open","name":"cold-start"} {"op":"look","every_ms":5}' | go run ./view/internal/lab/wasm
package main
