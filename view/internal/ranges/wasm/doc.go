// Command artifice-ranges answers, in a page that artifice view wrote into a file, what a part of
// its recording says of the methods: see package ranges. It runs in a Web Worker, as WebAssembly
// (GOOS=js GOARCH=wasm). Built for another system it answers one question, as who looks for a fault
// in it needs; RECORDING is what the page carries in its element "recording", unpacked from base64:
//
//	go run ./view/internal/ranges/wasm RECORDING 'from=0&to=1000000000&thread=21491'
package main
