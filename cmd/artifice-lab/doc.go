// Command artifice-lab is the laboratory's program: what "artifice lab" puts into a page as
// WebAssembly (GOOS=js GOARCH=wasm). It runs in a Web Worker and answers the page's requests with
// package lab. Elsewhere it does nothing but say so.
package main
