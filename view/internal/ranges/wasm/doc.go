// Command artifice-ranges answers queries about parts of a recording, in a page that artifice view
// has written to a file: see package ranges. It runs in a Web Worker as WebAssembly (GOOS=js
// GOARCH=wasm). Built for another system it answers one query, for debugging; RECORDING is the
// element "recording" of the page, decoded from base64:
//
//	go run ./view/internal/ranges/wasm RECORDING 'from=0&to=1000000000&thread=21491'
package main
