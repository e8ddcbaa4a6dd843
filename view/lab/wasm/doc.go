// Command artifice-lab is the laboratory's program: what "artifice lab" puts into a page as
// WebAssembly (GOOS=js GOARCH=wasm). It runs in a Web Worker and answers the page's requests with
// package lab. Built for another system it answers the same requests, an object of JSON each,
// from standard input, as who looks for a fault in it needs:
//
//	echo '{"op":"open","name":"cold-start"} {"op":"look","every_ms":5}' | go run ./view/lab/wasm
package main
